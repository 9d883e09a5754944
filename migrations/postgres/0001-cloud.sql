-- beside: 1
-- One row a user: the number of the last change, which also is the lock that lets a user's writes follow each other.
CREATE TABLE journals (
  user_id text COLLATE "C" PRIMARY KEY,
  id uuid NOT NULL,
  head bigint NOT NULL DEFAULT 0,
  last_stamp text COLLATE "C" NOT NULL
);

-- A record as a device sent it; seq is the number of its last change. A pair that is gone keeps its row, so that every device hears of it.
CREATE TABLE records (
  user_id text COLLATE "C" NOT NULL,
  entity text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  content jsonb,
  PRIMARY KEY (user_id, entity, id)
);
CREATE INDEX records_by_change ON records (user_id, seq);

-- A picture's file, named by the SHA-256 of its bytes.
CREATE TABLE pictures (
  user_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  type text NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (user_id, name)
);

CREATE TABLE subscriptions (
  user_id text COLLATE "C" PRIMARY KEY,
  content jsonb NOT NULL
);
