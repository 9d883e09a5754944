-- Orders of the broker that the trade copier placed and that filled, on this computer: a trade that one of them opened is a copy. They outlive the account's removal, since its fills come back with it.
CREATE TABLE copied_orders (
  user_id TEXT NOT NULL REFERENCES profiles (id),
  account TEXT NOT NULL,
  order_id TEXT NOT NULL,
  PRIMARY KEY (user_id, account, order_id)
) STRICT, WITHOUT ROWID;
