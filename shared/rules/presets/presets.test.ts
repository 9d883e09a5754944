// @module-tag slow
import { describe, expect, test } from 'vitest'
import { rulePreset, type RulePreset, type RuleSet } from '../../api/rules.ts'
import { firm } from '../../api/records.ts'
import { rulePresets } from './presets.ts'

/** How a rule's fact begins. */
const names = {
  maxLoss: 'Drawdown limit',
  dailyLoss: 'Daily loss limit',
  profitTarget: 'Profit target',
  consistency: 'Consistency rule',
  minimumDays: 'Min trading days',
  contracts: 'Max contracts',
  flatBy: 'Flat by',
  noHedging: 'Hedging',
  timeLimit: 'Time limit',
  payout: 'Payout',
  winningDays: 'Winning days',
} as const satisfies Partial<Record<keyof RuleSet, string>>

type Rule = keyof typeof names
const rules = Object.keys(names) as Rule[]

const factsOf = (preset: RulePreset, rule: Rule): string => preset.facts.map(({ fact }) => fact.replace(/ \([^()]+\)$/, '')).filter((fact) => fact.startsWith(names[rule])).join('\n')
const spoken = (dollars: string): string => `${Number(dollars).toLocaleString('en-US')} USD`
const ordered = (numbers: readonly number[]): boolean => numbers.every((number, at) => at === 0 || number > (numbers[at - 1] ?? 0))

/** Every figure of a rule, as its facts must state it. */
const figures = ({ set }: RulePreset, rule: Rule): string[] => {
  const { maxLoss, dailyLoss, contracts, payout } = set
  const byRule: Record<Rule, (string | null | undefined)[]> = {
    maxLoss: maxLoss === null ? [] : [spoken(maxLoss.amount), maxLoss.locksAt !== null && maxLoss.locksAt !== '0' ? spoken(maxLoss.locksAt) : null],
    dailyLoss: dailyLoss === null ? [] : [spoken(dailyLoss.amount)],
    profitTarget: set.profitTarget === null ? [] : [spoken(set.profitTarget)],
    consistency: set.consistency === null ? [] : [`${String(set.consistency.percent)} %`],
    minimumDays: [set.minimumDays === null ? null : String(set.minimumDays)],
    contracts: contracts === null ? [] : [String(contracts.all), ...contracts.scaling.map(({ fromProfit, most }) => (contracts.scaling.length > 1 ? `${String(most)} from ${spoken(fromProfit).replace(' USD', '')}` : null))],
    flatBy: [set.flatBy?.time, set.flatBy?.zone === 'America/Chicago' ? 'Chicago' : set.flatBy && 'New York'],
    noHedging: [],
    timeLimit: [set.timeLimit === null ? null : String(set.timeLimit)],
    payout:
      payout === null
        ? []
        : [payout.buffer, payout.cap, payout.winningDays?.profit]
            .map((amount) => (amount ? spoken(amount) : null))
            .concat([payout.winningDays ? `${String(payout.winningDays.days)} days` : null, payout.consistency ? `${String(payout.consistency.percent)} %` : null]),
    winningDays: set.winningDays === null ? [] : [spoken(set.winningDays.profit), String(set.winningDays.days)],
  }
  return byRule[rule].filter((figure) => typeof figure === 'string')
}

