import { describe, expect, it } from 'vitest'
import type { CopyGroup, FollowerRule } from '#shared/api/copier.ts'
import { accountsInUse, checkGroup } from './group-check.ts'

const key = (account: number): string => `tradovate:demo:${account}`
const follower = (account: number, changes: Partial<FollowerRule> = {}): FollowerRule => ({
  account: key(account), on: true, ratio: { num: 1, den: 1 }, mappings: [], contractCap: null, maxPosition: null, products: null, dailyLoss: null, dailyProfit: null, maxRejects: 3, invert: false, guard: false, ...changes,
})
const group = (leader: number, followers: readonly FollowerRule[]): CopyGroup => ({ id: String(leader), name: 'A group', leader: key(leader), followers: [...followers], exits: true, mode: 'fills', unprotected: 'keep', leftExits: 'keep', dryRun: false })
const mapping = (from: string, to: string) => ({ from, to, factor: { num: 10, den: 1 } })
const accounts = new Set([1, 2, 3, 4, 5].map(key))
const check = (draft: CopyGroup, others: readonly CopyGroup[] = [], limit = 10) => {
  const fault = checkGroup(draft, others, accounts, limit)
  return fault === null ? null : [fault.code, fault.account, fault.limit]
}

describe('a group', () => {
  it.each([
    ['is accepted if valid', check(group(1, [follower(2), follower(3)])), null],
    ['is rejected if its leader is not a known account', check(group(9, [follower(2)])), ['unknown-account', key(9), null]],
    ['is rejected if a follower is not a known account', check(group(1, [follower(9)])), ['unknown-account', key(9), null]],
    ['is rejected if its leader follows itself', check(group(1, [follower(1)])), ['follows-itself', key(1), null]],
    ['is rejected if an account follows twice', check(group(1, [follower(2), follower(2)])), ['follows-twice', key(2), null]],
    ['is rejected if an account follows in another group', check(group(1, [follower(2)]), [group(3, [follower(2)])]), ['follows-twice', key(2), null]],
    ['may share a follower if the two groups share no market', check(group(1, [follower(2, { products: ['NQ'] })]), [group(3, [follower(2, { products: ['ES', 'CL'] })])], 1), null],
    ['is rejected if the smaller contract of a market is in the other', check(group(1, [follower(2, { products: ['NQ'] })]), [group(3, [follower(2, { products: ['MNQ'] })])]), ['follows-twice', key(2), null]],
    ['is rejected if a mapping leads into a market of the other', check(group(1, [follower(2, { products: ['ES'], mappings: [mapping('ES', 'MNQ')] })]), [group(3, [follower(2, { products: ['NQ'] })])]), ['follows-twice', key(2), null]],
    ['is rejected if one of the two copies every product', check(group(1, [follower(2, { products: ['NQ'] })]), [group(3, [follower(2)])]), ['follows-twice', key(2), null]],
    ['is rejected if its leader follows in another group', check(group(2, [follower(3)]), [group(1, [follower(2)])]), ['leader-follows', key(2), null]],
    ['is rejected if a follower leads another group', check(group(1, [follower(2)]), [group(2, [follower(3)])]), ['follower-leads', key(2), null]],
    ['is rejected if two groups would copy in a circle', check(group(1, [follower(2)]), [group(2, [follower(1)])]), ['leader-follows', key(1), null]],
    ['may share its leader with another', check(group(1, [follower(2)]), [group(1, [follower(3)])]), null],
    ['is rejected if a product is mapped twice', check(group(1, [follower(2, { mappings: [mapping('NQ', 'MNQ'), mapping('NQ', 'MES')] })])), ['mapping-twice', key(2), null]],
    ['may map two products to one', check(group(1, [follower(2, { mappings: [mapping('NQ', 'MNQ'), mapping('MNQ', 'MNQ')] })])), null],
    ['is accepted at the plan’s limit, over all groups', check(group(1, [follower(2), follower(3)]), [group(4, [follower(5)])], 3), null],
    ['is rejected one over the plan’s limit', check(group(1, [follower(2), follower(3)]), [group(4, [follower(5)])], 2), ['plan-limit', null, 2]],
    ['counts followers that are off', check(group(1, [follower(2), follower(3, { on: false })]), [], 1), ['plan-limit', null, 1]],
  ])('%s', (_name, got, wanted) => {
    expect(got).toEqual(wanted)
  })

  it('stays within one brokerage, live and demo together', () => {
    const other = 'elsewhere:demo:2'
    const live = 'tradovate:live:2'
    const known = new Set([...accounts, other, live])
    expect(checkGroup(group(1, [follower(2, { account: other })]), [], known, 10)).toEqual({ code: 'two-brokerages', account: other, limit: null })
    expect(checkGroup(group(1, [follower(2, { account: live })]), [], known, 10)).toBeNull()
  })

  it('counts the accounts in use over all groups', () => {
    expect(accountsInUse([group(1, [follower(2), follower(3, { on: false })]), group(4, [follower(5)])])).toBe(3)
  })
})
