-- Orders may be trailing stops, market-if-touched, and working entries of order mode. SQLite cannot change a CHECK: the table is rebuilt.
CREATE TABLE orders_next (
  event INTEGER NOT NULL REFERENCES events (id),
  cl_ord_id TEXT NOT NULL,
  account TEXT NOT NULL,
  contract TEXT NOT NULL,
  side TEXT NOT NULL CHECK (side IN ('buy', 'sell')),
  qty INTEGER NOT NULL CHECK (qty > 0),
  purpose TEXT NOT NULL CHECK (purpose IN ('copy', 'repair', 'flatten', 'exit', 'entry')),
  type TEXT NOT NULL CHECK (type IN ('Market', 'Limit', 'Stop', 'StopLimit', 'TrailingStop', 'MIT')),
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
  -- A trailing stop's distance, as the wire has it.
  peg_difference REAL,
  PRIMARY KEY (event, cl_ord_id)
) STRICT, WITHOUT ROWID;
INSERT INTO orders_next (event, cl_ord_id, account, contract, side, qty, purpose, type, limit_price, stop_price, leader_order_id, written_at, dry_run, stage,
  order_id, filled, price, to_wire, ack, fill, slip_ticks, slip_money, slip_currency, why)
SELECT event, cl_ord_id, account, contract, side, qty, purpose, type, limit_price, stop_price, leader_order_id, written_at, dry_run, stage,
  order_id, filled, price, to_wire, ack, fill, slip_ticks, slip_money, slip_currency, why
FROM orders;
DROP TABLE orders;
ALTER TABLE orders_next RENAME TO orders;
-- No id is ever given to two orders.
CREATE UNIQUE INDEX orders_by_id ON orders (cl_ord_id);
CREATE INDEX orders_by_time ON orders (written_at, account);
CREATE INDEX open_orders ON orders (event) WHERE stage IN ('written', 'sent', 'acknowledged', 'unknown');
