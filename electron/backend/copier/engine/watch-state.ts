import type { DayNet } from '#shared/copier/day-bounds.ts'
import { openOfAccount } from '#shared/copier/live-positions.ts'
import { amountOf, type Amount } from '#shared/money/money.ts'
import { sessionOf } from '#shared/market/session.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import type { BrokerLimits } from '#shared/rules/day-facts.ts'
import { betweenOf } from './between-cash.ts'
import { currencyOf } from './currencies.ts'
import type { AccountNow, LineNow, PositionNow, PricesNow } from './positions.ts'
import { snapshotOf } from './snapshots.ts'
import type { Account } from './world.ts'

/** How an account is reached, and what the broker told of its limits. */
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
      // What the login may not read is not shown, though another login may have heard it.
      mark: mark === undefined || prices === 'denied' ? null : { price: mark.price, at: mark.at },
    }]
  })

/** What a session realised by the broker's cash; nothing where that is of an earlier one. */
const realisedOf = (account: Account, session: string): Amount | null => {
  const cash = account.book.cash()
  if (cash === null) return null
  if (cash.session < session) return amountOf(0)
  return cash.startOfDay === null ? (cash.realized === null ? null : amountOf(cash.realized)) : amountOf(cash.amount - cash.startOfDay)
}

/** The session of our clock, and the one in which the broker booked something last today; null where it did not. */
type Sessions = { readonly day: string; readonly heard: string | null }

/** The session that the broker booked something in, heard at `at` (UTC ms). */
export type HeardSession = { readonly session: string; readonly at: number }

/**
 * The broker's session now by what was heard of it last; null where that was of a session before. On holidays, and where its clock is another, the
 * broker's day is not ours; what it still books of Friday once the week is over is no word on the session that opens on Sunday.
 */
export const brokersSession = (heard: HeardSession | undefined, now: number): string | null => {
  if (heard === undefined) return null
  const day = tradingDay(now)
  const { opens } = sessionOf(day)
  return tradingDay(heard.at) === day && heard.at < opens === now < opens ? heard.session : null
}

/** One account as it is told, in the session that runs: the broker's, where that is known. Nothing of what it holds before that was read whole once. */
export const accountNow = (account: Account, { line, downSince, prices, limits }: Reached, { day, heard }: Sessions): AccountNow => {
  const session = heard ?? day
  const cash = account.book.cash()
  const snapshot = snapshotOf(account)
  const known = {
    account: account.key,
    environment: account.environment,
    line,
    downSince,
    prices,
    currency: currencyOf(cash?.currencyId),
    session: heard,
    restricted: account.restricted || account.closed,
    limits,
  }
  // A book of which the half is read would show as flat what is held, and as held what ended long ago.
  if (!account.wasUp) return { ...known, cash: null, dayRealised: null, between: null, snapshot: null, positions: [] }
  return {
    ...known,
    cash: cash === null ? null : amountOf(cash.amount),
    dayRealised: realisedOf(account, session),
    between: betweenOf(account, session),
    snapshot: snapshot === null ? null : { pnl: snapshot.pnl, at: snapshot.at },
    positions: positionsOf(account, prices),
  }
}

/** The day's net of an account as it is told: what was realised without what went in or out, with what is open; null while a part of it is not known. */
export const dayNow = ({ money }: Pick<Account, 'money'>, told: AccountNow, now: number): DayNet | null => {
  const open = openOfAccount(told, now)
  if (told.dayRealised === null || open === null) return null
  const moved = told.between === null ? 0 : (money?.told.moved ?? 0)
  return { net: amountOf(told.dayRealised - moved + open.pnl), openAt: told.positions.length === 0 ? null : open.at }
}
