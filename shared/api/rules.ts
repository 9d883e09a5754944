import { z } from 'zod'
import { accountKeyText } from './copier.ts'
import { calendarDay, currencyCode, decimalText, identifier, moment, nameText, productName, utcMs } from './fields.ts'
import { firm } from './records.ts'
import type { Route } from './route.ts'

// A limit of zero would be breached immediately.
const amount = decimalText.refine((text) => Number(text) >= 0.01)
const days = z.number().int().min(1).max(1000)
const contracts = z.number().int().min(1).max(10_000)

/** How the drawdown limit moves: never; up with the highest end-of-day balance; up with the highest equity, open P&L included. */
export const lossTrail = z.enum(['static', 'end-of-day', 'intraday'])
export type LossTrail = z.infer<typeof lossTrail>

/** A wall clock time, `15:10`, in the exchange's time zone or New York's. */
const clockTime = z.strictObject({ time: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/), zone: z.enum(['America/Chicago', 'America/New_York']) })

/** Days with at least this profit count. */
const winningDays = z.strictObject({ days, profit: amount })

/** The best day's profit may be at most this percentage of the total profit or the target. */
const consistency = z.strictObject({ percent: z.number().int().min(1).max(100), of: z.enum(['total', 'target']) })

/** The rules of one account, by its firm or the user. Amounts are exact decimals in `currency`; a null rule does not apply. Days are exchange sessions, from 17:00 in Chicago. */
export const ruleSet = z.strictObject({
  /** Zero if the firm counts only the profit. */
  startingBalance: decimalText.refine((text) => Number(text) >= 0),
  currency: currencyCode,
  /**
   * The account is lost once its balance (with `intraday`: its equity) reaches the drawdown limit: `amount` below what `trail`
   * follows. `locksAt`: the drawdown limit locks at the starting balance plus this much. `withOpen`: equity is compared with the
   * floor at every moment, whatever the trail; most firms with an end-of-day trail do this.
   */
  maxLoss: z.strictObject({ amount, trail: lossTrail, locksAt: decimalText.nullable(), withOpen: z.boolean().optional() }).nullable(),
  /** From the session's start, `realized` or including open P&L; `pause` ends the day, `hard` fails the account. */
  dailyLoss: z.strictObject({ amount, counts: z.enum(['realised', 'with-open']), breach: z.enum(['pause', 'hard']) }).nullable(),
  /** Profit over the starting balance. */
  profitTarget: amount.nullable(),
  consistency: consistency.nullable(),
  minimumDays: days.nullable(),
  winningDays: winningDays.nullable(),
  /**
   * The most contracts held at once. `all` counts every product together, with `micros: 'tenth'` ten micros as one;
   * `scaling` replaces `all` by the profit over the starting balance at the day's start: the last step reached applies,
   * below all of them the lowest.
   */
  contracts: z
    .strictObject({
      all: contracts.nullable(),
      micros: z.enum(['whole', 'tenth']),
      byProduct: z.array(z.strictObject({ product: productName, most: contracts })).max(100),
      scaling: z.array(z.strictObject({ fromProfit: decimalText, most: contracts })).max(20),
    })
    .nullable(),
  /** All positions must be flat by then, each session. */
  flatBy: clockTime.nullable(),
  /** No position opposite to another of the user's accounts in the same product; micros and minis count as the same. */
  noHedging: z.boolean(),
  /** Calendar days, from the first one, to reach the target. */
  timeLimit: days.nullable(),
  /** The conditions of a payout. `buffer` is profit that must stay in the account; `cap` is the largest single payout. */
  payout: z.strictObject({ buffer: decimalText.nullable(), minimumDays: days.nullable(), winningDays: winningDays.nullable(), consistency: consistency.nullable(), cap: amount.nullable() }).nullable(),
})
export type RuleSet = z.infer<typeof ruleSet>

/** An account's stage. */
export const stage = z.enum(['evaluation', 'passed', 'funded', 'breached'])
export type Stage = z.infer<typeof stage>

export const ruleKind = z.enum(['max-loss', 'daily-loss', 'profit-target', 'consistency', 'minimum-days', 'winning-days', 'contracts', 'flat-by', 'hedging', 'time-limit', 'payout'])
export type RuleKind = z.infer<typeof ruleKind>

/** A preset's figure with its source and date, and whether the source is a page of the firm itself; the page shows `check with your firm` next to all of them. */
export const presetFact = z.object({ fact: nameText, source: z.url(), readOn: calendarDay, ofFirm: z.boolean() })

/** A firm's public rules for one plan and size, before or after the evaluation. */
export const rulePreset = z.object({
  id: identifier,
  firm,
  plan: nameText,
  size: decimalText,
  phase: z.enum(['evaluation', 'funded']),
  set: ruleSet,
  facts: z.array(presetFact).min(1),
  /** Rules of the firm that a rule set cannot express. */
  leftOut: z.array(z.string()),
})
export type RulePreset = z.infer<typeof rulePreset>

