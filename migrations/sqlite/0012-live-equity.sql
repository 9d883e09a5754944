-- What was seen of accounts' equity, and money that went into accounts or out of them.

-- How high and low an account was seen in one session while it was watched, on this computer: open P&L is in no journal. peak and trough are equity, lowest_balance is cash, highest_day and lowest_day are the day's net with what was open, lowest_realised is it without. moved is what went in or out. All 1/10,000 of the account's currency, null where it was not known.
CREATE TABLE session_extremes (
  user_id TEXT NOT NULL REFERENCES profiles (id),
  account TEXT NOT NULL,
  trading_day TEXT NOT NULL,
  peak INTEGER,
  trough INTEGER,
  lowest_balance INTEGER,
  highest_day INTEGER,
  lowest_day INTEGER,
  lowest_realised INTEGER,
  moved INTEGER NOT NULL,
  PRIMARY KEY (user_id, account, trading_day)
) STRICT, WITHOUT ROWID;

-- Deposits, payouts and adjustments that a Cash History tells, beside the part of the import that they are in. at is UTC ms, trading_day the session that the broker books it on; delta is what it changed and amount what the account then held, 1/10,000.
CREATE TABLE cash_transfers (
  user_id TEXT NOT NULL,
  import_id TEXT NOT NULL,
  place INTEGER NOT NULL,
  part INTEGER NOT NULL,
  transaction_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  trading_day TEXT NOT NULL,
  delta INTEGER NOT NULL,
  amount INTEGER NOT NULL,
  currency TEXT,
  PRIMARY KEY (user_id, import_id, place, part, transaction_id, delta, amount)
) STRICT, WITHOUT ROWID;
