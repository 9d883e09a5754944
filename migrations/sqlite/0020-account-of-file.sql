-- Whose the rows of one file are that name no account, as the user said it of this file; else what was said of the whole import.
ALTER TABLE import_files ADD COLUMN account TEXT;

-- Which account rows belong to that name none is a question to all of them: the numbers of a part's fills do not answer it any more.
ALTER TABLE import_notes DROP COLUMN fills;
