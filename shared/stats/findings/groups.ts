import type { AboutTrades, FindingKind } from '#shared/api/reports.ts'
import { role, rolesOf, type Candidate, type FindingDetails } from './candidate.ts'
import { permutationTest, type Grouping, type GroupTest } from './permutation-test.ts'
import { perDecision, type Decisions } from './decisions.ts'
import { enough } from './evidence.ts'
import { netBars, standardMeasures } from './measures.ts'
import type { Panel } from './panel.ts'
import { generatorFor } from './studentized.ts'

const maxBars = 48

/** A grouping of trades by a property of each. */
type Groups = { readonly kind: FindingKind; readonly of: Uint16Array; readonly labels: readonly string[]; readonly abouts: readonly AboutTrades[] }

/**
 * Findings by hour, product and side, which a trader chooses at the entry. Null hypothesis: a decision's group is independent of its P&L per contract: net,
 * but gross for products, since costs are a finding of their own. See `permutationTest`.
 */
export const groupCandidates = (panel: Panel, decisions: Decisions, draws: number): readonly Candidate[] => {
  const kinds = [byHour(panel), byProduct(panel), bySide(panel)]
  const groupings: Grouping[] = kinds.map(({ kind, of, labels }) => ({
    labels: kind === 'product' ? unmixedLabels(of, labels.length, decisions.of, decisions.first) : Uint16Array.from(decisions.first, (index) => of[index] ?? 0),
    groups: labels.length,
    column: kind === 'product' ? 1 : 0,
  }))
  const columns = [panel.scaled, panel.scaledGross].map((column) => perDecision(decisions, column))
  const tests = permutationTest(decisions.day, columns, groupings, draws, generatorFor('order'))
  return kinds.flatMap((groups, place) => candidatesOf(panel, groups, tests[place] ?? []))
}

/** A candidate for each group with enough trades in and outside it, or one for too little data; of two groups only the first, since they mirror each other. */
export const candidatesOf = (panel: Panel, { kind, of, labels, abouts }: Groups, tests: readonly (GroupTest | undefined)[]): readonly Candidate[] => {
  const counts = labels.map(() => 0)
  for (const group of of) counts[group] = (counts[group] ?? 0) + 1
  const testable = counts.flatMap((count, group) => (count >= enough.trades && panel.size - count >= enough.trades && (tests[group]?.days ?? 0) >= enough.days ? [group] : []))
  const mirrored = counts.filter((count) => count > 0).length === 2
  const bars = (marked: number | null): FindingDetails['bars'] => netBars(panel, labels, (index) => of[index] ?? 0, (group) => group === marked).filter(({ trades }) => labels.length <= maxBars || trades > 0).slice(0, maxBars)
  if (testable.length === 0) {
    const roles = new Uint8Array(panel.size).fill(role.behind)
    return [{ kind, about: {}, roles, tested: null, sign: null, excess: null, describe: () => ({ measures: [...standardMeasures(panel, roles)], bars: bars(null), barsIn: 'money' }) }]
  }
  return testable.slice(0, mirrored ? 1 : undefined).map((group) => {
    const roles = rolesOf(panel.size, (index) => (of[index] === group ? role.behind : role.against))
    return {
      kind, roles,
      about: abouts[group] ?? {},
      tested: tests[group]?.tested ?? null,
      sign: tests[group]?.sign ?? 0,
      excess: 'pooled',
      describe: () => ({ measures: [...standardMeasures(panel, roles)], bars: bars(group), barsIn: 'money' }),
    }
  })
}

const byHour = ({ hour }: Panel): Groups => {
  const hours = Array.from({ length: 24 }, (_, index) => index)
  return { kind: 'hour', of: Uint16Array.from(hour), labels: hours.map(String), abouts: hours.map((own) => ({ hour: own })) }
}

const byProduct = ({ product, products }: Panel): Groups => ({ kind: 'product', of: Uint16Array.from(product), labels: products, abouts: products.map((own) => ({ product: own })) })

const bySide = ({ trades }: Panel): Groups => {
  const sides = ['long', 'short'] as const
  return { kind: 'side', of: Uint16Array.from(trades, ({ side }) => sides.indexOf(side)), labels: sides, abouts: sides.map((side) => ({ side })) }
}

// A decision traded in two products counts for neither.
const unmixedLabels = (of: Uint16Array, groups: number, decision: Uint32Array, first: Uint32Array): Uint16Array => {
  const labels = Uint16Array.from(first, (index) => of[index] ?? groups)
  for (const [index, own] of decision.entries()) if (of[index] !== labels[own]) labels[own] = groups
  return labels
}
