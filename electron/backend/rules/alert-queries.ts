import { alertSettings as settingsShape, type RuleAlert, type AlertSettings } from '#shared/api/rules.ts'
import { change, query, type Reader, type Writer } from '../db/database.ts'
import { isoTime } from '../db/iso-time.ts'
import type { OfUser } from '../db/rows.ts'
import type { NewAlert, AlertMark } from './rows.ts'

/** How many alerts of a user are kept. */
const mostAlerts = 10_000

/** Null where nothing was ever set. */
export const alertSettings = (reader: Reader, { userId }: OfUser): AlertSettings | null => {
  const row = query<{ settings: string }>(reader, 'SELECT settings FROM alert_settings WHERE user_id = ?').get(userId)
  return row === undefined ? null : (settingsShape.safeParse(JSON.parse(row.settings)).data ?? null)
}

export const setAlertSettings = (writer: Writer, { userId, settings }: OfUser & { readonly settings: AlertSettings }): void => {
  change(writer, 'INSERT OR REPLACE INTO alert_settings (user_id, settings) VALUES (?, ?)').run(userId, JSON.stringify(settings))
}

type AlertRow = {
  id: number
  at: number
  account: string
  account_name: string
  rule: RuleAlert['rule']
  level: number
  unit: RuleAlert['unit']
  limit_at: string | null
  value_at: string | null
  left_of: string | null
  currency: string
  seen: 0 | 1
}

const alertOf = ({ id, at, account, account_name, rule, level, unit, limit_at, value_at, left_of, currency, seen }: AlertRow): RuleAlert => ({
  ...{ id, at: isoTime(at), account, accountName: account_name, rule, level, unit, currency, seen: seen === 1 },
  ...{ limit: limit_at, value: value_at, left: left_of },
})

const unseenOf = (reader: Reader, userId: string): number => query<{ count: number }>(reader, 'SELECT count(*) AS count FROM rule_alerts WHERE user_id = ? AND seen = 0').get(userId)?.count ?? 0

/** Newest first, before the alert of that number; `unseen` counts all of the user's. */
export const ruleAlerts = (reader: Reader, { userId, before = Number.MAX_SAFE_INTEGER, limit }: OfUser & { readonly before?: number | undefined; readonly limit: number }): { readonly alerts: RuleAlert[]; readonly more: boolean; readonly unseen: number } => {
  const rows = query<AlertRow>(reader, 'SELECT * FROM rule_alerts WHERE user_id = ? AND id < ? ORDER BY id DESC LIMIT ?').all(userId, before, limit + 1)
  return { alerts: rows.slice(0, limit).map(alertOf), more: rows.length > limit, unseen: unseenOf(reader, userId) }
}

export const alertMarks = (reader: Reader, { userId }: OfUser): AlertMark[] =>
  query<{ account: string; rule: AlertMark['rule']; level: number; trading_day: string }>(reader, 'SELECT * FROM alert_marks WHERE user_id = ?')
    .all(userId)
    .map(({ account, rule, level, trading_day }) => ({ account, rule, level, tradingDay: trading_day }))

/** Keeps marks, and alerts, which it gives with their numbers, in order; of a user's the newest 10,000 stay. A level whose mark is dropped may alert again. */
export const addAlerts = (writer: Writer, { userId, alerts, marks, dropped }: OfUser & { readonly alerts: readonly NewAlert[]; readonly marks: readonly AlertMark[]; readonly dropped: readonly AlertMark[] }): RuleAlert[] => {
  const drop = change(writer, 'DELETE FROM alert_marks WHERE user_id = ? AND account = ? AND rule = ? AND level = ?')
  for (const { account, rule, level } of dropped) drop.run(userId, account, rule, level)
  const mark = change(writer, 'INSERT OR REPLACE INTO alert_marks (user_id, account, rule, level, trading_day) VALUES (?, ?, ?, ?, ?)')
  for (const { account, rule, level, tradingDay } of marks) mark.run(userId, account, rule, level, tradingDay)
  const add = change(writer, 'INSERT INTO rule_alerts (user_id, at, account, account_name, rule, level, unit, limit_at, value_at, left_of, currency) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const added = alerts.map(({ at, ...alert }): RuleAlert => {
    const { lastInsertRowid } = add.run(userId, at, alert.account, alert.accountName, alert.rule, alert.level, alert.unit, alert.limit, alert.value, alert.left, alert.currency)
    return { ...alert, id: Number(lastInsertRowid), at: isoTime(at), seen: false }
  })
  const old = 'DELETE FROM rule_alerts WHERE user_id = ? AND id <= (SELECT id FROM rule_alerts WHERE user_id = ? ORDER BY id DESC LIMIT 1 OFFSET ?)'
  if (alerts.length > 0) change(writer, old).run(userId, userId, mostAlerts)
  return added
}

/** Counts as seen all up to that number; gives how many are not. */
export const seeAlerts = (writer: Writer, { userId, upTo }: OfUser & { readonly upTo: number }): number => {
  change(writer, 'UPDATE rule_alerts SET seen = 1 WHERE user_id = ? AND id <= ? AND seen = 0').run(userId, upTo)
  return unseenOf(writer, userId)
}