describe('the presets of the firms', () => {
  test.each(rulePresets.map((preset) => [preset.id, preset] as const))('%s matches its schema', (_, preset) => {
    expect(rulePreset.parse(preset)).toEqual(preset)
  })

  test('ids are unique, and so are plan, phase, and size within a firm', () => {
    expect(new Set(rulePresets.map(({ id }) => id)).size).toBe(rulePresets.length)
    expect(new Set(rulePresets.map((preset) => [preset.firm, preset.plan, preset.phase, preset.size].join('|'))).size).toBe(rulePresets.length)
  })

  test('every firm has presets, except one that closed and Other', () => {
    const without = firm.options.filter((name) => !rulePresets.some((preset) => preset.firm === name))
    expect(without).toEqual(['Funding Ticks', 'Other'])
  })

  test.each(rulePresets.map((preset) => [preset.id, preset] as const))('%s: every rule has a fact, and every fact a rule', (_, preset) => {
    for (const rule of rules) {
      const isSet = preset.set[rule] !== null && preset.set[rule] !== false
      expect([rule, factsOf(preset, rule) !== '']).toEqual([rule, isSet])
    }
    const unnamed = preset.facts.filter(({ fact }) => !Object.values(names).some((name) => fact.startsWith(name)))
    expect(unnamed.map(({ fact }) => /starts at 0/.test(fact))).toEqual(preset.set.startingBalance === '0' ? [true] : [])
  })

  test.each(rulePresets.map((preset) => [preset.id, preset] as const))('%s: the facts state the exact figures', (_, preset) => {
    for (const rule of rules) for (const figure of figures(preset, rule)) expect(factsOf(preset, rule)).toContain(figure)
  })

  test('a fact has its source page, read on a day that its own date is not after', () => {
    for (const { facts } of rulePresets)
      for (const { fact, source, readOn } of facts) {
        expect(fact).toMatch(/\(.+\)$/)
        expect(source).toMatch(/^https:\/\//)
        expect(new Date(readOn).toJSON().slice(0, 10)).toBe(readOn)
        // The presets exist since then.
        expect(readOn >= '2026-11-22').toBe(true)
        expect((/\d{4}-\d\d(-\d\d)?(?=\)$)/.exec(fact)?.[0] ?? readOn) <= readOn).toBe(true)
      }
  })

  test('a fact is the firm’s own exactly if its source is a site in the firm’s name', () => {
    const isOwnSite = (firm: string, source: string): boolean => {
      const [domain = ''] = new URL(source).hostname.split('.').slice(-2)
      const name = firm.replaceAll(' ', '').toLowerCase()
      return [name, name.replace(/futures$/, '')].includes(domain.replaceAll('-', ''))
    }
    const wrong = rulePresets.flatMap(({ id, firm, facts }) => facts.filter(({ source, ofFirm }) => ofFirm !== isOwnSite(firm, source)).map(({ source }) => [id, source]))
    expect(wrong).toEqual([])
    expect(rulePresets.some(({ facts }) => facts.some(({ ofFirm }) => ofFirm))).toBe(true)
  })

  test('an evaluation has a target and no payout; a funded account has no target', () => {
    for (const { phase, set } of rulePresets) {
      expect(set.profitTarget !== null).toBe(phase === 'evaluation')
      if (phase === 'evaluation') expect(set.payout).toBeNull()
    }
  })

  test('an account starts at its size or 0; its max loss is below its size, and its daily loss not above its max loss', () => {
    for (const { size, set } of rulePresets) {
      expect([size, '0']).toContain(set.startingBalance)
      expect(Number(set.maxLoss?.amount)).toBeGreaterThan(0)
      expect(Number(set.maxLoss?.amount)).toBeLessThan(Number(size) / 10)
      if (set.dailyLoss) expect(Number(set.dailyLoss.amount)).toBeLessThanOrEqual(Number(set.maxLoss?.amount))
    }
  })

  test('a plan’s larger account never has smaller figures', () => {
    const plans = Map.groupBy(rulePresets, (preset) => [preset.firm, preset.plan, preset.phase].join('|'))
    for (const ofPlan of plans.values()) {
      expect(ordered(ofPlan.map(({ size }) => Number(size)))).toBe(true)
      expect(ordered(ofPlan.map(({ set }) => Number(set.maxLoss?.amount)))).toBe(true)
      expect(ordered(ofPlan.flatMap(({ set }) => (set.profitTarget === null ? [] : [Number(set.profitTarget)])))).toBe(true)
      expect(ordered(ofPlan.flatMap(({ set }) => (set.dailyLoss === null ? [] : [Number(set.dailyLoss.amount)])))).toBe(true)
    }
  })

  test('a scaling plan starts at 0 profit and only grows', () => {
    for (const { set } of rulePresets) {
      const steps = set.contracts?.scaling ?? []
      if (steps.length === 0) continue
      expect(steps[0]).toEqual({ fromProfit: '0', most: set.contracts?.all })
      expect(ordered(steps.map(({ fromProfit }) => Number(fromProfit)))).toBe(true)
      expect(ordered(steps.map(({ most }) => most))).toBe(true)
    }
  })
})
