-- Whether the last reading of a session lacked fills, and whether its fees were read after its end.
ALTER TABLE session_reads ADD COLUMN lacking INTEGER NOT NULL DEFAULT 0 CHECK (lacking IN (0, 1));
ALTER TABLE session_reads ADD COLUMN settled INTEGER NOT NULL DEFAULT 0 CHECK (settled IN (0, 1));
