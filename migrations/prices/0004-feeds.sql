-- What feeds of prices may do, what they were asked already, and a fetch under way: beside the prices, since both go together.
CREATE TABLE `answered` (
  `feed` text NOT NULL,
  `contract` text NOT NULL,
  `first` integer NOT NULL,
  `until` integer NOT NULL,
  `entries` integer NOT NULL,
  `at` integer NOT NULL,
  PRIMARY KEY(`feed`, `contract`, `first`)
) STRICT, WITHOUT ROWID;
CREATE TABLE `feeds` (
  `feed` text PRIMARY KEY NOT NULL,
  `is_on` integer NOT NULL,
  `spend_limit` integer,
  `detail` text,
  `failure` text,
  `failed_contract` text,
  `failed_at` integer
) STRICT, WITHOUT ROWID;
CREATE TABLE `fetches` (
  `id` integer PRIMARY KEY NOT NULL,
  `begun_at` integer NOT NULL,
  `allowed` integer,
  `spent` integer NOT NULL,
  CONSTRAINT "fetches_id" CHECK(id = 1)
) STRICT;
