-- What the broker's reporting service was asked for of the past, on this computer.

-- What became of the offer to bring a login's history. since is the first trading day wanted; 'wanted' goes on by itself until it is done or refused.
CREATE TABLE history_wishes (
  user_id TEXT NOT NULL REFERENCES profiles (id),
  login_id TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('wanted', 'stopped', 'done', 'declined', 'refused')),
  since TEXT,
  at INTEGER NOT NULL,
  PRIMARY KEY (user_id, login_id)
) STRICT, WITHOUT ROWID;

-- Trading days of an account that were asked for, both ends included. import_id is what they brought, null where there was nothing: they count while that import stands.
CREATE TABLE history_windows (
  user_id TEXT NOT NULL,
  account TEXT NOT NULL,
  from_day TEXT NOT NULL,
  to_day TEXT NOT NULL,
  at INTEGER NOT NULL,
  import_id TEXT,
  fills INTEGER NOT NULL,
  pairs INTEGER NOT NULL,
  trips INTEGER NOT NULL,
  PRIMARY KEY (user_id, account, from_day, to_day)
) STRICT, WITHOUT ROWID;
