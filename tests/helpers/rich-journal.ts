import { join } from 'node:path'
import { createUploads } from '#backend/imports/uploads.ts'
import { createPictures } from '#backend/pictures/pictures.ts'
import { createJournalFiles, type JournalFiles } from '#backend/journal-file/service.ts'
import type { Journal } from '#backend/journal/journal.ts'
import { openJournal } from '#backend/journal/open-journal.ts'
import type { Pushed } from '#shared/api/sync.ts'
import { ok } from '#shared/base/result.ts'
import type { Log } from '#shared/base/log.ts'
import type { Reading, RefusedReading } from '#shared/imports/reading.ts'
import { addCurrencyAmounts, noAmounts } from '#shared/money/currency-amounts.ts'
import type { Currency } from '#shared/money/money.ts'
import { noRules } from '#shared/rules/terms.ts'
import { fillRow, money, orderRow, pairRow } from './imports.ts'
import { makeLargeJournal } from './large-journal.ts'
import { migrationsFolder, monday } from './store.ts'

const quiet: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }

/** A journal with its pictures and its files, as the program has them; `events` are those that were pushed. */
export type WholeJournal = { readonly journal: Journal; readonly files: JournalFiles; readonly file: string; readonly userId: string; readonly events: readonly Pushed[]; readonly close: () => Promise<void> }

type Options = { readonly userId?: string; readonly timeZone?: string; readonly largest?: number; readonly now?: () => number }

/** Opens the journal of `folder`, with one profile in it. */
export const openWhole = async (folder: string, { userId = 'u1', timeZone = 'Europe/Berlin', largest = 1e9, now = () => monday }: Options = {}): Promise<WholeJournal> => {
  const file = join(folder, 'journal.db')
  const journal = await openJournal({ file, migrationsFolder, backupFolder: join(folder, 'backups'), log: quiet })
  await journal.write.ensureProfile({ id: userId, email: null, displayName: 'A', passwordHash: null, recoveryHash: null, demo: false, timeZone, createdAt: monday })
  const events: Pushed[] = []
  const uploads = await createUploads({ folder: join(folder, 'journal-files'), now, largest })
  const files = createJournalFiles({ journal, pictures: createPictures(join(folder, 'pictures')), uploads, events: { push: (_, event) => void events.push(event) }, keepBefore: () => Promise.resolve(ok('')), now })
  return { journal, files, file, userId, events, close: journal.close }
}

const refusedRow = (kind: RefusedReading['kind'], line: number, more: Partial<RefusedReading>): RefusedReading =>
  ({ says: 'refused', kind, line, account: { id: null, name: 'PA-7' }, contract: 'MESM6', time: null, fillIds: [], orderId: null, beside: [], ...more })

const importInto = async ({ write }: Journal, userId: string, importId: string, readings: readonly Reading[], account: string | null = null): Promise<void> => {
  const of = { userId, importId }
  await write.beginImport({ ...of, at: monday, zone: 'Europe/Berlin', account })
  // Two parts, one of them with rows of two accounts.
  await write.addReadings({ ...of, place: 0, readings: readings.slice(0, 2) })
  await write.addReadings({ ...of, place: 0, readings: readings.slice(2) })
  await write.addImportFile({ ...of, place: 0, name: `${importId} „Datei“.csv`, kind: 'fills', rows: readings.length + 1, accepted: readings.length, refused: 1 })
  await write.finishImport({ ...of, at: monday })
}

/**
 * Fills the journal of `folder` with all that one can hold: a large journal, an account that only files know, imports
 * that replace API fills and add to them, contracts known only from imports, notes on imported fill pairs, an undone import, and notes that belong to no single pair.
 */
export const makeRichJournal = async (folder: string, trades: number): Promise<void> => {
  const empty = await openWhole(folder)
  await empty.close()
  await makeLargeJournal({ file: empty.file, picturesFolder: join(folder, 'pictures'), userId: empty.userId }, trades)
  const { journal, userId, close } = await openWhole(folder)
  const { read, write } = journal
  const zzz = { contract: 'YYYZ9' }
  await importInto(journal, userId, 'first', [
    ...[fillRow('PA-7', 1, 'buy', 2, 6750, { fee: money('1.24') }), fillRow('PA-7', 2, 'sell', 2, 6751, { fee: money('1.24') })],
    ...[fillRow('Konto 1', 3, 'buy', 1, 6752), orderRow('Konto 1', 9, 'sell', 3, 6752.25), pairRow('PA-8', [21, 100.25], [22, 101.25], 1, { ...zzz, pnl: money('50') })],
    fillRow('PA-7', 10, 'buy', 1, 6753, { fee: money('0'), otherFees: addCurrencyAmounts(noAmounts, [{ currency: 'EUR' as Currency, amount: money('1.10') }]) }),
    refusedRow('fills', 11, { days: { from: '2026-01-05', to: '2026-01-06' } }),
    refusedRow('cash-history', 12, { days: { from: null, to: null }, moved: { delta: money('-1.24'), amount: null } }),
  ])
  await importInto(journal, userId, 'undone', [fillRow('PA-7', 5, 'buy', 1, 6740), fillRow('PA-7', 6, 'sell', 1, 6741), fillRow('PA-9', 7, 'buy', 1, 6740)])
  await importInto(journal, userId, 'second', [pairRow(null, [31, 6700], [32, 6702], 1), pairRow(null, [1, 6750], [2, 6751], 2)], 'PA-7')
  const undone = await write.undoImport({ userId, at: monday + 1, importId: 'undone' })
  if (!undone.ok) throw new Error(undone.error)
  const [trade, ...others] = (JSON.parse(new TextDecoder().decode(await read.tradesJson({ userId }))) as { trades: { id: string; accountId: string }[] }).trades.filter(({ accountId }) => accountId === 'file:PA-7')
  if (trade === undefined || others[0] === undefined) throw new Error('The imports brought no trades')
  await write.updateTrade({ userId, at: monday + 2, id: trade.id, updates: { notes: 'Aus der Datei\n„…“ \u2028', tags: ['import'] } })
  await write.removeTrade({ userId, at: monday + 3, id: others[0].id })
  await write.setDayNote({ userId, at: monday + 4, tradingDay: '2026-01-05', notes: 'A quiet day', tags: ['calm'] })
  await write.setDayNote({ userId, at: monday + 4, tradingDay: '2026-01-06', tags: ['news'] })
  await write.setDefaultStops({ userId, at: monday + 5, stops: [{ product: 'MES', distance: '12', unit: 'ticks' }] })
  const rated = await write.setCommission({ userId, at: monday + 6, of: { scope: 'account', accountId: 'file:PA-7' }, product: 'MES', perSide: '0.37' })
  const copied = await write.setCopyOf({ userId, at: monday + 7, account: 'file:PA-8', leader: 'file:PA-7' })
  await write.setRules({ userId, at: monday + 8, account: 'file:PA-7', set: { ...noRules('USD'), startingBalance: '50000', profitTarget: '3000' }, presetId: null, since: '2026-01-05' })
  await write.setStage({ userId, at: monday + 9, account: 'file:PA-8', stage: 'funded' })
  for (const outcome of [rated, copied]) if (!outcome.ok) throw new Error(outcome.error)
  await close()
}
