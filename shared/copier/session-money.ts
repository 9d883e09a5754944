import { amountOf, multiplyDivide, zero, type Amount } from '#shared/money/money.ts'

/** `gap`: a session's change of cash less the broker's realized P&L. `fees` and `most`: expected and largest possible fees of the contracts traded in it. All 1/10,000 of `currency`. */
export type BetweenCash = { readonly currency: string; readonly gap: Amount; readonly fees: Amount; readonly most: Amount }

/** `moved`: deposits less withdrawals of a session. `last`: the reading it was judged by, null after a restart. `due`: the last trades' fees that are not booked yet. */
export type SessionMoney = { readonly moved: Amount; readonly last: BetweenCash | null; readonly due: Due }

/** Fees that are not booked yet, expected and at most, 1/10,000. */
type Due = Pick<BetweenCash, 'fees' | 'most'>

// Less than 25.00 is a fee, a rebate, or rounding.
const least = 25_0000

/**
 * Deposits and withdrawals so far. The broker reports a session's change of cash and its realized P&L, and does not document whether the latter is
 * before fees. So the gap counts as fees up to what the traded contracts can have cost; the rest is deposits and withdrawals. If nothing was traded
 * since the last reading, so is any change of the gap, except for fees of the last trades that come later than their rows. Cash in another currency starts a new comparison.
 */
export const moneyMoved = (before: SessionMoney, between: BetweenCash | null): SessionMoney => {
  if (between === null) return before
  const { moved, last, due } = before.last === null || before.last.currency === between.currency ? before : noMoney
  const { gap, fees, most } = between
  // By how much cash fell beyond realized P&L.
  const fall = (last?.gap ?? moved) - gap
  if (last?.most === most) {
    const isFees = 0 - fall < least && fall < due.most + least
    return isFees ? { moved, last: between, due: unbooked(due, due.fees - fall) } : { moved: amountOf(moved - fall), last: between, due }
  }
  const rest = gap - moved
  const isFees = rest < least && 0 - rest < most + least
  const traded = { fees: amountOf(Math.max(0, fees - (last?.fees ?? 0))), most: amountOf(Math.max(0, most - (last?.most ?? 0))) }
  return isFees ? { moved, last: between, due: unbooked(traded, due.fees + traded.fees - fall) } : { moved: amountOf(gap + fees), last: between, due: nothingDue }
}

const nothingDue: Due = { fees: zero, most: zero }

// What is due of trades while `fees` are not booked: never more than their own fees, and of the largest possible ones the same share.
const unbooked = (own: Due, fees: number): Due => {
  if (fees >= own.fees) return own
  return fees <= 0 ? nothingDue : { fees: amountOf(fees), most: multiplyDivide(own.most, fees, 1, own.fees) }
}

/** The state before a session's first reading. */
export const noMoney: SessionMoney = { moved: zero, last: null, due: nothingDue }
