-- beside: 4
-- By what a cloud and a computer prove to each other that they speak of one history: a hash of what the journal holds, in 256
-- buckets of records, counted by triggers whatever writes, and for each change after which a computer may have heard of the
-- journal the hash of all of them. A database that was put back to an earlier moment does not know the changes that it lost.
CREATE TABLE journal_hashes (
  user_id text COLLATE "C" NOT NULL,
  bucket smallint NOT NULL,
  hash bigint NOT NULL,
  PRIMARY KEY (user_id, bucket)
);
CREATE TABLE journal_marks (
  user_id text COLLATE "C" NOT NULL,
  head bigint NOT NULL,
  hash text COLLATE "C" NOT NULL,
  PRIMARY KEY (user_id, head)
);

-- A computer puts its own records in the same buckets.
CREATE FUNCTION record_bucket(entity text, id text) RETURNS smallint LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN get_byte(decode(left(md5(entity || '/' || id), 2), 'hex'), 0);
CREATE FUNCTION record_hash(entity text, id text, content jsonb) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN jsonb_hash_extended(coalesce(content, 'null'), hashtextextended(entity || '/' || id, 0));

-- The hashes of all buckets as text, 16 hexadecimal digits each.
CREATE FUNCTION hashes_of(wanted text) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
  RETURN (SELECT string_agg(lpad(to_hex(coalesce(kept.hash, 0)), 16, '0'), '' ORDER BY place.bucket)
    FROM generate_series(0, 255) AS place (bucket) LEFT JOIN journal_hashes AS kept ON kept.user_id = wanted AND kept.bucket = place.bucket);

-- What is written twice goes out again: a record that changes goes out as it was and in as it is.
CREATE FUNCTION hash_records() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO journal_hashes AS kept SELECT user_id, record_bucket(entity, id), bit_xor(record_hash(entity, id, content)) FROM rows_after GROUP BY 1, 2
      ON CONFLICT (user_id, bucket) DO UPDATE SET hash = kept.hash # excluded.hash;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO journal_hashes AS kept SELECT user_id, record_bucket(entity, id), bit_xor(record_hash(entity, id, content)) FROM rows_before GROUP BY 1, 2
      ON CONFLICT (user_id, bucket) DO UPDATE SET hash = kept.hash # excluded.hash;
  END IF;
  RETURN NULL;
END $$;
CREATE FUNCTION forget_hashes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE journal_hashes, journal_marks;
  RETURN NULL;
END $$;
CREATE TRIGGER hashed_added AFTER INSERT ON records REFERENCING NEW TABLE AS rows_after FOR EACH STATEMENT EXECUTE FUNCTION hash_records();
CREATE TRIGGER hashed_changed AFTER UPDATE ON records REFERENCING OLD TABLE AS rows_before NEW TABLE AS rows_after FOR EACH STATEMENT EXECUTE FUNCTION hash_records();
CREATE TRIGGER hashed_removed AFTER DELETE ON records REFERENCING OLD TABLE AS rows_before FOR EACH STATEMENT EXECUTE FUNCTION hash_records();
CREATE TRIGGER hashed_emptied AFTER TRUNCATE ON records FOR EACH STATEMENT EXECUTE FUNCTION forget_hashes();

-- What is there already.
ALTER TABLE records NO FORCE ROW LEVEL SECURITY;
ALTER TABLE journals NO FORCE ROW LEVEL SECURITY;
INSERT INTO journal_hashes SELECT user_id, record_bucket(entity, id), bit_xor(record_hash(entity, id, content)) FROM records GROUP BY 1, 2;
INSERT INTO journal_marks SELECT user_id, head, md5(hashes_of(user_id)) FROM journals WHERE head > 0;
ALTER TABLE records FORCE ROW LEVEL SECURITY;
ALTER TABLE journals FORCE ROW LEVEL SECURITY;

ALTER TABLE journal_hashes ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE journal_marks ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON journal_hashes USING (user_id = (SELECT current_user_id()));
CREATE POLICY own_rows ON journal_marks USING (user_id = (SELECT current_user_id()));
