-- Imports of exported files: what they say is kept as it was read, so that fills can be put together anew from all that stands.

-- An import is `incoming` while its files are read; one that was undone is only listed. account is whose the rows are that name no account.
CREATE TABLE imports (
  user_id TEXT NOT NULL REFERENCES profiles (id),
  id TEXT NOT NULL,
  at INTEGER NOT NULL,
  zone TEXT NOT NULL,
  account TEXT,
  state TEXT NOT NULL CHECK (state IN ('incoming', 'standing', 'undone')),
  undone_at INTEGER,
  PRIMARY KEY (user_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE import_files (
  user_id TEXT NOT NULL,
  import_id TEXT NOT NULL,
  place INTEGER NOT NULL,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  rows INTEGER NOT NULL,
  accepted INTEGER NOT NULL,
  refused INTEGER NOT NULL,
  PRIMARY KEY (user_id, import_id, place)
) STRICT, WITHOUT ROWID;

-- What rows of one file say that name the same account: a JSON list.
CREATE TABLE import_readings (
  user_id TEXT NOT NULL,
  import_id TEXT NOT NULL,
  place INTEGER NOT NULL,
  part INTEGER NOT NULL,
  account_name TEXT,
  account_id TEXT,
  content TEXT NOT NULL,
  PRIMARY KEY (user_id, import_id, place, part)
) STRICT;
CREATE INDEX import_readings_by_account ON import_readings (user_id, account_name, account_id);

-- Fills of which imports say something else than was told without them. told is what was told, as JSON, or null where only imports know the fill.
CREATE TABLE told_fills (
  user_id TEXT NOT NULL,
  account TEXT NOT NULL,
  id TEXT NOT NULL,
  told TEXT,
  PRIMARY KEY (user_id, account, id)
) STRICT, WITHOUT ROWID;

-- Contracts whose figures come from imports alone.
CREATE TABLE imported_specs (
  user_id TEXT NOT NULL,
  contract TEXT NOT NULL,
  PRIMARY KEY (user_id, contract)
) STRICT, WITHOUT ROWID;

-- Users whose fills have still to be put together from what was told and what stands of imports, and since when (UTC ms).
CREATE TABLE imports_unsettled (
  user_id TEXT NOT NULL PRIMARY KEY,
  at INTEGER NOT NULL
) STRICT;
