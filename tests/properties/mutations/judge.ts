import { moneyOf } from './cells.ts'
import { fine } from './oracle.ts'
import type { Outcome, ShownDay, ShownTrade } from './outcome.ts'
import type { Truth } from './truth.ts'

/** A wrong result without a warning: what it is, and where. */
export type Silent = { readonly what: 'the product broke' | 'a wrong trade without a mark' | 'a wrong day called equal' | 'a wrong day without a word' | 'a wrong total without a word' | 'money twice or lost without a word'; readonly where: string; readonly out: string; readonly right: string; /** Whether fees alone are wrong. */ readonly onlyFees?: boolean }

const cent = 100n * fine
const exact = (text: string): bigint => (moneyOf(text) ?? 0n) * fine
const near = (one: bigint, other: bigint, room = cent): boolean => one - other < room && other - one < room
const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)
const text = (amount: bigint): string => (Number(amount / fine) / 10_000).toFixed(2)

/** `others` are right answers for the fees too, where files do not say how much of a fill was closed: what was charged on the session, and each fee whole with what is known to be closed. */
type Money = { readonly gross: bigint; readonly fees: bigint; readonly others: readonly bigint[] }

const inCurrency = (currency: string | null) => (product: { readonly currency: string }): boolean => currency === null || product.currency === currency

const moneyOn = ({ pairs: all, charged }: Truth, day: string | null, currency: string | null): Money => {
  const pairs = all.filter(({ close }) => (day === null || close.day === day) && inCurrency(currency)(close.product))
  const fees = sum(pairs.map((pair) => pair.fees))
  const gross = sum(pairs.map((pair) => pair.gross))
  if (charged === null) return { gross, fees, others: [] }
  return { gross, fees, others: [chargedOnDay(charged, day, currency), sum(pairs.flatMap(({ open, close, qty }) => [open, close].map((fill) => (fill.fee * fine * BigInt(qty)) / BigInt(closedOf(all, fill)))))] }
}

const chargedOnDay = (charged: ReadonlyMap<string, bigint>, day: string | null, currency: string | null): bigint =>
  sum([...charged].flatMap(([key, fees]) => ((day === null || key.startsWith(day)) && (currency === null || key.endsWith(currency)) ? [fees] : [])))

// Codes that say of fees alone that they are not the broker's, and those that say nothing of money.
const aboutFees = new Set(['commission-from-table', 'commission-unknown', 'fees-unplaced', 'fees-differ'])
const aboutNothing = new Set(['zone-assumed', 'account-unnamed', 'partial-root', 'days-without-file'])
// Codes that say which account the rows of a file were given, and what to do where that is wrong.
const aboutAccounts = new Set(['account-by-rows', 'accounts-mixed', 'accounts-apart', 'accounts-alike', 'accounts-spelled', 'accounts-one-number', 'account-overruled'])

/** Trades are the same where account, contract, side, quantity, prices and gross are. */
const tradeKey = ({ contract, side, qty, entry, exit, gross }: Pick<ShownTrade, 'contract' | 'side' | 'qty' | 'entry' | 'exit'> & { readonly gross: bigint }): string =>
  `${contract} ${side} ${String(qty)} ${entry.toFixed(6)} ${exit.toFixed(6)} ${text(gross)}`

const trueTrades = ({ pairs }: Truth): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const { open, close, qty, gross } of pairs) {
    const price = (fact: typeof open): number => (fact.sum / fact.qty) * Number(fact.product.tickSize)
    const key = tradeKey({ contract: open.contract, side: open.side === 'buy' ? 'long' : 'short', qty, entry: price(open), exit: price(close), gross })
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}

type Wrong = { readonly days: readonly ShownDay[]; readonly lostDays: readonly string[]; readonly trades: readonly ShownTrade[]; readonly lostTrades: readonly string[]; readonly total: boolean }

const closedOf = (pairs: Truth['pairs'], fill: object): number => pairs.reduce((all, { open, close, qty }) => (open === fill || close === fill ? all + qty : all), 0)

type Figures = Pick<ShownDay, 'gross' | 'commission'>

const hasFees = (shown: bigint, { fees, others }: Money): boolean => [fees, ...others].some((right) => near(shown, right))

