import type { AccountRules, AccountStanding, RuleState, Stage } from '#shared/api/rules.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { amountOf, toDecimalString, zero, type Amount } from '#shared/money/money.ts'
import type { BrokerLimits, NowFacts } from '#shared/rules/day-facts.ts'
import { stageOf } from '#shared/rules/stage.ts'
import { evaluateRules, factsOfToday } from '#shared/rules/standing.ts'
import { nearestOf } from '#shared/rules/states.ts'
import { noRules, termsOf } from '#shared/rules/terms.ts'
import type { RuledAccount } from './rows.ts'

/** An account with its rules and its past, ready to be evaluated at any time, at a cost that depends only on the number of its rules. */
export type RuledEntry = { readonly rules: AccountRules; readonly kept: RuledAccount }

/** Makes an entry from the journal's facts. */
export const entryOf = (kept: RuledAccount): RuledEntry => {
  const { account, label, past, breach, stageByHand, set, presetId, since, resetDay } = kept
  const stage = stageOf(label, { passed: past.passed, breach: past.breach ?? breach }, stageByHand)
  return { kept, rules: { account, stage, stageByHand: stageByHand !== null, set, presetId, since, resetDay } }
}

/** An account's rule states by live facts and by its broker's limits, which count even without rules of its own. */
export const liveStanding = (entry: RuledEntry, now: NowFacts, broker: BrokerLimits | null): AccountStanding => ({ ...standing(entry, now, broker), from: 'live', at: now.at })

const noLiveFacts = { open: null, positions: [], others: [], moved: [], openCosts: zero, peak: null, earlierPeak: null, trough: null, lowestBalance: null, lowestRealized: null, lowestDay: null }

/** Its rule states by the journal alone, at `at` (UTC ms): its last balance, which may be old, and the trades closed today. */
export const journalStanding = (entry: RuledEntry, at: number): AccountStanding => {
  const { balance, balanceAt, dayNet, dayMoved, dayPeak, earlierPeak, openCosts } = entry.kept
  return { ...standing(entry, { ...noLiveFacts, at, balance, dayRealized: dayNet, moved: [dayMoved], openCosts, peak: dayPeak, earlierPeak }, null), from: 'journal', at: balanceAt }
}

const standing = ({ rules, kept }: RuledEntry, live: NowFacts, limits: BrokerLimits | null): Omit<AccountStanding, 'from' | 'at'> => {
  const { account, name, firm, currency, past, dayNet, dayForeign, dayMoved } = kept
  // Rules in another currency than the account's only see its trades in that currency.
  const isForeign = rules.set !== null && rules.set.currency !== currency
  const given: NowFacts = { ...(isForeign ? { ...noLiveFacts, at: live.at, positions: live.positions, others: live.others, balance: null, dayRealized: dayNet, moved: [dayMoved] } : live), foreign: dayForeign }
  const broker = isForeign ? null : limits
  const set = rules.set ?? noRules(currency)
  const now = factsOfToday(set, past, given, broker)
  const evaluated = evaluateRules(set, past, countedSince(rules.since, now), broker)
  const states = statesOf(rules, evaluated.states)
  const begins = rules.set === null || rules.since === null || evaluated.unexplained === 0 ? null : amountOf(termsOf(set).start + evaluated.unexplained)
  return {
    account, name, firm, currency: rules.set?.currency ?? currency,
    stage: stageNow(rules, { states, passed: evaluated.passed }),
    passed: evaluated.passed,
    states,
    balance: textOf(now.balance),
    ...(begins === null ? {} : { begins: toDecimalString(begins) }),
    // What the last session made keeps its date, even if the past days already include it.
    dayNet: textOf(given.dayRealized),
    dayNetOf: earlierOf(given.session ?? null, tradingDay(given.at)),
    nearest: states === null ? null : nearestOf(states),
  }
}

/** The facts of today as far as rules count them that begin on a day: a session before it made nothing. */
const countedSince = (day: string | null, now: NowFacts): NowFacts =>
  day !== null && earlierOf(now.session ?? null, tradingDay(now.at)) < day ? { ...now, session: null, dayRealized: zero, moved: [], lowestRealized: null, lowestDay: null } : now

/** The stage by an account's rule states; a stage set by hand wins, and a passed one stays passed. */
export const stageNow = ({ stage, stageByHand }: AccountRules, { states, passed }: Pick<AccountStanding, 'states' | 'passed'>): Stage => {
  if (stageByHand || stage === 'passed') return stage
  if (stage === 'evaluation' && passed !== null) return 'passed'
  return states?.some(endsAccount) === true ? 'breached' : stage
}

// An account without rules of its own has its broker's limits.
const statesOf = ({ set, since }: AccountRules, states: readonly RuleState[]): RuleState[] | null => {
  if (set !== null) return since === null ? [...states] : states.map((state) => ({ ...state, notes: state.notes.map((note) => (note === 'balance-differs' ? 'begins-otherwise' : note)) }))
  const brokers = states.filter(({ by }) => by === 'broker')
  return brokers.length === 0 ? null : brokers
}

/** Whether a rule is broken in a way that ends the account; other violations can be corrected. */
export const endsAccount = ({ rule, state }: Pick<RuleState, 'rule' | 'state'>): boolean => state === 'breached' && (rule === 'max-loss' || rule === 'daily-loss' || rule === 'time-limit')

const earlierOf = (session: string | null, today: string): string => (session !== null && session < today ? session : today)

const textOf = (amount: Amount | null): string | null => (amount === null ? null : toDecimalString(amount))
