import { amountOf, zero, type Amount } from '#shared/money/money.ts'

/** `gap`: a session's change of cash less the broker's realized P&L. `fees` and `most`: expected and largest possible fees of the contracts traded in it. All 1/10,000. */
export type BetweenCash = { readonly gap: Amount; readonly fees: Amount; readonly most: Amount }

/** `moved`: deposits less withdrawals of a session. `last`: the reading it was judged by, null after a restart. */
export type SessionMoney = { readonly moved: Amount; readonly last: BetweenCash | null }

// Less than 25.00 is a fee, a rebate, or rounding.
const least = 25_0000

/**
 * Deposits and withdrawals so far. The broker reports a session's change of cash and its realized P&L, and does not document whether the latter is
 * before fees. So the gap counts as fees up to what the traded contracts can have cost; the rest is deposits and withdrawals. If nothing was traded
 * since the last reading, so is any change of the gap.
 */
export const moneyMoved = ({ moved, last }: SessionMoney, between: BetweenCash | null): SessionMoney => {
  if (between === null) return { moved, last }
  const { gap, fees, most } = between
  if (last?.most === most) {
    const step = gap - last.gap
    return { moved: Math.abs(step) < least ? moved : amountOf(moved + step), last: between }
  }
  const rest = gap - moved
  const isFees = rest < least && 0 - rest < most + least
  return { moved: isFees ? moved : amountOf(gap + fees), last: between }
}

/** The state before a session's first reading. */
export const noMoney: SessionMoney = { moved: zero, last: null }
