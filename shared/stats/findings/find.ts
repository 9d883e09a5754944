import type { AboutTrades, Evidence, Finding } from '#shared/api/reports.ts'
import { accountCandidates } from './account-differences.ts'
import { behaviorCandidates } from './behaviors.ts'
import { type Candidate, role } from './candidate.ts'
import { dayCandidates } from './day-findings.ts'
import { decisionsOf } from './decisions.ts'
import { chancesOf, enough, evidenceOf, level, type Tested, type TestedChance } from './evidence.ts'
import { holdsZero } from './excess-for-verdict.ts'
import { excursionCandidate } from './excursions.ts'
import { groupCandidates } from './groups.ts'
import { excessOf, type Interval, intervalOf, type Resampled, resampleDays, withTest } from './interval.ts'
import { countMeasure, moneyMeasure, moneyText, netBars, plainMeasure, standardMeasures, sumsOf, timeMeasure } from './measures.ts'
import { type Panel, panelsOf } from './panel.ts'
import type { ReportTrade } from './report-trade.ts'
import { drawsFor, medianOf } from './studentized.ts'

/**
 * Compares wins closed sooner than the median loss with the other wins. Untested: with a near target and a far stop, a fair coin also gives short, small
 * wins, and no test of times can tell that from haste.
 */
const earlyExitCandidate = (panel: Panel): Candidate => {
  const { trades, held, gross, currency } = panel
  const all = sumsOf(panel, () => true)
  const [wins, medianLoss] = [held.filter((_, index) => (gross[index] ?? 0) > 0), medianOf(held.filter((_, index) => (gross[index] ?? 0) < 0))]
  const bar = (label: string, time: number, count: number) => ({ label, value: String(Math.round(time)), trades: count, marked: label === '1' })
  return {
    kind: 'early-exit', about: {}, tested: 'never', sign: null, excess: null,
    roles: Uint8Array.from(trades, ({ grossPnl }, index) => (grossPnl <= 0 ? role.neither : (held[index] ?? 0) < medianLoss ? role.behind : role.against)),
    describe: () => ({
      measures: [
        timeMeasure('hold', medianOf(wins)),
        timeMeasure('hold-other', medianLoss),
        ...(all.wins === 0 ? [] : [moneyMeasure('average-win', all.won / all.wins, currency)]),
        ...(all.losses === 0 ? [] : [moneyMeasure('average-loss', all.lost / all.losses, currency)]),
        plainMeasure('win-rate', 'share', all.wins / Math.max(1, all.trades)),
        ...(all.lost === 0 ? [] : [plainMeasure('profit-factor', 'ratio', all.won / -all.lost)]),
        countMeasure('days', all.days, 'days'),
      ],
      bars: [bar('1', medianOf(wins), all.wins), bar('-1', medianLoss, all.losses)],
      barsIn: 'time',
    }),
  }
}

const maxBars = 48

/**
 * The share of costs in the gross P&L, if that is positive. Untested: costs are no matter of chance, and no test can tell whether the gross P&L will last. A
 * trader who doubles after each loss until a win has a profit on almost every day of a fair coin.
 */
const costCandidate = (panel: Panel): Candidate => {
  const { size, currency, products, product } = panel
  const all = sumsOf(panel, () => true)
  return {
    kind: 'cost-share', about: {}, tested: 'never', sign: null, excess: null,
    roles: new Uint8Array(size).fill(role.behind),
    describe: () => ({
      measures: [
        moneyMeasure('gross', all.gross, currency),
        moneyMeasure('commission', -all.commission, currency),
        ...(all.gross > 0 ? [plainMeasure('share', 'share', all.commission / all.gross)] : []),
      ],
      bars: products.slice(0, maxBars).map((label, own) => {
        const sums = sumsOf(panel, (index) => product[index] === own)
        return { label, value: moneyText(-sums.commission), trades: sums.trades, marked: false }
      }),
      barsIn: 'money',
    }),
  }
}

/** The lower bounds of hold time groups, in ms. */
const holdBounds = [0, 60_000, 300_000, 900_000, 3_600_000, 14_400_000] as const

/**
 * P&L by hold time, over all trades. Untested: a trade ends because of its result, so time and result are related by chance alone. With a near stop and a far
 * target, a fair coin also gives short losses and long wins.
 */
