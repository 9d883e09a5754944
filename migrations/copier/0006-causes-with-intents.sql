-- The event of orders is written beside them, a JSON list, and becomes a row of events with them: one row and no index is what a leader's fill waits for.
-- Null where the event was a row before.
CREATE TABLE intents_with_causes (
  event INTEGER NOT NULL,
  cause TEXT,
  orders TEXT NOT NULL
) STRICT;
INSERT INTO intents_with_causes (event, orders) SELECT event, orders FROM intents;
DROP TABLE intents;
ALTER TABLE intents_with_causes RENAME TO intents;
