-- How a user's own files are read: the format as JSON, under the id that it gives its fills, one for each header.
CREATE TABLE import_formats (
  user_id TEXT NOT NULL REFERENCES profiles (id),
  id TEXT NOT NULL,
  content TEXT NOT NULL,
  PRIMARY KEY (user_id, id)
) STRICT, WITHOUT ROWID;
