-- Whether the past of the login is to be fetched too, once it is connected.
ALTER TABLE oauth_states ADD COLUMN history INTEGER NOT NULL DEFAULT 0 CHECK (history IN (0, 1));
