import type { LossTrail, RuleSet } from '#shared/api/rules.ts'
import { parseAmount, zero, type Amount } from '#shared/money/money.ts'
import { capsOf, type Caps } from './caps.ts'

/** Days with at least `profit`, and how many are required. */
export type WinningDays = { readonly days: number; readonly profit: Amount }

/** The best day against the total profit, or against the target. */
export type Consistency = NonNullable<RuleSet['consistency']>

/** The max loss in 1/10,000; `locksAt` is profit over the starting balance; `withOpen`: equity is compared with the drawdown limit, otherwise the balance. */
export type MaxLoss = { readonly amount: Amount; readonly trail: LossTrail; readonly locksAt: Amount | null; readonly withOpen: boolean }

/** The payout gate. */
type Payout = {
  /** Profit that must stay; 0 if the rule set has none. */
  readonly buffer: Amount
  readonly minimumDays: number | null
  readonly winningDays: WinningDays | null
  readonly consistency: Consistency | null
  readonly cap: Amount | null
}

/** A parsed rule set: amounts in 1/10,000, everything else unchanged. */
export type Terms = {
  readonly start: Amount
  readonly maxLoss: MaxLoss | null
  readonly dailyLoss: { readonly amount: Amount; readonly withOpen: boolean; readonly hard: boolean } | null
  readonly target: Amount | null
  readonly consistency: Consistency | null
  readonly minimumDays: number | null
  readonly winningDays: WinningDays | null
  readonly caps: Caps | null
  readonly flatBy: RuleSet['flatBy']
  readonly noHedging: boolean
  readonly timeLimit: number | null
  readonly payout: Payout | null
}

/** A rule set without rules, for an account that only has the broker's limits; its starting balance is unknown. */
export const noRules = (currency: string): RuleSet => ({
  startingBalance: '0', currency, maxLoss: null, dailyLoss: null, profitTarget: null, consistency: null, minimumDays: null, winningDays: null,
  contracts: null, flatBy: null, noHedging: false, timeLimit: null, payout: null,
})

// Cached: a live screen asks for the same rule sets many times a second.
const ready = new WeakMap<RuleSet, Terms>()

/** Parses a rule set. More than four decimals are rounded to the nearest amount. */
export const termsOf = (set: RuleSet): Terms => {
  const known = ready.get(set)
  if (known !== undefined) return known
  const terms = readTerms(set)
  ready.set(set, terms)
  return terms
}

const readTerms = (set: RuleSet): Terms => ({
  start: read(set.startingBalance),
  maxLoss: set.maxLoss === null ? null : maxLossOf(set.maxLoss),
  dailyLoss: set.dailyLoss === null ? null : { amount: read(set.dailyLoss.amount), withOpen: set.dailyLoss.counts === 'with-open', hard: set.dailyLoss.breach === 'hard' },
  target: readMaybe(set.profitTarget),
  consistency: set.consistency,
  minimumDays: set.minimumDays,
  winningDays: winningDaysOf(set.winningDays),
  caps: set.contracts === null ? null : capsOf(set.contracts, read),
  flatBy: set.flatBy,
  noHedging: set.noHedging,
  timeLimit: set.timeLimit,
  payout: set.payout === null ? null : {
    buffer: readMaybe(set.payout.buffer) ?? zero,
    minimumDays: set.payout.minimumDays,
    winningDays: winningDaysOf(set.payout.winningDays),
    consistency: set.payout.consistency,
    cap: readMaybe(set.payout.cap),
  },
})

/**
 * The drawdown limit below a peak, both as profit over the starting balance, the peak at least 0: never below the initial drawdown limit, never above the lock.
 */
export const drawdownLimitUnder = ({ amount, trail, locksAt }: MaxLoss, peak: number): Amount => {
  const first = 0 - amount
  if (trail === 'static') return first as Amount
  const trailed = peak - amount
  return Math.max(first, locksAt === null ? trailed : Math.min(trailed, locksAt)) as Amount
}

/** Whether the drawdown limit is locked or static. */
export const isLocked = (rule: MaxLoss, peak: number): boolean => rule.trail === 'static' || (rule.locksAt !== null && peak - rule.amount >= rule.locksAt)

const maxLossOf = ({ amount, trail, locksAt, withOpen }: NonNullable<RuleSet['maxLoss']>): MaxLoss => ({
  amount: read(amount), trail, locksAt: readMaybe(locksAt), withOpen: trail === 'intraday' || withOpen === true,
})

const winningDaysOf = (rule: RuleSet['winningDays']): WinningDays | null => (rule === null ? null : { days: rule.days, profit: read(rule.profit) })

const readMaybe = (text: string | null): Amount | null => (text === null ? null : read(text))

const read = (text: string): Amount => {
  const amount = parseAmount(text, 'half-even')
  if (!amount.ok) throw new RangeError(`Not an amount: ${text}`)
  return amount.value
}
