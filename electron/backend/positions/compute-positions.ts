import type { LivePosition, LivePositionAccount, PositionsLive } from '#shared/api/positions.ts'
import { againstOf, exposureOf, type MarketHolding } from '#shared/copier/exposure.ts'
import { openByPrice, openOfAccount, priceText, type OpenNow } from '#shared/copier/live-positions.ts'
import { marketOf, microsOf } from '#shared/market/micros.ts'
import { sessionOf } from '#shared/market/session.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { amountOf, toDecimalString, type Amount } from '#shared/money/money.ts'
import type { BrokerLimits, NowFacts } from '#shared/rules/day-facts.ts'
import type { AccountNow, PositionNow, PositionsNow } from '../brokers/live.ts'
import type { RulesOfAccounts } from '../rules/service.ts'
import { unseen, type SeenSession, type SeenAccounts } from '../rules/seen-sessions.ts'
import { moneyMoved, noMoney, type SessionMoney } from '#shared/copier/session-money.ts'
import { settle, type Settled } from '../rules/settled-facts.ts'
import type { SessionExtremes } from '../rules/rows.ts'

type Entries = Awaited<ReturnType<RulesOfAccounts['rulesFor']>>
type Deps = { readonly rules: Pick<RulesOfAccounts, 'standing' | 'fromJournal'>; readonly seen: SeenAccounts }
type HeldPosition = { readonly account: AccountNow; readonly position: PositionNow; readonly holding: MarketHolding }

const noLimits: BrokerLimits = { startingBalance: null, drawdownLimit: null, trailing: null, dailyLoss: null, reduceOnly: false, flatBy: null }
const liveKey = /^[a-z]+:live:/

const openText = (open: OpenNow | null): LivePosition['open'] => (open === null ? null : { amount: toDecimalString(open.pnl), from: open.from, at: open.at })

const higher = (one: Amount | null, other: number): Amount => (one === null || other > one ? amountOf(other) : one)
const lower = (one: Amount | null, other: number): Amount => (one === null || other < one ? amountOf(other) : one)

/** Extends the extremes by the account's figures now; `made` is the day's realized P&L without transfers. */
const extended = (before: SessionExtremes, { cash, made, open, moved }: { readonly cash: Amount | null; readonly made: Amount | null; readonly open: Amount | null; readonly moved: Amount }): SessionExtremes => {
  // A deposit raises the drawdown floor, so raise the lows seen before it by the same amount.
  const deposited = Math.max(0, moved - before.moved)
  const raised = (amount: Amount | null): Amount | null => (amount === null ? null : amountOf(amount + deposited))
  const equity = cash === null || open === null ? null : cash + open
  const net = made === null || open === null ? null : made + open
  return {
    ...before, moved,
    peak: equity === null ? before.peak : higher(before.peak, equity),
    trough: equity === null ? raised(before.trough) : lower(raised(before.trough), equity),
    lowestBalance: cash === null ? raised(before.lowestBalance) : lower(raised(before.lowestBalance), cash),
    highestDay: net === null ? before.highestDay : higher(before.highestDay, net),
    lowestDay: net === null ? before.lowestDay : lower(before.lowestDay, net),
    lowestRealized: made === null ? before.lowestRealized : lower(before.lowestRealized, made),
  }
}

const same = (one: SessionExtremes, other: SessionExtremes): boolean => JSON.stringify(one) === JSON.stringify(other)

// Without `between`, the change of cash is not of today's session and holds none of its transfers.
const madeOf = ({ dayRealized, between }: Pick<AccountNow, 'dayRealized' | 'between'>, { moved }: SessionMoney): Amount | null =>
  dayRealized === null ? null : amountOf(dayRealized - (between === null ? 0 : moved))

/** Updates what was seen of an account: its settled figures, its extremes, and the transfers of this session. */
const observe = (seen: SeenAccounts, { account, session, line, cash, dayRealized, between, positions }: AccountNow, open: OpenNow | null, at: number): SeenSession & { readonly settled: Settled } => {
  const day = tradingDay(at)
  const known = seen.get(account)
  const settled = settle(known?.settled, { cash, dayRealized, between, positions, open }, at)
  // The demo brokerage passes through many sessions in a minute.
  const isNextSession = known !== undefined && known.session !== null && session !== null && known.session !== session
  const isNew = known?.extremes.tradingDay !== day || isNextSession
  let { extremes, money } = isNew ? { extremes: unseen(account, day), money: noMoney } : known
  // Figures of a line that is down may be stale.
  if (line === 'up' && settled.movingSince === null) {
    money = moneyMoved(money, between)
    // A broker may show a session's P&L until the first trade of the next one, which did not make it.
    const made = session !== null && session < day ? null : madeOf({ dayRealized, between }, money)
    const next = extended(extremes, { cash, made, open: open?.pnl ?? null, moved: money.moved })
    if (!same(next, extremes)) extremes = next
  }
  const now = { extremes, session: session ?? known?.session ?? null, money, settled }
  seen.set(account, now)
  return now
}

