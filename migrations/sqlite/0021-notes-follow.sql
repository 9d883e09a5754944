-- What a user wrote belongs to the trade: trade_edits keeps it as it was written, with the place where the trade stood
-- then (JSON; the text 'null' for a trade that was entered, NULL where nobody has placed it yet). What each trade of now
-- shows of it follows from that and from the pairs, and is made again after every derivation.
ALTER TABLE trade_edits ADD COLUMN place TEXT;
UPDATE trade_edits SET place = 'null' WHERE EXISTS (SELECT 1 FROM trades WHERE trades.user_id = trade_edits.user_id AND trades.id = trade_id AND origin = 'manual');
CREATE INDEX trade_edits_unplaced ON trade_edits (user_id, trade_id) WHERE place IS NULL;

-- sources tells which fields come from other records than the trade's own, as JSON: field to [record, field].
CREATE TABLE shown_notes (
  user_id TEXT NOT NULL,
  trade_id TEXT NOT NULL,
  account TEXT NOT NULL,
  contract TEXT NOT NULL,
  notes TEXT NOT NULL,
  tags TEXT NOT NULL,
  stop TEXT,
  screenshot TEXT NOT NULL,
  screenshot_headline TEXT NOT NULL,
  screenshot2 TEXT NOT NULL,
  screenshot2_headline TEXT NOT NULL,
  removed_at INTEGER,
  sources TEXT NOT NULL,
  PRIMARY KEY (user_id, trade_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX shown_notes_of_contract ON shown_notes (user_id, account, contract);

INSERT INTO shown_notes (user_id, trade_id, account, contract, notes, tags, stop, screenshot, screenshot_headline, screenshot2, screenshot2_headline, removed_at, sources)
  SELECT edit.user_id, trade_id, iif(origin = 'manual', '', account_id), iif(origin = 'manual', '', symbol), edit.notes, tags, stop, screenshot, screenshot_headline, screenshot2, screenshot2_headline, removed_at, '{}'
  FROM trade_edits AS edit JOIN trades ON trades.user_id = edit.user_id AND trades.id = trade_id
  WHERE edit.notes <> '' OR tags <> '[]' OR stop IS NOT NULL OR screenshot <> '' OR screenshot_headline <> '' OR screenshot2 <> '' OR screenshot2_headline <> '' OR removed_at IS NOT NULL;

-- What no trade shows: fields is a JSON list, trade_id the trade that shows the rest, or of which only a part was removed.
CREATE TABLE left_over_notes (
  user_id TEXT NOT NULL,
  edit_id TEXT NOT NULL,
  account TEXT NOT NULL,
  contract TEXT NOT NULL,
  trading_day TEXT NOT NULL,
  fields TEXT NOT NULL,
  trade_id TEXT,
  PRIMARY KEY (user_id, edit_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX left_over_notes_of_day ON left_over_notes (user_id, trading_day);

DROP VIEW counted_trips;
DROP INDEX trade_edits_removed;
CREATE INDEX shown_notes_removed ON shown_notes (user_id, trade_id) WHERE removed_at IS NOT NULL;
CREATE VIEW counted_trips AS
  SELECT ref, user_id, id, NULL AS account, account_id, symbol, date, trading_day, side, qty, pairs, tick_size, base_price, entry_sum, exit_sum,
    entry_time, exit_time, gross, commission, net, currency, multiplier_source, fee_source, warnings, missing FROM trips
  UNION ALL
  SELECT -ref, user_id, id, account, account_id, symbol, date, trading_day, side, qty, 1, tick_size, entry_price, 0, (exit_price - entry_price) * qty,
    entry_time, exit_time, gross, commission, net, currency, multiplier_source, fee_source, warnings, NULL FROM trades
  WHERE origin = 'manual' AND NOT EXISTS (SELECT 1 FROM shown_notes AS shown WHERE shown.user_id = trades.user_id AND shown.trade_id = trades.id AND shown.removed_at IS NOT NULL);
