import { testedOf, type Tested } from './evidence.ts'
import type { Panel } from './panel.ts'
import type { Sequences } from './sequences.ts'
import { centre, drawerOf, shufflePlaces, studentised } from './studentised.ts'

/** The tests of how trades follow each other, with the sign of what was seen and the days that said something. */
export type SequenceTest = { readonly tested: Tested; readonly sign: number; readonly days: number }
export type SequenceTests = {
  readonly revenge: SequenceTest
  readonly size: SequenceTest
  readonly overtrading: SequenceTest
  readonly streak: SequenceTest
  readonly givingBack: SequenceTest
  /** Trades of the longest run of losses, the last of it in `lossesEnd`, of wins, and the chance of a run of losses as long. */
  readonly longest: { readonly losses: number; readonly lossesEnd: number; readonly wins: number; readonly chance: number }
  /** What each day gave back beyond what its trades would in a random order, 1/10,000. */
  readonly givenBack: Float64Array
}

const kinds = 4
const noise = 1e-9
const [revenge, size, overtrading, streak] = [0, 1, 2, 3]

/**
 * Tests of revenge, size after a loss, overtrading, streaks and giving back. One null hypothesis for all: the outcomes of an account's day come in
 * an order of no meaning, whenever and however large its trades are. So the outcomes of each account's day are dealt out anew among its trades,
 * and what follows a loss is looked up anew each time. After a loss a day's remaining trades are better than its average even by chance, since
 * the loss is gone from them: that expectation is known exactly and taken off. Statistics are studentised over days, so that accounts which
 * copy each other count once.
 */
export const testSequences = (panel: Panel, sequences: Sequences, draws: number): SequenceTests => {
  const { days, scaled } = panel
  const { starts } = sequences
  const results = Float64Array.from(scaled)
  for (let place = 0; place + 1 < starts.length; place += 1) centre(results, starts[place] ?? 0, starts[place + 1] ?? 0)
  const walk = walkOf(panel, sequences, results)
  const places = new Uint32Array(panel.size).map((_, index) => index)
  const back = new Float64Array((draws + 1) * days.length)
  const [backNow, backInAll] = [new Float64Array(days.length), new Float64Array(days.length)]
  const seen = walk(places, { weighed: back.subarray(0, days.length), money: backNow })
  const drawn = Array.from({ length: kinds }, () => new Float64Array(draws))
  const runs = new Float64Array(draws)
  const draw = drawerOf('sequence')
  for (let time = 0; time < draws; time += 1) {
    shufflePlaces(places, starts, draw)
    const { statistics, losses } = walk(places, { weighed: back.subarray((time + 1) * days.length, (time + 2) * days.length), money: backInAll })
    for (const [kind, column] of drawn.entries()) column[time] = statistics[kind] ?? 0
    runs[time] = losses
  }
  const testOf = (kind: number, direction: 'both' | 'above' = 'both'): SequenceTest => ({
    tested: testedOf(seen.statistics[kind] ?? 0, drawn[kind] ?? new Float64Array(), direction),
    sign: Math.sign(seen.statistics[kind] ?? 0),
    days: seen.days[kind] ?? 0,
  })
  let reached = 1
  for (const run of runs) if (run >= seen.losses) reached += 1
  return {
    revenge: testOf(revenge), size: testOf(size), overtrading: testOf(overtrading), streak: testOf(streak, 'above'),
    givingBack: testGivenBack(back, days.length, draws),
    givenBack: backNow.map((own, day) => own - (own + (backInAll[day] ?? 0)) / (draws + 1)),
    longest: { losses: seen.losses, lossesEnd: seen.lossesEnd, wins: seen.wins, chance: reached / (1 + draws) },
  }
}

// The mean of all orders that were drawn, the real one among them, is what a day gives back by chance.
const testGivenBack = (back: Float64Array, days: number, draws: number): SequenceTest => {
  const means = new Float64Array(days)
  for (let from = 0; from < back.length; from += days) for (let day = 0; day < days; day += 1) means[day] = (means[day] ?? 0) + (back[from + day] ?? 0) / (draws + 1)
  const statistics = new Float64Array(draws + 1)
  let told = 0
  for (let time = 0; time <= draws; time += 1) {
    let sum = 0
    let squares = 0
    for (let day = 0; day < days; day += 1) {
      const over = (back[time * days + day] ?? 0) - (means[day] ?? 0)
      if (Math.abs(over) < noise) continue
      sum += over
      squares += over * over
      if (time === 0) told += 1
    }
    statistics[time] = studentised(sum, squares)
  }
  const value = statistics[0] ?? 0
  return { tested: testedOf(value, statistics.slice(1), 'above'), sign: Math.sign(value), days: told }
}

/** What each day gave back: weighed by how large each account's trades of the day were, so that a day of large ones counts as any other, and in 1/10,000. */
type Back = { readonly weighed: Float64Array; readonly money: Float64Array }

type Walked = { readonly statistics: Float64Array; readonly days: Float64Array; readonly losses: number; readonly lossesEnd: number; readonly wins: number }

