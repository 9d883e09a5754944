-- Whether what would be added at a follower is asked about at the next look: its rule changed, or the program ended while its user had it closed.
ALTER TABLE followers ADD COLUMN asks_first INTEGER NOT NULL DEFAULT 0 CHECK (asks_first IN (0, 1));
