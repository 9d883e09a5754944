-- What prop firms ask of accounts, by their users' word, and the alerts that came of it. Both outlive an account's removal, since they come back with it.

-- rules is a set as JSON in the API's shape, null where none is set or it was taken back. stage is where the user moved the account by hand.
CREATE TABLE account_rules (
  user_id TEXT NOT NULL REFERENCES profiles (id),
  account TEXT NOT NULL,
  rules TEXT,
  preset_id TEXT,
  since TEXT,
  stage TEXT CHECK (stage IN ('evaluation', 'passed', 'funded', 'breached')),
  stamp TEXT NOT NULL,
  PRIMARY KEY (user_id, account)
) STRICT, WITHOUT ROWID;

-- The first rule that was seen broken for good while the account was watched, on this computer: open P&L is in no journal. at is UTC ms.
CREATE TABLE rule_breaches (
  user_id TEXT NOT NULL REFERENCES profiles (id),
  account TEXT NOT NULL,
  rule TEXT NOT NULL,
  trading_day TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (user_id, account)
) STRICT, WITHOUT ROWID;

-- settings is JSON in the API's shape.
CREATE TABLE alert_settings (
  user_id TEXT NOT NULL PRIMARY KEY REFERENCES profiles (id) ON DELETE CASCADE,
  settings TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Alerts that were given, on this computer. level is percent; limit_at, value_at and left_of are decimals in the unit.
CREATE TABLE rule_alerts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  account TEXT NOT NULL,
  account_name TEXT NOT NULL,
  rule TEXT NOT NULL,
  level INTEGER NOT NULL,
  unit TEXT NOT NULL,
  limit_at TEXT,
  value_at TEXT,
  left_of TEXT,
  currency TEXT NOT NULL,
  seen INTEGER NOT NULL DEFAULT 0 CHECK (seen IN (0, 1))
) STRICT;
CREATE INDEX rule_alerts_of_user ON rule_alerts (user_id, id);

-- Levels that were told in a session: none is told twice there, until it fell ten points below.
CREATE TABLE alert_marks (
  user_id TEXT NOT NULL,
  account TEXT NOT NULL,
  rule TEXT NOT NULL,
  level INTEGER NOT NULL,
  trading_day TEXT NOT NULL,
  PRIMARY KEY (user_id, account, rule, level)
) STRICT, WITHOUT ROWID;

-- The outbox again, for the new kind of record; what waits goes on waiting, in its order.
CREATE TABLE outbox_of_all (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id TEXT NOT NULL,
  entity TEXT NOT NULL CHECK (entity IN ('profile', 'account', 'balance', 'spec', 'contract', 'commission', 'finance', 'picture', 'fill', 'trade', 'edit', 'day', 'stop', 'rules', 'pair')),
  entity_id TEXT NOT NULL,
  noted_at INTEGER NOT NULL,
  set_aside INTEGER NOT NULL DEFAULT 0 CHECK (set_aside IN (0, 1)),
  UNIQUE (user_id, entity, entity_id)
) STRICT;
INSERT INTO outbox_of_all SELECT seq, user_id, entity, entity_id, noted_at, set_aside FROM outbox;
DROP TABLE outbox;
ALTER TABLE outbox_of_all RENAME TO outbox;
CREATE INDEX outbox_set_aside ON outbox (user_id) WHERE set_aside = 1;
