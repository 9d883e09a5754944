-- beside: 1
-- The push that made the last change, for the one that was sent ahead behind it; null where something else made it.
ALTER TABLE journals ADD COLUMN last_push uuid;
