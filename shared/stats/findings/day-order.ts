import { perDecision, type Decisions } from './decisions.ts'
import { testedOf, type Tested } from './evidence.ts'
import { centre, drawerOf, rowShuffler, studentised } from './studentised.ts'

/** Groups of decisions: the group of each, in the order of the decisions; those of group `groups` are in none that is tested. */
export type Grouping = { readonly labels: Uint16Array; readonly groups: number; readonly column: number; readonly direction: 'both' | 'below' }

const singlesTogether = 20

/** A test of a group, and on how many days it had something to say. */
export type GroupTest = { readonly tested: Tested; readonly sign: number; readonly days: number }

/**
 * Tests of groups within days. Null hypothesis: which of a day's decisions belong to a group has nothing to do with what came of them; so a
 * day's results are dealt out anew among its decisions, and good and bad days stay what they are. Days of one decision are dealt out among
 * twenty such days. The statistic is the group's sum over what its day made on average, studentised over days. All columns are dealt out alike.
 */
export const testWithinDays = (decisions: Decisions, columns: readonly Float64Array[], groupings: readonly Grouping[], draws: number): readonly (readonly GroupTest[])[] => {
  const { order, starts } = strataOf(decisions)
  const values = columns.map((column) => {
    const means = perDecision(decisions, column)
    return Float64Array.from(order, (decision) => means[decision] ?? 0)
  })
  for (const [place, from] of starts.entries()) for (const column of values) centre(column, from, starts[place + 1] ?? order.length)
  const folds = groupings.map((grouping) => foldOf(grouping, order, decisions.day))
  const seen = folds.map((fold, place) => fold(values[groupings[place]?.column ?? 0] ?? new Float64Array()))
  const drawn = groupings.map(({ groups }) => Array.from({ length: groups }, () => new Float64Array(draws)))
  const shuffle = rowShuffler(values, starts, drawerOf('order'))
  for (let time = 0; time < draws; time += 1) {
    shuffle()
    for (const [place, fold] of folds.entries()) {
      const { statistics } = fold(values[groupings[place]?.column ?? 0] ?? new Float64Array())
      for (const [group, column] of (drawn[place] ?? []).entries()) column[time] = statistics[group] ?? 0
    }
  }
  return groupings.map(({ direction }, place) =>
    (drawn[place] ?? []).map((column, group) => {
      const value = seen[place]?.statistics[group] ?? 0
      return { tested: testedOf(value, column, direction), sign: Math.sign(value), days: seen[place]?.days[group] ?? 0 }
    }),
  )
}

// Days of several decisions first, each by itself; then the days of one, twenty together.
const strataOf = ({ count, day }: Decisions): { readonly order: Uint32Array; readonly starts: Uint32Array } => {
  const [several, single]: [number[], number[]] = [[], []]
  const starts: number[] = []
  for (let from = 0; from < count; ) {
    let to = from + 1
    while (to < count && day[to] === day[from]) to += 1
    if (to - from > 1) starts.push(several.length)
    for (let decision = from; decision < to; decision += 1) (to - from > 1 ? several : single).push(decision)
    from = to
  }
  for (let from = 0; from < single.length && (from === 0 || single.length - from >= singlesTogether / 2); from += singlesTogether) starts.push(several.length + from)
  return { order: Uint32Array.from([...several, ...single]), starts: Uint32Array.from(starts) }
}

type Folded = { readonly statistics: Float64Array; readonly days: Float64Array }

// Each day's decisions are put together by group once; a pass over them then adds up one day of one group after the other.
const foldOf = ({ labels, groups }: Grouping, order: Uint32Array, day: Uint32Array): ((values: Float64Array) => Folded) => {
  const { places, ends, group } = cellsOf({ labels, groups }, order, day)
  const [sums, squares] = [new Float64Array(groups), new Float64Array(groups)]
  return (values) => {
    const days = new Float64Array(groups)
    sums.fill(0)
    squares.fill(0)
    let index = 0
    for (let cell = 0; cell < ends.length; cell += 1) {
      const end = ends[cell] ?? 0
      const own = group[cell] ?? 0
      let made = 0
      for (; index < end; index += 1) made += values[places[index] ?? 0] ?? 0
      sums[own] = (sums[own] ?? 0) + made
      squares[own] = (squares[own] ?? 0) + made * made
      if (made !== 0) days[own] = (days[own] ?? 0) + 1
    }
    return { statistics: sums.map((sum, own) => studentised(sum, squares[own] ?? 0)), days }
  }
}

// A group that is all of its day makes nothing beside it: such days say nothing and are left out. Days of one decision are held against other days.
const cellsOf = ({ labels, groups }: Pick<Grouping, 'labels' | 'groups'>, order: Uint32Array, day: Uint32Array): { readonly places: Uint32Array; readonly ends: Uint32Array; readonly group: Uint16Array } => {
  const [places, ends, group]: [number[], number[], number[]] = [[], [], []]
  for (let from = 0; from < order.length; ) {
    let to = from + 1
    while (to < order.length && day[order[to] ?? 0] === day[order[from] ?? 0]) to += 1
    const ofDay = Array.from({ length: to - from }, (_, index) => from + index)
    const cells = Map.groupBy(ofDay, (index) => labels[order[index] ?? 0] ?? groups)
    for (const [own, members] of cells) {
      if (own >= groups || (cells.size === 1 && members.length > 1)) continue
      for (const index of members) places.push(index)
      ends.push(places.length)
      group.push(own)
    }
    from = to
  }
  return { places: Uint32Array.from(places), ends: Uint32Array.from(ends), group: Uint16Array.from(group) }
}
