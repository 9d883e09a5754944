import { role, rolesOf, type Candidate } from './candidate.ts'
import type { GroupTest } from './day-order.ts'
import { enough, testedOf } from './evidence.ts'
import { netBars, sumsOf, usualMeasures } from './figures-of.ts'
import { candidatesOf } from './groups.ts'
import type { Panel } from './panel.ts'
import { centre, drawerOf, shufflePlaces, studentised } from './studentised.ts'

const blockLength = 20
const week = 7
const noise = 1e-9

/**
 * Findings by weekday and of days on which a rule was broken; both are tested over days. Null hypothesis: which day of a month or so it was has
 * nothing to do with what the day's trades made per contract; so days change places within blocks of twenty trading days, each with all of its
 * trades, evening and next morning kept apart by date. The statistic is the group's sum over the block's mean, studentised over days. A day on
 * which a loss limit broke lost money by definition: that finding says what such days cost, not that rules bring losses.
 */
export const dayCandidates = (panel: Panel, breachDays: ReadonlyMap<string, ReadonlySet<string>>, draws: number): readonly Candidate[] => {
  const broken = brokenDays(panel, breachDays)
  const breaches = broken.some((flags) => flags.includes(1))
  const cells = cellsOf(panel)
  const seen = statisticsOf(cells, identity(panel.days.length), broken)
  const drawn = Array.from(seen.statistics, () => new Float64Array(draws))
  const places = identity(panel.days.length)
  const starts = blocksOf(panel.days.length)
  const draw = drawerOf('days')
  for (let time = 0; time < draws; time += 1) {
    shufflePlaces(places, starts, draw)
    const { statistics } = statisticsOf(cells, places, broken)
    for (const [test, column] of drawn.entries()) column[time] = statistics[test] ?? 0
  }
  const tests = drawn.map((column, test): GroupTest => ({ tested: testedOf(seen.statistics[test] ?? 0, column), sign: Math.sign(seen.statistics[test] ?? 0), days: seen.days[test] ?? 0 }))
  const weekdays = [1, 2, 3, 4, 5, 6, 7]
  const byWeekday = candidatesOf(panel, { kind: 'weekday', of: Uint16Array.from(panel.weekday), labels: weekdays.map(String), abouts: weekdays.map((weekday) => ({ weekday })) }, tests)
  return breaches ? [...byWeekday, breachCandidate(panel, broken, tests[week])] : byWeekday
}

const breachCandidate = (panel: Panel, broken: readonly Uint8Array[], test: GroupTest | undefined): Candidate => {
  const { account, day } = panel
  const affected = broken.map((flags) => flags.includes(1))
  const roles = rolesOf(panel.size, (index) => (affected[account[index] ?? 0] !== true ? role.neither : broken[account[index] ?? 0]?.[day[index] ?? 0] === 1 ? role.behind : role.against))
  const [own, other] = [role.behind, role.against].map((part) => sumsOf(panel, (index) => roles[index] === part))
  const tests = test !== undefined && (own?.trades ?? 0) >= enough.trades && (other?.trades ?? 0) >= enough.trades && test.days >= enough.days
  return {
    kind: 'rule-breach', about: {}, roles,
    tested: tests ? test.tested : null,
    sign: test?.sign ?? 0,
    excess: 'pooled',
    tell: () => ({
      measures: [...usualMeasures(panel, roles)],
      bars: netBars(panel, ['1', '0'], (index) => (roles[index] === role.behind ? 0 : roles[index] === role.against ? 1 : 2), (group) => group === 0),
      barsIn: 'money',
    }),
  }
}

// A flag for each account and day on which it traded and a rule was broken.
const brokenDays = ({ accounts, days }: Panel, breachDays: ReadonlyMap<string, ReadonlySet<string>>): readonly Uint8Array[] =>
  accounts.map((account) => {
    const broken = breachDays.get(account)
    return Uint8Array.from(days, (day) => (broken?.has(day) === true ? 1 : 0))
  })

/** What each account made on a trading day by the date of the entry: a day of two dates has two cells. */
type Cells = { readonly day: Uint32Array; readonly account: Uint32Array; readonly shift: Int32Array; readonly weekday: Uint8Array; readonly overall: Float64Array; readonly inAccount: Float64Array }

