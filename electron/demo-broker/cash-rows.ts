import { addDays, sessionOpen, tradeDate, weekday } from './chicago.ts'
import { currencyId, type Row } from './contract-library.ts'
import type { CashChange, Ledger } from './ledger.ts'
import { wireMoney, wireTime } from './wire-rows.ts'
import type { Account } from './world.ts'

/** One account's cash in one currency at a moment, in 1/10,000. */
export type CashState = {
  readonly id: number
  readonly currency: CashChange['currency']
  readonly amount: number
  readonly atOpen: number
  /** Before fees, as the broker counts it. */
  readonly realized: number
  readonly weekRealized: number
  readonly changedAt: number
}

/** An account's cash, one state a currency: opening, plus what its pairs brought, minus its fees, and what went in or out, to the last unit. */
export const cashStates = (account: Account, { cashOf }: Pick<Ledger, 'cashOf'>, session: string): CashState[] => {
  const monday = addDays(session, 1 - weekday(session))
  return account.cash.map(({ id, currency, opening }, place) => {
    let atOpen = opening
    let ofSession = place === 0 ? (account.moved ?? 0) : 0
    let realized = 0
    let weekRealized = 0
    let changedAt = sessionOpen(session)
    for (const change of cashOf.get(account.id) ?? []) {
      if (change.currency !== currency) continue
      const net = change.gross - change.fees
      if (change.session >= monday) weekRealized += change.gross
      if (change.session < session) {
        atOpen += net
        continue
      }
      ofSession += net
      realized += change.gross
      changedAt = change.time
    }
    return { id, currency, amount: atOpen + ofSession, atOpen, realized, weekRealized, changedAt }
  })
}

/** The row of a cash state. */
export const cashBalanceRow = (accountId: number, cash: CashState, session: string): Row => ({
  id: cash.id,
  accountId,
  timestamp: wireTime(cash.changedAt),
  tradeDate: tradeDate(session),
  currencyId: currencyId(cash.currency),
  amount: wireMoney(cash.amount),
  realizedPnL: wireMoney(cash.realized),
  weekRealizedPnL: wireMoney(cash.weekRealized),
  archived: false,
  amountSOD: wireMoney(cash.atOpen),
})

/** An account's snapshot, in its own currency; sums of a session without trades are left out. */
export const cashSnapshot = (cash: CashState, openPnl: number): Record<string, number> => ({
  totalCashValue: wireMoney(cash.amount),
  ...(cash.realized === 0 && openPnl === 0 ? {} : { totalPnL: wireMoney(cash.realized + openPnl), openPnL: wireMoney(openPnl), realizedPnL: wireMoney(cash.realized) }),
  initialMargin: 0,
  maintenanceMargin: 0,
  netLiq: wireMoney(cash.amount + openPnl),
  weekRealizedPnL: wireMoney(cash.weekRealized),
  totalCashValueSOD: wireMoney(cash.atOpen),
})
