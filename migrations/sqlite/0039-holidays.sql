-- Trades on days that an exchange may clear with the next one are computed again: fills without the broker's date count there now.
INSERT OR IGNORE INTO stale_batches (user_id, account, contract, local_date, at)
SELECT user_id, account_id, symbol, date, CAST(unixepoch('subsec') * 1000 AS INTEGER) FROM trades
WHERE origin = 'synced' AND (
  (strftime('%w', trading_day) = '1' AND (strftime('%m-%d', trading_day) BETWEEN '01-15' AND '01-21' OR strftime('%m-%d', trading_day) BETWEEN '02-15' AND '02-21'
    OR strftime('%m-%d', trading_day) BETWEEN '05-25' AND '05-31' OR strftime('%m-%d', trading_day) BETWEEN '09-01' AND '09-07'))
  OR strftime('%m-%d', trading_day) BETWEEN '06-18' AND '06-20' OR strftime('%m-%d', trading_day) BETWEEN '07-03' AND '07-05'
  OR (strftime('%w', trading_day) = '4' AND strftime('%m-%d', trading_day) BETWEEN '11-22' AND '11-28'));
