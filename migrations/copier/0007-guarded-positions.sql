-- A position that its user left as it is keeps the exits that the copier placed for it before.
ALTER TABLE stances ADD COLUMN guards_yours INTEGER NOT NULL DEFAULT 0;
