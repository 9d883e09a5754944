-- Prices of contracts from files of the user: a file of its own beside the journal, of one user, which is never mirrored or backed up.
CREATE TABLE `chunks` (
  `part` integer NOT NULL,
  `place` integer NOT NULL,
  `first` integer NOT NULL,
  `last` integer NOT NULL,
  `low` integer NOT NULL,
  `high` integer NOT NULL,
  `entries` integer NOT NULL,
  `codec` integer NOT NULL,
  `data` blob NOT NULL,
  PRIMARY KEY(`part`, `place`),
  FOREIGN KEY (`part`) REFERENCES `parts`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
CREATE INDEX `chunks_by_time` ON `chunks` (`part`,`first`,`place`);
CREATE TABLE `coverage` (
  `part` integer NOT NULL,
  `first` integer NOT NULL,
  `until` integer NOT NULL,
  PRIMARY KEY(`part`, `first`),
  FOREIGN KEY (`part`) REFERENCES `parts`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
CREATE TABLE `limits` (
  `id` integer PRIMARY KEY NOT NULL,
  `bytes` integer,
  `days` integer,
  CONSTRAINT "limits_id" CHECK(id = 1)
) STRICT;
CREATE TABLE `nodes` (
  `part` integer NOT NULL,
  `level` integer NOT NULL,
  `place` integer NOT NULL,
  `low` integer NOT NULL,
  `high` integer NOT NULL,
  PRIMARY KEY(`part`, `level`, `place`),
  FOREIGN KEY (`part`) REFERENCES `parts`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
CREATE TABLE `parts` (
  `id` integer PRIMARY KEY NOT NULL,
  `contract` text NOT NULL,
  `tick_size` text NOT NULL,
  `source` text NOT NULL,
  `grain` integer NOT NULL,
  `first` integer NOT NULL,
  `until` integer NOT NULL,
  `low` integer NOT NULL,
  `high` integer NOT NULL,
  `entries` integer NOT NULL,
  `bytes` integer NOT NULL,
  `added_at` integer NOT NULL
) STRICT;
CREATE INDEX `parts_by_contract` ON `parts` (`contract`,`first`);