/** The status of one rule of one account. Amounts are decimals in the account's currency; contracts are whole, or tenths if ten micros count as one. */
export const ruleState = z.object({
  rule: ruleKind,
  /** `within`: inside the limit; `paused`: no more trading today on this account; `breached`: broken; `open`: a goal not reached yet; `met`: reached; `unknown`: a figure is missing. */
  state: z.enum(['within', 'paused', 'breached', 'open', 'met', 'unknown']),
  /** The unit of `limit`, `value` and `left`: money, contracts, days, percent, or minutes until flat. */
  unit: z.enum(['money', 'contracts', 'days', 'percent', 'minutes']),
  /** The limit or goal: for `max-loss` the drawdown limit as a balance, for `daily-loss` the amount below zero. */
  limit: z.string().nullable(),
  /** The account's value, in the same unit. */
  value: z.string().nullable(),
  /** The distance to the limit or goal; zero or less if it is reached. */
  left: z.string().nullable(),
  /** The used share of the limit or the reached share of the target, from 0 to 1. */
  used: z.number().min(0).max(1).nullable(),
  /** The source: the rule set, or the broker; of both, the one with less left. */
  by: z.enum(['rules', 'broker']),
  /** The same limit from the other source, in the same unit; null if only one is known. */
  beside: z.object({ limit: z.string(), left: z.string().nullable() }).nullable(),
  /** When it was breached, paused or met. */
  since: z.object({ tradingDay: calendarDay, at: moment.nullable() }).nullable(),
  /** `open-unknown`: open P&L is unknown, so the figures exclude it; `history-realized`: past days have closed trades only, and an intraday trailing drawdown may have been higher; `balance-differs`: trades and balance do not add up; `begins-otherwise`: they do not, for rules that count from a later day; `other-currency`: trades in another currency are missing in the sum, so the state is unknown. */
  notes: z.array(z.enum(['open-unknown', 'history-realized', 'balance-differs', 'begins-otherwise', 'other-currency'])),
})
export type RuleState = z.infer<typeof ruleState>

/** An account with its rule states. `from`: live facts, or the journal's last balance. */
export const accountStanding = z.object({
  account: z.string(),
  name: z.string(),
  firm: firm.nullable(),
  currency: currencyCode,
  stage,
  /** The trading day on which the evaluation passed, or null. */
  passed: calendarDay.nullable(),
  /** Null if neither the user nor the broker has set rules. */
  states: z.array(ruleState).nullable(),
  balance: decimalText.nullable(),
  /** For rules that count from a later day: the balance at the start of that day, if it is not their starting balance. */
  begins: decimalText.optional(),
  dayNet: decimalText.nullable(),
  /** The trading day of `dayNet`: between two sessions a broker may still give the last one's. */
  dayNetOf: calendarDay,
  from: z.enum(['live', 'journal']),
  at: utcMs.nullable(),
  /** The state that is nearest to ending the account or the day, by `used`; null if there is none. */
  nearest: ruleKind.nullable(),
})
export type AccountStanding = z.infer<typeof accountStanding>

/** An account's rule settings. */
export const accountRules = z.object({
  account: accountKeyText.or(identifier),
  stage,
  /** The user set the stage by hand; it stays until the user changes it. */
  stageByHand: z.boolean(),
  set: ruleSet.nullable(),
  /** The preset that it was created from, even if edited since. */
  presetId: identifier.nullable(),
  /** The first day that counts; null: the day of its first trade. */
  since: calendarDay.nullable(),
  /** The first day after the account's last reset, by the books or its Cash History, if earlier days still count; otherwise null. */
  resetDay: calendarDay.nullable(),
})
export type AccountRules = z.infer<typeof accountRules>

/** One day of a replay: the account and its rule states at the end of the day. */
export const replayDay = z.object({
  tradingDay: calendarDay,
  net: decimalText,
  balance: decimalText,
  /** The drawdown limit during that day; null without one. */
  drawdownLimit: decimalText.nullable(),
  /** Lowest and highest balance by closed trades. */
  low: decimalText,
  high: decimalText,
  trades: z.number().int(),
  states: z.array(ruleState),
})
export type ReplayDay = z.infer<typeof replayDay>

/** The rules applied to an account's history. Continues after a breach, so that later days are shown too. */
export const replayAnswer = z.object({
  days: z.array(replayDay),
  /** The first hard breach. */
  breach: z.object({ tradingDay: calendarDay, rule: ruleKind, at: moment.nullable() }).nullable(),
  /** The day on which target, days and consistency were all met, before any breach. */
  passed: calendarDay.nullable(),
  outcome: z.enum(['breached', 'passed', 'out-of-time', 'running', 'no-trades']),
})
export type ReplayAnswer = z.infer<typeof replayAnswer>

