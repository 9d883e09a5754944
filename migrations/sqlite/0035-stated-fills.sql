-- What a broker itself states of each fill that counts: the gross P&L that it realized, null where it opened or added, and its
-- cost, null where the broker does not say. The journal's own figures are held against it.
CREATE TABLE stated_fills (
  user_id TEXT NOT NULL,
  account TEXT NOT NULL,
  id TEXT NOT NULL,
  contract TEXT NOT NULL,
  currency TEXT NOT NULL,
  time INTEGER NOT NULL,
  side TEXT NOT NULL CHECK (side IN ('buy', 'sell')),
  qty INTEGER NOT NULL CHECK (qty > 0),
  gross INTEGER,
  fees INTEGER,
  PRIMARY KEY (user_id, account, id)
) STRICT, WITHOUT ROWID;

-- Past sessions were read before anything of this was kept: the next run reads them again.
DELETE FROM history_windows WHERE account LIKE 'topstepx:%';
