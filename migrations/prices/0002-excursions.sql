-- The excursions of trades, computed from prices, so that lists can show, sort, and filter by them. They go with the prices.
CREATE TABLE `excursions` (
  `id` text PRIMARY KEY NOT NULL,
  `trade` text NOT NULL,
  `ended` integer NOT NULL,
  `stamp` text NOT NULL,
  `mfe_least` integer NOT NULL,
  `mfe_most` integer,
  `mae_least` integer NOT NULL,
  `mae_most` integer,
  `entry_least` integer,
  `entry_most` integer,
  `exit_least` integer,
  `exit_most` integer
) STRICT, WITHOUT ROWID;
CREATE INDEX `excursions_by_end` ON `excursions` (`ended`,`trade`);
