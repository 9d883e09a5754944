import { priceOf, type Product } from './products.ts'

/** Cells of a report, the header first. */
export type ReportRows = readonly (readonly string[])[]

/** The rows as the service writes them: cells with commas or quotes stand in quotes, lines end as on Windows. */
export const csvOf = (rows: ReportRows): string => rows.map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('')

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** A sum in 1/10,000 as whole cents, half away from zero. */
export const centsOf = (units: number): number => Math.sign(units) * Math.round(Math.abs(units) / 100)

/** Cents with two places and thousands apart: `-1,200.00`. */
export const plainMoney = (cents: number): string => {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ',')}.${digits.slice(-2)}`
}

/** `$41.25`, and a loss `$(41.25)`. */
export const dollarMoney = (cents: number): string => (cents < 0 ? `$(${plainMoney(-cents)})` : `$${plainMoney(cents)}`)

/** The price of so many ticks with all its decimals: `2647.10`. */
export const priceText = (product: Product, ticks: number): string => priceOf(product, ticks).toFixed(Math.round(Math.log10(product.tickScale)))

/** The same as the broker's program multiplies it: with the noise of a double. */
export const noisyPrice = ({ tickUnits, tickScale }: Product, ticks: number): string => String(ticks * (tickUnits / tickScale))

const two = (value: number): string => String(value).padStart(2, '0')

/** `06/10/2026 14:41:43`; `behind` is how many minutes the reader's clock is behind UTC. */
export const localTime = (time: number, behind: number): string => {
  const wall = new Date(time - behind * 60_000)
  return `${two(wall.getUTCMonth() + 1)}/${two(wall.getUTCDate())}/${String(wall.getUTCFullYear())} ${wall.toISOString().slice(11, 19)}`
}

/** `2026-06-10 12:41:43.083Z` */
export const utcTime = (time: number): string => new Date(time).toISOString().replace('T', ' ')

/** `6/10/26` */
export const shortDate = (date: string): string => `${String(Number(date.slice(5, 7)))}/${String(Number(date.slice(8)))}/${date.slice(2, 4)}`

/** How long a pair was held, in the broker's words: `1h 28min 12sec`, `3min `, nothing below a second. */
export const durationText = (ms: number): string => {
  const seconds = Math.floor(ms / 1000)
  const parts = [[Math.floor(seconds / 3600), 'h '], [Math.floor(seconds / 60) % 60, 'min '], [seconds % 60, 'sec']] as const
  return parts.map(([count, unit]) => (count === 0 ? '' : `${String(count)}${unit}`)).join('')
}
