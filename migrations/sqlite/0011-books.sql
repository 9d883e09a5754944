-- What an earning or expense was for, which account it was for, and what the user says of it.
ALTER TABLE finances ADD COLUMN category TEXT NOT NULL DEFAULT 'other';
ALTER TABLE finances ADD COLUMN account TEXT;
ALTER TABLE finances ADD COLUMN note TEXT NOT NULL DEFAULT '';
