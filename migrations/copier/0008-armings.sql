-- Each arming of a group, by the newest event before it: a dry run pretends anew from there. Of earlier times only the last is known.
CREATE TABLE armings (
  group_id TEXT NOT NULL REFERENCES groups (id),
  after INTEGER NOT NULL,
  PRIMARY KEY (group_id, after)
) STRICT, WITHOUT ROWID;
INSERT INTO armings (group_id, after) SELECT id, armed_after FROM groups WHERE armed_after > 0;
