-- Fill pairs and trades from flat to flat have the names here that the screens give them: `trades` held fill pairs, and `trips` held trades.
DROP VIEW counted_trips;

DROP INDEX trades_by_id;
DROP INDEX trades_of_batch;
DROP INDEX trades_by_exit;
DROP INDEX trades_by_day;
DROP INDEX trades_entered;
DROP INDEX trades_of_trip;
ALTER TABLE trades RENAME TO fill_pairs;
ALTER TABLE fill_pairs RENAME COLUMN trip_id TO trade_id;
CREATE UNIQUE INDEX fill_pairs_by_id ON fill_pairs (user_id, id);
CREATE INDEX fill_pairs_of_batch ON fill_pairs (user_id, account_id, symbol, date);
CREATE INDEX fill_pairs_by_exit ON fill_pairs (user_id, exit_time, id);
CREATE INDEX fill_pairs_by_day ON fill_pairs (user_id, trading_day, account_id, symbol, side, account, id);
CREATE INDEX fill_pairs_entered ON fill_pairs (user_id) WHERE origin = 'manual';
CREATE INDEX fill_pairs_of_trade ON fill_pairs (user_id, trade_id) WHERE trade_id IS NOT NULL;

DROP INDEX trips_by_id;
DROP INDEX trips_of_batch;
DROP INDEX trips_by_exit;
DROP INDEX trips_by_day;
ALTER TABLE trips RENAME TO trades;
CREATE UNIQUE INDEX trades_by_id ON trades (user_id, id);
CREATE INDEX trades_of_batch ON trades (user_id, account_id, symbol, batch_date);
CREATE INDEX trades_by_exit ON trades (user_id, exit_time, id);
CREATE INDEX trades_by_day ON trades (user_id, trading_day, account_id, symbol, side, id);

DROP INDEX trade_edits_unplaced;
ALTER TABLE trade_edits RENAME TO pair_edits;
ALTER TABLE pair_edits RENAME COLUMN trade_id TO pair_id;
CREATE INDEX pair_edits_unplaced ON pair_edits (user_id, pair_id) WHERE place IS NULL;

ALTER TABLE shown_notes RENAME COLUMN trade_id TO pair_id;
ALTER TABLE left_over_notes RENAME COLUMN trade_id TO pair_id;
ALTER TABLE history_windows RENAME COLUMN trips TO trades;

CREATE VIEW counted_trades AS
  SELECT ref, user_id, id, NULL AS account, account_id, symbol, date, trading_day, side, qty, pairs, tick_size, base_price, entry_sum, exit_sum,
    entry_time, exit_time, gross, commission, net, currency, multiplier_source, fee_source, warnings, missing, other_fees FROM trades
  UNION ALL
  SELECT -ref, user_id, id, account, account_id, symbol, date, trading_day, side, qty, 1, tick_size, entry_price, 0, (exit_price - entry_price) * qty,
    entry_time, exit_time, gross, commission, net, currency, multiplier_source, fee_source, warnings, NULL, NULL FROM fill_pairs
  WHERE origin = 'manual' AND NOT EXISTS (SELECT 1 FROM shown_notes AS shown WHERE shown.user_id = fill_pairs.user_id AND shown.pair_id = fill_pairs.id AND shown.removed_at IS NOT NULL);

-- The open trade of a batch's end, and what the receipt of a run counts. A quote inside a JSON text is escaped, so no other text matches.
UPDATE batches SET end_position = replace(end_position, '"trip":', '"trade":');
UPDATE sync_runs SET receipt = replace(receipt, '"trips":', '"trades":');
