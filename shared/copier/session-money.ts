import { amountOf, zero, type Amount } from '#shared/money/money.ts'

/** `gap`: a session's change of cash less the broker's realized P&L. `fees` and `most`: expected and largest possible fees of the contracts traded in it. All 1/10,000. */
export type BetweenCash = { readonly gap: Amount; readonly fees: Amount; readonly most: Amount }

/** `moved`: deposits less withdrawals of a session. `last`: the reading it was judged by, null after a restart. `due`: what trades cost that no reading shows yet. */
export type SessionMoney = { readonly moved: Amount; readonly last: BetweenCash | null; readonly due: Due }

/** Fees that are not booked yet, expected and at most, 1/10,000. */
type Due = Pick<BetweenCash, 'fees' | 'most'>

// Less than 25.00 is a fee, a rebate, or rounding.
const least = 25_0000

/**
 * Deposits and withdrawals so far. The broker reports a session's change of cash and its realized P&L, and does not document whether the latter is
 * before fees. So the gap counts as fees up to what the traded contracts can have cost; the rest is deposits and withdrawals. If nothing was traded
 * since the last reading, so is any change of the gap, except for fees of the last trades that come later than their rows.
 */
export const moneyMoved = ({ moved, last, due }: SessionMoney, between: BetweenCash | null): SessionMoney => {
  if (between === null) return { moved, last, due }
  const { gap, fees, most } = between
  if (last?.most === most) {
    const step = gap - last.gap
    const isFees = step < least && 0 - step < due.most + least
    return isFees ? { moved, last: between, due: lessBooked(due, 0 - step) } : { moved: amountOf(moved + step), last: between, due }
  }
  const rest = gap - moved
  const isFees = rest < least && 0 - rest < most + least
  const added = { fees: amountOf(Math.max(0, due.fees + fees - (last?.fees ?? 0))), most: amountOf(Math.max(0, due.most + most - (last?.most ?? 0))) }
  return isFees ? { moved, last: between, due: lessBooked(added, (last?.gap ?? moved) - gap) } : { moved: amountOf(gap + fees), last: between, due: nothingDue }
}

const nothingDue: Due = { fees: zero, most: zero }

// Once the expected fees are booked, no more of them come.
const lessBooked = ({ fees, most }: Due, booked: number): Due => (booked <= 0 ? { fees, most } : booked >= fees ? nothingDue : { fees: amountOf(fees - booked), most: amountOf(most - booked) })

/** The state before a session's first reading. */
export const noMoney: SessionMoney = { moved: zero, last: null, due: nothingDue }
