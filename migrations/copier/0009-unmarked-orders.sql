-- A filled order whose trade the journal has not marked as copied yet: it is reported again after a restart. Orders from before were reported.
ALTER TABLE `orders` ADD `unmarked` integer DEFAULT false NOT NULL CHECK(unmarked IN (0, 1));
CREATE INDEX `unmarked_orders` ON `orders` (`event`) WHERE unmarked = 1;
