-- Whether a fill shares its moment with others and nothing shows which came first.
ALTER TABLE fills ADD COLUMN ambiguous INTEGER NOT NULL DEFAULT 0 CHECK (ambiguous IN (0, 1));
