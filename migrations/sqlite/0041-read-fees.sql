-- What NinjaTrader's database stated of fees when it was read last: a fee that it states otherwise since is taken in old sessions, too.
CREATE TABLE `read_fees` (
  `user_id` text NOT NULL,
  `account` text NOT NULL,
  `trading_day` text NOT NULL,
  `fees` text NOT NULL,
  PRIMARY KEY(`user_id`, `account`, `trading_day`)
) STRICT, WITHOUT ROWID;
