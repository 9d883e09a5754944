import type { LedgerCopy, LedgerRow } from '#shared/api/copier.ts'
import { csvLine, exact, text, type CsvCell } from './csv-line.ts'

/** An event of the copier's ledger with the name of its group. */
export type CsvEvent = LedgerRow & { readonly groupName: string }

type Line = { readonly event: CsvEvent; readonly copy: LedgerCopy | null }

const number = (value: number | null | undefined): CsvCell => exact(value === null || value === undefined ? '' : String(value))
const said = (words: string | null | undefined): CsvCell => text(words ?? '')

const columns: readonly (readonly [heading: string, cell: (line: Line) => CsvCell])[] = [
  ['Event', ({ event }) => number(event.id)],
  ['Time (ISO 8601)', ({ event }) => exact(event.at)],
  ['Group', ({ event }) => text(event.groupName)],
  ['Kind', ({ event }) => exact(event.kind)],
  ['Leader', ({ event }) => text(event.leader.account)],
  ['Leader contract', ({ event }) => text(event.leader.contract)],
  ['Leader side', ({ event }) => exact(event.leader.side ?? '')],
  ['Leader quantity', ({ event }) => number(event.leader.qty)],
  ['Leader price', ({ event }) => said(event.leader.price)],
  ['Leader fill id', ({ event }) => said(event.leader.fillId)],
  ['Follower', ({ copy }) => said(copy?.follower)],
  ['Contract', ({ copy }) => said(copy?.contract)],
  ['Side', ({ copy }) => exact(copy?.side ?? '')],
  ['Quantity', ({ copy }) => number(copy?.qty)],
  ['Filled', ({ copy }) => number(copy?.filled)],
  ['Average price', ({ copy }) => said(copy?.price)],
  ['Status', ({ copy }) => exact(copy?.status ?? '')],
  ['Reason', ({ copy }) => said(copy?.why)],
  ['Fill heard to order sent (ms)', ({ copy }) => number(copy?.times.toWire)],
  ['Sent to acknowledged (ms)', ({ copy }) => number(copy?.times.toAck)],
  ['Sent to filled (ms)', ({ copy }) => number(copy?.times.toFill)],
  ['Slippage (ticks)', ({ copy }) => number(copy?.slippage?.ticks)],
  ['Slippage', ({ copy }) => exact(copy?.slippage?.money ?? '')],
  ['Currency', ({ copy }) => exact(copy?.slippage?.currency ?? '')],
  ['Order id', ({ copy }) => said(copy?.orderId)],
  ['Client order id', ({ copy }) => said(copy?.clOrdId)],
]

/** The first line of a CSV file of the ledger, its end included. */
export const ledgerCsvHeader: string = csvLine(columns.map(([heading]) => exact(heading)))

/** An event as lines of CSV (RFC 4180), their ends included: one for each copy, or one alone where nothing followed. Slippage is positive where it was worse than the leader's price. */
export const ledgerCsvLines = (event: CsvEvent): string => {
  const copies = event.copies.length === 0 ? [null] : event.copies
  return copies.map((copy) => csvLine(columns.map(([, cell]) => cell({ event, copy })))).join('')
}
