-- What a follower holds is divided: held came of the copier's own orders, yours is its user's. Signed contracts.
-- taken_time (UTC ms) and taken_id name the newest fill that is counted in both.
DROP TABLE stances;
CREATE TABLE stances (
  group_id TEXT NOT NULL REFERENCES groups (id),
  account TEXT NOT NULL,
  contract TEXT NOT NULL,
  held INTEGER NOT NULL,
  yours INTEGER NOT NULL,
  base INTEGER NOT NULL,
  apart INTEGER NOT NULL,
  why TEXT CHECK (why IN ('exit-filled', 'by-hand')),
  asks INTEGER NOT NULL CHECK (asks IN (0, 1)),
  taken_time INTEGER NOT NULL,
  taken_id INTEGER NOT NULL,
  PRIMARY KEY (group_id, account, contract)
) STRICT, WITHOUT ROWID;

-- The leader's position that a group last knew, with the newest of its fills that is counted in it.
CREATE TABLE leaders (
  group_id TEXT NOT NULL REFERENCES groups (id),
  contract TEXT NOT NULL,
  net INTEGER NOT NULL,
  taken_time INTEGER NOT NULL,
  taken_id INTEGER NOT NULL,
  PRIMARY KEY (group_id, contract)
) STRICT, WITHOUT ROWID;

-- Nobody noted until now what of a position the copier traded: each follower asks once what is open.
UPDATE followers SET day = '-' || day WHERE day NOT LIKE '-%';
