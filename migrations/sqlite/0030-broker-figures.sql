-- What files say of the broker's own figures, as the imports that stand come to when they are put together: Reconciliation holds the trades against it without reading all files anew. `content` is a JSON array of at most a few thousand rows of one kind.
CREATE TABLE broker_figures (
  user_id TEXT NOT NULL,
  account TEXT NOT NULL,
  kind TEXT NOT NULL,
  part INTEGER NOT NULL,
  content TEXT NOT NULL,
  PRIMARY KEY (user_id, account, kind, part)
) STRICT;
-- What already stands is put together once more.
INSERT OR IGNORE INTO imports_unsettled (user_id, at) SELECT user_id, max(at) FROM imports WHERE state = 'standing' GROUP BY user_id;
