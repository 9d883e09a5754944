import type { MappedRow } from '#shared/api/imports.ts'
import type { FormatHints } from '#shared/imports/file-format.ts'
import type { ImportFormat } from '#shared/imports/mapped-format.ts'
import type { Reading } from '#shared/imports/reading.ts'
import { exactMoney, type Amount } from '#shared/money/money.ts'
import { formatPrice, type Ticks } from '#shared/money/price.ts'
import { readExport, type RefusedRow } from './read-export.ts'
import type { FileRead } from './imports.ts'

const [rowsShown, refusedShown, symbolsShown] = [8, 50, 200]

/** What a format makes of a file: its outcome, the first of its rows, and the symbols whose contracts are not known. */
export type Tried = { readonly read: FileRead; readonly rows: readonly MappedRow[]; readonly symbols: readonly string[] }

/** Reads a file by a format, and keeps nothing of it. */
export const tryFormat = async ({ name, open }: { readonly name: string; readonly open: () => AsyncIterable<Uint8Array> }, format: ImportFormat, zone: string, hints: FormatHints): Promise<Tried> => {
  const [rows, refused, symbols] = [[] as MappedRow[], [] as RefusedRow[], new Set<string>()]
  const outcome = await readExport(open(), zone, (batch) => {
    for (const reading of batch.readings.slice(0, Math.max(0, rowsShown - rows.length))) rows.push(...shownRow(reading))
    refused.push(...batch.refused.slice(0, refusedShown - refused.length))
    for (const { problem } of batch.refused) if (problem.code === 'unknown-symbol' && symbols.size < symbolsShown) symbols.add(problem.value)
  }, { ...hints, formats: [format] })
  return { read: { name, outcome, refused }, rows: outcome.ok ? rows : [], symbols: [...symbols] }
}

const moneyOf = (amount: Amount | null | undefined): string | null => (amount === null || amount === undefined ? null : exactMoney(amount))

const shownRow = (reading: Reading): readonly MappedRow[] => {
  if (reading.says !== 'fill' && reading.says !== 'pair') return []
  const { line = 0, account: { name }, contract, qty, tickSize, tradeDate } = reading
  const legOf = ({ time, price }: { readonly time: number; readonly price: Ticks }) => ({ time: new Date(time).toISOString(), price: formatPrice(price, tickSize, 'trimmed') })
  const common = { line, account: name, contract, quantity: qty, tradingDay: tradeDate }
  if (reading.says === 'fill') return [{ ...common, side: reading.side, ...legOf(reading), exit: null, grossPnl: null, fees: moneyOf(reading.fee) }]
  const [entry, exit] = reading.closing === 'buy' ? [reading.sell, reading.buy] : [reading.buy, reading.sell]
  return [{ ...common, side: reading.closing === 'buy' ? 'sell' : 'buy', ...legOf(entry), exit: legOf(exit), grossPnl: moneyOf(reading.pnl), fees: moneyOf(reading.fees) }]
}
