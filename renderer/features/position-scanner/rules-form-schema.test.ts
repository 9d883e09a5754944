import type { RuleSet } from '#shared/api/rules.ts'
import { rulePresets } from '#shared/rules/presets/presets.ts'
import { describe, expect, test } from 'vitest'
import { emptyRules, rulesFields, sameRules, typedRules, type TypedRules } from './rules-form-schema.ts'

const payout: NonNullable<RuleSet['payout']> = { buffer: '2100.00', minimumDays: 8, winningDays: { days: 5, profit: '200.00' }, consistency: { percent: 30, of: 'total' }, cap: '2000.00' }
const all: RuleSet = {
  startingBalance: '50000.00',
  currency: 'USD',
  maxLoss: { amount: '2000.00', trail: 'end-of-day', locksAt: '100.00' },
  dailyLoss: { amount: '1000.00', counts: 'with-open', breach: 'hard' },
  profitTarget: '3000.00',
  consistency: { percent: 50, of: 'total' },
  minimumDays: 5,
  winningDays: { days: 3, profit: '150.00' },
  contracts: { all: 5, micros: 'tenth', byProduct: [{ product: 'NQ', most: 3 }], scaling: [{ fromProfit: '0.00', most: 2 }, { fromProfit: '1500.00', most: 4 }] },
  flatBy: { time: '15:10', zone: 'America/Chicago' },
  noHedging: true,
  timeLimit: 30,
  payout,
}
const none: RuleSet = { startingBalance: '50000', currency: 'USD', maxLoss: null, dailyLoss: null, profitTarget: null, consistency: null, minimumDays: null, winningDays: null, contracts: null, flatBy: null, noHedging: false, timeLimit: null, payout: null }
const readRules = (form: TypedRules) => rulesFields.safeParse(form).data ?? { set: null }
// The first message of a field is shown.
const faultsOf = (form: TypedRules): string[] => [...new Set((rulesFields.safeParse(form).error?.issues ?? []).map(({ path, message }) => `${path.join('.')} ${message}`))]
const switchedOn = (rule: keyof TypedRules['on'], form = typedRules(none)): TypedRules => ({ ...form, on: { ...form.on, [rule]: true } })

describe('what is typed', () => {
  test('says the same rules that it was filled with', () => {
    expect(readRules(typedRules(all)).set).toEqual(all)
    expect(readRules(typedRules(none)).set).toEqual(none)
  })
  test('loses nothing of any preset', () => {
    for (const { id, set } of rulePresets) expect(readRules(typedRules(set)).set, id).toEqual(set)
  })
  test('may be written as people write money', () => {
    const form = typedRules(all)
    expect(readRules({ ...form, startingBalance: ' $50,000 ', profitTarget: '3 000.50' }).set).toMatchObject({ startingBalance: '50000', profitTarget: '3000.50' })
  })
  test('asks nothing if a rule is off, whatever its fields contain', () => {
    const form = typedRules(all)
    expect(readRules({ ...form, on: { ...form.on, maxLoss: false, contracts: false }, maxLoss: { ...form.maxLoss, amount: 'much' } }).set).toMatchObject({ maxLoss: null, contracts: null })
  })
  test('has no lock where the floor never moves', () => {
    const form = typedRules(all)
    expect(readRules({ ...form, maxLoss: { ...form.maxLoss, trail: 'static', locksAt: 'nonsense' } }).set?.maxLoss).toEqual({ amount: '2000.00', trail: 'static', locksAt: null })
  })
})

