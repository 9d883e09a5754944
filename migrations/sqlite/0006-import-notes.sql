-- What has to be known of a part of the readings to tell which accounts a change of it can reach, without reading it:
-- contracts with the sizes of their ticks as JSON, and a number for each fill that it tells of. A part without a note may reach all.
CREATE TABLE import_notes (
  user_id TEXT NOT NULL,
  import_id TEXT NOT NULL,
  place INTEGER NOT NULL,
  part INTEGER NOT NULL,
  contracts TEXT NOT NULL,
  fills BLOB NOT NULL,
  PRIMARY KEY (user_id, import_id, place, part),
  FOREIGN KEY (user_id, import_id, place, part) REFERENCES import_readings (user_id, import_id, place, part) ON DELETE CASCADE
) STRICT;
