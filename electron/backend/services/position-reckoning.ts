import type { LivePosition, LivePositionAccount, PositionsLive } from '#shared/api/positions.ts'
import { againstOf, exposureOf, type MarketHolding } from '#shared/copier/exposure.ts'
import { openByPrice, openOfAccount, priceText, type OpenNow } from '#shared/copier/live-positions.ts'
import { marketOf, microsOf } from '#shared/market/micros.ts'
import { sessionOf } from '#shared/market/session.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { parseDecimal, writeDecimal } from '#shared/money/decimal.ts'
import { amountOf, toDecimalString, type Amount } from '#shared/money/money.ts'
import type { BrokerLimits, NowFacts } from '#shared/rules/day-facts.ts'
import type { AccountNow, PositionNow, PositionsNow } from '../copier/positions.ts'
import type { RulesOfAccounts } from './rules.ts'
import { settle, type Settled } from './settled-facts.ts'

type Seen = { readonly session: string; peak: Amount | null; trough: Amount | null; lowestRealised: Amount | null; readonly settled: Settled }

/** What is remembered of accounts: the highest and lowest that was seen in a session, and what counts of each. */
export type SeenExtremes = Map<string, Seen>

type Entries = Awaited<ReturnType<RulesOfAccounts['rulesFor']>>
type Parts = { readonly rules: Pick<RulesOfAccounts, 'standing' | 'fromJournal'>; readonly extremes: SeenExtremes }
type Held = { readonly account: AccountNow; readonly position: PositionNow; readonly holding: MarketHolding }

const noLimits: BrokerLimits = { startingBalance: null, floor: null, dailyLoss: null, reduceOnly: false, flatBy: null }
const keyShape = /^tradovate:live:/

const openText = (open: OpenNow | null): LivePosition['open'] => (open === null ? null : { amount: toDecimalString(open.pnl), from: open.from, at: open.at })
const decimalOf = (value: number): string => {
  const decimal = parseDecimal(value)
  return decimal === null ? '0' : writeDecimal(decimal.digits, decimal.scale)
}

/** What counts of an account now, and what its equity has been in this session. */
const seen = (extremes: SeenExtremes, { account, line, cash, dayRealised, positions }: AccountNow, open: OpenNow | null, at: number): Seen => {
  const session = tradingDay(at)
  const known = extremes.get(account)
  const settled = settle(known?.settled, { cash, dayRealised, positions, open }, at)
  const kept: Seen = known?.session === session ? { ...known, settled } : { session, peak: null, trough: null, lowestRealised: null, settled }
  // What is not heard any more may have been otherwise.
  if (line === 'up' && settled.movingSince === null) {
    if (cash !== null && open !== null) {
      const equity = amountOf(cash + open.pnl)
      kept.peak = kept.peak === null || equity > kept.peak ? equity : kept.peak
      kept.trough = kept.trough === null || equity < kept.trough ? equity : kept.trough
    }
    if (dayRealised !== null) kept.lowestRealised = kept.lowestRealised === null || dayRealised < kept.lowestRealised ? dayRealised : kept.lowestRealised
  }
  extremes.set(account, kept)
  return kept
}

/** The broker's limits as they hold in the present session: a time to be flat of another one says nothing. */
const limitsAt = (limits: BrokerLimits | null, restricted: boolean, at: number): BrokerLimits | null => {
  if (limits === null && !restricted) return null
  const { opens, closes } = sessionOf(tradingDay(at))
  const told = limits ?? noLimits
  const isToday = told.flatBy !== null && told.flatBy > opens && told.flatBy <= closes
  return { ...told, flatBy: isToday ? told.flatBy : null, reduceOnly: told.reduceOnly || restricted }
}

const livePosition = ({ account, position, holding }: Held, against: string[], accountOpen: OpenNow | null): LivePosition => {
  const { contract, product, net, averagePrice, tickSize, valuePerPoint, currency, mark } = position
  // The account's snapshot is of the position where that is its only one.
  const alone = account.positions.length === 1 && accountOpen?.from === 'snapshot' ? accountOpen : null
  const last = mark === null ? null : priceText(mark.price, tickSize)
  return {
    account: account.account,
    contract, product, net, tickSize, currency,
    averagePrice: averagePrice === null ? null : priceText(averagePrice, tickSize),
    pointValue: decimalOf(valuePerPoint),
    last: mark === null || last === null ? null : { price: last, at: mark.at },
    open: openText(alone ?? openByPrice(position)),
    micros: holding.micros,
    against,
  }
}

/** Everything that the screen shows of a user's accounts, but for its number, and whether something was told that does not count yet. */
export const reckonPositions = ({ rules, extremes }: Parts, entries: Entries, { at, accounts }: PositionsNow): { readonly live: Omit<PositionsLive, 'seq'>; readonly settles: boolean } => {
  const byKey = new Map(accounts.map((account) => [account.account, account]))
  const held: Held[] = accounts.filter(({ account }) => entries.has(account)).flatMap((account) =>
    account.positions.map((position) => ({ account, position, holding: { account: account.account, market: marketOf(position.product), micros: position.net * microsOf(position.product) } })),
  )
  const holdings = held.map(({ holding }) => holding)
  const against = againstOf(holdings)
  // An account's rules only look at the markets that it is in itself.
  const inMarket = Map.groupBy(held, ({ holding }) => holding.market)
  const beside = ({ account, positions }: AccountNow): NowFacts['others'] =>
    [...new Set(positions.map(({ product }) => marketOf(product)))].flatMap((market) =>
      (inMarket.get(market) ?? []).flatMap((other) => (other.account.account === account ? [] : [{ account: other.account.account, product: other.position.product, net: other.position.net }])),
    )
  const opens = new Map(accounts.map((account) => [account.account, openOfAccount(account, at)]))
  let settles = false

  const standingOf = (key: string, entry: Entries extends ReadonlyMap<string, infer E> ? E : never): LivePositionAccount => {
    const account = byKey.get(key)
    const bare = { environment: keyShape.test(key) ? ('live' as const) : ('demo' as const), line: account?.line ?? ('none' as const), downSince: account?.downSince ?? null, prices: account?.prices ?? ('none' as const) }
    // Before a login told anything of an account, and where none ever will, the journal's word stands.
    if (account === undefined || account.cash === null) return { ...rules.fromJournal(entry, at), ...bare, dayRealised: null, open: null, restricted: account?.restricted ?? false }
    const open = opens.get(key) ?? null
    const { settled, peak, trough, lowestRealised } = seen(extremes, account, open, at)
    settles ||= settled.movingSince !== null
    const { told } = settled
    const facts: NowFacts = { at, balance: told.cash, dayRealised: told.dayRealised, open: told.open?.pnl ?? null, positions: told.positions, others: beside(account), peak, trough, lowestRealised }
    return {
      ...rules.standing(entry, facts, limitsAt(account.limits, account.restricted, at)),
      ...bare,
      // What is not heard any more is as old as its line.
      at: account.line === 'up' ? at : (account.downSince ?? at),
      dayRealised: told.dayRealised === null ? null : toDecimalString(told.dayRealised),
      open: account.positions.length === 0 ? null : openText(open),
      restricted: account.restricted,
    }
  }

  const live = {
    at,
    positions: held.map((one, place) => livePosition(one, against[place] ?? [], opens.get(one.account.account) ?? null)),
    accounts: [...entries].map(([key, entry]) => standingOf(key, entry)),
    exposure: exposureOf(holdings),
  }
  return { live, settles }
}
