-- What users say beside single trades: days, what a contract costs, where stops lie, which account copies which.

-- stamps is a JSON object as in trade_edits: each field by itself.
CREATE TABLE day_notes (
  user_id TEXT NOT NULL REFERENCES profiles (id),
  trading_day TEXT NOT NULL,
  notes TEXT NOT NULL DEFAULT '',
  tags TEXT NOT NULL DEFAULT '[]',
  stamps TEXT NOT NULL DEFAULT '{}',
  PRIMARY KEY (user_id, trading_day)
) STRICT, WITHOUT ROWID;

-- What one contract costs per side in 1/10,000 of the currency, of all accounts of a firm or of one account's key. Null in per_side is a rate that was taken back: a mark, so that this travels too.
CREATE TABLE commission_rates (
  user_id TEXT NOT NULL REFERENCES profiles (id),
  scope TEXT NOT NULL CHECK (scope IN ('firm', 'account')),
  of TEXT NOT NULL,
  product TEXT NOT NULL,
  per_side INTEGER CHECK (per_side >= 0),
  currency TEXT NOT NULL,
  stamp TEXT NOT NULL,
  PRIMARY KEY (user_id, scope, of, product)
) STRICT, WITHOUT ROWID;

-- Batches whose trades have still to be derived again, since what their fills cost was said anew, and since when (UTC ms).
CREATE TABLE stale_batches (
  user_id TEXT NOT NULL,
  account TEXT NOT NULL,
  contract TEXT NOT NULL,
  local_date TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (user_id, account, contract, local_date)
) STRICT, WITHOUT ROWID;

-- Trades and trips count on the session that the broker books their closing on, where it was told: those that stand on another day are derived again.
INSERT INTO stale_batches (user_id, account, contract, local_date, at)
  SELECT fills.user_id, fills.account, fills.contract, fills.local_date, unixepoch() * 1000 FROM fills CROSS JOIN trades
    ON trades.user_id = fills.user_id AND trades.exit_time = fills.time AND trades.account_id = fills.account AND trades.symbol = fills.contract
  WHERE trades.origin = 'synced' AND trades.trading_day <> fills.trade_date
  UNION SELECT fills.user_id, fills.account, fills.contract, fills.local_date, unixepoch() * 1000 FROM fills CROSS JOIN trips
    ON trips.user_id = fills.user_id AND trips.exit_time = fills.time AND trips.account_id = fills.account AND trips.symbol = fills.contract
  WHERE trips.trading_day <> fills.trade_date;

-- distance is an exact decimal above zero in the unit, or null: taken back.
CREATE TABLE default_stops (
  user_id TEXT NOT NULL REFERENCES profiles (id),
  product TEXT NOT NULL,
  distance TEXT,
  unit TEXT NOT NULL CHECK (unit IN ('ticks', 'points')),
  stamp TEXT NOT NULL,
  PRIMARY KEY (user_id, product)
) STRICT, WITHOUT ROWID;

-- The key of the leader whose trades are copied here. Stamped with the account; a mark whose leader is gone stays and does not count.
ALTER TABLE accounts ADD COLUMN copy_of TEXT;

-- The outbox again, for the new kinds of record; what waits goes on waiting, in its order.
CREATE TABLE outbox_of_all (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id TEXT NOT NULL,
  entity TEXT NOT NULL CHECK (entity IN ('profile', 'account', 'balance', 'spec', 'contract', 'commission', 'finance', 'picture', 'fill', 'trade', 'edit', 'day', 'stop', 'pair')),
  entity_id TEXT NOT NULL,
  noted_at INTEGER NOT NULL,
  set_aside INTEGER NOT NULL DEFAULT 0 CHECK (set_aside IN (0, 1)),
  UNIQUE (user_id, entity, entity_id)
) STRICT;
INSERT INTO outbox_of_all SELECT seq, user_id, entity, entity_id, noted_at, set_aside FROM outbox;
DROP TABLE outbox;
ALTER TABLE outbox_of_all RENAME TO outbox;
CREATE INDEX outbox_set_aside ON outbox (user_id) WHERE set_aside = 1;
