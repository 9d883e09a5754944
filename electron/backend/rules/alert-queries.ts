import { and, count, desc, eq, lt, lte, sql, type Placeholder } from 'drizzle-orm'
import { alertSettings as settingsShape, type RuleAlert, type AlertSettings } from '#shared/api/rules.ts'
import { perConnection, type Reader, type Writer } from '../db/database.ts'
import { isoTime } from '../db/iso-time.ts'
import { alertMarks as markTable, alertSettings as settingsTable, ruleAlerts as table } from '../db/schema/rules.ts'
import type { OfUser } from '../db/rows.ts'
import type { NewAlert, AlertMark } from './rows.ts'

/** How many alerts of a user are stored. */
const mostAlerts = 10_000

/** Null if never set. */
export const alertSettings = ({ orm }: Reader, { userId }: OfUser): AlertSettings | null => {
  const row = orm.select().from(settingsTable).where(eq(settingsTable.userId, userId)).get()
  return row === undefined ? null : (settingsShape.safeParse(JSON.parse(row.settings)).data ?? null)
}

export const setAlertSettings = ({ orm }: Writer, { userId, settings: alerts }: OfUser & { readonly settings: AlertSettings }): void => {
  const settings = JSON.stringify(alerts)
  orm.insert(settingsTable).values({ userId, settings }).onConflictDoUpdate({ target: settingsTable.userId, set: { settings } }).run()
}

const alertOf = ({ id, at, account, accountName, rule, level, unit, limitAt, valueAt, leftOf, currency, seen }: typeof table.$inferSelect): RuleAlert => ({
  id, at: isoTime(at), account, accountName, rule, level, unit, currency, seen,
  limit: limitAt, value: valueAt, left: leftOf,
})

const unseenOf = ({ orm }: Reader, userId: string): number => orm.select({ count: count() }).from(table).where(and(eq(table.userId, userId), eq(table.seen, false))).get()?.count ?? 0

/** Newest first, before the alert with that number; `unseen` counts all of the user's. */
export const ruleAlerts = (reader: Reader, { userId, before = Number.MAX_SAFE_INTEGER, limit }: OfUser & { readonly before?: number | undefined; readonly limit: number }): { readonly alerts: RuleAlert[]; readonly more: boolean; readonly unseen: number } => {
  const rows = reader.orm.select().from(table).where(and(eq(table.userId, userId), lt(table.id, before))).orderBy(desc(table.id)).limit(limit + 1).all()
  return { alerts: rows.slice(0, limit).map(alertOf), more: rows.length > limit, unseen: unseenOf(reader, userId) }
}

export const alertMarks = ({ orm }: Reader, { userId }: OfUser): AlertMark[] =>
  orm.select({ account: markTable.account, rule: markTable.rule, level: markTable.level, tradingDay: markTable.tradingDay }).from(markTable).where(eq(markTable.userId, userId)).all()

const placeholders = <Name extends string>(...names: readonly Name[]) => Object.fromEntries(names.map((name) => [name, sql.placeholder(name)])) as Record<Name, Placeholder<Name>>

const putMark = perConnection(({ orm }: Writer) =>
  orm
    .insert(markTable)
    .values(placeholders('userId', 'account', 'rule', 'level', 'tradingDay'))
    .onConflictDoUpdate({ target: [markTable.userId, markTable.account, markTable.rule, markTable.level], set: { tradingDay: sql`excluded.trading_day` } })
    .prepare(),
)

const insertAlert = perConnection(({ orm }: Writer) =>
  orm.insert(table).values(placeholders('userId', 'at', 'account', 'accountName', 'rule', 'level', 'unit', 'limitAt', 'valueAt', 'leftOf', 'currency')).returning().prepare(),
)

/** Saves marks and alerts; returns the alerts with their numbers, in order; keeps a user's newest 10,000. A level whose mark is dropped may alert again. */
export const addAlerts = (writer: Writer, { userId, alerts, marks, dropped }: OfUser & { readonly alerts: readonly NewAlert[]; readonly marks: readonly AlertMark[]; readonly dropped: readonly AlertMark[] }): RuleAlert[] => {
  const { orm } = writer
  for (const { account, rule, level } of dropped) orm.delete(markTable).where(and(eq(markTable.userId, userId), eq(markTable.account, account), eq(markTable.rule, rule), eq(markTable.level, level))).run()
  for (const mark of marks) putMark(writer).run({ userId, ...mark })
  const added = alerts.map(({ limit, value, left, ...alert }) => alertOf(insertAlert(writer).get({ userId, ...alert, limitAt: limit, valueAt: value, leftOf: left })))
  const old = orm.select({ id: table.id }).from(table).where(eq(table.userId, userId)).orderBy(desc(table.id)).limit(1).offset(mostAlerts)
  if (alerts.length > 0) orm.delete(table).where(and(eq(table.userId, userId), lte(table.id, old))).run()
  return added
}

/** Marks all up to that number as seen; returns how many are unseen. */
export const markAlertsSeen = (writer: Writer, { userId, upTo }: OfUser & { readonly upTo: number }): number => {
  writer.orm.update(table).set({ seen: true }).where(and(eq(table.userId, userId), lte(table.id, upTo), eq(table.seen, false))).run()
  return unseenOf(writer, userId)
}
