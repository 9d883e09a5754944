import { randomBelow } from '#shared/rules/random.ts'

/** So many redrawings for so many trades: a thousand for a small journal, and enough for the level in a large one. */
export const drawsFor = (trades: number): number => Math.max(99, Math.min(999, Math.floor(600_000 / Math.max(1, trades))))

/** A sum over days against its own size, day by day: near a standard normal where the days are independent and there is no effect, whatever hangs together within one. */
export const studentized = (sum: number, squares: number): number => (squares > 0 ? sum / Math.sqrt(squares) : 0)

/** Puts stretches of several columns into another order, the same in all of them: from each start to the next, the last to the end. */
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

// One column after the other: a loop over columns within the loop over rows takes three times as long.
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

/** Puts stretches of a list of places into another order, from each start to the next. */
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

/** A generator of its own for each null hypothesis, the same in every report. */
export const generatorFor = (hypothesis: 'order' | 'days' | 'haste' | 'numbers' | 'sizes' | 'accounts' | 'interval'): ((below: number) => number) =>
  randomBelow({ order: 0x51a7, days: 0x0da5, haste: 0x5e9c, numbers: 0x0b3d, sizes: 0x5195, accounts: 0xacc0, interval: 0x1e7a }[hypothesis])

/** Takes from each value of a stretch the mean of the stretch; what differs by less than the noise of a float does not differ. */
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

/** The value in the middle, of two the lower; zero of none. */
export const medianOf = (values: Float64Array): number => values.toSorted()[Math.floor((values.length - 1) / 2)] ?? 0