const wrongAgainst = (truth: Truth, account: string, outcome: Outcome, feesSaid: boolean): Wrong => {
  const own = outcome.days.filter((day) => day.account === account)
  const totals = outcome.totals.filter((total) => total.account === account)
  const currencies = [...new Set([...totals.map(({ currency }) => currency), ...truth.pairs.map(({ close }) => close.product.currency)])]
  const totalIn = (currency: string | null): Figures => totals.find((total) => total.currency === currency) ?? { gross: '0', commission: '0' }
  // Files of pairs do not say how much of an open fill was closed: there no fee may be lost or made up, but on which day it counts cannot be known.
  const arePlaced = (currency: string | null): boolean => truth.charged !== null && near(exact(totalIn(currency).commission), chargedOnDay(truth.charged, null, currency))
  const isRight = (shown: Figures, money: Money, currency: string | null): boolean => near(exact(shown.gross), money.gross) && (feesSaid || arePlaced(currency) || hasFees(exact(shown.commission), money))
  const days = own.filter((day) => {
    const right = moneyOn(truth, day.tradingDay, day.currency)
    return !isRight(day, right, day.currency) || (day.state === 'equal' && !arePlaced(day.currency) && !hasFees(exact(day.commission), right))
  })
  const lostDays = [...new Set(truth.pairs.filter(({ close }) => !own.some(({ tradingDay, currency }) => tradingDay === close.day && inCurrency(currency)(close.product))).map(({ close }) => close.day))]
  const left = new Map(trueTrades(truth))
  const trades = (outcome.trades ?? []).filter((trade) => {
    if (trade.account !== account) return false
    const key = tradeKey({ ...trade, gross: exact(trade.gross) })
    const count = left.get(key) ?? 0
    left.set(key, count - 1)
    return count <= 0
  })
  const lostTrades = outcome.trades === null ? [] : [...left].flatMap(([key, count]) => (count > 0 ? [key] : []))
  return { days, lostDays, trades, lostTrades, total: currencies.some((currency) => !isRight(totalIn(currency), moneyOn(truth, null, currency), currency)) }
}

const isClean = ({ days, lostDays, trades, lostTrades, total }: Wrong): boolean => days.length + lostDays.length + trades.length + lostTrades.length === 0 && !total

/** Compares what a front shows with the possible truths; returns wrong results without a warning. */
export const judge = (outcome: Outcome, truths: ReadonlyMap<string, readonly Truth[]>): readonly Silent[] =>
  namings(outcome, truths).map((named) => judgeNamed(named, truths)).reduce((best, silent) => (silent.length < best.length ? silent : best))

const judgeNamed = (outcome: Outcome, truths: ReadonlyMap<string, readonly Truth[]>): readonly Silent[] => {
  const feesSaid = outcome.warnings.some(({ code }) => aboutFees.has(code))
  const covers = outcome.warnings.some(({ code }) => !aboutFees.has(code) && !aboutNothing.has(code)) || outcome.rowsRefused > 0
  const isHidden = [...truths].some(([account, [real]]) => (real?.pairs.length ?? 0) > 0 && !outcome.totals.some((total) => total.account === account))
  // Rows that name nobody and are said to be taken as one account are of several where another account shows nothing.
  const placed = outcome.warnings.some(({ code }) => aboutAccounts.has(code) || (code === 'account-unnamed' && isHidden))
  const silent: Silent[] = []
  const accounts = new Set([...truths.keys(), ...outcome.totals.map((total) => total.account), ...outcome.days.map(({ account }) => account)])
  for (const account of accounts) {
    const candidates = truths.get(account) ?? [{ account, pairs: [], charged: null }]
    const judged = candidates.map((truth) => ({ truth, wrong: wrongAgainst(truth, account, outcome, feesSaid) }))
    if (judged.some(({ wrong }) => isClean(wrong))) continue
    // What is shown is held against each truth by itself: whatever is wrong by one of them is to be said.
    silent.push(...leastOf(judged.map(({ truth, wrong }) => unsaid(truth, wrong, outcome, { covers, placed }))))
  }
  return silent
}

const leastOf = ([first, ...rest]: readonly (readonly Silent[])[]): readonly Silent[] => rest.reduce<readonly Silent[]>((least, silent) => (silent.length < least.length ? silent : least), first ?? [])

// "No broker figures" is the mark of a day that nothing confirms, and covers only what no row of the files tells: whoever reads such a day may be wrong by what is true, and not by what the rows say, which is a truth of its own.
const isSaid = ({ state, reason }: ShownDay): boolean => state === 'differs' || (state === 'unchecked' && reason !== null && reason !== 'no-broker-figures')

