import type { FindingKind } from '#shared/api/reports.ts'
import { isoDate } from '#shared/market/zone-clock.ts'
import { amountOf, type Currency } from '#shared/money/money.ts'
import { randomBelow } from '#shared/rules/random.ts'
import type { ReportTrade } from '#shared/stats/findings/report-trade.ts'

const minute = 60_000
// A Monday.
const firstDay = 20_465
const opens = 14 * 60

type Chance = { readonly unit: () => number; readonly normal: () => number }
/** A trade's result in units of a stop, and how long it was held in minutes; nothing on average. */
type Result = { readonly made: number; readonly held: number }

/** How a trader without an edge leaves trades and ends days. */
export type ExitRules = {
  readonly days: number
  /** Trades of a day at most. */
  readonly most: number
  /** `minutes` since the session opened. */
  readonly result: (chance: Chance, minutes: number) => Result
  /** Whether the day is over, by its results so far. */
  readonly over?: (made: readonly number[]) => boolean
  /** Contracts, by the day's results so far. */
  readonly size?: (made: readonly number[]) => number
  /** What is traded, by the day's results so far. */
  readonly product?: (made: readonly number[]) => string
  /** A second product, entered at once, whose result hangs together with that of the first. */
  readonly together?: number
  /** Accounts that follow one after the other, in minutes. */
  readonly following?: number
  /** What all trades of a day share. */
  readonly mood?: number
  /** Costs of a contract; 12.40 by default. */
  readonly cost?: number
  /** A kind that is found rightly, since the rules do what it says. */
  readonly truly?: FindingKind
}

// A fair walk in steps of half a minute, which ends at the stop, at the target, or when time is up.
const bracket = (stop: number, target: number, most = 600) => ({ normal }: Chance): Result => {
  let [made, held] = [0, 0]
  while (made > -stop && made < target && held < most) {
    made += normal() * 0.35
    held += 0.5
  }
  return { made: Math.max(-stop, Math.min(target, made)), held }
}
const fair = ({ unit, normal }: Chance): Result => ({ made: normal(), held: 5 + unit() * 10 })
const early = (size: number, of: (chance: Chance) => number) => (chance: Chance, minutes: number): Result => ({ made: of(chance) * (minutes < 60 ? size : 1), held: 5 + chance.unit() * 10 })
const sum = (made: readonly number[]): number => made.reduce((all, own) => all + own, 0)
const won = (made: readonly number[]): boolean => (made.at(-1) ?? 0) > 0
const twoLost = (made: readonly number[]): boolean => made.length > 1 && made.slice(-2).every((own) => own < 0)

/** Ordinary rules of ordinary traders: none of them makes money, and each ties results to times, orders or ends of days. */
export const exitRules = {
  'a stop of 1 and a target of 3': { days: 80, most: 5, result: bracket(1, 3) },
  'a stop of 1 and a target of 3, a month': { days: 22, most: 5, result: bracket(1, 3) },
  'a stop of 1 and a target of 2, a month': { days: 22, most: 6, result: bracket(1, 2) },
  'a stop and a target of 1': { days: 80, most: 5, result: bracket(1, 1) },
  'a stop of 3 and a target of 1': { days: 80, most: 5, result: bracket(3, 1) },
  'a stop of 1, closed after half an hour': { days: 80, most: 5, result: bracket(1, Infinity, 30) },
  'a target of 1, closed after half an hour': { days: 80, most: 5, result: bracket(Infinity, 1, 30) },
  'the day ends with its first win': { days: 80, most: 8, result: fair, over: won },
  'the day ends after two losses in a row': { days: 80, most: 10, result: fair, over: twoLost },
  'the day ends after two losses in a row, a month': { days: 22, most: 10, result: fair, over: twoLost },
  'the day ends after two losses, brackets': { days: 80, most: 8, result: bracket(1, 2), over: twoLost },
  'a goal of 1 a day': { days: 80, most: 8, result: fair, over: (made) => sum(made) > 1 },
  'a loss limit of 1.5 a day': { days: 80, most: 8, result: fair, over: (made) => sum(made) < -1.5 },
  'a loss limit of 2.5 a day': { days: 80, most: 8, result: fair, over: (made) => sum(made) < -2.5 },
  'a goal and a limit of 1.5 a day': { days: 80, most: 10, result: fair, over: (made) => Math.abs(sum(made)) > 1.5 },
  'a goal and a limit of 1.5 a day, two years': { days: 500, most: 10, result: fair, over: (made) => Math.abs(sum(made)) > 1.5 },
  'two products at once': { days: 80, most: 4, result: fair, together: 0.9 },
  'two products at once, loosely': { days: 80, most: 4, result: fair, together: 0.6 },
  'two products at once, a month': { days: 22, most: 4, result: fair, together: 0.8 },
  'two products at once until two losses': { days: 80, most: 6, result: fair, together: 0.9, over: twoLost },
  'three accounts, 48 seconds apart': { days: 80, most: 4, result: fair, following: 0.8 },
  'five times larger and lopsided in the first hour': { days: 80, most: 6, result: early(5, ({ unit }) => (unit() < 0.85 ? 0.3 : -1.7)) },
  'two and a half times larger in the first hour': { days: 80, most: 6, result: early(2.5, ({ normal }) => normal()) },
  'small wins and a rare large loss': { days: 60, most: 3, result: ({ unit }) => ({ made: unit() < 0.99 ? 0.2 : -19.8, held: 5 + unit() * 10 }), cost: 0 },
  'doubling until the first win': { days: 80, most: 8, result: ({ unit }) => ({ made: unit() < 0.5 ? 1 : -1, held: 5 + unit() * 10 }), over: won, size: (made) => 2 ** made.length, truly: 'size-after-loss' },
  'smaller with each trade, until two losses': { days: 80, most: 10, result: fair, over: twoLost, size: (made) => Math.max(1, 6 - made.length) },
  'another product after a loss, until two losses': { days: 80, most: 10, result: fair, over: twoLost, product: (made) => ((made.at(-1) ?? 0) < 0 ? 'MNQ' : 'MES') },
  'days of a mood, until two losses': { days: 80, most: 10, result: fair, over: twoLost, mood: 0.35 },
  'days of a mood, until the first win': { days: 80, most: 8, result: fair, over: won, mood: 0.35 },
} as const satisfies Record<string, ExitRules>