const holdCandidate = (panel: Panel): Candidate => {
  const roles = new Uint8Array(panel.size).fill(role.behind)
  return {
    kind: 'hold', about: {}, roles, tested: 'never', sign: null, excess: null,
    describe: () => ({
      measures: [timeMeasure('hold', medianOf(panel.held)), ...standardMeasures(panel, roles)],
      bars: netBars(panel, holdBounds.map(String), (index) => holdBounds.findLastIndex((bound) => (panel.held[index] ?? 0) >= bound), () => false),
      barsIn: 'money',
    }),
  }
}

const maxFindings = 25
const margin = 0.002

/** The zone of weekdays and hours, and each account's trading days with a broken rule. */
export type FindOptions = { readonly zone: string; readonly breachDays: ReadonlyMap<string, ReadonlySet<string>> }

/** A finding with its trades as ascending indexes into the given list. */
export type FindingWithMembers = { readonly finding: Finding; readonly members: Uint32Array }

/** Findings, largest first, then untested ones, then those with too little data. `tried` counts all tests, shown or not, in the correction to `level`. */
export type FindingsResult = { readonly findings: readonly FindingWithMembers[]; readonly tried: number; readonly level: number }

/**
 * Searches trades for what makes or loses money, by permutation tests. The same trades give the same findings in any order and under any names.
 * Currencies are separate. Each test is studentized over trading days and compared with draws under its own null hypothesis; all tests of all kinds
 * and currencies are corrected together, so at most one in twenty reports on pure chance shows an evident finding. For a test of money, a bootstrap
 * over days must also agree with the sign: the interval of a finding excludes zero if and only if the finding is evident.
 * Only what was known at the entry is tested. Exits and the end of a day depend on results, so hold times, early exits, excursions, streaks, giving back, costs and
 * broken rules are `untested` figures outside the correction. Assumes that good and bad days do not decide which hours, products, sides, waits and
 * sizes the trader picks.
 * Groups with fewer than 20 trades or ten informative days are not tested and not counted. Shows evident groups, the best and the worst; at most 25
 * findings.
 */
export const searchFindings = (trades: readonly ReportTrade[], { zone, breachDays }: FindOptions): FindingsResult => {
  const draws = drawsFor(trades.length)
  const examined = panelsOf(trades, zone).flatMap((panel) => {
    const decisions = decisionsOf(panel)
    const resampled = resampleDays(panel)
    const tested = [...groupCandidates(panel, decisions, draws), ...dayCandidates(panel, breachDays, draws), ...behaviorCandidates(panel, decisions, draws), ...accountCandidates(panel, decisions, draws)]
    const candidates = [...tested, holdCandidate(panel), earlyExitCandidate(panel), costCandidate(panel), ...[excursionCandidate(panel) ?? []].flat()]
    return candidates.map((candidate): Examined => {
      const net = netOf(panel, candidate)
      return { panel, resampled, candidate, net, weight: excessOf(panel, candidate) ?? net }
    })
  })
  const tests = examined.flatMap(({ candidate }) => testIn(candidate) ?? [])
  const chances = chancesOf(tests)
  const judged = examined.map((one) => judge(one, chances[tests.findIndex((test) => test === one.candidate.tested)] ?? null))
  const ranked = selectShown(judged).map(findingOf).sort(byWeight)
  return { findings: ranked.map(({ finding, members }) => ({ finding, members })), tried: tests.length, level }
}

const testIn = ({ tested }: Candidate): Tested | null => (tested === 'never' ? null : tested)

type Examined = {
  readonly panel: Panel
  readonly resampled: Resampled
  readonly candidate: Candidate
  readonly net: number
  /** The excess, or net P&L for kinds without one. */
  readonly weight: number
}
type Judged = Examined & { readonly tested: TestedChance | null; readonly evidence: Evidence; readonly interval: Interval | null }

// Intervals are slow: compute them only for findings that may be evident or are shown.
// Raises the p-value of a test of money to that of its interval, so that the two cannot contradict each other.
const judge = (examined: Examined, tested: TestedChance | null): Judged => {
  const { candidate } = examined
  if (tested === null) return { ...examined, tested, evidence: candidate.tested === 'never' && hasEnoughData(examined.panel) ? 'untested' : 'too-little', interval: null }
  const { chance, critical } = tested
  if (candidate.sign === null || chance.alone > level) return { ...examined, tested, evidence: evidenceOf(chance), interval: null }
  const single = intervalOf(examined.panel, candidate, examined.resampled)
  const interval = single === null ? null : ofMany(single, candidate, tested)
  const least = single === null ? 1 : crossing(single, candidate.sign) ? Math.max(single.otherSide, level + margin) : single.otherSide
  // Only a chance that rounds to zero remains here: the interval of many follows the corrected p-value.
  const corrected = Math.max(chance.corrected, least, interval === null || crossing(interval, candidate.sign) ? level + margin : 0)
  const both = { alone: Math.max(chance.alone, least), corrected }
  return { ...examined, tested: { chance: both, critical }, evidence: evidenceOf(both), interval }
}

