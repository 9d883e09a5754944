import type { LineReader } from './format.ts'
import { fillBar, fillPrint } from './row.ts'
import { readIso, readNumber } from './wall.ts'

const widths: Readonly<Record<string, number>> = { '32': 1_000_000, '33': 60_000_000, '34': 3_600_000_000 }

/** The reader of a Databento CSV by its header and first row. `grain` is 0 for trades, null where its bars are wider than an hour. Null for another header. */
export const databentoReader = (header: readonly string[], first: readonly string[]): { readonly read: LineReader; readonly grain: number | null; readonly named: boolean } | null => {
  const place = (name: string): number => header.indexOf(name)
  if (place('ts_event') < 0 || place('instrument_id') < 0) return null
  const [moment, symbol, rtype] = [place('ts_event'), place('symbol'), place('rtype')]
  // Neither trades nor bars: quotes, books, definitions.
  const isTrades = place('price') >= 0 && place('size') >= 0 && place('action') >= 0
  if (!isTrades && place('open') < 0) return null
  const wallOf = (text: string): number => (/^\d{19}$/.test(text) ? Number(text.slice(0, 16)) : readIso(text))
  // Written as whole numbers a price is of 1e-9; the greatest of 64 bits stands for none.
  const priceOf = (text = ''): number => (/^-?\d{10,}$/.test(text) || (first[moment]?.length === 19 && /^-?\d+$/.test(text)) ? (text === '9223372036854775807' ? NaN : Number(text) / 1e9) : readNumber(text))
  const named = (cells: readonly string[]): string | null => (symbol < 0 ? null : (cells[symbol] ?? ''))
  if (isTrades) {
    const [price, size, action] = [place('price'), place('size'), place('action')]
    return {
      grain: 0,
      named: symbol >= 0,
      read: (line, row) => {
        const cells = line.split(',')
        if (cells.length < header.length) return 'wrong-columns'
        if (cells[action] !== 'T') return 'other-instrument'
        row.symbol = named(cells)
        return fillPrint(row, wallOf(cells[moment] ?? ''), priceOf(cells[price]), readNumber(cells[size]))
      },
    }
  }
  const [open, high, low, close, volume] = ['open', 'high', 'low', 'close', 'volume'].map(place) as [number, number, number, number, number]
  const width = first[rtype] ?? ''
  return {
    grain: widths[width] ?? null,
    named: symbol >= 0,
    read: (line, row) => {
      const cells = line.split(',')
      if (cells.length < header.length) return 'wrong-columns'
      if (cells[rtype] !== width) return 'other-instrument'
      row.symbol = named(cells)
      return fillBar(row, wallOf(cells[moment] ?? ''), priceOf(cells[open]), priceOf(cells[high]), priceOf(cells[low]), priceOf(cells[close]), readNumber(cells[volume]))
    },
  }
}
