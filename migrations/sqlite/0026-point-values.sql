-- What a point of a product is worth by its user's word, of products that the contract table does not have; amount is an
-- exact decimal above zero in the currency, or null: taken back.
CREATE TABLE point_values (
  user_id TEXT NOT NULL REFERENCES profiles (id),
  product TEXT NOT NULL,
  amount TEXT,
  currency TEXT NOT NULL,
  stamp TEXT NOT NULL,
  PRIMARY KEY (user_id, product)
) STRICT, WITHOUT ROWID;

-- The outbox again, for the new kind of record; what waits goes on waiting, in its order.
CREATE TABLE outbox_of_all (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id TEXT NOT NULL,
  entity TEXT NOT NULL CHECK (entity IN ('profile', 'account', 'balance', 'spec', 'contract', 'commission', 'point', 'finance', 'picture', 'fill', 'trade', 'edit', 'day', 'stop', 'rules', 'pair')),
  entity_id TEXT NOT NULL,
  noted_at INTEGER NOT NULL,
  set_aside INTEGER NOT NULL DEFAULT 0 CHECK (set_aside IN (0, 1)),
  UNIQUE (user_id, entity, entity_id)
) STRICT;
INSERT INTO outbox_of_all SELECT seq, user_id, entity, entity_id, noted_at, set_aside FROM outbox;
DROP TABLE outbox;
ALTER TABLE outbox_of_all RENAME TO outbox;
CREATE INDEX outbox_set_aside ON outbox (user_id) WHERE set_aside = 1;
