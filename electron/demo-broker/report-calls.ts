import { z } from 'zod'
import { empty, json, type Answer, type Call } from './answers.ts'
import { dayNumber, sessionAt } from './chicago.ts'
import type { Floor } from './floor.ts'
import type { FloorBooks } from './floor-books.ts'
import { currentVersion, type LiveOrder } from './floor-order.ts'
import { keepBooks } from './ledger.ts'
import type { Past } from './past.ts'
import { reports, type Archive } from './report-tables.ts'
import { csvOf } from './report-text.ts'
import type { Order } from './world.ts'

/** More days at once are refused. */
const DAYS_AT_MOST = 63

const requestSchema = z.object({
  name: z.string(),
  representationType: z.literal('csv'),
  /** Minutes that the reader's clock is behind UTC. */
  timezone: z.number(),
  params: z.array(z.object({ name: z.string(), value: z.string() })),
})

/** The reporting service of a stand-in. */
export type ReportDesk = {
  /** Answers `POST …/reports/requestReport` for a login. */
  readonly answer: (call: Call, userId: number) => Promise<Answer>
  /** All that happened up to the market's clock. */
  readonly archive: () => Promise<Archive>
}

/** The service over a world and what came before it, which is made with the first question. */
export const openReportDesk = (parts: { readonly books: FloorBooks; readonly floor: Pick<Floor, 'orders'>; readonly past: () => Promise<Past>; readonly now: () => number }): ReportDesk => {
  const { books, floor, now } = parts
  const { world } = books
  let past: Promise<Past> | null = null
  let kept: (Archive & { readonly version: number }) | null = null

  const archive = async (): Promise<Archive> => {
    const before = await (past ??= parts.past())
    const [at, version] = [now(), books.version()]
    if (kept?.now === at && kept.version === version) return kept
    const executions = [...before.executions, ...world.executions]
    kept = { now: at, version, sessions: [...before.sessions, ...world.sessions], orders: [...before.orders, ...world.orders, ...floor.orders().map(reportedOrder)], executions, books: keepBooks(executions, at) }
    return kept
  }

  return {
    archive,
    answer: async (call, userId) => {
      const request = requestSchema.safeParse(call.json)
      if (call.method !== 'POST' || !request.success) return empty(404)
      const { name, timezone, params } = request.data
      const given = (wanted: string): string => params.find((param) => param.name === wanted)?.value ?? ''
      const report = reports[name]
      if (report === undefined) return json({ errorText: 'Report not found' })
      const [from, to] = [dateOf(given('startDate')), dateOf(given('endDate'))]
      if (from === null || to === null || from > to) return json({ errorText: 'Invalid date range' })
      const account = world.accounts.find((each) => each.name === given('account') && each.traderId === userId && each.environment === call.environment)
      if (account === undefined) return json({ errorText: 'Account not found' })
      if (dayNumber(to) - dayNumber(from) > DAYS_AT_MOST) return json({ errorText: 'Too long range' })
      const rows = report(await archive(), { account, from, to, behind: timezone }, world.sessions[0] ?? to)
      return json({ data: csvOf(rows) })
    },
  }
}

/** A live order as the reports have it. */
const reportedOrder = (order: LiveOrder): Order => {
  const { id: versionId, qty, type, limit, stop } = currentVersion(order)
  const { id, accountId, contract, action, time, status, ended } = order
  const outcome = status === 'Filled' || status === 'Rejected' || status === 'Expired' ? status : 'Canceled'
  return { id, versionId, accountId, contract, session: sessionAt(time), time, action, qty, type, ticks: limit ?? stop, endsAt: ended?.at ?? Infinity, outcome }
}

/** `6/9/2026` as `2026-06-09`; null for anything else. */
const dateOf = (given: string): string | null => {
  const [, month = '', day = '', year = ''] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(given) ?? []
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return z.iso.date().safeParse(date).success ? date : null
}
