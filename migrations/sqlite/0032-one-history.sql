-- What the cloud's journal held, by its own hashes, after the change hashes_at: by these both prove to each other that they speak of one history.
ALTER TABLE mirrors ADD COLUMN hashes TEXT;
ALTER TABLE mirrors ADD COLUMN hashes_at INTEGER;
