import type { Finding, Measure } from '#shared/api/reports.ts'
import { role, rolesOf, type Candidate, type FindingDetails } from './candidate.ts'
import { permutationTest, type GroupTest } from './permutation-test.ts'
import { perDecision, type Decisions } from './decisions.ts'
import { enough, type Tested } from './evidence.ts'
import { countMeasure, moneyMeasure, netBars, plainMeasure, sumsOf, standardMeasures } from './measures.ts'
import type { Panel } from './panel.ts'
import { longestRuns } from './runs.ts'
import { revengeWindowMs, sequencesOf, type Sequences } from './sequences.ts'
import { testSizeAfterLoss } from './sizes-after-loss.ts'
import { generatorFor } from './studentized.ts'

const minute = 60_000
const waits = [0, 2, 5, 10, 30, 60] as const
const maxNumbers = 20
const maxRuns = 12
const shares = [0, 25, 50, 75, 100] as const

/** Findings on the sequence of trades in an account's day: revenge, size after a loss, overtrading, and untested figures of streaks and giving back. */
export const behaviorCandidates = (panel: Panel, decisions: Decisions, draws: number): readonly Candidate[] => {
  const sequences = sequencesOf(panel)
  return [revenge(panel, sequences, decisions, draws), sizeAfterLoss(panel, sequences, draws), overtrading(panel, sequences, decisions, draws), streak(panel), givingBack(panel, sequences)]
}

// Tests the results of decisions in group 0 against group 1; `labelOf` gives the group, null leaves a decision out.
const testOf = (panel: Panel, { count, of, first, day }: Decisions, labelOf: (index: number) => number | null, draws: number, hypothesis: 'haste' | 'numbers'): GroupTest | null => {
  const means = perDecision({ count, of, first, day }, panel.scaled)
  const kept = first.map((_, decision) => decision).filter((decision) => labelOf(first[decision] ?? 0) !== null)
  const labels = Uint16Array.from(kept, (decision) => labelOf(first[decision] ?? 0) ?? 1)
  const [tests] = permutationTest(kept.map((decision) => day[decision] ?? 0), [Float64Array.from(kept, (decision) => means[decision] ?? 0)], [{ labels, groups: 1, column: 0 }], draws, generatorFor(hypothesis))
  return tests?.[0] ?? null
}

/**
 * Compares entries within ten minutes of a losing exit of the same account and day with later entries after a loss: both follow a loss, so a losing day
 * alone does not count as haste. Null hypothesis: the time from a loss to the next entry is independent of the result.
 */
const revenge = (panel: Panel, { before, quick }: Sequences, decisions: Decisions, draws: number): Candidate => {
  const { size, trades, gross } = panel
  const afterLoss = (index: number): boolean => (before[index] ?? -1) >= 0 && (gross[before[index] ?? 0] ?? 0) < 0
  const roles = rolesOf(size, (index) => (!afterLoss(index) ? role.neither : quick[index] === 1 ? role.behind : role.against))
  const test = testOf(panel, decisions, (index) => (!afterLoss(index) ? null : quick[index] === 1 ? 0 : 1), draws, 'haste')
  const wait = (index: number): number => (afterLoss(index) ? waits.findLastIndex((minutes) => (trades[index]?.entryTime ?? 0) - (trades[before[index] ?? 0]?.exitTime ?? 0) > minutes * minute || minutes === 0) : waits.length)
  const bars = (): Finding['bars'] => netBars(panel, waits.map(String), wait, (group) => (waits[group] ?? 0) * minute < revengeWindowMs)
  return { ...candidateOf(panel, 'revenge', roles, test, () => ({ measures: [...standardMeasures(panel, roles)], bars: bars(), barsIn: 'money' })), sign: test?.sign ?? 0, excess: 'pooled' }
}

/** Compares trades after a loss of the same account and day with all others; tests their sizes. */
const sizeAfterLoss = (panel: Panel, sequences: Sequences, draws: number): Candidate => {
  const { size, gross, contracts } = panel
  const { before, size: sizes } = sequences
  const after = (index: number): number => ((before[index] ?? -1) < 0 ? 0 : Math.sign(gross[before[index] ?? 0] ?? 0))
  const roles = rolesOf(size, (index) => (after(index) < 0 ? role.behind : role.against))
  const bars = (): Finding['bars'] =>
    [-1, 0, 1].map((outcome) => {
      const own = sizes.filter((_, index) => after(index) === outcome)
      return { label: String(outcome), value: mean(own).toFixed(4), trades: own.length, marked: outcome === -1 }
    })
  const describe = (): FindingDetails => {
    const [own, other] = [role.behind, role.against].map((part) => sizes.filter((_, index) => roles[index] === part))
    return {
      measures: [...ratioOf('size', own), ...ratioOf('size-other', other), ...standardMeasures(panel, roles)],
      bars: bars(),
      barsIn: 'ratio',
    }
  }
  const varies = contracts.some((own) => own !== contracts[0])
  return { ...candidateOf(panel, 'size-after-loss', roles, varies ? testSizeAfterLoss(panel, sequences, draws) : null, describe), excess: 'pooled' }
}

const ratioOf = (name: 'size' | 'size-other', sizes: Float64Array | undefined): readonly Measure[] => (sizes === undefined || sizes.length === 0 ? [] : [plainMeasure(name, 'ratio', mean(sizes))])

const mean = (values: Float64Array): number => (values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length)

/**
 * Compares the trades of an account's day beyond its usual number, by entry, with those up to it. Null hypothesis: the number of a trade is independent of
 * its result. Compares over all days, since a day often ends because of its last result.
 */
