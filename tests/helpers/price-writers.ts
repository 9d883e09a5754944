import { formatPrice, type Ticks } from '#shared/money/price.ts'
import { zoneClock } from '#shared/market/zone-clock.ts'
import type { PriceFormat } from '#shared/prices/formats/format.ts'
import type { Bar, Print } from '#shared/prices/tape.ts'
import { tickSize } from './price-tapes.ts'

/** How a file is written: `zone` of its clock, whether bars bear the time of their end, and by how much its prices are too large. */
export type Writing = { readonly zone?: string; readonly label?: 'start' | 'end'; readonly times?: number; readonly symbol?: string }

/** A file that a platform would export: bytes, and the finest step of its times in µs. */
export type Written = { readonly write: (entries: readonly (Print | Bar)[], writing?: Writing) => Uint8Array; readonly step: number; readonly of: 'prints' | 'bars'; readonly name: string; readonly zone: string; readonly label: 'start' | 'end' }

type Row = { readonly at: number; readonly open: string; readonly high: string; readonly low: string; readonly close: string; readonly size: number; readonly print: boolean }

const priceIn = (price: Ticks, times: number): string => (times === 1 ? formatPrice(price, tickSize) : String(Number(formatPrice(price, tickSize)) * times))

const rowsOf = (entries: readonly (Print | Bar)[], { zone = 'UTC', label = 'start', times = 1 }: Writing): readonly Row[] =>
  entries.map((entry) => {
    const width = 'width' in entry && label === 'end' ? entry.width : 0
    const at = entry.at + width
    const local = at + zoneClock(zone).offsetAt(at / 1000) * 1000
    const price = (of: Ticks): string => priceIn(of, times)
    return 'width' in entry
      ? { at: local, open: price(entry.open), high: price(entry.high), low: price(entry.low), close: price(entry.close), size: entry.volume, print: false }
      : { at: local, open: price(entry.price), high: price(entry.price), low: price(entry.price), close: price(entry.price), size: entry.size, print: true }
  })

const pad = (value: number, length = 2): string => String(value).padStart(length, '0')
const parts = (at: number) => {
  const date = new Date(Math.floor(at / 1000))
  return { y: String(date.getUTCFullYear()), mo: pad(date.getUTCMonth() + 1), d: pad(date.getUTCDate()), h: pad(date.getUTCHours()), mi: pad(date.getUTCMinutes()), s: pad(date.getUTCSeconds()), us: at % 1_000_000 }
}
const text = (header: string | null, line: (row: Row, writing: Writing) => string) => (entries: readonly (Print | Bar)[], writing: Writing = {}): Uint8Array =>
  new TextEncoder().encode([...(header === null ? [] : [header]), ...rowsOf(entries, writing).map((row) => line(row, writing)), ''].join('\r\n'))

const scid = (entries: readonly (Print | Bar)[], { times = 1 }: Writing = {}): Uint8Array => {
  const bytes = new Uint8Array(56 + entries.length * 40)
  const view = new DataView(bytes.buffer)
  bytes.set(new TextEncoder().encode('SCID'))
  view.setUint32(4, 56, true)
  view.setUint32(8, 40, true)
  view.setUint16(12, 1, true)
  for (const [index, { at, open, high, low, close, size, print }] of rowsOf(entries, { times }).entries()) {
    const place = 56 + index * 40
    view.setBigInt64(place, BigInt(at) + 25_569n * 86_400_000_000n, true)
    // Of one trade there is no open; its high is the ask, its low the bid.
    const cells = print ? [0, Number(close) + 0.25 * times, Number(close) - 0.25 * times, Number(close)] : [Number(open), Number(high), Number(low), Number(close)]
    for (const [cell, value] of cells.entries()) view.setFloat32(place + 8 + 4 * cell, value, true)
    view.setUint32(place + 24, 1, true)
    view.setUint32(place + 28, size, true)
  }
  return bytes
}

const nano = (price: string): string => `${String(Math.round(Number(price) * 1e6))}000`

