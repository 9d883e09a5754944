import type { TickValue } from '#shared/market/contract-spec.ts'
import type { Amount } from '#shared/money/money.ts'

/** A distance from a price: whole ticks above zero, or hundredths of what the planned stop risks. */
export type RuleDistance = { readonly in: 'ticks' | 'r'; readonly value: number }

/** How a trade exits; a null field is no part of the rule. Distances are from the average entry price of the moment. */
export type ExitRule<Distance = RuleDistance> = {
  readonly stop: Distance | null
  readonly target: Distance | null
  /** From the best price since the first entry. */
  readonly trail: Distance | null
  /** So far in favor, the stop moves to the average entry price. */
  readonly breakEven: Distance | null
  /** After the first entry. */
  readonly minutes: number | null
  /** A first target for a share of the contracts, in percent, rounded down to whole ones; the rest is the runner. */
  readonly first: { readonly at: Distance; readonly percent: number } | null
}

/** A rule in ticks of one trade. */
export type TickRule = ExitRule<number>

/** When a trade ends that its rule does not end: where it really ended, at the end of that session, or some minutes after its real exit. */
export type Horizon = { readonly until: 'exit' } | { readonly until: 'session' } | { readonly until: 'minutes'; readonly minutes: number }

/**
 * Assumptions about fills. `slippage` is in ticks, for stops and for exits at a time. Within a bar a stop fills at
 * `any-price` from there to the bar's extreme, or at `every-price` on the way, so that it fills where it is.
 */
export type ExitTerms = { readonly slippage: number; readonly horizon: Horizon; readonly insideBars: 'any-price' | 'every-price' }

/** What one contract of a trade risks, as a quotient of ticks. */
type Planned = { readonly risk: Amount | null; readonly tickValue: TickValue; readonly contracts: number }

/** A rule in ticks of a trade, each distance a tick at least; null where R is asked and no risk is known. */
export const ruleInTicks = (rule: ExitRule, { risk, tickValue, contracts }: Planned): TickRule | null => {
  const hasRisk = risk !== null && risk > 0
  const distances = [rule.stop, rule.target, rule.trail, rule.breakEven, rule.first?.at ?? null]
  if (!hasRisk && distances.some((distance) => distance?.in === 'r')) return null
  const ticks = (distance: RuleDistance | null): number | null => {
    if (distance === null) return null
    if (distance.in === 'ticks') return distance.value
    return Math.max(1, Math.round((distance.value * Number(risk) * tickValue.den) / (100 * tickValue.num * contracts)))
  }
  const first = rule.first && { at: ticks(rule.first.at) ?? 1, percent: rule.first.percent }
  return { stop: ticks(rule.stop), target: ticks(rule.target), trail: ticks(rule.trail), breakEven: ticks(rule.breakEven), minutes: rule.minutes, first }
}
