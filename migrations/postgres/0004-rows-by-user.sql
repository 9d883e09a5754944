-- beside: 4
-- The database itself holds every statement to the rows of the user in whose name its transaction runs, also those of the
-- tables' owner: a query that forgets its WHERE finds nothing of others. Where nobody is named there is nothing.
-- A later migration that has to change rows does so between NO FORCE ROW LEVEL SECURITY and FORCE ROW LEVEL SECURITY.
CREATE FUNCTION current_user_id() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
  RETURN nullif(current_setting('fillbook.user_id', true), '');

-- Who deleted the account, for good: a device that did not hear of it must not bring back what it still has.
CREATE TABLE deleted_accounts (
  user_id text COLLATE "C" PRIMARY KEY,
  deleted_at timestamptz NOT NULL DEFAULT now()
);

ALTER TABLE journals ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE records ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE pictures ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE subscriptions ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE payers ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE deleted_accounts ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;

CREATE POLICY own_rows ON journals USING (user_id = (SELECT current_user_id()));
CREATE POLICY own_rows ON records USING (user_id = (SELECT current_user_id()));
CREATE POLICY own_rows ON pictures USING (user_id = (SELECT current_user_id()));
CREATE POLICY own_rows ON subscriptions USING (user_id = (SELECT current_user_id()));
CREATE POLICY own_rows ON payers USING (user_id = (SELECT current_user_id()));
CREATE POLICY own_rows ON deleted_accounts USING (user_id = (SELECT current_user_id()));