/** The broker's limits in the current session; drops a flat-by time of another session. */
const limitsAt = (limits: BrokerLimits | null, restricted: boolean, at: number): BrokerLimits | null => {
  if (limits === null && !restricted) return null
  const { opens, closes } = sessionOf(tradingDay(at))
  const known = limits ?? noLimits
  const isToday = known.flatBy !== null && known.flatBy > opens && known.flatBy <= closes
  return { ...known, flatBy: isToday ? known.flatBy : null, reduceOnly: known.reduceOnly || restricted }
}

const livePosition = ({ account, position, holding }: HeldPosition, against: string[], accountOpen: OpenNow | null): LivePosition => {
  const { contract, product, net, averagePrice, tickSize, currency, mark } = position
  // An account snapshot has the P&L of the position only if it is the account's single one, and in the account's currency.
  const alone = account.positions.length === 1 && currency === account.currency && accountOpen?.from === 'snapshot' ? accountOpen : null
  const last = mark === null ? null : priceText(mark.price, tickSize)
  return {
    account: account.account,
    contract, product, net, currency,
    averagePrice: averagePrice === null ? null : priceText(averagePrice, tickSize),
    last: mark === null || last === null ? null : { price: last, at: mark.at },
    open: openText(alone ?? openByPrice(position)),
    micros: holding.micros,
    against,
  }
}

/** Everything that the screen shows of a user's accounts except `seq`. `settles` is whether some figures have yet to settle. */
export const computePositions = ({ rules, seen }: Deps, entries: Entries, { at, accounts }: PositionsNow): { readonly live: Omit<PositionsLive, 'seq'>; readonly settles: boolean } => {
  const byKey = new Map(accounts.map((account) => [account.account, account]))
  const held: HeldPosition[] = accounts.filter(({ account }) => entries.has(account)).flatMap((account) =>
    account.positions.map((position) => ({ account, position, holding: { account: account.account, market: marketOf(position.product), micros: position.net * microsOf(position.product) } })),
  )
  const holdings = held.map(({ holding }) => holding)
  const against = againstOf(holdings)
  // An account's rules look only at markets in which it has a position itself.
  const inMarket = Map.groupBy(held, ({ holding }) => holding.market)
  const othersIn = ({ account, positions }: AccountNow): NowFacts['others'] =>
    [...new Set(positions.map(({ product }) => marketOf(product)))].flatMap((market) =>
      (inMarket.get(market) ?? []).flatMap((other) => (other.account.account === account ? [] : [{ account: other.account.account, product: other.position.product, net: other.position.net }])),
    )
  const opens = new Map(accounts.map((account) => [account.account, openOfAccount(account, at)]))
  let settles = false

  const standingOf = (key: string, entry: Entries extends ReadonlyMap<string, infer E> ? E : never): LivePositionAccount => {
    const account = byKey.get(key)
    const common = { environment: liveKey.test(key) ? ('live' as const) : ('demo' as const), line: account?.line ?? ('none' as const), downSince: account?.downSince ?? null, prices: account?.prices ?? ('none' as const) }
    // Without live figures in its currency, the account's status comes from the journal.
    if (account === undefined || account.cash === null || account.currency !== entry.kept.currency) return { ...rules.fromJournal(entry, at), ...common, dayRealized: null, open: null, restricted: account?.restricted ?? false }
    const open = opens.get(key) ?? null
    const { settled, extremes, money } = observe(seen, account, open, at)
    settles ||= settled.movingSince !== null
    const { facts: live } = settled
    const dayRealized = madeOf(live, money)
    const { peak, trough, lowestBalance, lowestRealized, lowestDay } = extremes
    const { dayMoved, earlierPeak, openCosts } = entry.kept
    const facts: NowFacts = {
      at, session: account.session, balance: live.cash, dayRealized, open: live.open?.pnl ?? null, positions: live.positions, others: othersIn(account),
      moved: [money.moved, dayMoved], openCosts, peak, earlierPeak, trough, lowestBalance, lowestRealized, lowestDay,
    }
    return {
      ...rules.standing(entry, facts, limitsAt(account.limits, account.restricted, at)),
      ...common,
      // Figures of a line that is down date from when it went down.
      at: account.line === 'up' ? at : (account.downSince ?? at),
      dayRealized: dayRealized === null ? null : toDecimalString(dayRealized),
      open: account.positions.length === 0 ? null : openText(open),
      restricted: account.restricted,
      ...(account.working === undefined || account.working === null ? {} : { working: account.working }),
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
