import type { BetweenCash } from '#shared/copier/session-money.ts'
import { contractSpecOf } from '#shared/market/contract-spec.ts'
import { amountOf, zero } from '#shared/money/money.ts'
import { currencyOf } from './currencies.ts'
import type { Account } from './world.ts'

// An unknown fee is hardly above 10.00 a side, a known one hardly above three times the table's.
const mostUnknown = 10_0000
const mostTimes = 3

/** The gap between a session's change of cash and the broker's realized P&L; null if either is missing for that session. */
export const betweenOf = ({ book, contracts: { byId } }: Pick<Account, 'book' | 'contracts'>, session: string): BetweenCash | null => {
  const cash = book.cash()
  if (cash === null || cash.session < session || cash.startOfDay === null || cash.realized === null) return null
  let fees = 0
  let most = 0
  for (const id of book.contracts()) {
    const row = book.row(id)
    const contract = byId.get(id)
    if (row?.session !== cash.session || contract === undefined) continue
    // The table's fee is in the contract's currency: what another contract costs in this one is unknown.
    const feePerSide = contract.currencyId === cash.currencyId ? contractSpecOf(contract.name).feePerSide : zero
    fees += feePerSide * (row.bought + row.sold)
    most += (feePerSide === 0 ? mostUnknown : feePerSide * mostTimes) * (row.bought + row.sold)
  }
  return { currency: currencyOf(cash.currencyId), gap: amountOf(cash.amount - cash.startOfDay - cash.realized), fees: amountOf(fees), most: amountOf(most) }
}
