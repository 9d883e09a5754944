import type { LedgerCopy, LedgerRow } from '#shared/api/copier.ts'
import { csvLine, exact, text, type CsvCell } from './csv-line.ts'

/** An event of the copier's ledger with the name of its group. */
export type CsvEvent = LedgerRow & { readonly groupName: string }

type LedgerLine = { readonly event: CsvEvent; readonly copy: LedgerCopy | null }

const number = (value: number | null | undefined): CsvCell => exact(value === null || value === undefined ? '' : String(value))
const optionalText = (words: string | null | undefined): CsvCell => text(words ?? '')

const columns: readonly (readonly [heading: string, cell: (line: LedgerLine) => CsvCell])[] = [
  ['Event', ({ event }) => number(event.id)],
  ['Time (ISO 8601)', ({ event }) => exact(event.at)],
  ['Group', ({ event }) => text(event.groupName)],
  ['Kind', ({ event }) => exact(event.kind)],
  ['Leader', ({ event }) => text(event.leader.account)],
  ['Leader contract', ({ event }) => text(event.leader.contract)],
  ['Leader side', ({ event }) => exact(event.leader.side ?? '')],
  ['Leader quantity', ({ event }) => number(event.leader.qty)],
  ['Leader price', ({ event }) => optionalText(event.leader.price)],
  ['Leader fill id', ({ event }) => optionalText(event.leader.fillId)],
  ['Follower', ({ copy }) => optionalText(copy?.follower)],
  ['Contract', ({ copy }) => optionalText(copy?.contract)],
  ['Side', ({ copy }) => exact(copy?.side ?? '')],
  ['Quantity', ({ copy }) => number(copy?.qty)],
  ['Filled', ({ copy }) => number(copy?.filled)],
  ['Average price', ({ copy }) => optionalText(copy?.price)],
  ['Status', ({ copy }) => exact(copy?.status ?? '')],
  ['Reason', ({ copy }) => optionalText(copy?.why)],
  ['Fill heard to order sent (ms)', ({ copy }) => number(copy?.times.toWire)],
  ['Sent to acknowledged (ms)', ({ copy }) => number(copy?.times.toAck)],
  ['Sent to filled (ms)', ({ copy }) => number(copy?.times.toFill)],
  ['Slippage (ticks)', ({ copy }) => number(copy?.slippage?.ticks)],
  ['Slippage', ({ copy }) => exact(copy?.slippage?.money ?? '')],
  ['Currency', ({ copy }) => exact(copy?.slippage?.currency ?? '')],
  ['Order id', ({ copy }) => optionalText(copy?.orderId)],
  ['Client order id', ({ copy }) => optionalText(copy?.clOrdId)],
]

/** The header line of the CSV file, with its line end. */
export const ledgerCsvHeader: string = csvLine(columns.map(([heading]) => exact(heading)))

/** An event as CSV lines (RFC 4180) with their line ends: one per copy, or one if it has no copies. Positive slippage is worse than the leader's price. */
export const ledgerCsvLines = (event: CsvEvent): string => {
  const copies = event.copies.length === 0 ? [null] : event.copies
  return copies.map((copy) => csvLine(columns.map(([, cell]) => cell({ event, copy })))).join('')
}