export const priceWriters: Readonly<Record<PriceFormat, Written>> = {
  'ninjatrader-ticks': { name: 'MNQ 12-26.Last.txt', of: 'prints', step: 1, zone: 'UTC', label: 'start', write: text(null, ({ at, close, size }) => { const { y, mo, d, h, mi, s, us } = parts(at); return `${y}${mo}${d} ${h}${mi}${s} ${pad(us, 6)}0;${close};${close};${close};${String(size)}` }) },
  'ninjatrader-minutes': { name: 'MNQ 12-26.Last.txt', of: 'bars', step: 60_000_000, zone: 'UTC', label: 'end', write: text(null, ({ at, open, high, low, close, size }) => { const { y, mo, d, h, mi, s } = parts(at); return `${y}${mo}${d} ${h}${mi}${s};${open};${high};${low};${close};${String(size)}` }) },
  'sierra-scid': { name: 'MNQZ26_FUT_CME.scid', of: 'prints', step: 1, zone: 'UTC', label: 'start', write: scid },
  'sierra-text': { name: 'MNQZ26_FUT_CME.txt', of: 'bars', step: 60_000_000, zone: 'America/Chicago', label: 'start', write: text('Date, Time, Open, High, Low, Last, Volume, NumberOfTrades, BidVolume, AskVolume', ({ at, open, high, low, close, size }) => { const { y, mo, d, h, mi, s } = parts(at); return `${y}/${String(Number(mo))}/${String(Number(d))}, ${h}:${mi}:${s}, ${open}, ${high}, ${low}, ${close}, ${String(size)}, 1, 0, 0` }) },
  tradingview: { name: 'CME_MINI_MNQZ2026, 1.csv', of: 'bars', step: 60_000_000, zone: 'UTC', label: 'start', write: text('time,open,high,low,close,Volume,RSI', ({ at, open, high, low, close, size }) => `${String(at / 1_000_000)},${open},${high},${low},${close},${String(size)},NaN`) },
  firstrate: { name: 'MNQ_Z26_1min.txt', of: 'bars', step: 60_000_000, zone: 'America/New_York', label: 'start', write: text(null, ({ at, open, high, low, close, size }) => { const { y, mo, d, h, mi, s } = parts(at); return `${y}-${mo}-${d} ${h}:${mi}:${s},${open},${high},${low},${close},${String(size)}` }) },
  'firstrate-ticks': { name: 'MNQZ26_tick.txt', of: 'prints', step: 1000, zone: 'America/New_York', label: 'start', write: text(null, ({ at, close, size }) => { const { y, mo, d, h, mi, s, us } = parts(at); return `${y}-${mo}-${d} ${h}:${mi}:${s}.${pad(us / 1000, 3)},${close},${String(size)}` }) },
  kibot: { name: 'MNQZ26.txt', of: 'bars', step: 60_000_000, zone: 'America/New_York', label: 'start', write: text(null, ({ at, open, high, low, close, size }) => { const { y, mo, d, h, mi } = parts(at); return `${mo}/${d}/${y},${h}:${mi},${open},${high},${low},${close},${String(size)}` }) },
  'kibot-ticks': { name: 'MNQZ26.txt', of: 'prints', step: 1000, zone: 'America/New_York', label: 'start', write: text(null, ({ at, close, size }) => { const { y, mo, d, h, mi, s, us } = parts(at); return `${mo}/${d}/${y},${h}:${mi}:${s}.${pad(us / 1000, 3)},${close},${close},${close},${String(size)}` }) },
  'databento-trades': { name: 'glbx-mdp3-20261006.trades.csv', of: 'prints', step: 1, zone: 'UTC', label: 'start', write: text('ts_recv,ts_event,rtype,publisher_id,instrument_id,action,side,depth,price,size,flags,ts_in_delta,sequence,symbol', ({ at, close, size }, { symbol = 'MNQZ6' }) => `${String(at)}100,${String(at)}000,0,1,4711,T,B,0,${nano(close)},${String(size)},0,1000,7,${symbol}`) },
  'databento-bars': { name: 'glbx-mdp3-20261006.ohlcv-1m.csv', of: 'bars', step: 60_000_000, zone: 'UTC', label: 'start', write: text('ts_event,rtype,publisher_id,instrument_id,open,high,low,close,volume,symbol', ({ at, open, high, low, close, size }, { symbol = 'MNQZ6' }) => `${new Date(at / 1000).toISOString().replace('Z', '000000Z')},33,1,4711,${open},${high},${low},${close},${String(size)},${symbol}`) },
}
