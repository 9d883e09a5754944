-- Reports as they were made, on this computer, what a model wrote of them, and the endpoint that writes.

-- accounts, net, content and narrative are JSON in the API's shape. trades is the ids of the trips that were counted, as gzipped JSON, in the order that members go by. What is large comes last: lists never read it.
CREATE TABLE reports (
  user_id TEXT NOT NULL REFERENCES profiles (id),
  id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  made_by TEXT NOT NULL CHECK (made_by IN ('user', 'schedule')),
  kind TEXT NOT NULL CHECK (kind IN ('day', 'week', 'month', 'free')),
  from_day TEXT NOT NULL,
  to_day TEXT NOT NULL,
  accounts TEXT NOT NULL,
  trade_count INTEGER NOT NULL,
  net TEXT NOT NULL,
  evident INTEGER NOT NULL,
  narrative_state TEXT CHECK (narrative_state IN ('writing', 'checking', 'done', 'cancelled', 'failed')),
  narrative TEXT,
  content TEXT NOT NULL,
  trades BLOB NOT NULL,
  PRIMARY KEY (user_id, id)
) STRICT;
CREATE INDEX reports_by_time ON reports (user_id, created_at);

-- Which of a report's trips are behind a fact (its id) or a finding (its key): bit n of byte m is trip 8 m + n.
CREATE TABLE report_members (
  user_id TEXT NOT NULL,
  report_id TEXT NOT NULL,
  of TEXT NOT NULL,
  members BLOB NOT NULL,
  PRIMARY KEY (user_id, report_id, of)
) STRICT;

-- The endpoint that writes narratives, without its key, and the schedule with the last day of each kind that is done; JSON, null where nothing was said.
CREATE TABLE report_settings (
  user_id TEXT NOT NULL PRIMARY KEY REFERENCES profiles (id),
  model TEXT,
  schedule TEXT,
  done TEXT
) STRICT, WITHOUT ROWID;