/** The interval of a finding, corrected for all that were tested. For a test of something other than money, it has the sign of the money. */
const ofMany = (single: Interval, { tested, sign }: Candidate, { critical }: TestedChance): Interval =>
  tested === null || tested === 'never' ? single : withTest(single, tested.value * (sign ?? Math.sign(single.value)), critical)

// An untested figure needs as much data as a test.
const hasEnoughData = ({ size, days }: Panel): boolean => size >= enough.trades && days.length >= enough.days

// Rounded to cents, as it is shown.
const crossing = ({ value, low, high }: Interval, sign: number): boolean => Math.sign(value) !== sign || holdsZero({ low: moneyText(low), high: moneyText(high) })

const shownRank: Readonly<Record<Evidence, number>> = { evident: 0, possible: 1, none: 2, untested: 3, 'too-little': 4 }
// Tested findings rank together, whatever their verdict.
const rankOf: Readonly<Record<Evidence, number>> = { evident: 0, possible: 0, none: 0, untested: 1, 'too-little': 2 }

const selectShown = (judged: readonly Judged[]): readonly Judged[] => {
  const kinds = Map.groupBy(judged, ({ panel, candidate }) => `${panel.currency} ${candidate.kind}`)
  const shown = [...kinds.values()].flatMap((group) => {
    if (group.length < 3) return group
    const byExcess = group.toSorted((one, other) => one.weight - other.weight)
    return group.filter((one) => one.evidence === 'evident' || one === byExcess[0] || one === byExcess.at(-1))
  })
  return shown.toSorted((one, other) => shownRank[one.evidence] - shownRank[other.evidence] || Math.abs(other.weight) - Math.abs(one.weight)).slice(0, maxFindings)
}

const netOf = ({ size, net }: Panel, { roles }: Candidate): number => {
  let sum = 0
  for (let index = 0; index < size; index += 1) if (roles[index] === role.behind) sum += net[index] ?? 0
  return sum
}

const findingOf = (one: Judged): FindingWithMembers & { readonly weight: number } => {
  const { panel, candidate, evidence, tested } = one
  const members = panel.given.filter((_, index) => candidate.roles[index] === role.behind).sort()
  const interval = tested === null ? null : (one.interval ?? shownInterval(one, tested))
  const finding: Finding = {
    key: keyOf(panel, candidate),
    kind: candidate.kind,
    about: candidate.about,
    currency: panel.currency,
    evidence,
    trades: members.length,
    others: candidate.roles.reduce((count, part) => count + (part === role.against ? 1 : 0), 0),
    net: moneyText(one.net),
    excess: interval === null ? null : { value: moneyText(interval.value), low: moneyText(interval.low), high: moneyText(interval.high) },
    chance: tested?.chance ?? null,
    ...candidate.describe(),
  }
  return { finding, members, weight: Math.abs(interval?.value ?? one.net) }
}

// A significant difference in something other than money may come with a P&L that chance explains: show none then.
const shownInterval = ({ panel, candidate, resampled, evidence }: Judged, tested: TestedChance): Interval | null => {
  const single = intervalOf(panel, candidate, resampled)
  const interval = single === null ? null : ofMany(single, candidate, tested)
  return interval !== null && evidence === 'evident' && crossing(interval, Math.sign(interval.value)) ? null : interval
}

const keyOf = ({ currency }: Panel, { kind, about }: Candidate): string => [kind, ...valuesOf(about), currency].join(':')

const valuesOf = ({ account, product, side, weekday, hour, heldFrom }: AboutTrades): readonly string[] => [account, product, side, weekday, hour, heldFrom].flatMap((value) => (value === undefined ? [] : [String(value)]))

const byWeight = (one: FindingWithMembers & { readonly weight: number }, other: FindingWithMembers & { readonly weight: number }): number =>
  rankOf[one.finding.evidence] - rankOf[other.finding.evidence] || other.weight - one.weight
