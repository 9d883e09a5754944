-- The hash of the key that a browser keeps in the storage of the page's origin. A session is good with its cookie and this key only; where it is NULL, the browser gets a key with the next launch address that it opens.
ALTER TABLE sessions ADD COLUMN key_hash TEXT;
CREATE INDEX sessions_by_key ON sessions (key_hash);
