-- beside: 4
-- How many bytes the cloud keeps for each user, counted by triggers whatever writes: the text of each record, the bytes of
-- each picture, and what a row takes besides, so that many small ones count too.
CREATE TABLE stored_bytes (
  user_id text COLLATE "C" PRIMARY KEY,
  bytes bigint NOT NULL
);

CREATE FUNCTION record_bytes(id text, content jsonb) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN 128 + octet_length(id) + coalesce(octet_length(content::text), 0);
CREATE FUNCTION picture_bytes(name text, bytes bytea) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN 128 + octet_length(name) + octet_length(bytes);

CREATE FUNCTION count_record_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO stored_bytes AS kept SELECT user_id, sum(record_bytes(id, content)) FROM rows_after GROUP BY user_id
      ON CONFLICT (user_id) DO UPDATE SET bytes = kept.bytes + excluded.bytes;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    UPDATE stored_bytes SET bytes = stored_bytes.bytes - gone.bytes
      FROM (SELECT user_id, sum(record_bytes(id, content)) AS bytes FROM rows_before GROUP BY user_id) AS gone WHERE gone.user_id = stored_bytes.user_id;
  END IF;
  RETURN NULL;
END $$;
CREATE FUNCTION count_picture_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO stored_bytes AS kept SELECT user_id, sum(picture_bytes(name, bytes)) FROM rows_after GROUP BY user_id
      ON CONFLICT (user_id) DO UPDATE SET bytes = kept.bytes + excluded.bytes;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    UPDATE stored_bytes SET bytes = stored_bytes.bytes - gone.bytes
      FROM (SELECT user_id, sum(picture_bytes(name, bytes)) AS bytes FROM rows_before GROUP BY user_id) AS gone WHERE gone.user_id = stored_bytes.user_id;
  END IF;
  RETURN NULL;
END $$;

-- A trigger with the rows of its statement is for one event each.
CREATE TRIGGER records_added AFTER INSERT ON records REFERENCING NEW TABLE AS rows_after FOR EACH STATEMENT EXECUTE FUNCTION count_record_bytes();
CREATE TRIGGER records_changed AFTER UPDATE ON records REFERENCING OLD TABLE AS rows_before NEW TABLE AS rows_after FOR EACH STATEMENT EXECUTE FUNCTION count_record_bytes();
CREATE TRIGGER records_removed AFTER DELETE ON records REFERENCING OLD TABLE AS rows_before FOR EACH STATEMENT EXECUTE FUNCTION count_record_bytes();
CREATE TRIGGER pictures_added AFTER INSERT ON pictures REFERENCING NEW TABLE AS rows_after FOR EACH STATEMENT EXECUTE FUNCTION count_picture_bytes();
CREATE TRIGGER pictures_changed AFTER UPDATE ON pictures REFERENCING OLD TABLE AS rows_before NEW TABLE AS rows_after FOR EACH STATEMENT EXECUTE FUNCTION count_picture_bytes();
CREATE TRIGGER pictures_removed AFTER DELETE ON pictures REFERENCING OLD TABLE AS rows_before FOR EACH STATEMENT EXECUTE FUNCTION count_picture_bytes();

-- What is there already.
ALTER TABLE records NO FORCE ROW LEVEL SECURITY;
ALTER TABLE pictures NO FORCE ROW LEVEL SECURITY;
INSERT INTO stored_bytes
  SELECT user_id, sum(bytes) FROM (
    SELECT user_id, record_bytes(id, content) AS bytes FROM records UNION ALL SELECT user_id, picture_bytes(name, bytes) FROM pictures
  ) AS kept GROUP BY user_id;
ALTER TABLE records FORCE ROW LEVEL SECURITY;
ALTER TABLE pictures FORCE ROW LEVEL SECURITY;

ALTER TABLE stored_bytes ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON stored_bytes USING (user_id = (SELECT current_user_id()));
