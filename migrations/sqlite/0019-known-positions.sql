-- Net positions that the broker or a file states, fills that are known to exist and could not be read, and the trades that rest on either.

CREATE TABLE known_positions (
  user_id TEXT NOT NULL,
  account TEXT NOT NULL,
  contract TEXT NOT NULL,
  source TEXT NOT NULL CHECK (source IN ('broker', 'import')),
  time INTEGER NOT NULL,
  net INTEGER NOT NULL,
  PRIMARY KEY (user_id, account, contract, source, time)
) STRICT, WITHOUT ROWID;

-- Null in contract is any contract of the account, null in time any time.
CREATE TABLE missing_fills (
  user_id TEXT NOT NULL,
  account TEXT NOT NULL,
  contract TEXT,
  source TEXT NOT NULL CHECK (source IN ('broker', 'import')),
  time INTEGER
) STRICT;
CREATE INDEX missing_fills_of_contract ON missing_fills (user_id, account, contract);

-- Under which doubts a contract was matched, as JSON; where there are none it has no row.
CREATE TABLE position_doubts (
  user_id TEXT NOT NULL,
  account TEXT NOT NULL,
  contract TEXT NOT NULL,
  doubts TEXT NOT NULL,
  PRIMARY KEY (user_id, account, contract)
) STRICT, WITHOUT ROWID;

-- Trading days of fills that were matched while the position was in doubt, a JSON list.
ALTER TABLE batches ADD COLUMN doubtful_days TEXT NOT NULL DEFAULT '[]';

-- Contracts that are missing of an incomplete trade, 0 where their number is not known; else null.
ALTER TABLE trades ADD COLUMN missing INTEGER;
ALTER TABLE trips ADD COLUMN missing INTEGER;

DROP VIEW counted_trips;
CREATE VIEW counted_trips AS
  SELECT ref, user_id, id, NULL AS account, account_id, symbol, date, trading_day, side, qty, pairs, tick_size, base_price, entry_sum, exit_sum,
    entry_time, exit_time, gross, commission, net, currency, multiplier_source, fee_source, warnings, missing FROM trips
  UNION ALL
  SELECT -ref, user_id, id, account, account_id, symbol, date, trading_day, side, qty, 1, tick_size, entry_price, 0, (exit_price - entry_price) * qty,
    entry_time, exit_time, gross, commission, net, currency, multiplier_source, fee_source, warnings, NULL FROM trades
  WHERE origin = 'manual' AND NOT EXISTS (SELECT 1 FROM trade_edits AS edit WHERE edit.user_id = trades.user_id AND edit.trade_id = trades.id AND edit.removed_at IS NOT NULL);
