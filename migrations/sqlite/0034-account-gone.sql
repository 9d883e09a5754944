-- Whose journal in the cloud this one is a copy of, by the user's id there: after that account was deleted nothing goes to another one unasked. Null before they met.
ALTER TABLE mirrors ADD COLUMN cloud_user TEXT;
