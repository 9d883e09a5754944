-- Fees in other currencies than the contract's, as JSON (currency and amount in 1/10,000 of it); null where there are none.
-- `fee_from` is the file or report that had the last word on a fee that another source told first.
ALTER TABLE fills ADD COLUMN other_fees TEXT;
ALTER TABLE fills ADD COLUMN fee_from TEXT;
ALTER TABLE trades ADD COLUMN other_fees TEXT;
ALTER TABLE trades ADD COLUMN fee_from TEXT;
ALTER TABLE trips ADD COLUMN other_fees TEXT;

DROP VIEW counted_trips;
CREATE VIEW counted_trips AS
  SELECT ref, user_id, id, NULL AS account, account_id, symbol, date, trading_day, side, qty, pairs, tick_size, base_price, entry_sum, exit_sum,
    entry_time, exit_time, gross, commission, net, currency, multiplier_source, fee_source, warnings, missing, other_fees FROM trips
  UNION ALL
  SELECT -ref, user_id, id, account, account_id, symbol, date, trading_day, side, qty, 1, tick_size, entry_price, 0, (exit_price - entry_price) * qty,
    entry_time, exit_time, gross, commission, net, currency, multiplier_source, fee_source, warnings, NULL, NULL FROM trades
  WHERE origin = 'manual' AND NOT EXISTS (SELECT 1 FROM shown_notes AS shown WHERE shown.user_id = trades.user_id AND shown.trade_id = trades.id AND shown.removed_at IS NOT NULL);
