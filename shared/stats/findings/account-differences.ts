import { microsOf } from '#shared/market/micros.ts'
import { role, rolesOf, type Candidate } from './candidate.ts'
import type { Decisions } from './decisions.ts'
import { enough, testedOf } from './evidence.ts'
import { moneyText, sumsOf, standardMeasures } from './measures.ts'
import type { Panel } from './panel.ts'
import { generatorFor, rowShuffler, studentized } from './studentized.ts'

const maxBars = 48

/** The trades of decisions that several accounts share, sorted by decision, with the net P&L of each per micro contract. */
type Shared = { readonly index: Uint32Array; readonly account: Uint32Array; readonly day: Uint32Array; readonly starts: Uint32Array; readonly made: Float64Array; readonly micros: Float64Array }

/**
 * Findings of accounts that shared decisions but made another P&L per micro contract. Null hypothesis: within a decision, it is chance which
 * account got which result; so results are permuted within each decision. The statistic is an account's sum above the mean of the others,
 * studentized over days. The excess is that difference at the account's own size: the effect of slippage, missed exits or costs. Of two
 * accounts only one is tested, since they mirror each other. Without shared decisions there is no finding.
 */
export const accountCandidates = (panel: Panel, decisions: Decisions, draws: number): readonly Candidate[] => {
  const { size, accounts, account } = panel
  if (accounts.length < 2) return []
  const shared = sharedOf(panel, decisions)
  if (shared.index.length === 0) return []
  const seen = statisticsOf(shared, accounts.length)
  const drawn = accounts.map(() => new Float64Array(draws))
  const dealt = { ...shared, made: Float64Array.from(shared.made) }
  const shuffle = rowShuffler([dealt.made], shared.starts, generatorFor('accounts'))
  for (let time = 0; time < draws; time += 1) {
    shuffle()
    const { statistics } = statisticsOf(dealt, accounts.length)
    for (const [own, column] of drawn.entries()) column[time] = statistics[own] ?? 0
  }
  const inShared = new Uint8Array(size)
  for (const index of shared.index) inShared[index] = 1
  const byDay = accounts.map((_, own) => excessByDay(shared, own, panel.days.length))
  const counts = accounts.map((_, own) => shared.account.reduce((count, other) => count + (other === own ? 1 : 0), 0))
  const taking = counts.flatMap((count, own) => (count > 0 ? [own] : []))
  const bars = (marked: number | null) => taking.slice(0, maxBars).map((own) => ({ label: accounts[own] ?? '', value: moneyText((byDay[own] ?? new Float64Array()).reduce((sum, made) => sum + made, 0)), trades: counts[own] ?? 0, marked: own === marked }))
  const testable = taking.filter((own) => (counts[own] ?? 0) >= enough.trades && (seen.days[own] ?? 0) >= enough.days)
  if (testable.length === 0) {
    const roles = inShared.map((own) => (own === 1 ? role.behind : role.neither))
    return [{ kind: 'account-consistency', about: {}, roles, tested: null, sign: null, excess: null, describe: () => ({ measures: [...standardMeasures(panel, roles)], bars: bars(null), barsIn: 'money' }) }]
  }
  const withOwn = testable.slice(0, taking.length === 2 ? 1 : undefined).map((own): Candidate => {
    const together = decisionsWith(shared, own, size)
    const roles = rolesOf(size, (index) => (together[index] === 0 ? role.neither : account[index] === own ? role.behind : role.against))
    const value = seen.statistics[own] ?? 0
    return {
      kind: 'account-consistency', roles,
      about: { account: accounts[own] ?? '' },
      tested: testedOf(value, drawn[own] ?? new Float64Array(draws)),
      sign: Math.sign(value),
      excess: byDay[own] ?? null,
      describe: () => ({ measures: [...standardMeasures(panel, roles)], bars: bars(own), barsIn: 'money' }),
    }
  })
  return withOwn.filter(({ roles }) => sumsOf(panel, (index) => roles[index] === role.against).trades > 0)
}

