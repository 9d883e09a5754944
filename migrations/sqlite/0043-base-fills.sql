-- What lies beneath a fill that a better source replaced is its base in code; the table said that it was told.
ALTER TABLE told_fills RENAME TO base_fills;
ALTER TABLE base_fills RENAME COLUMN told TO base;
