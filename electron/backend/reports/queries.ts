import { gunzipSync } from 'node:zlib'
import { and, desc, eq } from 'drizzle-orm'
import { z } from 'zod'
import { narrative as narrativeShape, report as reportShape, reportSchedule, type Narrative, type Report, type ReportHead, type ReportSchedule } from '#shared/api/reports.ts'
import { change, query, type Reader, type Writer } from '../db/database.ts'
import { isoTime } from '../db/iso-time.ts'
import { reportMembers, reports as table, reportSettings as settingsTable } from '../db/schema/reports.ts'
import type { OfUser } from '../db/rows.ts'
import type { NewReport, OfReport, ScheduleDone, KeptModel, KeptReportSettings } from './rows.ts'

const headColumns = {
  ...{ id: table.id, createdAt: table.createdAt, by: table.madeBy, kind: table.kind, from: table.fromDay, to: table.toDay },
  ...{ accounts: table.accounts, trades: table.tradeCount, net: table.net, evident: table.evident, narrativeState: table.narrativeState },
}

type HeadRow = Pick<typeof table.$inferSelect, 'id' | 'createdAt' | 'kind' | 'accounts' | 'net' | 'evident' | 'narrativeState'> & { readonly by: ReportHead['by']; readonly from: string; readonly to: string; readonly trades: number }

const headOf = ({ id, createdAt, by, kind, from, to, accounts, trades, net, evident, narrativeState }: HeadRow): ReportHead => ({
  ...{ id, createdAt: isoTime(createdAt), by, period: { kind, from, to }, trades, evident, narrative: narrativeState },
  ...{ accounts: JSON.parse(accounts) as string[], net: JSON.parse(net) as ReportHead['net'] },
})

const one = (userId: string, id: string) => and(eq(table.userId, userId), eq(table.id, id))

/** Newest first. */
export const reports = ({ orm }: Reader, { userId }: OfUser): ReportHead[] => orm.select(headColumns).from(table).where(eq(table.userId, userId)).orderBy(desc(table.createdAt), desc(table.id)).all().map(headOf)

/** What the column `content` holds. */
const contentShape = reportShape.pick({ zone: true, names: true, findings: true, facts: true, days: true, tried: true, level: true })

// Narratives of the first program knew of no text before theirs.
const narrativeOf = (text: string): Narrative => narrativeShape.parse({ before: null, ...z.record(z.string(), z.unknown()).parse(JSON.parse(text)) })

/** Null for an unknown one. */
export const report = ({ orm }: Reader, { userId, id }: OfReport): Report | null => {
  const row = orm.select({ ...headColumns, narrative: table.narrative, content: table.content }).from(table).where(one(userId, id)).get()
  if (row === undefined) return null
  // Parsed anew: an older program may have said it otherwise, and that is to be noticed here and not by whoever reads it.
  return { ...headOf(row), ...contentShape.parse(JSON.parse(row.content)), narrative: row.narrative === null ? null : narrativeOf(row.narrative) }
}

/** One that was made by itself counts as done from then on. */
export const addReport = (writer: Writer, { userId, id, at, by, period, accounts, trades, net, evident, tripIds, members, zone, names, findings, facts, days, tried, level }: NewReport): void => {
  const head = { userId, id, createdAt: at, madeBy: by, kind: period.kind, fromDay: period.from, toDay: period.to, accounts: JSON.stringify(accounts), tradeCount: trades, net: JSON.stringify(net), evident }
  writer.orm.insert(table).values({ ...head, content: JSON.stringify({ zone, names, findings, facts, days, tried, level }), trades: Buffer.from(tripIds) }).run()
  for (const { of, members: bits } of members) writer.orm.insert(reportMembers).values({ userId, reportId: id, of, members: Buffer.from(bits) }).run()
  if (by === 'schedule') markDone(writer, userId, period)
}

