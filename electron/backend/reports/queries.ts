import { gunzipSync } from 'node:zlib'
import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import { z } from 'zod'
import { narrative as narrativeShape, report as reportShape, reportSchedule, type Narrative, type Report, type ReportHead, type ReportSchedule } from '#shared/api/reports.ts'
import type { Reader, Writer } from '../db/database.ts'
import { isoTime } from '../db/iso-time.ts'
import { reportMembers, reports as table, reportSettings as settingsTable } from '../db/schema/reports.ts'
import type { OfUser } from '../db/rows.ts'
import type { NewReport, ReportKey, ScheduleDone, StoredModel, StoredReportSettings } from './rows.ts'

const headColumns = {
  id: table.id, createdAt: table.createdAt, by: table.madeBy, kind: table.kind, from: table.fromDay, to: table.toDay,
  accounts: table.accounts, trades: table.tradeCount, net: table.net, evident: table.evident, narrativeState: table.narrativeState,
}

type HeadRow = Pick<typeof table.$inferSelect, 'id' | 'createdAt' | 'kind' | 'accounts' | 'net' | 'evident' | 'narrativeState'> & { readonly by: ReportHead['by']; readonly from: string; readonly to: string; readonly trades: number }

const headOf = ({ id, createdAt, by, kind, from, to, accounts, trades, net, evident, narrativeState }: HeadRow): ReportHead => ({
  id, createdAt: isoTime(createdAt), by, period: { kind, from, to }, trades, evident, narrative: narrativeState,
  accounts: JSON.parse(accounts) as string[], net: JSON.parse(net) as ReportHead['net'],
})

const isReport = (userId: string, id: string) => and(eq(table.userId, userId), eq(table.id, id))

/** Newest first. */
export const reports = ({ orm }: Reader, { userId }: OfUser): ReportHead[] => orm.select(headColumns).from(table).where(eq(table.userId, userId)).orderBy(desc(table.createdAt), desc(table.id)).all().map(headOf)

/** The JSON of the column `content`. */
const contentShape = reportShape.pick({ zone: true, names: true, findings: true, facts: true, days: true, reconciled: true, tried: true, level: true })

// Narratives of the first version have no `before`.
const narrativeOf = (text: string): Narrative => narrativeShape.parse({ before: null, ...z.record(z.string(), z.unknown()).parse(JSON.parse(text)) })

/** Null for an unknown report. */
export const report = ({ orm }: Reader, { userId, id }: ReportKey): Report | null => {
  const row = orm.select({ ...headColumns, narrative: table.narrative, content: table.content }).from(table).where(isReport(userId, id)).get()
  if (row === undefined) return null
  // Parsed here, so that an older version's shape fails in one place and not in each reader.
  return { ...headOf(row), ...contentShape.parse(JSON.parse(row.content)), narrative: row.narrative === null ? null : narrativeOf(row.narrative) }
}

/** Saves a report, and marks its period done if the schedule made it. */
export const addReport = (writer: Writer, { userId, id, at, by, period, accounts, trades, net, evident, tradeIds, members, zone, names, findings, facts, days, reconciled, tried, level }: NewReport): void => {
  const head = { userId, id, createdAt: at, madeBy: by, kind: period.kind, fromDay: period.from, toDay: period.to, accounts: JSON.stringify(accounts), tradeCount: trades, net: JSON.stringify(net), evident }
  writer.orm.insert(table).values({ ...head, content: JSON.stringify({ zone, names, findings, facts, days, reconciled, tried, level }), trades: Buffer.from(tradeIds) }).run()
  for (const { of, members: bits } of members) writer.orm.insert(reportMembers).values({ userId, reportId: id, of, members: Buffer.from(bits) }).run()
  if (by === 'schedule') markDone(writer, userId, period)
}

// In the report's own transaction: a later failure must not make a second report.
const markDone = ({ orm }: Writer, userId: string, { kind, to }: ReportHead['period']): void => {
  const none = JSON.stringify(noSchedule.done)
  orm.update(settingsTable).set({ done: sql`json_set(COALESCE(${settingsTable.done}, ${none}), ${`$.${kind}`}, ${to})` }).where(eq(settingsTable.userId, userId)).run()
}

