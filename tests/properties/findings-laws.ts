import type { FindingKind } from '#shared/api/reports.ts'
import { searchFindings, type FindingWithMembers, type FindingsResult } from '#shared/stats/findings/find.ts'
import type { ReportTrade } from '#shared/stats/findings/report-trade.ts'
import { madeTrades, shapeOf, type Habit, type Moment, type Shape } from '../helpers/made-trades.ts'
import { exitRules, tradesUnder, type ExitRules } from './exit-rules.ts'

const zone = 'America/New_York'

/** Findings of trades in New York's hours. */
export const found = (trades: readonly ReportTrade[], breachDays: ReadonlyMap<string, ReadonlySet<string>> = new Map()): FindingsResult => searchFindings(trades, { zone, breachDays })

// Every fifth day or so, of one account, for no reason.
const brokenOf = (trades: readonly ReportTrade[], seed: number): ReadonlyMap<string, ReadonlySet<string>> =>
  new Map([['account-0', new Set([...new Set(trades.map(({ tradingDay }) => tradingDay))].filter((_, place) => broken(place + seed)))]])

const broken = (day: number): boolean => (day * 7) % 5 === 0

const single: readonly FindingKind[] = ['side', 'revenge', 'size-after-loss', 'overtrading']
/** Kinds that no test can distinguish from chance. */
export const plain: readonly FindingKind[] = ['hold', 'giving-back', 'streak', 'early-exit', 'rule-breach', 'cost-share']

/** How many journals of pure chance, each of a shape of its own, show an evident finding; how often each kind that is tested once a report is below the level by itself; and how often the interval of what longs made holds the nothing that is true. It holds for all that the report looked at, so that it may hold more often than its level says. */
export const byChance = (from: number, to: number): { readonly reports: number; readonly evident: number; readonly alone: ReadonlyMap<FindingKind, { tested: number; below: number }>; readonly intervals: { counted: number; hold: number } } => {
  const alone = new Map(single.map((kind) => [kind, { tested: 0, below: 0 }]))
  const intervals = { counted: 0, hold: 0 }
  let evident = 0
  for (let seed = from; seed < to; seed += 1) {
    const trades = madeTrades(seed, shapeOf(seed))
    const { findings } = found(trades, brokenOf(trades, seed))
    if (findings.some(({ finding }) => finding.evidence === 'evident')) evident += 1
    for (const { finding: { kind, chance, excess } } of findings) {
      const row = alone.get(kind)
      if (row !== undefined && chance !== null) {
        row.tested += 1
        if (chance.alone <= 0.05) row.below += 1
      }
      if (kind !== 'side' || excess === null) continue
      intervals.counted += 1
      if (Number(excess.low) <= 0 && Number(excess.high) >= 0) intervals.hold += 1
    }
  }
  return { reports: to - from, evident, alone, intervals }
}

/** How many journals of a trader without an edge, under rules of leaving trades and of ending days, show an evident finding that is not true of these rules; and whether a kind that no test can tell from chance was ever more than a plain figure. */
export const byExitRule = (name: keyof typeof exitRules, reports: number): { readonly evident: number; readonly kinds: ReadonlySet<FindingKind>; readonly judged: readonly FindingKind[] } => {
  const rules: ExitRules = exitRules[name]
  const all = Array.from({ length: reports }, (_, seed) => {
    const trades = tradesUnder(rules, seed)
    return found(trades, losingDays(trades)).findings.map(({ finding }) => finding)
  })
  const wrong = all.map((findings) => findings.filter(({ evidence, kind }) => evidence === 'evident' && kind !== rules.truly))
  const judged = all.flat().filter(({ evidence, chance, excess, kind }) => plain.includes(kind) && ((evidence !== 'untested' && evidence !== 'too-little') || chance !== null || excess !== null))
  return { evident: wrong.filter((findings) => findings.length > 0).length, kinds: new Set(wrong.flat().map(({ kind }) => kind)), judged: judged.map(({ kind }) => kind) }
}

// A loss limit breaks on days that lost: the worst tenth of them.
const losingDays = (trades: readonly ReportTrade[]): ReadonlyMap<string, ReadonlySet<string>> => {
  const made = new Map<string, number>()
  for (const { account, tradingDay, netPnl } of trades) if (account === 'account-0') made.set(tradingDay, (made.get(tradingDay) ?? 0) + netPnl)
  const worst = [...made].sort(([, one], [, other]) => one - other).slice(0, Math.ceil(made.size / 10))
  return new Map([['account-0', new Set(worst.map(([day]) => day))]])
}

