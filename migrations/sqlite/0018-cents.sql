-- The gross of a fill pair is rounded to cents as the broker rounds it.

-- How the broker rounds, null where none of its figures shows it.
ALTER TABLE specs ADD COLUMN rounding TEXT;

-- Pairs with parts of cents are computed again.
INSERT OR IGNORE INTO stale_batches (user_id, account, contract, local_date, at)
SELECT user_id, account_id, symbol, date, CAST(unixepoch('subsec') * 1000 AS INTEGER) FROM trades WHERE origin = 'synced' AND gross % 100 <> 0;
