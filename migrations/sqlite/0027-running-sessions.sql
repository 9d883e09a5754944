-- What the broker had realized in the last session that was read of an account, fees aside: it is settled later, in its reports.
CREATE TABLE running_sessions (
  user_id TEXT NOT NULL,
  account TEXT NOT NULL,
  currency TEXT NOT NULL,
  trading_day TEXT NOT NULL,
  realized INTEGER NOT NULL,
  PRIMARY KEY (user_id, account, currency)
) STRICT, WITHOUT ROWID;