const unsaid = (truth: Truth, { days, lostDays, trades, lostTrades, total }: Wrong, outcome: Outcome, { covers, placed }: { /** Whether anything is said that a total may rest on. */ readonly covers: boolean; /** Whether the accounts of rows are said to be taken for granted. */ readonly placed: boolean }): readonly Silent[] => {
  const { account } = truth
  const silent: Silent[] = []
  const isSaidOn = (day: string): boolean => outcome.days.some((one) => one.account === account && one.tradingDay === day && isSaid(one))
  const isMarked = (day: string): boolean => outcome.trades?.some((trade) => trade.account === account && trade.tradingDay === day && trade.marks.length > 0) === true
  const isRefused = outcome.refused.length > 0
  // Where the broker's figures speak against the account's days (a wrong zone moves them), nobody takes one for right by its having no figures.
  const isRefuted = outcome.days.some((day) => day.account === account && (day.state === 'differs' || day.reason === 'no-fills'))
  const saysSomewhere = outcome.days.some((day) => day.account === account && isSaid(day))
  for (const day of days) {
    const right = moneyOn(truth, day.tradingDay, day.currency)
    const line = { onlyFees: near(exact(day.gross), right.gross), where: `${account} ${day.tradingDay}`, out: `${day.net} (${day.gross} less ${day.commission}) ${day.state} ${day.reason ?? ''}`, right: text(right.gross - right.fees) }
    if (day.state === 'equal') silent.push({ what: 'a wrong day called equal', ...line })
    else if (!isRefused && !isSaid(day) && !(isRefuted && day.state === 'unchecked') && !isMarked(day.tradingDay) && !placed) silent.push({ what: 'a wrong day without a word', ...line })
  }
  if (isRefused) return silent
  for (const trade of trades) {
    if (trade.marks.length > 0 || isSaidOn(trade.tradingDay)) continue
    silent.push({ what: 'a wrong trade without a mark', where: `${account} ${trade.tradingDay}`, out: tradeKey({ ...trade, gross: exact(trade.gross) }), right: `not among the true trades; lost: ${lostTrades.join('; ')}` })
  }
  const [shownTotal, rightTotal] = [outcome.totals.flatMap((one) => (one.account === account ? [one.net] : [])).join(' and ') || 'nothing', text(moneyOn(truth, null, null).gross - moneyOn(truth, null, null).fees)]
  const saysSomething = covers || placed || days.some(isSaid) || trades.some(({ marks }) => marks.length > 0) || saysSomewhere
  if (!saysSomething && (lostDays.length > 0 || lostTrades.length > 0)) silent.push({ what: 'money twice or lost without a word', where: account, out: shownTotal, right: `${rightTotal}; lost ${[...lostDays, ...lostTrades].join('; ')}` })
  if (!saysSomething && total && silent.length === 0) silent.push({ what: 'a wrong total without a word', where: account, out: shownTotal, right: rightTotal })
  return silent
}

/** An account that no file names has whatever name a front gives it: each way of naming such ones after accounts that are missing. */
const namings = (outcome: Outcome, truths: ReadonlyMap<string, readonly Truth[]>): readonly Outcome[] => {
  // An account of which only the broker's figures are known has no trades yet: those of a file without a name may be its own.
  const shown = new Set([...outcome.totals.map(({ account }) => account), ...outcome.days.flatMap(({ account, reason }) => (reason === 'no-fills' ? [] : [account]))])
  // So is an account in which nothing really happened: one that rows name by mistake.
  const isStranger = (name: string): boolean => (truths.get(name)?.[0]?.pairs ?? []).length === 0
  const strangers = [...shown].filter(isStranger)
  const missing = [...truths.keys()].filter((name) => !shown.has(name))
  return injections(strangers, missing).map((names) => {
    const nameOf = (account: string): string => names.get(account) ?? account
    const rename = <T extends { readonly account: string }>(one: T): T => ({ ...one, account: nameOf(one.account) })
    const taken = new Set(outcome.days.flatMap(({ account, tradingDay }) => (names.has(account) ? [`${nameOf(account)} ${tradingDay}`] : [])))
    const days = outcome.days.filter(({ account, tradingDay }) => names.has(account) || !taken.has(`${account} ${tradingDay}`))
    return { ...outcome, days: days.map(rename), trades: outcome.trades?.map(rename) ?? null, totals: outcome.totals.map(rename) }
  })
}

const injections = ([first, ...rest]: readonly string[], names: readonly string[]): readonly ReadonlyMap<string, string>[] => {
  if (first === undefined) return [new Map()]
  const without = injections(rest, names)
  return [...names.flatMap((name) => injections(rest, names.filter((one) => one !== name)).map((map) => new Map([...map, [first, name]]))), ...without]
}