/** The journal of a trader under rules; the same seed makes the same. */
export const tradesUnder = (rules: ExitRules, seed: number): ReportTrade[] => {
  const below = randomBelow(seed + 1)
  const unit = (): number => (below(4_294_967_296) + 0.5) / 4_294_967_296
  const chance: Chance = { unit, normal: () => Math.sqrt(-2 * Math.log(unit())) * Math.cos(2 * Math.PI * unit()) }
  const trades: ReportTrade[] = []
  for (let day = 0; day < rules.days; day += 1) {
    const mood = (rules.mood ?? 0) * chance.normal()
    const made: number[] = []
    for (let at = unit() * 30; made.length < rules.most && at < 380; ) {
      const result = rules.result(chance, at)
      const [own, size, product, side] = [result.made + mood, rules.size?.(made) ?? 1, rules.product?.(made) ?? 'MES', unit() < 0.5 ? ('long' as const) : ('short' as const)]
      for (const account of rules.following === undefined ? [0] : [0, 1, 2]) {
        const beside = account === 0 ? own : own + 0.05 * chance.normal()
        trades.push(tradeOf({ id: trades.length, day, at: at + account * (rules.following ?? 0), held: result.held, made: beside, account, size, product, side, cost: rules.cost ?? 12.4 }))
      }
      if (rules.together !== undefined) {
        const other = rules.together * own + Math.sqrt(1 - rules.together ** 2) * chance.normal()
        trades.push(tradeOf({ id: trades.length, day, at: at + 0.1, held: result.held + 0.2, made: other, account: 0, size, product: 'MNQ', side, cost: rules.cost ?? 12.4 }))
      }
      made.push(own)
      at += result.held + 5 + unit() * 25
      if (rules.over?.(made) === true) break
    }
  }
  return trades
}

type Drawn = { readonly id: number; readonly day: number; readonly at: number; readonly held: number; readonly made: number; readonly account: number; readonly size: number; readonly product: string; readonly side: 'long' | 'short'; readonly cost: number }

const tradeOf = ({ id, day, at, held, made, account, size, product, side, cost }: Drawn): ReportTrade => {
  const date = firstDay + Math.floor(day / 5) * 7 + (day % 5)
  const entryTime = Math.round((date * 1440 + opens + at) * minute)
  const [gross, fee] = [Math.round(made * 50_000) * size * 10, Math.round(cost * 10_000) * size]
  return {
    id: `t${String(id)}`, account: `account-${String(account)}`, symbol: `${product}M6`, side, quantity: size,
    currency: 'USD' as Currency, entryTime, exitTime: entryTime + Math.round(held * minute), date: isoDate(date), tradingDay: isoDate(date),
    grossPnl: amountOf(gross), commission: amountOf(fee), netPnl: amountOf(gross - fee),
  }
}
