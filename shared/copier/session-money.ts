import { amountOf, zero, type Amount } from '#shared/money/money.ts'

/** What a session's cash changed by less what the broker calls realised, and what the contracts that were traded in it cost by our table, and at most; 1/10,000. */
export type BetweenCash = { readonly gap: Amount; readonly fees: Amount; readonly most: Amount }

/** What went in or out of an account in a session, and what that was judged by last; the latter is missing after a restart. */
export type SessionMoney = { readonly moved: Amount; readonly last: BetweenCash | null }

// Less than 25.00 is a fee, a rebate or a rounding.
const least = 25_0000

/**
 * What went in or out until now. The broker tells what the cash of a session changed by and what of it was realised, and nobody documents
 * whether the latter is before fees: what lies between is fees, where it is no more than the contracts traded can have cost, else money that
 * went in or out. Where nothing was traded since the last look, any change of it is that.
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

/** Before anything was told of a session. */
export const noMoney: SessionMoney = { moved: zero, last: null }
