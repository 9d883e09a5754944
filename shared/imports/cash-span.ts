import type { AccountKey } from '#shared/fills/fill.ts'
import type { Placed } from './assembly.ts'
import type { CashReading } from './reading.ts'

// A movement has the time of its fill; no two rows of one are further apart.
const slack = 60_000

/** Whether an account's Cash History covers a time. */
export type Covers = (at: { readonly account: AccountKey; readonly time: number }) => boolean

/**
 * The span that each account's Cash History covers: it may begin or end in mid-session, and nothing is known beyond. An account without one counts as
 * covered. `fills` is about fees: a file without a fee for an opening proves nothing about where it begins.
 */
export const cashSpans = (cash: Iterable<Placed<CashReading>>): { readonly closings: Covers; readonly fills: Covers } => {
  const spans = new Map<AccountKey, { first: number; last: number; charges: boolean }>()
  for (const { account, time, movement } of cash) {
    const span = spans.get(account) ?? { first: time, last: time, charges: false }
    spans.set(account, { first: Math.min(span.first, time), last: Math.max(span.last, time), charges: span.charges || movement === 'fee' })
  }
  const closings: Covers = ({ account, time }) => {
    const span = spans.get(account)
    return span === undefined || (time >= span.first - slack && time <= span.last + slack)
  }
  return { closings, fills: (at) => spans.get(at.account)?.charges !== true || closings(at) }
}
