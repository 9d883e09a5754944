-- Stop and limit orders as they were moved, for the charts of trades: the brokerage forgets them when its session ends. `steps`
-- is JSON, [UTC ms, price in whole ticks, contracts] for each price; `ended_at` is null while the order works, as it did at `seen_at`.
CREATE TABLE `worked_orders` (
  `user_id` text NOT NULL,
  `account` text NOT NULL,
  `order_id` text NOT NULL,
  `contract` text NOT NULL,
  `tick_size` text NOT NULL,
  `side` text NOT NULL,
  `kind` text NOT NULL,
  `began_at` integer NOT NULL,
  `ended_at` integer,
  `seen_at` integer NOT NULL,
  `steps` text NOT NULL,
  PRIMARY KEY(`user_id`, `account`, `order_id`),
  CONSTRAINT "worked_orders_side" CHECK(side IN ('buy', 'sell')),
  CONSTRAINT "worked_orders_kind" CHECK(kind IN ('stop', 'limit'))
) STRICT, WITHOUT ROWID;
CREATE INDEX `worked_orders_of_contract` ON `worked_orders` (`user_id`,`account`,`contract`,`began_at`);
