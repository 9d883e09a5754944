import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import { narrative as narrativeShape, report as reportShape, reportSchedule, type Narrative, type Report, type ReportHead, type ReportSchedule } from '#shared/api/reports.ts'
import { change, query, type Reader, type Writer } from '../db/database.ts'
import { isoTime } from '../db/iso-time.ts'
import type { OfUser } from '../db/rows.ts'
import type { NewReport, OfReport, ScheduleDone, KeptModel, KeptReportSettings } from './rows.ts'

type HeadRow = {
  id: string
  created_at: number
  made_by: ReportHead['by']
  kind: ReportHead['period']['kind']
  from_day: string
  to_day: string
  accounts: string
  trade_count: number
  net: string
  evident: number
  narrative_state: ReportHead['narrative']
}

type WholeRow = HeadRow & { narrative: string | null; content: string }

const headColumns = 'id, created_at, made_by, kind, from_day, to_day, accounts, trade_count, net, evident, narrative_state'

const headOf = ({ id, created_at, made_by, kind, from_day, to_day, accounts, trade_count, net, evident, narrative_state }: HeadRow): ReportHead => ({
  ...{ id, createdAt: isoTime(created_at), by: made_by, period: { kind, from: from_day, to: to_day }, trades: trade_count, evident, narrative: narrative_state },
  ...{ accounts: JSON.parse(accounts) as string[], net: JSON.parse(net) as ReportHead['net'] },
})

/** Newest first. */
export const reports = (reader: Reader, { userId }: OfUser): ReportHead[] => query<HeadRow>(reader, `SELECT ${headColumns} FROM reports WHERE user_id = ? ORDER BY created_at DESC, id DESC`).all(userId).map(headOf)

/** What the column `content` holds. */
const contentShape = reportShape.pick({ zone: true, names: true, findings: true, facts: true, tried: true, level: true })

// Narratives of the first program knew of no text before theirs.
const narrativeOf = (text: string): Narrative => narrativeShape.parse({ before: null, ...z.record(z.string(), z.unknown()).parse(JSON.parse(text)) })

/** Null for an unknown one. */
export const report = (reader: Reader, { userId, id }: OfReport): Report | null => {
  const row = query<WholeRow>(reader, `SELECT ${headColumns}, narrative, content FROM reports WHERE user_id = ? AND id = ?`).get(userId, id)
  if (row === undefined) return null
  // Parsed anew: an older program may have said it otherwise, and that is to be noticed here and not by whoever reads it.
  return { ...headOf(row), ...contentShape.parse(JSON.parse(row.content)), narrative: row.narrative === null ? null : narrativeOf(row.narrative) }
}

/** One that was made by itself counts as done from then on. */
export const addReport = (writer: Writer, { userId, id, at, by, period, accounts, trades, net, evident, tripIds, members, zone, names, findings, facts, tried, level }: NewReport): void => {
  const sql = `INSERT INTO reports (user_id, id, created_at, made_by, kind, from_day, to_day, accounts, trade_count, net, evident, content, trades) VALUES (${Array.from({ length: 13 }, () => '?').join(', ')})`
  const content = JSON.stringify({ zone, names, findings, facts, tried, level })
  change(writer, sql).run(userId, id, at, by, period.kind, period.from, period.to, JSON.stringify(accounts), trades, JSON.stringify(net), evident, content, tripIds)
  const add = change(writer, 'INSERT INTO report_members (user_id, report_id, of, members) VALUES (?, ?, ?, ?)')
  for (const one of members) add.run(userId, id, one.of, one.members)
  if (by === 'schedule') markDone(writer, userId, period)
}

// In the report's own transaction: what fails afterwards makes no second one.
const markDone = (writer: Writer, userId: string, { kind, to }: ReportHead['period']): void => {
  const none = JSON.stringify(noSchedule.done)
  change(writer, "UPDATE report_settings SET done = json_set(COALESCE(done, ?), '$.' || ?, ?) WHERE user_id = ?").run(none, kind, to, userId)
}

/** False where there is none. */
export const removeReport = (writer: Writer, { userId, id }: OfReport): boolean => {
  change(writer, 'DELETE FROM report_members WHERE user_id = ? AND report_id = ?').run(userId, id)
  return change(writer, 'DELETE FROM reports WHERE user_id = ? AND id = ?').run(userId, id).changes > 0
}

/** False where the report is gone. */
export const keepNarrative = (writer: Writer, { userId, id, narrative }: OfReport & { readonly narrative: Narrative }): boolean =>
  change(writer, 'UPDATE reports SET narrative_state = ?, narrative = ? WHERE user_id = ? AND id = ?').run(narrative.state, JSON.stringify(narrative), userId, id).changes > 0

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

export const reportSettings = (reader: Reader, { userId }: OfUser): KeptReportSettings => {
  const row = query<{ model: string | null; schedule: string | null; done: string | null }>(reader, 'SELECT model, schedule, done FROM report_settings WHERE user_id = ?').get(userId)
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

export const setReportModel = (writer: Writer, { userId, model }: OfUser & { readonly model: KeptModel | null }): void => {
  const text = model === null ? null : JSON.stringify(model)
  change(writer, 'INSERT INTO report_settings (user_id, model) VALUES (?, ?) ON CONFLICT (user_id) DO UPDATE SET model = excluded.model').run(userId, text)
}

export const setReportSchedule = (writer: Writer, { userId, schedule, done }: OfUser & { readonly schedule: ReportSchedule; readonly done: ScheduleDone }): void => {
  const sql = 'INSERT INTO report_settings (user_id, schedule, done) VALUES (?, ?, ?) ON CONFLICT (user_id) DO UPDATE SET schedule = excluded.schedule, done = excluded.done'
  change(writer, sql).run(userId, JSON.stringify(schedule), JSON.stringify(done))
}
