import { group, rule } from '#tests/helpers/copier-live.ts'
import { groupDraft } from '#shared/api/copier.ts'
import { describe, expect, test } from 'vitest'
import { faultOf, formOf, leavingOf, mappingPresets, newGroup, newRule, readGroup, sameForAll, type RuleForm } from './draft.ts'

const [lead, one, two] = ['tradovate:demo:1', 'tradovate:demo:2', 'tradovate:live:3'] as const
const form = (more: Partial<RuleForm> = {}) => ({ ...newGroup, name: ' Morning ', leader: lead, followers: [{ ...newRule(one), ...more }] })
const faultsOf = (more: Partial<RuleForm>) => readGroup(form(more)).faults.map(({ field, account, code }) => [field, account, code])

describe('a group that is typed', () => {
  test('comes out as the contract wants it', () => {
    const typed = form({ num: '1', den: '2', mappings: [mappingPresets[0] ?? { from: '', to: '', num: '', den: '' }], contractCap: '20', maxPosition: ' 40 ', products: 'nq, es;cl', dailyLoss: '1,250.50', dailyProfit: '$900' })
    const { draft } = readGroup(typed)
    expect(groupDraft.parse(draft)).toEqual({
      name: 'Morning', leader: lead, exits: true, mode: 'fills', unprotected: 'keep', leftExits: 'keep', dryRun: true,
      followers: [rule(one, { ratio: { num: 1, den: 2 }, mappings: [{ from: 'NQ', to: 'MNQ', factor: { num: 10, den: 1 } }], contractCap: 20, maxPosition: 40, products: ['NQ', 'ES', 'CL'], dailyLoss: '1250.50', dailyProfit: '900' })],
    })
  })
  test('one that was kept comes out as it was', () => {
    const kept = group('g', lead, [rule(one, { ratio: { num: 3, den: 2 }, products: ['NQ'], dailyLoss: '400', contractCap: 2, invert: true, guard: true }), rule(two, { on: false })], { mode: 'orders', unprotected: 'flatten', leftExits: 'cancel' })
    expect({ ...readGroup(formOf(kept)).draft, id: kept.id }).toEqual(kept)
  })
  test('a new one begins with the safe choices', () => {
    expect(newGroup).toMatchObject({ dryRun: true, exits: true, mode: 'fills', unprotected: 'keep', leftExits: 'keep' })
    expect(newRule(one)).toMatchObject({ invert: false, guard: false })
  })
})

describe('errors show at their fields', () => {
  test('of the group', () => {
    expect(readGroup(newGroup).faults.map(({ field, code }) => [field, code])).toEqual([['name', 'missing'], ['leader', 'missing'], ['followers', 'missing']])
  })
  test.each<[string, Partial<RuleForm>, [string, string]]>([
    ['no ratio', { num: '' }, ['ratio', 'ratio']],
    ['a ratio of nothing', { num: '0' }, ['ratio', 'ratio']],
    ['a broken ratio', { num: '1.5' }, ['ratio', 'ratio']],
    ['half a mapping', { mappings: [{ from: 'NQ', to: '', num: '10', den: '1' }] }, ['mappings', 'mapping']],
    ['two of one product', { mappings: [{ from: 'NQ', to: 'MNQ', num: '10', den: '1' }, { from: 'nq', to: 'NQ', num: '1', den: '1' }] }, ['mappings', 'mapping-twice']],
    ['a ratio with an exponent', { num: '1e2' }, ['ratio', 'ratio']],
    ['a cap in hexadecimal', { contractCap: '0x10' }, ['contractCap', 'whole']],
    ['a cap of none', { contractCap: '0' }, ['contractCap', 'whole']],
    ['a broken limit', { maxPosition: '1.5' }, ['maxPosition', 'whole']],
    ['no rejects', { maxRejects: '' }, ['maxRejects', 'whole']],
    ['a product of two', { products: 'NQ/ES' }, ['products', 'product']],
    ['a loss below zero', { dailyLoss: '-500' }, ['dailyLoss', 'amount']],
    ['a loss of zero', { dailyLoss: '0' }, ['dailyLoss', 'amount']],
    ['a profit in words', { dailyProfit: 'much' }, ['dailyProfit', 'amount']],
  ])('%s', (_, more, [field, code]) => {
    expect(faultsOf(more)).toEqual([[field, one, code]])
  })
  test('the program’s findings show where they can be fixed', () => {
    expect(faultOf({ code: 'leader-follows', account: lead, limit: null }, form()).field).toBe('leader')
    expect(faultOf({ code: 'unknown-account', account: lead, limit: null }, form()).field).toBe('leader')
    expect(faultOf({ code: 'unknown-account', account: one, limit: null }, form()).field).toBe('followers')
    expect(faultOf({ code: 'plan-limit', account: null, limit: 10 }, form())).toEqual({ field: 'followers', account: null, code: 'plan-limit', limit: 10 })
  })
})

test('settings are copied to all followers, except their account and whether they are on', () => {
  const followers = [{ ...newRule(one), num: '3', contractCap: '9' }, { ...newRule(two), on: false }]
  expect(sameForAll(followers, one)).toEqual([followers[0], { ...newRule(two), on: false, num: '3', contractCap: '9' }])
  expect(sameForAll(followers, 'nobody')).toEqual(followers)
})

test('followers that are taken out or switched off leave, new ones and those that were off do not', () => {
  const kept = group('g', lead, [rule(one), rule(two), rule('tradovate:demo:4', { on: false })])
  const [first, second] = formOf(kept).followers
  expect(leavingOf(kept, formOf(kept))).toEqual([])
  expect(leavingOf(kept, { ...formOf(kept), followers: [{ ...newRule(one), ...first, on: false }, newRule('tradovate:demo:5')] })).toEqual([one, two])
  expect(second?.account).toBe(two)
})
