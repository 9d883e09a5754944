-- What a filter asks of pairs and trips, so that counting and finding them reads no row that does not meet it.
CREATE INDEX trades_by_day ON trades (user_id, trading_day, account_id, symbol, side, account, id);
CREATE INDEX trips_by_day ON trips (user_id, trading_day, account_id, symbol, side, id);

-- Trades entered by hand count as trips of their own: they are few, and were looked for among all.
CREATE INDEX trades_entered ON trades (user_id) WHERE origin = 'manual';
