-- What a copy in the cloud and a second computer need: stamps on what users change, an outbox of every kind of record, and how far the mirror is.
-- And, for each account, which sessions were read to their end.

-- Which computer this is on the clock of stamps, and the latest stamp it made or saw. One row.
CREATE TABLE device (
  only_row INTEGER NOT NULL PRIMARY KEY CHECK (only_row = 1),
  id TEXT NOT NULL,
  last_stamp TEXT NOT NULL
) STRICT;
INSERT INTO device VALUES (1, lower(hex(randomblob(4))), '000000000000000-00000-00000000');

-- journal names the cloud's journal, cursor is the last change of it that is known here.
CREATE TABLE mirrors (
  user_id TEXT NOT NULL PRIMARY KEY REFERENCES profiles (id),
  journal TEXT,
  cursor INTEGER NOT NULL DEFAULT 0,
  last_sent_at INTEGER
) STRICT;

-- Stamps stand beside what they date; what was there before them counts as changed at the beginning of time.
ALTER TABLE accounts ADD COLUMN stamp TEXT NOT NULL DEFAULT '000000000000000-00000-00000000';
ALTER TABLE finances ADD COLUMN stamp TEXT NOT NULL DEFAULT '000000000000000-00000-00000000';
-- Null for a derived trade, which follows from its fills.
ALTER TABLE trades ADD COLUMN stamp TEXT;
UPDATE trades SET stamp = '000000000000000-00000-00000000' WHERE origin = 'manual';
-- A JSON object: the stamp of each field that was ever changed.
ALTER TABLE trade_edits ADD COLUMN stamps TEXT NOT NULL DEFAULT '{}';

-- The name of the login that connected an account, which stays when the login goes and travels to other computers.
ALTER TABLE accounts ADD COLUMN login_name TEXT NOT NULL DEFAULT '';
UPDATE accounts SET login_name = COALESCE((SELECT name FROM logins WHERE logins.id = login_id), '');
-- Since when this computer syncs the account, without a break; null where it never did.
ALTER TABLE accounts ADD COLUMN watched_since INTEGER;
UPDATE accounts SET watched_since = connected_at WHERE removed_at IS NULL;

-- How far a session was read, and whether the user said that nothing is missing.
CREATE TABLE session_reads (
  user_id TEXT NOT NULL,
  account TEXT NOT NULL,
  trading_day TEXT NOT NULL,
  read_until INTEGER,
  closed INTEGER NOT NULL DEFAULT 0 CHECK (closed IN (0, 1)),
  PRIMARY KEY (user_id, account, trading_day)
) STRICT, WITHOUT ROWID;

-- A run whose troubles may pass is good enough for the schedule; only one without any is whole.
ALTER TABLE sync_runs ADD COLUMN good INTEGER NOT NULL DEFAULT 0 CHECK (good IN (0, 1));
UPDATE sync_runs SET good = outcome = 'complete';

-- The outbox again, for every kind of record: which changed, and since when that waits. Its content is read when it is sent; a row that is not there any more is told as gone.
DROP TABLE outbox;
CREATE TABLE outbox (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id TEXT NOT NULL,
  entity TEXT NOT NULL CHECK (entity IN ('profile', 'account', 'balance', 'spec', 'contract', 'finance', 'picture', 'fill', 'trade', 'edit', 'pair')),
  entity_id TEXT NOT NULL,
  noted_at INTEGER NOT NULL,
  -- A record that no cloud takes as it is, so that it does not hold up the others; its next change is told again.
  set_aside INTEGER NOT NULL DEFAULT 0 CHECK (set_aside IN (0, 1)),
  UNIQUE (user_id, entity, entity_id)
) STRICT;
CREATE INDEX outbox_set_aside ON outbox (user_id) WHERE set_aside = 1;
INSERT INTO outbox (user_id, entity, entity_id, noted_at) SELECT id, 'profile', 'profile', unixepoch() * 1000 FROM profiles;
INSERT INTO outbox (user_id, entity, entity_id, noted_at) SELECT user_id, 'account', key, unixepoch() * 1000 FROM accounts;
INSERT INTO outbox (user_id, entity, entity_id, noted_at) SELECT user_id, 'balance', key, unixepoch() * 1000 FROM accounts WHERE balance IS NOT NULL;
INSERT INTO outbox (user_id, entity, entity_id, noted_at) SELECT user_id, 'spec', contract, unixepoch() * 1000 FROM specs;
INSERT INTO outbox (user_id, entity, entity_id, noted_at) SELECT user_id, 'contract', environment || '/' || broker_contract_id, unixepoch() * 1000 FROM contracts;
INSERT INTO outbox (user_id, entity, entity_id, noted_at) SELECT user_id, 'finance', id, unixepoch() * 1000 FROM finances;
INSERT INTO outbox (user_id, entity, entity_id, noted_at) SELECT user_id, 'fill', account || '/' || id, unixepoch() * 1000 FROM fills ORDER BY time;
INSERT INTO outbox (user_id, entity, entity_id, noted_at) SELECT user_id, 'trade', id, unixepoch() * 1000 FROM trades WHERE origin = 'manual' ORDER BY exit_time;
UPDATE trade_edits SET stamps = '{"notes":"000000000000000-00000-00000000","tags":"000000000000000-00000-00000000","stop":"000000000000000-00000-00000000","screenshot":"000000000000000-00000-00000000","screenshotHeadline":"000000000000000-00000-00000000","screenshot2":"000000000000000-00000-00000000","screenshot2Headline":"000000000000000-00000-00000000","removedAt":"000000000000000-00000-00000000"}';
INSERT INTO outbox (user_id, entity, entity_id, noted_at) SELECT user_id, 'edit', trade_id, unixepoch() * 1000 FROM trade_edits;
INSERT INTO outbox (user_id, entity, entity_id, noted_at) SELECT user_id, 'pair', id, unixepoch() * 1000 FROM trades WHERE origin = 'synced' ORDER BY exit_time;

-- Files that edits name.
CREATE TABLE pictures (
  user_id TEXT NOT NULL,
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  bytes INTEGER NOT NULL CHECK (bytes > 0),
  PRIMARY KEY (user_id, name)
) STRICT, WITHOUT ROWID;

DROP TABLE user_settings;
