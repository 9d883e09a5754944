-- beside: 4
-- Which computer of a user copies trades to an account, and until when by the clock of the database.
CREATE TABLE copier_leases (
  user_id text COLLATE "C" NOT NULL,
  account text COLLATE "C" NOT NULL,
  machine text COLLATE "C" NOT NULL,
  since timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, account)
);

ALTER TABLE copier_leases ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON copier_leases USING (user_id = (SELECT current_user_id()));