/** The result of a Monte Carlo over an account's own days. Shares are from 0 to 1 and add up to 1. */
export const oddsAnswer = z.object({
  runs: z.number().int(),
  seed: z.number().int(),
  /** The number of sessions drawn from, and the most sessions in a run. */
  sample: z.number().int(),
  horizon: z.number().int(),
  passed: z.number(),
  breached: z.number(),
  outOfTime: z.number(),
  /** Half the width of the 95% interval of `passed`. */
  plusMinus: z.number(),
  /** Sessions until passing, over the runs that passed; null if none did. */
  daysToPass: z.object({ p10: z.number(), p50: z.number(), p90: z.number() }).nullable(),
  /** The rules that ended the lost runs. */
  lostBy: z.array(z.object({ rule: ruleKind, share: z.number() })),
  /** Balance by session over all runs, for a fan: at most 60 points. */
  fan: z.array(z.object({ day: z.number().int(), p10: decimalText, p50: decimalText, p90: decimalText })),
})
export type OddsAnswer = z.infer<typeof oddsAnswer>

/** Alert levels of a rule's `used`, in percent; each alerts once a session, and again after falling ten points below. */
export const alertSettings = z.strictObject({
  on: z.boolean(),
  at: z.array(z.number().int().min(1).max(100)).max(5),
  toast: z.boolean(),
  system: z.boolean(),
  sound: z.boolean(),
})
export type AlertSettings = z.infer<typeof alertSettings>

/** An alert that was raised. */
export const ruleAlert = z.object({
  id: z.number().int(),
  at: moment,
  account: z.string(),
  accountName: z.string(),
  rule: ruleKind,
  /** The share that was exceeded, in percent; 100 if the limit itself was reached. */
  level: z.number().int(),
  unit: ruleState.shape.unit,
  limit: z.string().nullable(),
  value: z.string().nullable(),
  left: z.string().nullable(),
  currency: currencyCode,
  seen: z.boolean(),
})
export type RuleAlert = z.infer<typeof ruleAlert>

const ofAccount = z.strictObject({ account: identifier })
/** The rules to evaluate: the account's, a preset's, or the given ones. */
const whichRules = z.union([z.strictObject({ presetId: identifier }), z.strictObject({ set: ruleSet }), z.strictObject({ own: z.literal(true) })])

/** Rules of accounts, their states over time, and alerts. */
export const ruleRoutes = {
  rules: { method: 'GET', path: '/api/rules', answer: z.object({ accounts: z.array(accountRules), standings: z.array(accountStanding) }) },
  rulePresets: { method: 'GET', path: '/api/rules/presets', answer: z.object({ presets: z.array(rulePreset) }) },
  saveRules: { method: 'POST', path: '/api/rules', body: ofAccount.extend({ set: ruleSet.nullable(), presetId: identifier.nullable(), since: calendarDay.nullable() }), answer: z.object({ rules: accountRules }) },
  /** The standing that an account would have if these rules were saved; changes nothing. */
  tryRules: { method: 'POST', path: '/api/rules/try', body: ofAccount.extend({ set: ruleSet, since: calendarDay.nullable() }), answer: z.object({ standing: accountStanding }) },
  /** Sets an account's stage by hand; null: by its label and rules. */
  setStage: { method: 'POST', path: '/api/rules/stage', body: ofAccount.extend({ stage: stage.nullable() }), answer: z.object({ rules: accountRules }) },
  replay: { method: 'POST', path: '/api/rules/replay', body: ofAccount.extend({ rules: whichRules, since: calendarDay.nullable() }), answer: replayAnswer },
  odds: {
    method: 'POST',
    path: '/api/rules/odds',
    body: ofAccount.extend({ rules: whichRules, since: calendarDay.nullable(), runs: z.number().int().min(100).max(100_000), seed: z.number().int().min(0).max(4_294_967_295) }),
    answer: z.object({
      odds: oddsAnswer.nullable(),
      /** Why there are none. */
      missing: z.enum(['rules', 'days', 'target']).nullable(),
    }),
  },
  alerts: { method: 'GET', path: '/api/rules/alerts', query: z.object({ before: z.coerce.number().int().optional() }), answer: z.object({ alerts: z.array(ruleAlert), more: z.boolean(), unseen: z.number().int(), settings: alertSettings }) },
  saveAlertSettings: { method: 'POST', path: '/api/rules/alerts/settings', body: alertSettings, answer: z.object({ settings: alertSettings }) },
  alertsSeen: { method: 'POST', path: '/api/rules/alerts/seen', body: z.strictObject({ upTo: z.number().int() }), answer: z.object({ unseen: z.number().int() }) },
} as const satisfies Record<string, Route>
