-- Whether its user was having a follower closed when the program ended: that request may still arrive.
ALTER TABLE followers ADD COLUMN closing INTEGER NOT NULL DEFAULT 0 CHECK (closing IN (0, 1));
