import { group, rule } from '#tests/helpers/copier-live.ts'
import { groupDraft } from '#shared/api/copier.ts'
import { describe, expect, test } from 'vitest'
import { fieldOf, groupFields, leavingOf, mappingPresets, newGroup, newRule, sameForAll, typedGroup, type TypedGroup, type TypedRule } from './draft.ts'

const [lead, one, two] = ['tradovate:demo:1', 'tradovate:demo:2', 'tradovate:live:3'] as const
const form = (more: Partial<TypedRule> = {}): TypedGroup => ({ ...newGroup, name: ' Morning ', leader: lead, followers: [{ ...newRule(one), ...more }] })
const faultsOf = (typed: TypedGroup) => groupFields.safeParse(typed).error?.issues.map(({ path, message }) => [path.join('.'), message])

describe('a group that is typed', () => {
  test('comes out as the contract wants it', () => {
    const typed = form({ ratio: { num: '1', den: '2' }, mappings: mappingPresets.slice(0, 1), contractCap: '20', maxPosition: ' 40 ', products: 'nq, es;cl', dailyLoss: '1,250.50', dailyProfit: '$900' })
    const draft = groupFields.parse(typed)
    expect(groupDraft.parse(draft)).toEqual(draft)
    expect(draft).toEqual({
      name: 'Morning', leader: lead, exits: true, mode: 'fills', unprotected: 'keep', leftExits: 'keep', dryRun: true,
      followers: [rule(one, { ratio: { num: 1, den: 2 }, mappings: [{ from: 'NQ', to: 'MNQ', factor: { num: 10, den: 1 } }], contractCap: 20, maxPosition: 40, products: ['NQ', 'ES', 'CL'], dailyLoss: '1250.50', dailyProfit: '900' })],
    })
  })
  test('one that was kept comes out as it was', () => {
    const kept = group('g', lead, [rule(one, { ratio: { num: 3, den: 2 }, products: ['NQ'], dailyLoss: '400', contractCap: 2, invert: true, guard: true }), rule(two, { on: false })], { mode: 'orders', unprotected: 'flatten', leftExits: 'cancel' })
    expect({ ...groupFields.parse(typedGroup(kept)), id: kept.id }).toEqual(kept)
  })
  test('a new one begins with the safe choices', () => {
    expect(newGroup).toMatchObject({ dryRun: true, exits: true, mode: 'fills', unprotected: 'keep', leftExits: 'keep' })
    expect(newRule(one)).toMatchObject({ invert: false, guard: false })
  })
})

describe('errors show at their fields', () => {
  test('of the group', () => {
    expect(faultsOf(newGroup)).toEqual([['name', 'missing-name'], ['leader', 'missing-leader'], ['followers', 'missing-followers']])
  })
  test.each<[string, Partial<TypedRule>, [string, string]]>([
    ['no ratio', { ratio: { num: '', den: '1' } }, ['ratio', 'ratio']],
    ['a ratio of nothing', { ratio: { num: '0', den: '1' } }, ['ratio', 'ratio']],
    ['a broken ratio', { ratio: { num: '1.5', den: '1' } }, ['ratio', 'ratio']],
    ['half a mapping', { mappings: [{ from: 'NQ', to: '', factor: { num: '10', den: '1' } }] }, ['mappings', 'mapping']],
    ['two of one product', { mappings: [{ from: 'NQ', to: 'MNQ', factor: { num: '10', den: '1' } }, { from: 'nq', to: 'NQ', factor: { num: '1', den: '1' } }] }, ['mappings', 'mapping-twice']],
    ['a ratio with an exponent', { ratio: { num: '1e2', den: '1' } }, ['ratio', 'ratio']],
    ['a cap in hexadecimal', { contractCap: '0x10' }, ['contractCap', 'whole']],
    ['a cap of none', { contractCap: '0' }, ['contractCap', 'whole']],
    ['a broken limit', { maxPosition: '1.5' }, ['maxPosition', 'whole']],
    ['no rejects', { maxRejects: '' }, ['maxRejects', 'whole']],
    ['a product of two', { products: 'NQ/ES' }, ['products', 'product']],
    ['a loss below zero', { dailyLoss: '-500' }, ['dailyLoss', 'amount']],
    ['a loss of zero', { dailyLoss: '0' }, ['dailyLoss', 'amount']],
    ['a loss with a decimal comma, which is no separator of thousands', { dailyLoss: '500,00' }, ['dailyLoss', 'amount']],
    ['a profit with a decimal comma', { dailyProfit: '1.500,50' }, ['dailyProfit', 'amount']],
    ['a profit in words', { dailyProfit: 'much' }, ['dailyProfit', 'amount']],
  ])('%s', (_, more, [field, code]) => {
    expect(faultsOf(form(more))).toEqual([[`followers.0.${field}`, code]])
  })
  test('the program’s findings show where they can be fixed', () => {
    expect(fieldOf({ code: 'leader-follows', account: lead, limit: null }, form())).toBe('leader')
    expect(fieldOf({ code: 'unknown-account', account: lead, limit: null }, form())).toBe('leader')
    expect(fieldOf({ code: 'unknown-account', account: one, limit: null }, form())).toBe('followers.0.account')
    expect(fieldOf({ code: 'mapping-twice', account: one, limit: null }, form())).toBe('followers.0.mappings')
    expect(fieldOf({ code: 'plan-limit', account: null, limit: 10 }, form())).toBe('followers')
  })
})

test('settings are copied to all followers, except their account and whether they are on', () => {
  const followers = [{ ...newRule(one), ratio: { num: '3', den: '1' }, contractCap: '9' }, { ...newRule(two), on: false }]
  expect(sameForAll(followers, one)).toEqual([followers[0], { ...newRule(two), on: false, ratio: { num: '3', den: '1' }, contractCap: '9' }])
  expect(sameForAll(followers, 'nobody')).toEqual(followers)
})

test('followers that are taken out or switched off leave, new ones and those that were off do not', () => {
  const kept = group('g', lead, [rule(one), rule(two), rule('tradovate:demo:4', { on: false })])
  const [first, second] = typedGroup(kept).followers
  expect(leavingOf(kept, typedGroup(kept))).toEqual([])
  expect(leavingOf(kept, { ...typedGroup(kept), followers: [{ ...newRule(one), ...first, on: false }, newRule('tradovate:demo:5')] })).toEqual([one, two])
  expect(second?.account).toBe(two)
})