const sharedOf = ({ account, day, net, contracts, product, products }: Panel, { count, of }: Decisions): Shared => {
  const members = new Uint32Array(count)
  for (const decision of of) members[decision] = (members[decision] ?? 0) + 1
  const index = new Uint32Array(of.length).map((_, place) => place).filter((place) => (members[of[place] ?? 0] ?? 0) > 1).sort((one, other) => (of[one] ?? 0) - (of[other] ?? 0) || one - other)
  const starts = index.filter((place, rank) => rank === 0 || of[place] !== of[index[rank - 1] ?? 0])
  const ranks = new Map(Array.from(index, (place, rank) => [place, rank]))
  const sizes = products.map(microsOf)
  const micros = Float64Array.from(index, (place) => (contracts[place] ?? 1) * (sizes[product[place] ?? 0] ?? 1))
  return {
    index, micros,
    account: index.map((place) => account[place] ?? 0),
    day: index.map((place) => day[place] ?? 0),
    starts: Uint32Array.from([...Array.from(starts, (place) => ranks.get(place) ?? 0), index.length]),
    made: micros.map((own, rank) => (net[index[rank] ?? 0] ?? 0) / own),
  }
}

const statisticsOf = ({ account, day, starts, made }: Shared, accounts: number): { readonly statistics: Float64Array; readonly days: Float64Array } => {
  const [own, sums, squares, days] = [new Float64Array(accounts), new Float64Array(accounts), new Float64Array(accounts), new Float64Array(accounts)]
  for (let place = 0; place + 1 < starts.length; place += 1) {
    const [from, to] = [starts[place] ?? 0, starts[place + 1] ?? 0]
    const total = totalOf(made, from, to)
    for (let rank = from; rank < to; rank += 1) own[account[rank] ?? 0] = (own[account[rank] ?? 0] ?? 0) + aboveOthers(made[rank] ?? 0, total, to - from)
    if (to < day.length && day[to] === day[from]) continue
    for (let who = 0; who < accounts; who += 1) {
      const over = own[who] ?? 0
      own[who] = 0
      if (Math.abs(over) < 1e-3) continue
      sums[who] = (sums[who] ?? 0) + over
      squares[who] = (squares[who] ?? 0) + over * over
      days[who] = (days[who] ?? 0) + 1
    }
  }
  return { statistics: sums.map((sum, who) => studentized(sum, squares[who] ?? 0)), days }
}

const totalOf = (made: Float64Array, from: number, to: number): number => {
  let total = 0
  for (let rank = from; rank < to; rank += 1) total += made[rank] ?? 0
  return total
}

// The difference from the mean of the others in the decision.
const aboveOthers = (own: number, total: number, accounts: number): number => (accounts * own - total) / (accounts - 1)

const excessByDay = ({ account, day, starts, made, micros }: Shared, who: number, days: number): Float64Array => {
  const excess = new Float64Array(days)
  for (let place = 0; place + 1 < starts.length; place += 1) {
    const [from, to] = [starts[place] ?? 0, starts[place + 1] ?? 0]
    const total = totalOf(made, from, to)
    for (let rank = from; rank < to; rank += 1) {
      if (account[rank] === who) excess[day[rank] ?? 0] = (excess[day[rank] ?? 0] ?? 0) + aboveOthers(made[rank] ?? 0, total, to - from) * (micros[rank] ?? 0)
    }
  }
  return excess
}

// Flags the trades of the decisions in which an account took part.
const decisionsWith = ({ index, account, starts }: Shared, who: number, size: number): Uint8Array => {
  const together = new Uint8Array(size)
  for (let place = 0; place + 1 < starts.length; place += 1) {
    const [from, to] = [starts[place] ?? 0, starts[place + 1] ?? 0]
    if (account.subarray(from, to).includes(who)) for (let rank = from; rank < to; rank += 1) together[index[rank] ?? 0] = 1
  }
  return together
}
