-- Midnight cuts no position any more. What accounts came to that were matched day by day is kept, so that their user sees what changed.

CREATE TABLE rematched_accounts (
  user_id TEXT NOT NULL REFERENCES profiles (id),
  account TEXT NOT NULL,
  currency TEXT NOT NULL,
  pairs_before INTEGER NOT NULL,
  net_before INTEGER NOT NULL,
  PRIMARY KEY (user_id, account, currency)
) STRICT, WITHOUT ROWID;
INSERT INTO rematched_accounts (user_id, account, currency, pairs_before, net_before)
  SELECT trades.user_id, account_id, trades.currency, count(*), sum(net) FROM trades
  JOIN accounts ON accounts.user_id = trades.user_id AND accounts.key = account_id
  WHERE origin = 'synced' AND carry = 0 AND EXISTS (SELECT 1 FROM batches WHERE batches.user_id = trades.user_id AND batches.account = account_id AND (begins_open = 1 OR ends_open = 1))
  GROUP BY trades.user_id, account_id, trades.currency;

INSERT OR IGNORE INTO stale_batches (user_id, account, contract, local_date, at)
  SELECT batches.user_id, account, contract, local_date, unixepoch() * 1000 FROM batches
  JOIN accounts ON accounts.user_id = batches.user_id AND accounts.key = account
  WHERE carry = 0 AND EXISTS (SELECT 1 FROM batches AS open WHERE open.user_id = batches.user_id AND open.account = batches.account AND open.contract = batches.contract AND (open.begins_open = 1 OR open.ends_open = 1));

ALTER TABLE accounts DROP COLUMN carry;