/** False if there was none. */
export const removeReport = ({ orm }: Writer, { userId, id }: ReportKey): boolean => {
  orm.delete(reportMembers).where(and(eq(reportMembers.userId, userId), eq(reportMembers.reportId, id))).run()
  return orm.delete(table).where(isReport(userId, id)).run().changes > 0
}

/** False if the report is gone. */
export const saveNarrative = ({ orm }: Writer, { userId, id, narrative }: ReportKey & { readonly narrative: Narrative }): boolean =>
  orm.update(table).set({ narrativeState: narrative.state, narrative: JSON.stringify(narrative) }).where(isReport(userId, id)).run().changes > 0

/** Marks narratives that an earlier run left unfinished as failed at `at` (UTC ms); returns their number. */
export const failUnfinishedNarratives = ({ orm }: Writer, { at }: { readonly at: number }): number => {
  const failed = sql`json_set(${table.narrative}, '$.state', 'failed', '$.failure', 'program-ended', '$.endedAt', ${isoTime(at)}, '$.draft', '')`
  return orm.update(table).set({ narrativeState: 'failed', narrative: failed }).where(inArray(table.narrativeState, ['writing', 'checking'])).run().changes
}

/** The ids of a report's trades, in the order of the bits of `Members`; null for an unknown report. */
export const tradeIdsOf = ({ orm }: Reader, userId: string, id: string): readonly string[] | null => {
  const row = orm.select({ trades: table.trades }).from(table).where(isReport(userId, id)).get()
  return row === undefined ? null : z.array(z.string()).parse(JSON.parse(gunzipSync(row.trades).toString('utf8')))
}

/** The trades of a fact or finding as a bitmap; null if it is unknown. */
export const membersOf = ({ orm }: Reader, userId: string, id: string, of: string): Buffer | null => {
  const isIt = and(eq(reportMembers.userId, userId), eq(reportMembers.reportId, id), eq(reportMembers.of, of))
  return orm.select({ members: reportMembers.members }).from(reportMembers).where(isIt).get()?.members ?? null
}

/** The model's settings without the key, as JSON of `StoredModel`. */
const modelOf = (text: string | null): StoredModel | null => (text === null ? null : (JSON.parse(text) as StoredModel))

const noSchedule: StoredReportSettings = { model: null, schedule: { day: false, week: false, month: false, narrative: false }, done: { day: null, week: null, month: null } }

const doneShape = z.object({ day: z.string().nullable(), week: z.string().nullable(), month: z.string().nullable() })

export const reportSettings = ({ orm }: Reader, { userId }: OfUser): StoredReportSettings => {
  const row = orm.select().from(settingsTable).where(eq(settingsTable.userId, userId)).get()
  if (row === undefined) return noSchedule
  return {
    model: modelOf(row.model),
    schedule: row.schedule === null ? noSchedule.schedule : reportSchedule.parse(JSON.parse(row.schedule)),
    done: row.done === null ? noSchedule.done : doneShape.parse(JSON.parse(row.done)),
  }
}

/** Users with a scheduled report. */
export const scheduledUsers = ({ orm }: Reader): string[] => {
  const { schedule } = settingsTable
  const isScheduled = sql`${schedule} ->> 'day' OR ${schedule} ->> 'week' OR ${schedule} ->> 'month'`
  return orm.select({ userId: settingsTable.userId }).from(settingsTable).where(isScheduled).orderBy(settingsTable.userId).all().map(({ userId }) => userId)
}

const upsertSettings = ({ orm }: Writer, userId: string, changes: Partial<typeof settingsTable.$inferInsert>): void => {
  orm.insert(settingsTable).values({ userId, ...changes }).onConflictDoUpdate({ target: settingsTable.userId, set: changes }).run()
}

export const setReportModel = (writer: Writer, { userId, model }: OfUser & { readonly model: StoredModel | null }): void => upsertSettings(writer, userId, { model: model === null ? null : JSON.stringify(model) })

export const setReportSchedule = (writer: Writer, { userId, schedule, done }: OfUser & { readonly schedule: ReportSchedule; readonly done: ScheduleDone }): void =>
  upsertSettings(writer, userId, { schedule: JSON.stringify(schedule), done: JSON.stringify(done) })
