import { query, type Reader } from '../db/database.ts'
import type { SupportFacts } from '../db/rows.ts'

/** Selects every journal's names of people, accounts and logins, without the demo's. */
const namesIn = `
  SELECT id AS name FROM profiles WHERE demo = 0
  UNION SELECT email FROM profiles UNION SELECT display_name FROM profiles WHERE demo = 0 UNION SELECT firebase_uid FROM profiles
  UNION SELECT json_extract(firebase_user, '$.displayName') FROM profiles UNION SELECT json_extract(firebase_user, '$.email') FROM profiles UNION SELECT json_extract(firebase_user, '$.phoneNumber') FROM profiles
  UNION SELECT broker_user_id FROM logins UNION SELECT name FROM logins
  UNION SELECT key FROM accounts UNION SELECT broker_account_id FROM accounts UNION SELECT name FROM accounts UNION SELECT login_name FROM accounts
  UNION SELECT account FROM trades UNION SELECT account_id FROM trades UNION SELECT account_id FROM trips UNION SELECT account FROM fills
  UNION SELECT account FROM imports UNION SELECT name FROM import_files UNION SELECT account_name FROM import_readings UNION SELECT account_id FROM import_readings
  UNION SELECT name FROM finances UNION SELECT account FROM finances UNION SELECT account FROM account_rules UNION SELECT account FROM session_extremes UNION SELECT account_name FROM rule_alerts
  UNION SELECT account ->> 'name' FROM (SELECT name.value AS account FROM reports, json_each(reports.content, '$.names') AS name)`

const people = 'SELECT display_name AS name FROM profiles WHERE demo = 0'

const namesOf = (reader: Reader, sql: string): readonly string[] => query<{ name: string | null }>(reader, sql).all().map(({ name }) => name?.trim() ?? '')

const tablesOf = (reader: Reader): readonly string[] => query<{ name: string }>(reader, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name").all().map(({ name }) => name)

const rowsOf = (reader: Reader, table: string): number => query<{ rows: number }>(reader, `SELECT count(*) AS rows FROM "${table}"`).get()?.rows ?? 0

/** Over all profiles. */
export const supportFacts = (reader: Reader): SupportFacts => {
  const wordsOfPeople = namesOf(reader, people).flatMap((name) => name.split(/\s+/)).filter((word) => word.length > 2)
  return {
    schemaVersion: query<{ version: number }>(reader, 'SELECT user_version AS version FROM pragma_user_version').get()?.version ?? 0,
    rows: Object.fromEntries(tablesOf(reader).map((table) => [table, rowsOf(reader, table)])),
    runs: query<{ outcome: string; runs: number }>(reader, 'SELECT outcome, count(*) AS runs FROM sync_runs GROUP BY outcome ORDER BY outcome').all(),
    personal: [...new Set([...namesOf(reader, namesIn), ...wordsOfPeople])].filter((name) => name !== ''),
  }
}