describe('errors show at their fields', () => {
  test('nothing typed at all', () => {
    expect(faultsOf(emptyRules('USD'))).toEqual(['startingBalance from-zero'])
    expect((['maxLoss', 'dailyLoss', 'profitTarget', 'consistency', 'minimumDays', 'winningDays', 'contracts', 'timeLimit', 'payout'] as const).flatMap((rule) => faultsOf(switchedOn(rule)))).toEqual([
      'maxLoss.amount amount', 'dailyLoss.amount amount', 'profitTarget amount', 'consistency.percent percent', 'minimumDays whole', 'winningDays.days whole', 'winningDays.profit amount', 'contracts.all nothing', 'timeLimit whole', 'payout.buffer nothing',
    ])
  })
  test('a share of a target that is not there', () => {
    const ofTarget: RuleSet = { ...all, consistency: { percent: 50, of: 'target' }, payout: { ...payout, consistency: { percent: 30, of: 'target' } } }
    expect(faultsOf(typedRules(ofTarget))).toEqual([])
    expect(faultsOf(typedRules({ ...ofTarget, profitTarget: null }))).toEqual(['consistency.percent target', 'payout.consistency.percent target'])
  })
  test('amounts with a decimal comma, which is no separator of thousands', () => {
    for (const amount of ['2000,00', '1,5', '2.000,50']) expect(faultsOf({ ...typedRules(all), maxLoss: { ...typedRules(all).maxLoss, amount } }), amount).toEqual(['maxLoss.amount amount'])
    expect(faultsOf({ ...typedRules(all), startingBalance: '50000,00' })).toEqual(['startingBalance from-zero'])
  })
  test('amounts that are none, below a cent, or finer than one', () => {
    for (const amount of ['0', '-5', '0.001', '1e5', '12.345', 'two thousand']) expect(faultsOf({ ...typedRules(all), maxLoss: { ...typedRules(all).maxLoss, amount } }), amount).toEqual(['maxLoss.amount amount'])
  })
  test('figures of which zero is one', () => {
    const form = typedRules(all)
    const zero = { ...form, startingBalance: '0', maxLoss: { ...form.maxLoss, locksAt: '0' }, payout: { ...form.payout, buffer: '0' }, contracts: { ...form.contracts, scaling: [{ fromProfit: '0', most: '2' }] } }
    expect(readRules(zero).set).toMatchObject({ startingBalance: '0', maxLoss: { locksAt: '0' }, payout: { buffer: '0' } })
    const none = { ...zero, startingBalance: '-1', maxLoss: { ...form.maxLoss, locksAt: '' }, payout: { ...form.payout, buffer: 'x' }, contracts: { ...form.contracts, scaling: [{ fromProfit: '', most: '2' }] } }
    expect(faultsOf(none)).toEqual(['startingBalance from-zero', 'maxLoss.locksAt from-zero', 'contracts.scaling.0.fromProfit from-zero', 'payout.buffer from-zero'])
  })
  test('counts and shares that are none', () => {
    const form = typedRules(all)
    expect(faultsOf({ ...form, minimumDays: '2.5', consistency: { percent: '101', of: 'total' }, timeLimit: '0' })).toEqual(['consistency.percent percent', 'minimumDays whole', 'timeLimit whole'])
  })
  test('a time of day that is none', () => {
    expect(faultsOf({ ...typedRules(all), flatBy: { time: '24:00', zone: 'America/Chicago' } })).toEqual(['flatBy.time time'])
  })
  test('rows of products and steps, at the row where they are typed', () => {
    const form = typedRules(all)
    const contracts = { ...form.contracts, byProduct: [{ product: 'NQ', most: '3' }, { product: 'nq ', most: '2' }, { product: '', most: 'x' }], scaling: [{ fromProfit: '1500', most: 'x' }, { fromProfit: '0', most: '2' }, { fromProfit: '1500', most: '4' }] }
    expect(faultsOf({ ...form, contracts }).sort()).toEqual(['contracts.byProduct.1.product twice', 'contracts.byProduct.2.most whole', 'contracts.byProduct.2.product product', 'contracts.scaling.0.most whole', 'contracts.scaling.2.fromProfit twice'])
  })
  test('half of a pair of a payout', () => {
    const form = typedRules(all)
    expect(faultsOf({ ...form, payout: { ...form.payout, winningDays: { days: '5', profit: '' } } })).toEqual(['payout.winningDays.profit amount'])
  })
})

test('rules are the same whatever the order of their fields', () => {
  expect(sameRules(all, Object.fromEntries(Object.entries(all).reverse()) as RuleSet)).toBe(true)
  expect(sameRules(all, { ...all, profitTarget: '3000.01' })).toBe(false)
})
