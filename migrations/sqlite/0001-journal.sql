-- Times are UTC milliseconds, dates YYYY-MM-DD, money whole 1/10,000 of the row's currency, prices whole ticks of the row's tick size.

CREATE TABLE profiles (
  id TEXT NOT NULL PRIMARY KEY,
  email TEXT UNIQUE,
  display_name TEXT NOT NULL,
  password_hash TEXT,
  recovery_hash TEXT,
  demo INTEGER NOT NULL CHECK (demo IN (0, 1)),
  time_zone TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_sign_in_at INTEGER
) STRICT;

CREATE TABLE sessions (
  id_hash TEXT NOT NULL PRIMARY KEY,
  user_id TEXT REFERENCES profiles (id),
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;

CREATE TABLE oauth_states (
  state TEXT NOT NULL PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES profiles (id),
  return_to TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE logins (
  id TEXT NOT NULL PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES profiles (id),
  broker TEXT NOT NULL,
  broker_user_id TEXT NOT NULL,
  name TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('ok', 'expired')),
  last_error TEXT,
  refused_at INTEGER,
  hosts TEXT,
  connected_at INTEGER NOT NULL,
  UNIQUE (user_id, broker, broker_user_id)
) STRICT;

-- login_id names a login that may be gone: the account's tombstone outlives it.
CREATE TABLE accounts (
  user_id TEXT NOT NULL REFERENCES profiles (id),
  key TEXT NOT NULL,
  login_id TEXT NOT NULL,
  environment TEXT NOT NULL CHECK (environment IN ('live', 'demo')),
  broker_account_id TEXT NOT NULL,
  name TEXT NOT NULL,
  balance INTEGER,
  currency TEXT NOT NULL,
  balance_at INTEGER,
  carry INTEGER NOT NULL DEFAULT 0 CHECK (carry IN (0, 1)),
  removed_at INTEGER,
  connected_at INTEGER NOT NULL,
  last_sync_at INTEGER,
  PRIMARY KEY (user_id, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE finances (
  user_id TEXT NOT NULL REFERENCES profiles (id),
  id TEXT NOT NULL,
  type TEXT NOT NULL,
  amount INTEGER NOT NULL,
  date TEXT NOT NULL,
  name TEXT NOT NULL,
  balance INTEGER NOT NULL,
  currency TEXT NOT NULL,
  platform TEXT NOT NULL,
  firm TEXT,
  removed_at INTEGER,
  PRIMARY KEY (user_id, id)
) STRICT, WITHOUT ROWID;

-- How the broker numbers its contracts; their figures are in specs.
CREATE TABLE contracts (
  user_id TEXT NOT NULL REFERENCES profiles (id),
  environment TEXT NOT NULL CHECK (environment IN ('live', 'demo')),
  broker_contract_id TEXT NOT NULL,
  contract TEXT NOT NULL,
  PRIMARY KEY (user_id, environment, broker_contract_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE specs (
  user_id TEXT NOT NULL REFERENCES profiles (id),
  contract TEXT NOT NULL,
  root TEXT,
  root_is_whole INTEGER NOT NULL CHECK (root_is_whole IN (0, 1)),
  currency TEXT NOT NULL,
  tick_size TEXT NOT NULL,
  tick_value_num INTEGER NOT NULL,
  tick_value_den INTEGER NOT NULL CHECK (tick_value_den > 0),
  fee_per_side INTEGER NOT NULL,
  source TEXT NOT NULL,
  PRIMARY KEY (user_id, contract)
) STRICT, WITHOUT ROWID;

-- source_rank 0 is trusted most. No foreign key here and below: these rows are many, and their writer has just read the account.
CREATE TABLE fills (
  user_id TEXT NOT NULL,
  account TEXT NOT NULL,
  id TEXT NOT NULL,
  contract TEXT NOT NULL,
  local_date TEXT NOT NULL,
  time INTEGER NOT NULL,
  side TEXT NOT NULL CHECK (side IN ('buy', 'sell')),
  qty INTEGER NOT NULL CHECK (qty > 0),
  price INTEGER NOT NULL,
  tick_size TEXT NOT NULL,
  fee INTEGER,
  active INTEGER NOT NULL CHECK (active IN (0, 1)),
  source TEXT NOT NULL,
  order_id TEXT,
  broker_contract_id TEXT,
  trade_date TEXT,
  PRIMARY KEY (user_id, account, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX fills_of_batch ON fills (user_id, account, contract, local_date);

-- end_position is what the next batch starts from, as JSON: net, open lots, trip under way.
CREATE TABLE batches (
  user_id TEXT NOT NULL,
  account TEXT NOT NULL,
  contract TEXT NOT NULL,
  local_date TEXT NOT NULL,
  begins_open INTEGER NOT NULL CHECK (begins_open IN (0, 1)),
  ends_open INTEGER NOT NULL CHECK (ends_open IN (0, 1)),
  end_position TEXT NOT NULL,
  PRIMARY KEY (user_id, account, contract, local_date)
) STRICT, WITHOUT ROWID;

-- Derived pairs and trades entered by hand. account is the name that was entered; a derived pair has its account's own name.
CREATE TABLE trades (
  ref INTEGER PRIMARY KEY,
  user_id TEXT NOT NULL,
  id TEXT NOT NULL,
  origin TEXT NOT NULL CHECK (origin IN ('synced', 'manual')),
  account_id TEXT NOT NULL,
  account TEXT,
  symbol TEXT NOT NULL,
  date TEXT NOT NULL,
  trading_day TEXT NOT NULL,
  side TEXT NOT NULL CHECK (side IN ('long', 'short')),
  qty INTEGER NOT NULL CHECK (qty > 0),
  tick_size TEXT NOT NULL,
  entry_price INTEGER NOT NULL,
  exit_price INTEGER NOT NULL,
  entry_time INTEGER NOT NULL,
  exit_time INTEGER NOT NULL,
  gross INTEGER NOT NULL,
  commission INTEGER NOT NULL,
  net INTEGER NOT NULL,
  currency TEXT NOT NULL,
  platform TEXT NOT NULL,
  trip_id TEXT,
  multiplier_source TEXT NOT NULL,
  fee_source TEXT NOT NULL,
  warnings TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX trades_by_id ON trades (user_id, id);
CREATE INDEX trades_of_batch ON trades (user_id, account_id, symbol, date);
CREATE INDEX trades_by_exit ON trades (user_id, exit_time, id);

-- What the user says of a trade: it survives that the trade is derived again, goes and comes back.
CREATE TABLE trade_edits (
  user_id TEXT NOT NULL REFERENCES profiles (id),
  trade_id TEXT NOT NULL,
  notes TEXT NOT NULL DEFAULT '',
  tags TEXT NOT NULL DEFAULT '[]',
  stop TEXT,
  screenshot TEXT NOT NULL DEFAULT '',
  screenshot_headline TEXT NOT NULL DEFAULT '',
  screenshot2 TEXT NOT NULL DEFAULT '',
  screenshot2_headline TEXT NOT NULL DEFAULT '',
  removed_at INTEGER,
  PRIMARY KEY (user_id, trade_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX trade_edits_removed ON trade_edits (user_id, trade_id) WHERE removed_at IS NOT NULL;

-- batch_date is the batch that wrote the row; under_way tells a trip that was not flat at its end.
CREATE TABLE trips (
  ref INTEGER PRIMARY KEY,
  user_id TEXT NOT NULL,
  id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  symbol TEXT NOT NULL,
  batch_date TEXT NOT NULL,
  under_way INTEGER NOT NULL CHECK (under_way IN (0, 1)),
  date TEXT NOT NULL,
  trading_day TEXT NOT NULL,
  side TEXT NOT NULL CHECK (side IN ('long', 'short')),
  qty INTEGER NOT NULL CHECK (qty > 0),
  max_position INTEGER NOT NULL,
  pairs INTEGER NOT NULL CHECK (pairs > 0),
  tick_size TEXT NOT NULL,
  base_price INTEGER NOT NULL,
  entry_sum INTEGER NOT NULL,
  exit_sum INTEGER NOT NULL,
  entry_time INTEGER NOT NULL,
  exit_time INTEGER NOT NULL,
  gross INTEGER NOT NULL,
  commission INTEGER NOT NULL,
  net INTEGER NOT NULL,
  currency TEXT NOT NULL,
  multiplier_source TEXT NOT NULL,
  fee_source TEXT NOT NULL,
  warnings TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX trips_by_id ON trips (user_id, id);
CREATE INDEX trips_of_batch ON trips (user_id, account_id, symbol, batch_date);
CREATE INDEX trips_by_exit ON trips (user_id, exit_time, id);

-- What counts as a trip: those that were matched, and every trade entered by hand, which is one of its own. Refs of the latter are below zero.
CREATE VIEW counted_trips AS
  SELECT ref, user_id, id, NULL AS account, account_id, symbol, date, trading_day, side, qty, pairs, tick_size, base_price, entry_sum, exit_sum,
    entry_time, exit_time, gross, commission, net, currency, multiplier_source, fee_source, warnings FROM trips
  UNION ALL
  SELECT -ref, user_id, id, account, account_id, symbol, date, trading_day, side, qty, 1, tick_size, entry_price, 0, (exit_price - entry_price) * qty,
    entry_time, exit_time, gross, commission, net, currency, multiplier_source, fee_source, warnings FROM trades
  WHERE origin = 'manual' AND NOT EXISTS (SELECT 1 FROM trade_edits AS edit WHERE edit.user_id = trades.user_id AND edit.trade_id = trades.id AND edit.removed_at IS NOT NULL);

-- What a mirror has not been told yet, once per record: seq grows with every change, the record is read when it is sent.
CREATE TABLE outbox (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id TEXT NOT NULL,
  entity TEXT NOT NULL CHECK (entity IN ('fill', 'trade', 'finance')),
  entity_id TEXT NOT NULL,
  op TEXT NOT NULL CHECK (op IN ('put', 'remove')),
  UNIQUE (user_id, entity, entity_id)
) STRICT;

CREATE TABLE sync_runs (
  user_id TEXT NOT NULL REFERENCES profiles (id),
  run_id TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at INTEGER NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('complete', 'partial', 'failed')),
  receipt TEXT NOT NULL,
  PRIMARY KEY (user_id, run_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX sync_runs_by_end ON sync_runs (user_id, ended_at);

CREATE TABLE user_settings (
  user_id TEXT NOT NULL REFERENCES profiles (id),
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (user_id, key)
) STRICT, WITHOUT ROWID;
