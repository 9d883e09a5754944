import type { AccountKey } from '#shared/fills/fill.ts'
import type { Placed } from './assembly.ts'
import type { CashReading } from './reading.ts'

// A movement is told at the time of its fill; more than this lies between no two of them.
const slack = 60_000

/** Whether the Cash History of an account reaches over a moment of it. */
export type Reaches = (at: { readonly account: AccountKey; readonly time: number }) => boolean

/**
 * How far the Cash History of each account reaches: before its first row and behind its last it may have begun or ended in
 * the midst of a session, and tells nothing. Of an account without one it tells as little anywhere, and is held to reach.
 * `fills` is about fees: where a file tells none it has no row for an opening, which proves nothing of where it begins.
 */
export const cashSpans = (cash: Iterable<Placed<CashReading>>): { readonly closings: Reaches; readonly fills: Reaches } => {
  const spans = new Map<AccountKey, { first: number; last: number; charges: boolean }>()
  for (const { account, time, movement } of cash) {
    const span = spans.get(account) ?? { first: time, last: time, charges: false }
    spans.set(account, { first: Math.min(span.first, time), last: Math.max(span.last, time), charges: span.charges || movement === 'fee' })
  }
  const closings: Reaches = ({ account, time }) => {
    const span = spans.get(account)
    return span === undefined || (time >= span.first - slack && time <= span.last + slack)
  }
  return { closings, fills: (at) => spans.get(at.account)?.charges !== true || closings(at) }
}
