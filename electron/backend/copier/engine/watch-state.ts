import type { DayNet } from '#shared/copier/day-bounds.ts'
import { openOfAccount } from '#shared/copier/live-positions.ts'
import { amountOf, type Amount } from '#shared/money/money.ts'
import { sessionOf } from '#shared/market/session.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import type { BrokerLimits } from '#shared/rules/day-facts.ts'
import { betweenOf } from './between-cash.ts'
import { currencyOf } from './currencies.ts'
import type { AccountNow, LineNow, PositionNow, PricesNow } from '../../brokers/live.ts'
import { snapshotOf } from './snapshots.ts'
import type { Account } from './world.ts'

/** An account's line state and broker limits. */
export type Reached = { readonly line: LineNow; readonly downSince: number | null; readonly prices: PricesNow; readonly limits: BrokerLimits | null }

const positionsOf = ({ book, contracts: { byId, marks } }: Account, prices: PricesNow): PositionNow[] =>
  book.contracts().flatMap((id) => {
    const net = book.net(id)
    const contract = byId.get(id)
    if (net === 0 || contract === undefined) return []
    const row = book.row(id)
    const mark = marks.get(id)
    return [{
      contract: contract.name,
      product: contract.product,
      tickSize: contract.tickSize,
      valuePerPoint: contract.valuePerPoint,
      currency: currencyOf(contract.currencyId),
      net,
      averagePrice: row?.net === net ? row.netPrice : null,
      // Prices that this login may not read are hidden, even if another login has them.
      mark: mark === undefined || prices === 'denied' ? null : { price: mark.price, at: mark.at },
    }]
  })

/** A session's realized P&L from the broker's cash row; 0 if that is of an earlier session. */
const realizedOf = (account: Account, session: string): Amount | null => {
  const cash = account.book.cash()
  if (cash === null) return null
  if (cash.session < session) return amountOf(0)
  return cash.startOfDay === null ? (cash.realized === null ? null : amountOf(cash.realized)) : amountOf(cash.amount - cash.startOfDay)
}

/** The session by our clock, and that of the broker's last booking today; null if none. */
type Sessions = { readonly day: string; readonly received: string | null }

/** The session of a broker booking received at `at` (UTC ms). */
export type ReceivedSession = { readonly session: string; readonly at: number }

/**
 * The broker's current session by its last booking; null if that was of an earlier session. On holidays, or with another clock, the broker's day is not
 * ours; late Friday bookings do not define the session that opens on Sunday.
 */
export const brokersSession = (received: ReceivedSession | undefined, now: number): string | null => {
  if (received === undefined) return null
  const day = tradingDay(now)
  const { opens } = sessionOf(day)
  return tradingDay(received.at) === day && received.at < opens === now < opens ? received.session : null
}

/** One account's report in the current session (the broker's if known), without positions until its book is complete. */
export const accountNow = (account: Account, { line, downSince, prices, limits }: Reached, { day, received }: Sessions): AccountNow => {
  const session = received ?? day
  const cash = account.book.cash()
  const snapshot = snapshotOf(account)
  const known = {
    account: account.key,
    environment: account.environment,
    line,
    downSince,
    prices,
    currency: cash === null ? null : currencyOf(cash.currencyId),
    session: received,
    restricted: account.restricted || account.closed,
    limits,
  }
  // An incomplete book would show open positions as flat and closed ones as open.
  if (!account.wasUp) return { ...known, cash: null, dayRealized: null, between: null, snapshot: null, positions: [] }
  return {
    ...known,
    cash: cash === null ? null : amountOf(cash.amount),
    dayRealized: realizedOf(account, session),
    between: betweenOf(account, session),
    snapshot: snapshot === null ? null : { pnl: snapshot.pnl, at: snapshot.at },
    positions: positionsOf(account, prices),
  }
}

/** An account's net P&L of the day: realized without transfers, plus open P&L; null while any part is unknown. */
export const dayNow = ({ money }: Pick<Account, 'money'>, account: AccountNow, now: number): DayNet | null => {
  const open = openOfAccount(account, now)
  if (account.dayRealized === null || open === null) return null
  const moved = account.between === null ? 0 : (money?.transfers.moved ?? 0)
  return { net: amountOf(account.dayRealized - moved + open.pnl), openAt: account.positions.length === 0 ? null : open.at }
}
