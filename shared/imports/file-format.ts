import { decimalSignOf, type DecimalSign } from './cell-number.ts'
import { detectDateOrder, type OpenDate } from './date-order.ts'
import { isMappedKind, isPlatformKind, type DateOrder, type ExportKind, type OwnKind } from './export-kind.ts'
import { platforms } from './platforms/platforms.ts'
import type { Writing } from './reading.ts'

/** What is known about a file besides its rows. */
export type FormatHints = {
  /** The user's date order for this file or for all ambiguous ones; null if not given. */
  readonly dates: { readonly order: DateOrder; readonly ofThisFile: boolean } | null
  /** The latest possible time of a row, UTC ms; null if unknown. */
  readonly latest: number | null
  /** The decimal sign that the user gave for numbers that can be read two ways. */
  readonly decimals?: 'point' | 'comma' | null
}

/** A file's number and date formats, or why they are unknown: its dates contradict each other or are ambiguous. */
export type FileFormat = Writing | { readonly problem: 'mixed-dates' } | { readonly problem: 'open-dates'; readonly date: OpenDate }

/** Infers one file's number and date formats from its rows. */
export type FormatDetector = {
  readonly note: (cells: Readonly<Record<string, string>>) => void
  /** Whether the rows seen so far settle it. */
  readonly isSettled: () => boolean
  readonly manner: () => FileFormat
}

const ownNumbers: Readonly<Record<OwnKind, readonly string[]>> = {
  performance: ['buyPrice', 'sellPrice', 'pnl'],
  'position-history': ['Buy Price', 'Sell Price', 'P/L'],
  fills: ['_price', 'Price', 'commission'],
  orders: ['decimalFillAvg', 'avgPrice', 'Avg Fill Price'],
  'cash-history': ['Delta', 'Amount'],
  'account-balance-history': ['Total Amount', 'Total Realized PNL'],
  'ninjatrader-executions': ['Price', 'Commission'],
}

/** A judge of one file. Numbers default to a decimal point, except in a semicolon-separated file, which leaves it open. */
export const detectFormat = (kind: ExportKind, separator: string, { dates: chosen, latest, decimals = null }: FormatHints): FormatDetector => {
  const dates = detectDateOrder(kind, latest)
  const numbers = isPlatformKind(kind) ? platforms[kind].numbers : ownNumbers[kind]
  const shown = { point: 0, comma: 0 }
  const sign = (): DecimalSign => {
    if (shown.comma > 0 && shown.point > 0) return 'open'
    if (shown.comma > 0) return 'comma'
    if (shown.point > 0) return 'point'
    // The commas of a file of another program show nothing of its numbers.
    return decimals ?? (separator === ',' && !isMappedKind(kind) ? 'point' : 'open')
  }
  return {
    note: (cells) => {
      // Local times count only where a Fills report has no UTC.
      if (kind !== 'fills' || (cells['_timestamp'] ?? '').trim() === '') dates.note(cells)
      for (const column of numbers) {
        const of = decimalSignOf(cells[column] ?? '')
        if (of !== null) shown[of] += 1
      }
    },
    isSettled: () => dates.isSure() && (shown.point > 0 || shown.comma > 0),
    manner: () => {
      const { verdict, isFirm } = dates.verdict()
      if (verdict === 'mixed') return { problem: 'mixed-dates' }
      // No locale with decimal commas writes the month first.
      if (typeof verdict === 'object' && chosen === null && sign() === 'comma') return { decimals: 'comma', dayFirst: true }
      const isAsked = typeof verdict === 'object'
      const order = chosen !== null && !isFirm && (isAsked || chosen.ofThisFile) ? chosen.order : verdict
      if (typeof order === 'object') return { problem: 'open-dates', date: order }
      return { decimals: sign(), dayFirst: order === 'dmy' }
    },
  }
}
