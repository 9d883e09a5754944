-- Trades of contracts that the larger contract table knows, and that were guessed from a part of their name, are computed again.
INSERT OR IGNORE INTO stale_batches (user_id, account, contract, local_date, at)
SELECT user_id, account_id, symbol, date, CAST(unixepoch('subsec') * 1000 AS INTEGER) FROM trades
WHERE origin = 'synced' AND multiplier_source IN ('table', 'unknown') AND (warnings LIKE '%"partial-root"%' OR warnings LIKE '%"unknown-contract"%' OR symbol LIKE 'ZR%');
