-- The trade copier's own file. Times are UTC milliseconds, money whole 1/10,000 of the row's currency, prices of orders as the wire has them.

-- draft is the group as its user wrote it, as JSON. One that was removed stays: the ledger is its owner's by it.
-- armed_after is the newest event when it was last armed: what a dry run pretends to hold came of later ones.
CREATE TABLE groups (
  ref INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  user_id TEXT NOT NULL,
  draft TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('off', 'armed', 'paused')),
  removed INTEGER NOT NULL DEFAULT 0 CHECK (removed IN (0, 1)),
  armed_after INTEGER NOT NULL DEFAULT 0
) STRICT;

-- What is known of a follower beside its rule. day is the trading day of rejects and of a lock of the day.
CREATE TABLE followers (
  group_id TEXT NOT NULL REFERENCES groups (id),
  account TEXT NOT NULL,
  lock TEXT,
  rejects INTEGER NOT NULL,
  day TEXT NOT NULL,
  PRIMARY KEY (group_id, account)
) STRICT, WITHOUT ROWID;

-- How far a follower's contract stands from the leader's on purpose, signed contracts.
CREATE TABLE stances (
  group_id TEXT NOT NULL REFERENCES groups (id),
  account TEXT NOT NULL,
  contract TEXT NOT NULL,
  own INTEGER NOT NULL,
  base INTEGER NOT NULL,
  apart INTEGER NOT NULL,
  why TEXT CHECK (why IN ('exit-filled', 'by-hand')),
  asks INTEGER NOT NULL CHECK (asks IN (0, 1)),
  PRIMARY KEY (group_id, account, contract)
) STRICT, WITHOUT ROWID;

-- The ledger: a leader's fill, or what else gave cause for orders.
CREATE TABLE events (
  id INTEGER PRIMARY KEY,
  group_id TEXT NOT NULL REFERENCES groups (id),
  at INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('fill', 'repair', 'exit', 'flatten', 'start')),
  leader_account TEXT NOT NULL,
  contract TEXT NOT NULL,
  fill_id TEXT,
  side TEXT CHECK (side IN ('buy', 'sell')),
  qty INTEGER NOT NULL,
  price TEXT
) STRICT;
CREATE INDEX events_of_group ON events (group_id);
CREATE INDEX events_by_time ON events (at);
CREATE UNIQUE INDEX events_of_fills ON events (group_id, fill_id) WHERE fill_id IS NOT NULL;

-- Orders as they are written before they are sent: all of an event at once, a JSON list of lists, since fifty rows with their indexes
-- take longer than the leader's fill can wait. They become rows of orders a moment later, and are then gone from here.
CREATE TABLE intents (
  event INTEGER NOT NULL REFERENCES events (id),
  orders TEXT NOT NULL
) STRICT;

-- Rows lie by their event, so that an event is read with its orders in one place.
-- to_wire, ack and fill are milliseconds since the leader's fill was heard; price is the average, an exact decimal.
CREATE TABLE orders (
  event INTEGER NOT NULL REFERENCES events (id),
  cl_ord_id TEXT NOT NULL,
  account TEXT NOT NULL,
  contract TEXT NOT NULL,
  side TEXT NOT NULL CHECK (side IN ('buy', 'sell')),
  qty INTEGER NOT NULL CHECK (qty > 0),
  purpose TEXT NOT NULL CHECK (purpose IN ('copy', 'repair', 'flatten', 'exit')),
  type TEXT NOT NULL CHECK (type IN ('Market', 'Limit', 'Stop', 'StopLimit')),
  limit_price REAL,
  stop_price REAL,
  leader_order_id INTEGER,
  written_at INTEGER NOT NULL,
  dry_run INTEGER NOT NULL CHECK (dry_run IN (0, 1)),
  stage TEXT NOT NULL CHECK (stage IN ('written', 'sent', 'acknowledged', 'unknown', 'filled', 'cancelled', 'rejected', 'refused', 'never-arrived', 'dry-run')),
  order_id INTEGER,
  filled INTEGER NOT NULL DEFAULT 0,
  price TEXT,
  to_wire REAL,
  ack REAL,
  fill REAL,
  slip_ticks REAL,
  slip_money INTEGER,
  slip_currency TEXT,
  why TEXT,
  PRIMARY KEY (event, cl_ord_id)
) STRICT, WITHOUT ROWID;
-- No id is ever given to two orders.
CREATE UNIQUE INDEX orders_by_id ON orders (cl_ord_id);
CREATE INDEX orders_by_time ON orders (written_at, account);
CREATE INDEX open_orders ON orders (event) WHERE stage IN ('written', 'sent', 'acknowledged', 'unknown');

-- Why nothing was sent to a follower for an event.
CREATE TABLE not_sent (
  event INTEGER NOT NULL REFERENCES events (id),
  account TEXT NOT NULL,
  contract TEXT NOT NULL,
  why TEXT NOT NULL,
  PRIMARY KEY (event, account, contract)
) STRICT, WITHOUT ROWID;
