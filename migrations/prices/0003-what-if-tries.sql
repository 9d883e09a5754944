-- Which variants of exits were tried: their number says how much luck may have found. They go with the prices.
CREATE TABLE `what_if_tries` (
  `key` text PRIMARY KEY NOT NULL,
  `tried_at` integer NOT NULL
) STRICT, WITHOUT ROWID;