const cellsOf = (panel: Panel): Cells => {
  const { size, day, account, dayShift, weekday, accounts } = panel
  const overall = centredIn(panel, blocksOf(panel.days.length), () => 0, 1)
  const inAccount = centredIn(panel, blocksOf(panel.days.length), (index) => account[index] ?? 0, accounts.length)
  const firsts: number[] = []
  const sums: [number[], number[]] = [[], []]
  const places = new Map<number, number>()
  for (let index = 0; index < size; index += 1) {
    if (index > 0 && (day[index] !== day[index - 1] || account[index] !== account[index - 1])) places.clear()
    const shift = dayShift[index] ?? 0
    const place = places.get(shift) ?? firsts.length
    if (place === firsts.length) {
      places.set(shift, place)
      firsts.push(index)
    }
    sums[0][place] = (sums[0][place] ?? 0) + (overall[index] ?? 0)
    sums[1][place] = (sums[1][place] ?? 0) + (inAccount[index] ?? 0)
  }
  return {
    day: Uint32Array.from(firsts, (index) => day[index] ?? 0),
    account: Uint32Array.from(firsts, (index) => account[index] ?? 0),
    shift: Int32Array.from(firsts, (index) => dayShift[index] ?? 0),
    // The weekday of the trading day itself: that of the entry, taken back by the shift.
    weekday: weekdaysOfDays(panel, weekday),
    overall: Float64Array.from(sums[0]),
    inAccount: Float64Array.from(sums[1]),
  }
}

const weekdaysOfDays = ({ day, days, dayShift }: Panel, weekday: Uint8Array): Uint8Array => {
  const of = new Uint8Array(days.length)
  for (const [index, own] of day.entries()) of[own] = modulo((weekday[index] ?? 0) - (dayShift[index] ?? 0))
  return of
}

// Each trade over the mean of its block, within its part.
const centredIn = ({ size, scaled, day }: Panel, starts: Uint32Array, partOf: (index: number) => number, parts: number): Float64Array => {
  const blockOf = (index: number): number => Math.min(starts.length - 1, Math.floor((day[index] ?? 0) / blockLength))
  const members = Array.from({ length: starts.length * parts }, (): number[] => [])
  for (let index = 0; index < size; index += 1) members[blockOf(index) * parts + partOf(index)]?.push(index)
  const centred = new Float64Array(size)
  for (const places of members) {
    if (places.length === 0) continue
    const values = Float64Array.from(places, (index) => scaled[index] ?? 0)
    centre(values, 0, values.length)
    for (const [place, index] of places.entries()) centred[index] = values[place] ?? 0
  }
  return centred
}

const blocksOf = (days: number): Uint32Array => {
  const starts: number[] = []
  for (let from = 0; from < days && (from === 0 || days - from >= blockLength / 2); from += blockLength) starts.push(from)
  return Uint32Array.from(starts)
}

const identity = (length: number): Uint32Array => new Uint32Array(length).map((_, index) => index)

const modulo = (day: number): number => ((day % week) + week) % week

// Seven weekdays, and the broken days as an eighth; each trading day counts with the date of the day whose place it takes.
const statisticsOf = ({ day, account, shift, weekday, overall, inAccount }: Cells, places: Uint32Array, broken: readonly Uint8Array[]): { readonly statistics: Float64Array; readonly days: Float64Array } => {
  const tests = week + 1
  const [own, sums, squares, days] = [new Float64Array(tests), new Float64Array(tests), new Float64Array(tests), new Float64Array(tests)]
  for (let cell = 0; cell < day.length; cell += 1) {
    const date = places[day[cell] ?? 0] ?? 0
    const group = modulo((weekday[date] ?? 0) + (shift[cell] ?? 0))
    own[group] = (own[group] ?? 0) + (overall[cell] ?? 0)
    if (broken[account[cell] ?? 0]?.[date] === 1) own[week] = (own[week] ?? 0) + (inAccount[cell] ?? 0)
    if (cell + 1 < day.length && day[cell + 1] === day[cell]) continue
    for (let test = 0; test < tests; test += 1) {
      const made = own[test] ?? 0
      own[test] = 0
      if (Math.abs(made) < noise) continue
      sums[test] = (sums[test] ?? 0) + made
      squares[test] = (squares[test] ?? 0) + made * made
      days[test] = (days[test] ?? 0) + 1
    }
  }
  return { statistics: sums.map((sum, test) => studentised(sum, squares[test] ?? 0)), days }
}
