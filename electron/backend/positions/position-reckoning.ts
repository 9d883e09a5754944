import type { LivePosition, LivePositionAccount, PositionsLive } from '#shared/api/positions.ts'
import { againstOf, exposureOf, type MarketHolding } from '#shared/copier/exposure.ts'
import { openByPrice, openOfAccount, priceText, type OpenNow } from '#shared/copier/live-positions.ts'
import { marketOf, microsOf } from '#shared/market/micros.ts'
import { sessionOf } from '#shared/market/session.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { parseDecimal, writeDecimal } from '#shared/money/decimal.ts'
import { amountOf, toDecimalString, type Amount } from '#shared/money/money.ts'
import type { BrokerLimits, NowFacts } from '#shared/rules/day-facts.ts'
import type { AccountNow, PositionNow, PositionsNow } from '../copier/engine/positions.ts'
import type { RulesOfAccounts } from '../rules/service.ts'
import { unseen, type Seen, type SeenAccounts } from '../rules/seen-sessions.ts'
import { moneyMoved, noMoney, type SessionMoney } from '#shared/copier/session-money.ts'
import { settle, type Settled } from '../rules/settled-facts.ts'
import type { SessionExtremes } from '../rules/rows.ts'

type Entries = Awaited<ReturnType<RulesOfAccounts['rulesFor']>>
type Parts = { readonly rules: Pick<RulesOfAccounts, 'standing' | 'fromJournal'>; readonly seen: SeenAccounts }
type Held = { readonly account: AccountNow; readonly position: PositionNow; readonly holding: MarketHolding }

const noLimits: BrokerLimits = { startingBalance: null, floor: null, dailyLoss: null, reduceOnly: false, flatBy: null }
const keyShape = /^tradovate:live:/

const openText = (open: OpenNow | null): LivePosition['open'] => (open === null ? null : { amount: toDecimalString(open.pnl), from: open.from, at: open.at })
const decimalOf = (value: number): string => {
  const decimal = parseDecimal(value)
  return decimal === null ? '0' : writeDecimal(decimal.digits, decimal.scale)
}

const higher = (one: Amount | null, other: number): Amount => (one === null || other > one ? amountOf(other) : one)
const lower = (one: Amount | null, other: number): Amount => (one === null || other < one ? amountOf(other) : one)

/** Extremes with what an account shows now; `made` is without what went in or out. */
const extended = (before: SessionExtremes, { cash, made, open, moved }: { readonly cash: Amount | null; readonly made: Amount | null; readonly open: Amount | null; readonly moved: Amount }): SessionExtremes => {
  // What came in raises the floor that what was seen before is held against, and so that too.
  const came = Math.max(0, moved - before.moved)
  const raised = (amount: Amount | null): Amount | null => (amount === null ? null : amountOf(amount + came))
  const equity = cash === null || open === null ? null : cash + open
  const net = made === null || open === null ? null : made + open
  return {
    ...before, moved,
    peak: equity === null ? before.peak : higher(before.peak, equity),
    trough: equity === null ? raised(before.trough) : lower(raised(before.trough), equity),
    lowestBalance: cash === null ? raised(before.lowestBalance) : lower(raised(before.lowestBalance), cash),
    highestDay: net === null ? before.highestDay : higher(before.highestDay, net),
    lowestDay: net === null ? before.lowestDay : lower(before.lowestDay, net),
    lowestRealised: made === null ? before.lowestRealised : lower(before.lowestRealised, made),
  }
}

const same = (one: SessionExtremes, other: SessionExtremes): boolean => JSON.stringify(one) === JSON.stringify(other)

// A change of cash that is of no session of today has nothing in it that moved today.
const madeOf = ({ dayRealised, between }: Pick<AccountNow, 'dayRealised' | 'between'>, { moved }: SessionMoney): Amount | null =>
  dayRealised === null ? null : amountOf(dayRealised - (between === null ? 0 : moved))

/** What counts of an account now, what its equity has been in this session, and what went in or out in it. */
const look = (seen: SeenAccounts, { account, session, line, cash, dayRealised, between, positions }: AccountNow, open: OpenNow | null, at: number): Seen & { readonly settled: Settled } => {
  const day = tradingDay(at)
  const known = seen.get(account)
  const settled = settle(known?.settled, { cash, dayRealised, between, positions, open }, at)
  // The demo's brokerage goes through many sessions in a minute.
  const isAnother = known !== undefined && known.session !== null && session !== null && known.session !== session
  const isNew = known?.extremes.tradingDay !== day || isAnother
  let { extremes, money } = isNew ? { extremes: unseen(account, day), money: noMoney } : known
  // What is not heard any more may have been otherwise.
  if (line === 'up' && settled.movingSince === null) {
    money = moneyMoved(money, between)
    const made = madeOf({ dayRealised, between }, money)
    const next = extended(extremes, { cash, made, open: open?.pnl ?? null, moved: money.moved })
    if (!same(next, extremes)) extremes = next
  }
  const now = { extremes, session: session ?? known?.session ?? null, money, settled }
  seen.set(account, now)
  return now
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
export const reckonPositions = ({ rules, seen }: Parts, entries: Entries, { at, accounts }: PositionsNow): { readonly live: Omit<PositionsLive, 'seq'>; readonly settles: boolean } => {
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
    const { settled, extremes, money } = look(seen, account, open, at)
    settles ||= settled.movingSince !== null
    const { facts: live } = settled
    const dayRealised = madeOf(live, money)
    const { peak, trough, lowestBalance, lowestRealised, lowestDay } = extremes
    const { dayMoved, earlierPeak } = entry.kept
    const facts: NowFacts = {
      ...{ at, balance: live.cash, dayRealised, open: live.open?.pnl ?? null, positions: live.positions, others: beside(account) },
      ...{ moved: [money.moved, dayMoved], peak, earlierPeak, trough, lowestBalance, lowestRealised, lowestDay },
    }
    return {
      ...rules.standing(entry, facts, limitsAt(account.limits, account.restricted, at)),
      ...bare,
      // What is not heard any more is as old as its line.
      at: account.line === 'up' ? at : (account.downSince ?? at),
      dayRealised: dayRealised === null ? null : toDecimalString(dayRealised),
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
