import { testedOf, type Tested } from './evidence.ts'
import { center, rowShuffler, studentized } from './studentized.ts'

/** The group of each decision; the label `groups` is in none. `column` is the index of the values to test. */
export type Grouping = { readonly labels: Uint16Array; readonly groups: number; readonly column: number }

/** The test of a group, and the number of its informative days. */
export type GroupTest = { readonly tested: Tested; readonly sign: number; readonly days: number }

const blockLength = 60

/**
 * Permutation tests of groups of decisions; `day` is the day of each, ascending. Null hypothesis: the mean result of a decision is independent of what was
 * known at the entry, including its group; so results are permuted within blocks of sixty trading days. The statistic is the group's sum above the mean of
 * its block, studentized over days. Under the null hypothesis it is a sum of fair bets, however the trader exits trades and ends days, since neither is known
 * at the entry. The mean of a single day would be biased: a day that ends with its first win has a chosen order. All columns get the same permutation.
 */
export const permutationTest = (day: Uint32Array, columns: readonly Float64Array[], groupings: readonly Grouping[], draws: number, draw: (below: number) => number): readonly (readonly GroupTest[])[] => {
  const starts = blocksOf(day)
  const values = columns.map((column) => Float64Array.from(column))
  for (const [place, from] of starts.entries()) for (const column of values) center(column, from, starts[place + 1] ?? day.length)
  const folds = groupings.map((grouping) => statisticsBy(grouping, day))
  const seen = folds.map((fold, place) => fold(values[groupings[place]?.column ?? 0] ?? new Float64Array()))
  const drawn = groupings.map(({ groups }) => Array.from({ length: groups }, () => new Float64Array(draws)))
  const shuffle = rowShuffler(values, starts, draw)
  for (let time = 0; time < draws; time += 1) {
    shuffle()
    for (const [place, fold] of folds.entries()) {
      const { statistics } = fold(values[groupings[place]?.column ?? 0] ?? new Float64Array())
      for (const [group, column] of (drawn[place] ?? []).entries()) column[time] = statistics[group] ?? 0
    }
  }
  return groupings.map((_, place) =>
    (drawn[place] ?? []).map((column, group) => {
      const value = seen[place]?.statistics[group] ?? 0
      return { tested: testedOf(value, column), sign: Math.sign(value), days: seen[place]?.days[group] ?? 0 }
    }),
  )
}

// The start of each block; a remainder shorter than half a block joins the last one.
const blocksOf = (day: Uint32Array): Uint32Array => {
  const days = [...new Set(day)]
  const begins = new Set(days.filter((_, rank) => rank % blockLength === 0 && (rank === 0 || days.length - rank >= blockLength / 2)))
  return new Uint32Array(day.length).map((_, index) => index).filter((index) => (index === 0 || day[index] !== day[index - 1]) && begins.has(day[index] ?? 0))
}

type GroupStatistics = { readonly statistics: Float64Array; readonly days: Float64Array }

// Groups each day's decisions once, so that each pass sums one day and group after another.
const statisticsBy = (grouping: Grouping, day: Uint32Array): ((values: Float64Array) => GroupStatistics) => {
  const { places, ends, group } = cellsOf(grouping, day)
  const { groups } = grouping
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
    return { statistics: sums.map((sum, own) => studentized(sum, squares[own] ?? 0)), days }
  }
}

const cellsOf = ({ labels, groups }: Pick<Grouping, 'labels' | 'groups'>, day: Uint32Array): { readonly places: Uint32Array; readonly ends: Uint32Array; readonly group: Uint16Array } => {
  const [places, ends, group]: [number[], number[], number[]] = [[], [], []]
  for (let from = 0; from < day.length; ) {
    let to = from + 1
    while (to < day.length && day[to] === day[from]) to += 1
    const cells = Map.groupBy(Array.from({ length: to - from }, (_, index) => from + index), (index) => labels[index] ?? groups)
    for (const [own, members] of cells) {
      if (own >= groups) continue
      for (const index of members) places.push(index)
      ends.push(places.length)
      group.push(own)
    }
    from = to
  }
  return { places: Uint32Array.from(places), ends: Uint32Array.from(ends), group: Uint16Array.from(group) }
}
