import { role, rolesOf, type Candidate } from './candidate.ts'
import type { GroupTest } from './permutation-test.ts'
import { testedOf } from './evidence.ts'
import { netBars, standardMeasures } from './measures.ts'
import { candidatesOf } from './groups.ts'
import type { Panel } from './panel.ts'
import { center, generatorFor, shufflePlaces, studentized } from './studentized.ts'

const blockLength = 20
const week = 7
const noise = 1e-9

/**
 * Findings by weekday, tested over days, and the untested figures of days with a broken rule. Null hypothesis of weekdays: within about a month, the day is
 * independent of the P&L per contract of its trades; so whole days are permuted within blocks of twenty trading days, with evening and next morning separate
 * by date. The statistic is the group's sum above the block's mean, studentized over days.
 */
export const dayCandidates = (panel: Panel, breachDays: ReadonlyMap<string, ReadonlySet<string>>, draws: number): readonly Candidate[] => {
  const broken = brokenDays(panel, breachDays)
  const cells = cellsOf(panel)
  const seen = statisticsOf(cells, identity(panel.days.length))
  const drawn = Array.from(seen.statistics, () => new Float64Array(draws))
  const places = identity(panel.days.length)
  const starts = blocksOf(panel.days.length)
  const draw = generatorFor('days')
  for (let time = 0; time < draws; time += 1) {
    shufflePlaces(places, starts, draw)
    const { statistics } = statisticsOf(cells, places)
    for (const [test, column] of drawn.entries()) column[time] = statistics[test] ?? 0
  }
  const tests = drawn.map((column, test): GroupTest => ({ tested: testedOf(seen.statistics[test] ?? 0, column), sign: Math.sign(seen.statistics[test] ?? 0), days: seen.days[test] ?? 0 }))
  const weekdays = [1, 2, 3, 4, 5, 6, 7]
  const byWeekday = candidatesOf(panel, { kind: 'weekday', of: Uint16Array.from(panel.weekday), labels: weekdays.map(String), abouts: weekdays.map((weekday) => ({ weekday })) }, tests)
  return broken.some((flags) => flags.includes(1)) ? [...byWeekday, breachCandidate(panel, broken)] : byWeekday
}

/** Compares the days on which an account broke a rule with its other days. Untested: a day that breached a loss limit lost money by definition. */
const breachCandidate = (panel: Panel, broken: readonly Uint8Array[]): Candidate => {
  const { account, day } = panel
  const affected = broken.map((flags) => flags.includes(1))
  const roles = rolesOf(panel.size, (index) => (affected[account[index] ?? 0] !== true ? role.neither : broken[account[index] ?? 0]?.[day[index] ?? 0] === 1 ? role.behind : role.against))
  return {
    kind: 'rule-breach', about: {}, roles, tested: 'never', sign: null, excess: null,
    describe: () => ({
      measures: [...standardMeasures(panel, roles)],
      bars: netBars(panel, ['1', '0'], (index) => (roles[index] === role.behind ? 0 : roles[index] === role.against ? 1 : 2), (group) => group === 0),
      barsIn: 'money',
    }),
  }
}

// Flags the days with a broken rule, by account.
const brokenDays = ({ accounts, days }: Panel, breachDays: ReadonlyMap<string, ReadonlySet<string>>): readonly Uint8Array[] =>
  accounts.map((account) => {
    const broken = breachDays.get(account)
    return Uint8Array.from(days, (day) => (broken?.has(day) === true ? 1 : 0))
  })

/** The results of a trading day by date of entry: a day over two dates has two cells. */
type Cells = { readonly day: Uint32Array; readonly shift: Int32Array; readonly weekday: Uint8Array; readonly made: Float64Array }

const cellsOf = (panel: Panel): Cells => {
  const { size, day, dayShift, weekday } = panel
  const centered = centeredByBlock(panel, blocksOf(panel.days.length))
  const firsts: number[] = []
  const sums: number[] = []
  const places = new Map<number, number>()
  for (let index = 0; index < size; index += 1) {
    if (index > 0 && day[index] !== day[index - 1]) places.clear()
    const shift = dayShift[index] ?? 0
    const place = places.get(shift) ?? firsts.length
    if (place === firsts.length) {
      places.set(shift, place)
      firsts.push(index)
    }
    sums[place] = (sums[place] ?? 0) + (centered[index] ?? 0)
  }
  return {
    day: Uint32Array.from(firsts, (index) => day[index] ?? 0),
    shift: Int32Array.from(firsts, (index) => dayShift[index] ?? 0),
    // The weekday of the trading day: that of the entry minus the shift.
    weekday: weekdaysOfDays(panel, weekday),
    made: Float64Array.from(sums),
  }
}

const weekdaysOfDays = ({ day, days, dayShift }: Panel, weekday: Uint8Array): Uint8Array => {
  const of = new Uint8Array(days.length)
  for (const [index, own] of day.entries()) of[own] = modulo((weekday[index] ?? 0) - (dayShift[index] ?? 0))
  return of
}

// Subtracts the mean of its block from each trade; a panel is sorted by day.
const centeredByBlock = ({ size, scaled, day }: Panel, starts: Uint32Array): Float64Array => {
  const centered = Float64Array.from(scaled)
  const blockOf = (index: number): number => Math.min(starts.length - 1, Math.floor((day[index] ?? 0) / blockLength))
  for (let from = 0; from < size; ) {
    let to = from + 1
    while (to < size && blockOf(to) === blockOf(from)) to += 1
    center(centered, from, to)
    from = to
  }
  return centered
}

const blocksOf = (days: number): Uint32Array => {
  const starts: number[] = []
  for (let from = 0; from < days && (from === 0 || days - from >= blockLength / 2); from += blockLength) starts.push(from)
  return Uint32Array.from(starts)
}

const identity = (length: number): Uint32Array => new Uint32Array(length).map((_, index) => index)

const modulo = (day: number): number => ((day % week) + week) % week

// After a permutation, a trading day counts under the weekday of the day that it replaces.
const statisticsOf = ({ day, shift, weekday, made }: Cells, places: Uint32Array): { readonly statistics: Float64Array; readonly days: Float64Array } => {
  const [own, sums, squares, days] = [new Float64Array(week), new Float64Array(week), new Float64Array(week), new Float64Array(week)]
  for (let cell = 0; cell < day.length; cell += 1) {
    const group = modulo((weekday[places[day[cell] ?? 0] ?? 0] ?? 0) + (shift[cell] ?? 0))
    own[group] = (own[group] ?? 0) + (made[cell] ?? 0)
    if (cell + 1 < day.length && day[cell + 1] === day[cell]) continue
    for (let test = 0; test < week; test += 1) {
      const today = own[test] ?? 0
      own[test] = 0
      if (Math.abs(today) < noise) continue
      sums[test] = (sums[test] ?? 0) + today
      squares[test] = (squares[test] ?? 0) + today * today
      days[test] = (days[test] ?? 0) + 1
    }
  }
  return { statistics: sums.map((sum, test) => studentized(sum, squares[test] ?? 0)), days }
}
