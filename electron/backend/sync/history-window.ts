import { randomUUID } from 'node:crypto'
import { err, ok, type Result } from '#shared/base/result.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import type { DayWindow } from '#shared/sync/history-windows.ts'
import { readExport } from '../imports/read-export.ts'
import type { JournalCalls } from '../journal/journal.ts'
import type { SyncAccount } from '../db/rows.ts'
import { reportZone, type ReportFailure, type ReportName, type ReportQuery } from '../brokers/tradovate/reports.ts'
import type { ImportFile, Imports } from '../imports/imports.ts'
import type { LoginOfUser } from './token-keeper.ts'

/** Trading days of an account that are missing. */
export type Stretch = DayWindow & { readonly account: AccountKey }

/** Dependencies of fetching windows. */
export type WindowDeps = {
  readonly journal: JournalCalls
  readonly imports: Pick<Imports, 'add'>
  /** Asks the reporting service with the tokens of a login. */
  readonly report: (query: LoginOfUser & ReportQuery) => Promise<Result<string, ReportFailure>>
  /** UTC ms. */
  readonly now: () => number
}

/** One window to fetch. `refused` are the reports that the broker does not give for this account; found ones are added. */
export type WindowOrder = LoginOfUser & { readonly account: SyncAccount; readonly window: DayWindow; readonly refused: Set<ReportName>; readonly signal: AbortSignal }

/** A window with the reports that have rows. */
export type FetchedWindow = { readonly window: DayWindow; readonly files: readonly ImportFile[] }

type Failure = Exclude<ReportFailure, { kind: 'not-given' }>

const wanted = ['Fills', 'Performance', 'Cash History', 'Account Balance History'] as const
// Without one of these there are no trades.
const withTrades = ['Fills', 'Orders', 'Performance'] as const

/** Whether the broker gives no report of an account from which trades could be made. */
export const refusesTradeReports = (refused: ReadonlySet<ReportName> | undefined): boolean => refused !== undefined && withTrades.every((name) => refused.has(name))

/** Fetches the reports of a window; one in an unknown format counts as refused if others have trades. */
export const fetchWindow = async ({ report }: Pick<WindowDeps, 'report'>, { userId, loginId, account, window, refused, signal }: WindowOrder): Promise<Result<FetchedWindow | 'not-given', Failure>> => {
  const files: ImportFile[] = []
  let unknown = false
  // The list grows during the loop: orders are requested only if there is no report of fills.
  const names: ReportName[] = [...wanted]
  for (const name of names) {
    const answer = refused.has(name) ? err({ kind: 'not-given' } as const) : await report({ userId, loginId, environment: account.environment, name, account: account.name, ...window })
    if (signal.aborted) return err({ kind: 'aborted' })
    if (!answer.ok && answer.error.kind !== 'not-given') return err(answer.error)
    const content = answer.ok ? await contentOf(answer.value) : 'not-given'
    if (content === 'failed') return err({ kind: 'unreadable-answer' })
    if (content === 'rows' && answer.ok) files.push(fileOf(`${name} ${window.from} ${window.to}.csv`, answer.value))
    if (content === 'rows' || content === 'no-rows') continue
    unknown ||= content === 'unknown'
    refused.add(name)
    if (name === 'Fills') names.push('Orders')
  }
  if (refusesTradeReports(refused)) return unknown ? err({ kind: 'unreadable-answer' }) : ok('not-given')
  return ok({ window, files })
}

/** Imports fetched windows of an account as one import, so that the journal is recomputed once for all of them; an empty window is noted too. */
export const importWindows = async (
  { journal: { write }, imports, now }: Omit<WindowDeps, 'report'>,
  { userId, account, fetched, signal }: { readonly userId: string; readonly account: SyncAccount; readonly fetched: readonly FetchedWindow[]; readonly signal: AbortSignal },
): Promise<Result<null, Failure>> => {
  const id = randomUUID()
  const of = { userId, account: account.key }
  for (const { window, files } of fetched) await write.recordHistoryWindow({ ...of, ...window, at: now(), importId: files.length === 0 ? null : id })
  const clearMissing = async (): Promise<void> => {
    for (const { window } of fetched) await write.clearMissing({ ...of, ...window, at: now() })
  }
  const filled = fetched.filter(({ files }) => files.length > 0)
  const [first] = filled
  if (first === undefined) {
    await clearMissing()
    return ok(null)
  }
  const imported = await imports.add(userId, filled.flatMap(({ files }) => files), { zone: reportZone, account: account.name, id }, { signal })
  if (!imported.ok) return err({ kind: 'unreadable-answer' })
  const { fills, pairs, trades } = imported.value.settled
  // They stay or go together: one of them carries what all of them added.
  await write.countHistoryWindow({ ...of, ...first.window, fills: fills.added, pairs: pairs.added, trades: trades.added })
  await clearMissing()
  return ok(null)
}

/** What the text of a report has, by its first line: `failed` is what the broker leaves behind when an export fails. */
const contentOf = async (text: string): Promise<'rows' | 'no-rows' | 'failed' | 'unknown'> => {
  const trimmed = text.trim()
  if (trimmed === '') return 'no-rows'
  const end = trimmed.search(/[\r\n]/)
  const header = await readExport(fileOf('', end < 0 ? trimmed : trimmed.slice(0, end)).open(), reportZone, () => undefined)
  if (!header.ok) return header.error.code === 'failed-export' ? 'failed' : 'unknown'
  return end < 0 ? 'no-rows' : 'rows'
}

const fileOf = (name: string, text: string): ImportFile => ({
  name,
  // The reporting service writes like the broker's own screens.
  dates: { order: 'mdy', ofThisFile: true },
  open: async function* () {
    yield await Promise.resolve(Buffer.from(text))
  },
})
