-- The version of a fill before imports changed it is its base in code; the table was called after something else.
ALTER TABLE told_fills RENAME TO base_fills;
ALTER TABLE base_fills RENAME COLUMN told TO base;