const walkOf = (panel: Panel, { starts, before, number, usual, size: sizes, quick }: Sequences, results: Float64Array): ((places: Uint32Array, back: Back) => Walked) => {
  const { net, gross, day, account, accounts } = panel
  const signs = Int8Array.from(gross, Math.sign)
  const expected = expectedOf(signs, quick, results, starts)
  const weights = weightsOf(net, starts)
  const relative = relativeSizes(sizes, before, starts)
  const [lossRun, winRun] = [new Uint32Array(accounts.length), new Uint32Array(accounts.length)]
  const [own, sums, squares] = [new Float64Array(kinds), new Float64Array(kinds), new Float64Array(kinds)]
  const columns = [lossRun, winRun, own, sums, squares]
  return (places, { weighed, money }) => {
    const days = new Float64Array(kinds)
    for (const column of columns) column.fill(0)
    let losses = 0
    let lossesEnd = 0
    let wins = 0
    for (let place = 0; place + 1 < starts.length; place += 1) {
      const from = starts[place] ?? 0
      const to = starts[place + 1] ?? 0
      const who = account[from] ?? 0
      const most = usual[who] ?? 0
      // One by one: lists that are taken apart at once cost more than all that follows.
      let afterLoss = 0
      let larger = 0
      let beyond = 0
      let repeats = 0
      let cumulative = 0
      let peak = 0
      let lossesNow = lossRun[who] ?? 0
      let winsNow = winRun[who] ?? 0
      let last = 0
      for (let index = from; index < to; index += 1) {
        const source = places[index] ?? 0
        const sign = signs[source] ?? 0
        const made = results[source] ?? 0
        const earlier = before[index] ?? -1
        if (earlier >= 0 && (signs[places[earlier] ?? 0] ?? 0) < 0) {
          larger += relative[index] ?? 0
          if (quick[index] === 1) afterLoss += made
        }
        if ((number[index] ?? 0) > most) beyond += made
        if (sign !== 0 && sign === last && index > from) repeats += 1
        last = sign
        lossesNow = sign < 0 ? lossesNow + 1 : 0
        winsNow = sign > 0 ? winsNow + 1 : 0
        if (lossesNow > losses) {
          losses = lossesNow
          lossesEnd = index
        }
        if (winsNow > wins) wins = winsNow
        cumulative += net[source] ?? 0
        if (cumulative > peak) peak = cumulative
      }
      lossRun[who] = lossesNow
      winRun[who] = winsNow
      const today = day[from] ?? 0
      weighed[today] = (weighed[today] ?? 0) + (peak - cumulative) * (weights[place] ?? 0)
      money[today] = (money[today] ?? 0) + peak - cumulative
      own[revenge] = (own[revenge] ?? 0) + afterLoss - (expected.revenge[place] ?? 0)
      own[size] = (own[size] ?? 0) + larger
      own[overtrading] = (own[overtrading] ?? 0) + beyond
      own[streak] = (own[streak] ?? 0) + repeats - (expected.streak[place] ?? 0)
      if (to < day.length && day[to] === today) continue
      for (let kind = 0; kind < kinds; kind += 1) {
        const told = own[kind] ?? 0
        own[kind] = 0
        if (Math.abs(told) < noise) continue
        sums[kind] = (sums[kind] ?? 0) + told
        squares[kind] = (squares[kind] ?? 0) + told * told
        days[kind] = (days[kind] ?? 0) + 1
      }
    }
    return { statistics: sums.map((sum, kind) => studentised(sum, squares[kind] ?? 0)), days, losses, lossesEnd, wins }
  }
}

/**
 * What each account's day comes to on average over all orders of its results (which sum to zero): of the trades that are entered soon after a loss,
 * -(all losses) / n(n - 1) each of n; and how many neighbours are both wins or both losses.
 */
export const expectedOf = (signs: Int8Array, quick: Uint8Array, results: Float64Array, starts: Uint32Array): { readonly revenge: Float64Array; readonly streak: Float64Array } => {
  const expected = { revenge: new Float64Array(starts.length), streak: new Float64Array(starts.length) }
  for (let place = 0; place + 1 < starts.length; place += 1) {
    const [from, to] = [starts[place] ?? 0, starts[place + 1] ?? 0]
    let [lost, pairs, wins, losses] = [0, 0, 0, 0]
    for (let index = from; index < to; index += 1) {
      const sign = signs[index] ?? 0
      pairs += quick[index] ?? 0
      if (sign > 0) wins += 1
      if (sign >= 0) continue
      losses += 1
      lost += results[index] ?? 0
    }
    const count = to - from
    expected.revenge[place] = count < 2 ? 0 : (-pairs * lost) / (count * (count - 1))
    expected.streak[place] = (wins * (wins - 1) + losses * (losses - 1)) / count
  }
  return expected
}

const weightsOf = (net: Float64Array, starts: Uint32Array): Float64Array =>
  Float64Array.from(starts, (from, place) => {
    const squares = net.subarray(from, starts[place + 1] ?? from).reduce((sum, made) => sum + made * made, 0)
    return squares === 0 ? 0 : 1 / Math.sqrt(squares)
  })

// Against the other trades of the account's day that followed one, by logarithm: twice the size is as far away as half of it.
const relativeSizes = (sizes: Float64Array, before: Int32Array, starts: Uint32Array): Float64Array => {
  const relative = new Float64Array(sizes.length)
  for (let place = 0; place + 1 < starts.length; place += 1) {
    const followers: number[] = []
    for (let index = starts[place] ?? 0; index < (starts[place + 1] ?? 0); index += 1) if ((before[index] ?? -1) >= 0) followers.push(index)
    if (followers.length === 0) continue
    const values = Float64Array.from(followers, (index) => Math.log(sizes[index] ?? 1))
    centre(values, 0, values.length)
    for (const [rank, index] of followers.entries()) relative[index] = values[rank] ?? 0
  }
  return relative
}
