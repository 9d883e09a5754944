import { randomUUID } from 'node:crypto'
import { err, ok, type Result } from '#shared/base/result.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import type { DayWindow } from '#shared/sync/history-windows.ts'
import type { JournalCalls } from '../store/journal.ts'
import type { SyncAccount } from '../store/rows.ts'
import { reportZone, type ReportFailure, type ReportName, type ReportWish } from '../tradovate/reports.ts'
import type { ImportFile, Imports } from './imports.ts'
import type { LoginOfUser } from './token-keeper.ts'

/** Trading days of an account that are missing. */
export type Stretch = DayWindow & { readonly account: AccountKey }

/** What windows are brought with. */
export type WindowParts = {
  readonly journal: JournalCalls
  readonly imports: Pick<Imports, 'add'>
  /** Asks the reporting service with the tokens of a login. */
  readonly report: (wish: LoginOfUser & ReportWish) => Promise<Result<string, ReportFailure>>
  /** UTC ms. */
  readonly now: () => number
}

/** One window to bring: `refused` are the reports that the broker does not give of this account, which grow as they are met. */
export type WindowOrder = LoginOfUser & { readonly account: SyncAccount; readonly window: DayWindow; readonly refused: Set<ReportName>; readonly signal: AbortSignal }

const wanted = ['Fills', 'Performance', 'Cash History', 'Account Balance History'] as const
// Without one of these there are no trades.
const telling = ['Fills', 'Orders', 'Performance'] as const

/** Whether the broker gives nothing of an account that trades could be made of. */
export const givesNothing = (refused: ReadonlySet<ReportName> | undefined): boolean => refused !== undefined && telling.every((name) => refused.has(name))

/**
 * Asks for the reports of a window and imports what came, as one import; a window of which the broker tells nothing is
 * noted too. Nothing is kept of a window that could not be fetched whole, or that was stopped.
 */
export const bringWindow = async (parts: WindowParts, order: WindowOrder): Promise<Result<'brought' | 'not-given', Exclude<ReportFailure, { kind: 'not-given' }>>> => {
  const fetched = await fetchReports(parts, order)
  if (!fetched.ok) return fetched
  if (givesNothing(order.refused)) return ok('not-given')
  return keepWindow(parts, order, fetched.value)
}

const fetchReports = async ({ report }: WindowParts, { userId, loginId, account, window, refused, signal }: WindowOrder): Promise<Result<ImportFile[], Exclude<ReportFailure, { kind: 'not-given' }>>> => {
  const files: ImportFile[] = []
  // It grows while it is walked through: only who gets no fills asks for orders.
  const names: ReportName[] = [...wanted]
  for (const name of names) {
    const answer = refused.has(name) ? err({ kind: 'not-given' } as const) : await report({ userId, loginId, environment: account.environment, name, account: account.name, ...window })
    if (signal.aborted) return err({ kind: 'aborted' })
    if (answer.ok) {
      if (hasRows(answer.value)) files.push(fileOf(`${name} ${window.from} ${window.to}.csv`, answer.value))
      continue
    }
    if (answer.error.kind !== 'not-given') return err(answer.error)
    refused.add(name)
    if (name === 'Fills') names.push('Orders')
  }
  return ok(files)
}

const keepWindow = async ({ journal: { write }, imports, now }: WindowParts, { userId, account, window, signal }: WindowOrder, files: readonly ImportFile[]): ReturnType<typeof bringWindow> => {
  const of = { userId, account: account.key, ...window }
  if (files.length === 0) {
    await write.noteHistoryWindow({ ...of, at: now(), importId: null })
    return ok('brought')
  }
  const id = randomUUID()
  await write.noteHistoryWindow({ ...of, at: now(), importId: id })
  const imported = await imports.add(userId, files, { zone: reportZone, account: account.name, id }, { signal })
  if (!imported.ok) return err({ kind: 'unreadable-answer' })
  const { fills, pairs, trips } = imported.value.settled
  await write.countHistoryWindow({ ...of, fills: fills.added, pairs: pairs.added, trips: trips.added })
  return ok('brought')
}

const hasRows = (text: string): boolean => /\S[^\n]*\n\s*\S/.test(text)

const fileOf = (name: string, text: string): ImportFile => ({
  name,
  open: async function* () {
    yield await Promise.resolve(Buffer.from(text))
  },
})