// In the report's own transaction: what fails afterwards makes no second one.
const markDone = (writer: Writer, userId: string, { kind, to }: ReportHead['period']): void => {
  const none = JSON.stringify(noSchedule.done)
  change(writer, "UPDATE report_settings SET done = json_set(COALESCE(done, ?), '$.' || ?, ?) WHERE user_id = ?").run(none, kind, to, userId)
}

/** False where there is none. */
export const removeReport = ({ orm }: Writer, { userId, id }: OfReport): boolean => {
  orm.delete(reportMembers).where(and(eq(reportMembers.userId, userId), eq(reportMembers.reportId, id))).run()
  return orm.delete(table).where(one(userId, id)).run().changes > 0
}

/** False where the report is gone. */
export const keepNarrative = ({ orm }: Writer, { userId, id, narrative }: OfReport & { readonly narrative: Narrative }): boolean =>
  orm.update(table).set({ narrativeState: narrative.state, narrative: JSON.stringify(narrative) }).where(one(userId, id)).run().changes > 0

/** Fails every narrative that is still under way, at `at` (UTC ms), since nobody writes it any more; counts them. */
export const endNarratives = (writer: Writer, { at }: { readonly at: number }): number => {
  const sql = `UPDATE reports SET narrative_state = 'failed', narrative = json_set(narrative, '$.state', 'failed', '$.failure', 'program-ended', '$.endedAt', ?, '$.draft', '')
    WHERE narrative_state IN ('writing', 'checking')`
  return change(writer, sql).run(isoTime(at)).changes
}

/** Ids of a report's trips, in the order that members go by; null for an unknown report. */
export const tripIdsOf = (reader: Reader, userId: string, id: string): readonly string[] | null => {
  const row = query<{ trades: Buffer }>(reader, 'SELECT trades FROM reports WHERE user_id = ? AND id = ?').get(userId, id)
  return row === undefined ? null : z.array(z.string()).parse(JSON.parse(gunzipSync(row.trades).toString('utf8')))
}

/** The model's settings without the key, as JSON of `KeptModel`. */
const modelOf = (text: string | null): KeptModel | null => (text === null ? null : (JSON.parse(text) as KeptModel))

const noSchedule: KeptReportSettings = { model: null, schedule: { day: false, week: false, month: false, narrative: false }, done: { day: null, week: null, month: null } }

const doneShape = z.object({ day: z.string().nullable(), week: z.string().nullable(), month: z.string().nullable() })

export const reportSettings = ({ orm }: Reader, { userId }: OfUser): KeptReportSettings => {
  const row = orm.select().from(settingsTable).where(eq(settingsTable.userId, userId)).get()
  if (row === undefined) return noSchedule
  return {
    model: modelOf(row.model),
    schedule: row.schedule === null ? noSchedule.schedule : reportSchedule.parse(JSON.parse(row.schedule)),
    done: row.done === null ? noSchedule.done : doneShape.parse(JSON.parse(row.done)),
  }
}

/** Users with a report that is made by itself. */
export const scheduledUsers = (reader: Reader): string[] =>
  query<{ user_id: string }>(reader, "SELECT user_id FROM report_settings WHERE schedule ->> 'day' OR schedule ->> 'week' OR schedule ->> 'month' ORDER BY user_id")
    .all()
    .map(({ user_id }) => user_id)

const putSettings = ({ orm }: Writer, userId: string, said: Partial<typeof settingsTable.$inferInsert>): void => {
  orm.insert(settingsTable).values({ userId, ...said }).onConflictDoUpdate({ target: settingsTable.userId, set: said }).run()
}

export const setReportModel = (writer: Writer, { userId, model }: OfUser & { readonly model: KeptModel | null }): void => putSettings(writer, userId, { model: model === null ? null : JSON.stringify(model) })

export const setReportSchedule = (writer: Writer, { userId, schedule, done }: OfUser & { readonly schedule: ReportSchedule; readonly done: ScheduleDone }): void =>
  putSettings(writer, userId, { schedule: JSON.stringify(schedule), done: JSON.stringify(done) })
