-- Texts of before they were made equal where they enter: a null character and half of a surrogate pair, which other databases
-- do not have, become U+FFFD, and the lines of what a user enters end with LF. Stamps stay and nothing is told anew: every computer, and
-- each record that comes from a cloud, is made equal in the same way, so that a field has one value under one stamp everywhere.
CREATE TEMP TABLE odd_texts (text TEXT PRIMARY KEY, kept TEXT NOT NULL);

-- replace() looks for no null character: in JSON it is \u0000. A double backslash is an escape too, and steps aside meanwhile, since no JSON holds char(1) as it is.
INSERT INTO odd_texts
  SELECT text, replace(replace(iif(instr(text, char(0)), json_extract(replace(replace(replace(json_quote(text), '\\', char(1)), '\u0000', char(0xFFFD)), char(1), '\\'), '$'), text), char(13, 10), char(10)), char(13), char(10))
  FROM (
    SELECT notes AS text FROM trade_edits UNION SELECT screenshot FROM trade_edits UNION SELECT screenshot_headline FROM trade_edits UNION SELECT screenshot2 FROM trade_edits UNION SELECT screenshot2_headline FROM trade_edits
    UNION SELECT notes FROM day_notes
    UNION SELECT name FROM finances UNION SELECT platform FROM finances UNION SELECT note FROM finances
    UNION SELECT account FROM trades WHERE origin = 'manual' UNION SELECT account_id FROM trades WHERE origin = 'manual' UNION SELECT platform FROM trades WHERE origin = 'manual'
  ) WHERE instr(text, char(0)) OR instr(text, char(13));

-- A lone surrogate is \ud800 to \udfff, as whole pairs are not escaped.
WITH RECURSIVE step (text, kept, rest) AS (
  SELECT text, '', replace(replace(text, '\\', char(1)), '\u0000', char(0xFFFD))
    FROM (SELECT tags AS text FROM trade_edits UNION SELECT tags FROM day_notes) WHERE instr(text, '\u0000') OR instr(text, '\ud')
  UNION ALL
  SELECT text, kept || substr(rest, 1, instr(rest, '\ud') - 1) || iif(substr(rest, instr(rest, '\ud') + 3, 1) >= '8', char(0xFFFD), substr(rest, instr(rest, '\ud'), 6)), substr(rest, instr(rest, '\ud') + 6)
    FROM step WHERE instr(rest, '\ud')
)
INSERT INTO odd_texts SELECT text, replace(kept || rest, char(1), '\\') FROM step WHERE NOT instr(rest, '\ud');

UPDATE trade_edits SET
  notes = coalesce((SELECT kept FROM odd_texts WHERE text = notes), notes),
  tags = coalesce((SELECT kept FROM odd_texts WHERE text = tags), tags),
  screenshot = coalesce((SELECT kept FROM odd_texts WHERE text = screenshot), screenshot),
  screenshot_headline = coalesce((SELECT kept FROM odd_texts WHERE text = screenshot_headline), screenshot_headline),
  screenshot2 = coalesce((SELECT kept FROM odd_texts WHERE text = screenshot2), screenshot2),
  screenshot2_headline = coalesce((SELECT kept FROM odd_texts WHERE text = screenshot2_headline), screenshot2_headline)
WHERE EXISTS (SELECT 1 FROM odd_texts);
UPDATE shown_notes SET
  notes = coalesce((SELECT kept FROM odd_texts WHERE text = notes), notes),
  tags = coalesce((SELECT kept FROM odd_texts WHERE text = tags), tags),
  screenshot = coalesce((SELECT kept FROM odd_texts WHERE text = screenshot), screenshot),
  screenshot_headline = coalesce((SELECT kept FROM odd_texts WHERE text = screenshot_headline), screenshot_headline),
  screenshot2 = coalesce((SELECT kept FROM odd_texts WHERE text = screenshot2), screenshot2),
  screenshot2_headline = coalesce((SELECT kept FROM odd_texts WHERE text = screenshot2_headline), screenshot2_headline)
WHERE EXISTS (SELECT 1 FROM odd_texts);
UPDATE day_notes SET
  notes = coalesce((SELECT kept FROM odd_texts WHERE text = notes), notes),
  tags = coalesce((SELECT kept FROM odd_texts WHERE text = tags), tags)
WHERE EXISTS (SELECT 1 FROM odd_texts);
UPDATE finances SET
  name = coalesce((SELECT kept FROM odd_texts WHERE text = name), name),
  platform = coalesce((SELECT kept FROM odd_texts WHERE text = platform), platform),
  note = coalesce((SELECT kept FROM odd_texts WHERE text = note), note)
WHERE EXISTS (SELECT 1 FROM odd_texts);
UPDATE trades SET
  account = coalesce((SELECT kept FROM odd_texts WHERE text = account), account),
  account_id = coalesce((SELECT kept FROM odd_texts WHERE text = account_id), account_id),
  platform = coalesce((SELECT kept FROM odd_texts WHERE text = platform), platform)
WHERE origin = 'manual' AND EXISTS (SELECT 1 FROM odd_texts);
UPDATE trips SET account_id = (SELECT kept FROM odd_texts WHERE text = account_id) WHERE account_id IN (SELECT text FROM odd_texts);

DROP TABLE odd_texts;