/** The most successes of so many that are usual at this chance: only one of a thousand such counts exceeds it. */
export const mostUsual = (count: number, chance: number): number => {
  let [exact, sum, successes] = [(1 - chance) ** count, (1 - chance) ** count, 0]
  while (sum < 0.999) {
    exact *= ((count - successes) / (successes + 1)) * (chance / (1 - chance))
    successes += 1
    sum += exact
  }
  return successes
}

/** A habit, what it is found as, and on which side of zero its excess lies (0: of either). */
export type Planted = { readonly name: string; readonly kind: FindingKind; readonly about: Readonly<Record<string, unknown>>; readonly sign: -1 | 0 | 1; readonly habit: Habit; readonly shape?: Partial<Shape>; readonly tells?: boolean }

const edge = (when: (moment: Moment) => boolean, size: number): Habit => ({ edge: (moment) => (when(moment) ? size : 0) })

/** A habit of each kind. With `tells` its excess is what the habit itself added, which is known to the cent. */
export const planted: readonly Planted[] = [
  { name: 'an hour that loses', kind: 'hour', about: { hour: 11 }, sign: -1, habit: edge(({ hour }) => hour === 11, -1), tells: true },
  { name: 'an hour that wins', kind: 'hour', about: { hour: 10 }, sign: 1, habit: edge(({ hour }) => hour === 10, 1), tells: true },
  { name: 'a weekday that loses', kind: 'weekday', about: { weekday: 5 }, sign: -1, habit: edge(({ weekday }) => weekday === 5, -1), tells: true },
  { name: 'a product that loses', kind: 'product', about: { product: 'ES' }, sign: -1, habit: edge(({ product }) => product === 'ES', -1.3), tells: true },
  { name: 'longs that win', kind: 'side', about: { side: 'long' }, sign: 1, habit: edge(({ side }) => side === 'long', 0.6), tells: true },
  { name: 'larger sizes after a loss', kind: 'size-after-loss', about: {}, sign: 0, habit: { size: ({ before, number }) => (before < 0 ? 3 : 1) + (number % 2) } },
  { name: 'revenge', kind: 'revenge', about: {}, sign: -1, habit: edge(({ before, since }) => before < 0 && since < 600_000, -1.3) },
  { name: 'trades beyond the usual number', kind: 'overtrading', about: {}, sign: -1, habit: edge(({ number, usual }) => number > usual, -0.9), tells: true },
  { name: 'an account that does worse', kind: 'account-consistency', about: { account: 'account-2' }, sign: -1, habit: { apart: (account) => (account === 2 ? -0.02 : 0) }, shape: { accounts: 3, copied: true } },
]

/** What a planted habit is found as: the finding of its kind and group, and what it truly made in money where that is known. */
export const lookFor = ({ kind, about, habit, shape, tells }: Planted, seed: number): { readonly seen: FindingWithMembers | undefined; readonly truth: number | null; readonly report: FindingsResult } => {
  const full: Shape = { days: 130, usual: 8, accounts: 1, copied: false, ...shape }
  const trades = madeTrades(seed, full, habit)
  const report = found(trades)
  const seen = report.findings.find(({ finding }) => finding.kind === kind && JSON.stringify(finding.about) === JSON.stringify(about))
  return { seen, report, truth: seen === undefined || tells !== true ? null : truthOf(trades, madeTrades(seed, full), seen.members) }
}

// What the habit added to the members, and by how much costs differ: all else is nothing on average.
const truthOf = (trades: readonly ReportTrade[], plain: readonly ReportTrade[], members: Uint32Array): number => {
  const behind = new Set(members)
  let [added, cost, costElse] = [0, 0, 0]
  for (const [place, { grossPnl, commission }] of trades.entries()) {
    added += behind.has(place) ? grossPnl - (plain[place]?.grossPnl ?? 0) : 0
    if (behind.has(place)) cost += commission
    else costElse += commission
  }
  return (added - cost + (costElse * behind.size) / (trades.length - behind.size)) / 10_000
}
