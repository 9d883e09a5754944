import { randomBelow } from '#shared/rules/random.ts'

/** The number of draws for a number of trades: 999 for a small journal, fewer for a large one, but enough for the level. */
export const drawsFor = (trades: number): number => Math.max(99, Math.min(999, Math.floor(600_000 / Math.max(1, trades))))

/** A sum over days divided by the root of its squares: near standard normal if days are independent and there is no effect, whatever correlates within a day. */
export const studentized = (sum: number, squares: number): number => (squares > 0 ? sum / Math.sqrt(squares) : 0)

/** Permutes stretches of several columns, each from its start to the next, with the same permutation in all columns. */
export const rowShuffler = (columns: readonly Float64Array[], starts: Uint32Array, draw: (below: number) => number): (() => void) => {
  const size = columns[0]?.length ?? 0
  const others = new Uint32Array(size)
  return () => {
    for (let place = 0; place < starts.length; place += 1) {
      const from = starts[place] ?? 0
      const to = starts[place + 1] ?? size
      for (let last = to - 1; last > from; last -= 1) others[last] = from + draw(last - from + 1)
    }
    for (const column of columns) swapRows(column, others, starts)
  }
}

// Column by column: an inner loop over columns is three times as slow.
const swapRows = (column: Float64Array, others: Uint32Array, starts: Uint32Array): void => {
  for (let place = 0; place < starts.length; place += 1) {
    const from = starts[place] ?? 0
    for (let last = (starts[place + 1] ?? column.length) - 1; last > from; last -= 1) {
      const other = others[last] ?? 0
      const value = column[last] ?? 0
      column[last] = column[other] ?? 0
      column[other] = value
    }
  }
}

/** Permutes stretches of a list of indexes, each from its start to the next. */
export const shufflePlaces = (places: Uint32Array, starts: Uint32Array, draw: (below: number) => number): void => {
  for (let place = 0; place < starts.length; place += 1) {
    const from = starts[place] ?? 0
    for (let last = (starts[place + 1] ?? places.length) - 1; last > from; last -= 1) {
      const other = from + draw(last - from + 1)
      const value = places[last] ?? 0
      places[last] = places[other] ?? 0
      places[other] = value
    }
  }
}

/** A random generator for each null hypothesis, with a fixed seed. */
export const generatorFor = (hypothesis: 'order' | 'days' | 'haste' | 'numbers' | 'sizes' | 'accounts' | 'interval'): ((below: number) => number) =>
  randomBelow({ order: 0x51a7, days: 0x0da5, haste: 0x5e9c, numbers: 0x0b3d, sizes: 0x5195, accounts: 0xacc0, interval: 0x1e7a }[hypothesis])

/** Subtracts the mean of a stretch from its values; sets them to 0 if they differ only by float noise. */
export const center = (values: Float64Array, from: number, to: number): void => {
  let [sum, least, most] = [0, Infinity, -Infinity]
  for (let index = from; index < to; index += 1) {
    const value = values[index] ?? 0
    sum += value
    if (value < least) least = value
    if (value > most) most = value
  }
  const mean = sum / (to - from)
  const alike = most - least <= 1e-9 * Math.max(Math.abs(most), Math.abs(least))
  for (let index = from; index < to; index += 1) values[index] = alike ? 0 : (values[index] ?? 0) - mean
}

/** The median, the lower one of two; zero without values. */
export const medianOf = (values: Float64Array): number => values.toSorted()[Math.floor((values.length - 1) / 2)] ?? 0