const overtrading = (panel: Panel, { number, usual }: Sequences, decisions: Decisions, draws: number): Candidate => {
  const { size, account } = panel
  const beyond = (index: number): boolean => (number[index] ?? 0) > (usual[account[index] ?? 0] ?? 0)
  const roles = rolesOf(size, (index) => (beyond(index) ? role.behind : role.against))
  const test = testOf(panel, decisions, (index) => (beyond(index) ? 0 : 1), draws, 'numbers')
  const most = Math.min(maxNumbers, number.reduce((top, own) => Math.max(top, own), 0))
  const middle = usual.toSorted()[Math.floor((usual.length - 1) / 2)] ?? 0
  const labels = Array.from({ length: most }, (_, place) => String(place + 1))
  const bars = (): Finding['bars'] => netBars(panel, labels, (index) => Math.min(most, number[index] ?? 1) - 1, (place) => place + 1 > middle)
  return { ...candidateOf(panel, 'overtrading', roles, test, () => ({ measures: [...standardMeasures(panel, roles)], bars: bars(), barsIn: 'money' })), sign: test?.sign ?? 0, excess: 'pooled' }
}

/**
 * The trades of the longest losing streak of one account, over days. Untested: stopping after a win or two losses, good and bad days, and correlated
 * positions all make streaks longer than a permutation of the trades would.
 */
const streak = (panel: Panel): Candidate => {
  const { size, account } = panel
  const longest = longestRuns(panel)
  const roles = new Uint8Array(size).fill(role.against)
  for (let [index, left] = [longest.lossesEnd, longest.losses]; left > 0 && index >= 0; index -= 1) {
    if (account[index] !== account[longest.lossesEnd]) continue
    roles[index] = role.behind
    left -= 1
  }
  const describe = (): FindingDetails => ({
    measures: [countMeasure('longest-losses', longest.losses), countMeasure('longest-wins', longest.wins), countMeasure('trades', size)],
    bars: runBars(panel, longest.losses),
    barsIn: 'count',
  })
  return { kind: 'streak', about: {}, roles, tested: 'never', sign: null, excess: null, describe }
}

// The number of losing streaks by length; the last bar includes longer ones.
const runBars = ({ size, account, accounts, gross }: Panel, longest: number): Finding['bars'] => {
  const most = Math.min(maxRuns, longest)
  const counts = new Float64Array(most)
  const runs = new Uint32Array(accounts.length)
  const end = (run: number): void => {
    if (run > 0) counts[Math.min(most, run) - 1] = (counts[Math.min(most, run) - 1] ?? 0) + 1
  }
  for (let index = 0; index < size; index += 1) {
    const own = account[index] ?? 0
    if ((gross[index] ?? 0) < 0) runs[own] = (runs[own] ?? 0) + 1
    else {
      end(runs[own] ?? 0)
      runs[own] = 0
    }
  }
  for (const run of runs) end(run)
  return Array.from(counts, (count, place) => ({ label: String(place + 1), value: String(count), trades: count * (place + 1), marked: place + 1 === most }))
}

/**
 * The trades after the peak of closed P&L of each account's day that had a profit: their net P&L is what was given back, nothing on a day that ended at
 * its peak. Untested: the trader's rule for stopping decides how far below its peak a day ends, so a loss limit gives back by chance alone.
 */
const givingBack = (panel: Panel, { starts }: Sequences): Candidate => {
  const { size, net, currency } = panel
  const roles = new Uint8Array(size).fill(role.neither)
  const [counts, traded] = [shares.map(() => 0), shares.map(() => 0)]
  let [total, peaks, days] = [0, 0, 0]
  for (let place = 0; place + 1 < starts.length; place += 1) {
    const [from, to] = [starts[place] ?? 0, starts[place + 1] ?? 0]
    let [cumulative, peak, peakAt] = [0, 0, from]
    for (let index = from; index < to; index += 1) {
      cumulative += net[index] ?? 0
      if (cumulative > peak) [peak, peakAt] = [cumulative, index + 1]
    }
    if (peak === 0) continue
    roles.fill(role.against, from, peakAt)
    roles.fill(role.behind, peakAt, to)
    const share = Math.min(100, (100 * (peak - cumulative)) / peak)
    const group = shares.findLastIndex((bound) => share >= bound)
    counts[group] = (counts[group] ?? 0) + 1
    traded[group] = (traded[group] ?? 0) + to - from
    peaks += peak
    total += peak - cumulative
    days += 1
  }
  const describe = (): FindingDetails => ({
    measures: [moneyMeasure('given-back', -total, currency), ...(peaks === 0 ? [] : [plainMeasure('share', 'share', total / peaks)]), countMeasure('days', days, 'days')],
    bars: shares.map((share, group) => ({ label: String(share), value: String(counts[group] ?? 0), trades: traded[group] ?? 0, marked: share >= 50 })),
    barsIn: 'days',
  })
  return { kind: 'giving-back', about: {}, roles, tested: 'never', sign: null, excess: null, describe }
}

const candidateOf = (panel: Panel, kind: Candidate['kind'], roles: Uint8Array, test: GroupTest | null, describe: () => FindingDetails): Candidate => {
  const counts = [role.behind, role.against].map((part) => sumsOf(panel, (index) => roles[index] === part).trades)
  const tested: Tested | null = test !== null && test.days >= enough.days && counts.every((count) => count >= enough.trades) ? test.tested : null
  return { kind, about: {}, roles, tested, sign: null, excess: null, describe }
}
