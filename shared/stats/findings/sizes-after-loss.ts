import type { GroupTest } from './permutation-test.ts'
import { testedOf } from './evidence.ts'
import type { Panel } from './panel.ts'
import type { Sequences } from './sequences.ts'
import { center, generatorFor, rowShuffler, studentized } from './studentized.ts'

const noise = 1e-9

/**
 * Tests sizes after a loss. Null hypothesis: the size of an account's third (or fourth, …) trade of a day is independent of whether the previous one lost; so
 * sizes are permuted among the account's trades of the same number, over all days. Uses log sizes. The rule for ending a day does not bias this: trades are
 * compared only with others of the same number.
 */
export const testSizeAfterLoss = (panel: Panel, sequences: Sequences, draws: number): GroupTest => {
  const { day, days, gross } = panel
  const { order, starts } = followersByNumber(panel, sequences)
  const sizes = Float64Array.from(order, (index) => Math.log(sequences.size[index] ?? 1))
  const lost = Float64Array.from(order, (index) => ((gross[sequences.before[index] ?? 0] ?? 0) < 0 ? 1 : 0))
  for (const [place, from] of starts.entries()) for (const column of [sizes, lost]) center(column, from, starts[place + 1] ?? order.length)
  const dayOf = order.map((index) => day[index] ?? 0)
  const made = new Float64Array(days.length)
  const statistic = (): { readonly value: number; readonly informativeDays: number } => {
    made.fill(0)
    for (let rank = 0; rank < sizes.length; rank += 1) made[dayOf[rank] ?? 0] = (made[dayOf[rank] ?? 0] ?? 0) + (sizes[rank] ?? 0) * (lost[rank] ?? 0)
    let [sum, squares, informativeDays] = [0, 0, 0]
    for (const own of made) {
      if (Math.abs(own) < noise) continue
      sum += own
      squares += own * own
      informativeDays += 1
    }
    return { value: studentized(sum, squares), informativeDays }
  }
  const seen = statistic()
  const shuffle = rowShuffler([sizes], starts, generatorFor('sizes'))
  const drawn = new Float64Array(draws)
  for (let time = 0; time < draws; time += 1) {
    shuffle()
    drawn[time] = statistic().value
  }
  return { tested: testedOf(seen.value, drawn), sign: Math.sign(seen.value), days: seen.informativeDays }
}

// The trades with a previous trade, sorted by account and number.
const followersByNumber = ({ size, account }: Panel, { before, number }: Sequences): { readonly order: Uint32Array; readonly starts: Uint32Array } => {
  const followers = Array.from({ length: size }, (_, index) => index).filter((index) => (before[index] ?? -1) >= 0)
  followers.sort((one, other) => (account[one] ?? 0) - (account[other] ?? 0) || (number[one] ?? 0) - (number[other] ?? 0) || one - other)
  const begins = (index: number, rank: number): boolean => rank === 0 || [account, number].some((column) => column[index] !== column[followers[rank - 1] ?? 0])
  return { order: Uint32Array.from(followers), starts: Uint32Array.from(followers.flatMap((index, rank) => (begins(index, rank) ? [rank] : []))) }
}
