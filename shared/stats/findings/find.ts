import type { AboutTrades, Evidence, Finding } from '#shared/api/reports.ts'
import { accountCandidates } from './account-differences.ts'
import { excessForVerdict, holdsZero } from './excess-for-verdict.ts'
import { behaviorCandidates } from './behaviors.ts'
import { role, type Candidate } from './candidate.ts'
import { costCandidate } from './costs.ts'
import { decisionsOf } from './decisions.ts'
import { earlyExitCandidate } from './early-exits.ts'
import { chancesOf, enough, evidenceOf, level, type Chance, type Tested } from './evidence.ts'
import { moneyText } from './measures.ts'
import type { ReportTrade } from './report-trade.ts'
import { groupCandidates } from './groups.ts'
import { holdCandidate } from './hold-times.ts'
import { excessOf, intervalOf, resampleDays, type Interval, type Resampled } from './interval.ts'
import { dayCandidates } from './day-findings.ts'
import { panelsOf, type Panel } from './panel.ts'
import { drawsFor } from './studentized.ts'

const maxFindings = 25
const margin = 0.002

/** The zone of weekdays and hours, and of each account the trading days on which a rule was broken. */
export type FindOptions = { readonly zone: string; readonly breachDays: ReadonlyMap<string, ReadonlySet<string>> }

/** A finding and its trades: places in the list that was given, ascending. */
export type FindingWithMembers = { readonly finding: Finding; readonly members: Uint32Array }

/** Findings, largest first, then those that are never tested, and those with too little data last; `tried` are all tests, shown or not, that `level` bounds together. */
export type FindingsResult = { readonly findings: readonly FindingWithMembers[]; readonly tried: number; readonly level: number }

/**
 * Looks for what decides over a trader's money in trips, by permutations and without a model: the same trades give the same findings, in whatever
 * order and under whatever names. Currencies are apart. Every test is studentized over trading days and held against redrawings under its own null
 * hypothesis, and all tests of all kinds and currencies are corrected together: on pure chance at most one report of twenty shows an evident
 * finding. Where a test asks for money, resampled days must also agree with its sign: a finding is never evident whose interval holds zero,
 * and the interval of one that is not evident always holds it.
 * Tested is only what was known at the entry. Where a trader leaves a trade and when they end a day follows from what came of it, and so hold times, early
 * exits, runs, giving back, costs and broken rules are plain figures: `untested`, and not counted. Assumed is that a day's mood, if it has one, does not decide
 * how the trader picks hours, products, sides, waits and sizes.
 * Groups with fewer than 20 trades, or that say something on fewer than ten days, are not tested and not counted: what could be said of them is luck.
 * Of groups, those that are evident are shown, and the best and the worst; at most 25 findings in all.
 */
export const searchFindings = (trades: readonly ReportTrade[], { zone, breachDays }: FindOptions): FindingsResult => {
  const draws = drawsFor(trades.length)
  const examined = panelsOf(trades, zone).flatMap((panel) => {
    const decisions = decisionsOf(panel)
    const resampled = resampleDays(panel)
    const tested = [...groupCandidates(panel, decisions, draws), ...dayCandidates(panel, breachDays, draws), ...behaviorCandidates(panel, decisions, draws), ...accountCandidates(panel, decisions, draws)]
    const candidates = [...tested, holdCandidate(panel), earlyExitCandidate(panel), costCandidate(panel)]
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

type Examined = { readonly panel: Panel; readonly resampled: Resampled; readonly candidate: Candidate; readonly net: number; /** The excess, or the net of a kind that has none. */ readonly weight: number }
type Judged = Examined & { readonly chance: Chance | null; readonly evidence: Evidence; readonly interval: Interval | null }

// Intervals cost time: they are reckoned for what may be evident, and for what is shown.
// The chance of a test of money is never below that of its interval's other side, so that chance and interval cannot contradict each other.
const judge = (examined: Examined, chance: Chance | null): Judged => {
  if (chance === null) return { ...examined, chance, evidence: examined.candidate.tested === 'never' && hasEnoughData(examined.panel) ? 'untested' : 'too-little', interval: null }
  if (examined.candidate.sign === null || chance.alone > level) return { ...examined, chance, evidence: evidenceOf(chance), interval: null }
  const interval = intervalOf(examined.panel, examined.candidate, examined.resampled)
  const least = interval === null ? 1 : crossing(interval, examined.candidate.sign) ? Math.max(interval.otherSide, level + margin) : interval.otherSide
  const both = { alone: Math.max(chance.alone, least), corrected: Math.max(chance.corrected, least) }
  return { ...examined, chance: both, evidence: evidenceOf(both), interval }
}

// A plain figure of a day or two would be luck dressed up, too.
const hasEnoughData = ({ size, days }: Panel): boolean => size >= enough.trades && days.length >= enough.days

// As it will be shown: to the cent.
const crossing = ({ value, low, high }: Interval, sign: number): boolean => Math.sign(value) !== sign || holdsZero({ low: moneyText(low), high: moneyText(high) })

const shownRank: Readonly<Record<Evidence, number>> = { evident: 0, possible: 1, none: 2, untested: 3, 'too-little': 4 }
// What was tested stands together, whatever came of it.
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
  const { panel, candidate, evidence, chance } = one
  const members = panel.given.filter((_, index) => candidate.roles[index] === role.behind).sort()
  const interval = chance === null ? null : (one.interval ?? intervalOf(panel, candidate, one.resampled))
  const finding: Finding = {
    key: keyOf(panel, candidate),
    kind: candidate.kind,
    about: candidate.about,
    currency: panel.currency,
    evidence,
    trades: members.length,
    others: candidate.roles.reduce((count, part) => count + (part === role.against ? 1 : 0), 0),
    net: moneyText(one.net),
    excess: interval === null ? null : excessForVerdict(evidence, { value: moneyText(interval.value), low: moneyText(interval.low), high: moneyText(interval.high) }),
    chance,
    ...candidate.describe(),
  }
  return { finding, members, weight: Math.abs(interval?.value ?? one.net) }
}

const keyOf = ({ currency }: Panel, { kind, about }: Candidate): string => [kind, ...valuesOf(about), currency].join(':')

const valuesOf = ({ account, product, side, weekday, hour, heldFrom }: AboutTrades): readonly string[] => [account, product, side, weekday, hour, heldFrom].flatMap((value) => (value === undefined ? [] : [String(value)]))

const byWeight = (one: FindingWithMembers & { readonly weight: number }, other: FindingWithMembers & { readonly weight: number }): number =>
  rankOf[one.finding.evidence] - rankOf[other.finding.evidence] || other.weight - one.weight
