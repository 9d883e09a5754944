-- The broker lists fills of the current session only. What a leader's order filled before is kept until it is over, and which entries of followers count
-- for a leader's order that may still work. Of entries from before, those of the last 30 days count.
CREATE TABLE `leader_fills` (
  `group_id` text NOT NULL,
  `account` text NOT NULL,
  `order_id` integer NOT NULL,
  `id` integer NOT NULL,
  `qty` integer NOT NULL,
  `active` integer NOT NULL,
  `at` integer NOT NULL,
  PRIMARY KEY(`group_id`, `account`, `order_id`, `id`),
  FOREIGN KEY (`group_id`) REFERENCES `groups`(`id`) ON UPDATE no action ON DELETE no action,
  CONSTRAINT "leader_fills_qty" CHECK(qty > 0),
  CONSTRAINT "leader_fills_active" CHECK(active IN (0, 1))
) STRICT, WITHOUT ROWID;
ALTER TABLE `orders` ADD `counts` integer DEFAULT false NOT NULL CHECK(counts IN (0, 1));
UPDATE orders SET counts = 1 WHERE purpose = 'entry' AND dry_run = 0 AND leader_order_id IS NOT NULL AND (filled > 0 OR why = 'by-hand') AND written_at > (SELECT max(written_at) FROM orders) - 2592000000;
CREATE INDEX `counting_orders` ON `orders` (`account`) WHERE counts = 1;
