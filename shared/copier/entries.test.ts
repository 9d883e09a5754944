import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BookOrder } from './book.ts'
import { entryQty, entryShares, overhangOf, readEntries, type EntryCount, type EntryLeg, type EntryShare } from './entries.ts'
import { targetOf } from './target.ts'

const one = { num: 1, den: 1 }
const flat: EntryLeg = { leader: 0, base: 0, factor: one, ratio: one, contractCap: null }
const entry = (orderId: number, left: number, filled = 0, side: 'buy' | 'sell' = 'buy') => ({ orderId, side, left, filled })
const none = (): null => null
const counted = (surplus: number, filled: number) => (): EntryCount => ({ surplus, filled })

describe('the leader’s entries', () => {
  const order = (changes: Partial<BookOrder>, version: Partial<NonNullable<BookOrder['version']>> = {}): BookOrder => ({
    id: 1, contractId: 1, side: 'buy', status: 'Working', ocoId: null, time: 0, filled: 0, left: 2, final: false,
    version: { id: 2, orderId: 1, qty: 2, type: 'Limit', price: 100.25, stopPrice: null, pegDifference: null, timeInForce: 'Day', ...version }, ...changes,
  })
  it.each<[string, BookOrder, number, number]>([
    ['are orders that open', order({}), 0, 1],
    ['are orders that add', order({}), 2, 1],
    ['are no exits', order({}), -2, 0],
    ['are no market orders', order({}, { type: 'Market' }), 0, 0],
    ['are no suspended brackets', order({ status: 'Suspended' }), 0, 0],
    ['are none off the tick grid', order({}, { price: 100.1 }), 0, 0],
  ])('%s', (_name, given, leader, count) => {
    expect(readEntries([given], leader, '0.25').entries).toHaveLength(count)
  })

  it('the nearest comes first, of limits and of stops', () => {
    const limit = (id: number, price: number, side: 'buy' | 'sell' = 'buy') => order({ id, side }, { price })
    const stop = (id: number, stopPrice: number, side: 'buy' | 'sell' = 'buy') => order({ id, side }, { type: 'Stop', price: null, stopPrice })
    const ids = (...orders: readonly BookOrder[]): number[] => readEntries(orders, 0, '0.25').entries.map(({ orderId }) => orderId)
    expect(ids(limit(1, 98), limit(2, 99), stop(3, 105), stop(4, 103))).toEqual([2, 4, 1, 3])
    expect(ids(limit(1, 105, 'sell'), limit(2, 103, 'sell'), stop(3, 98, 'sell'), stop(4, 99, 'sell'))).toEqual([2, 4, 1, 3])
  })
})

describe('a follower’s share of an entry', () => {
  it.each<[string, ReturnType<typeof entryShares>, Partial<EntryShare>]>([
    ['all of it', entryShares([entry(1, 4)], flat, none), { remaining: 4, ahead: 0, behind: 0 }],
    ['its share', entryShares([entry(1, 3)], { ...flat, ratio: { num: 1, den: 2 } }, none), { remaining: 1, ahead: 0, behind: 0 }],
    ['no more than the cap', entryShares([entry(1, 4)], { ...flat, contractCap: 3 }, none), { remaining: 3, ahead: 0, behind: 0 }],
    ['leader filled, follower did not', entryShares([entry(1, 3, 1)], { ...flat, leader: 1 }, counted(0, 0)), { remaining: 3, ahead: 0, behind: 1 }],
    ['follower filled, leader did not', entryShares([entry(1, 3, 1)], { ...flat, leader: 1 }, counted(4, 0)), { remaining: 3, ahead: 3, behind: 0 }],
    ['what the leader filled and has closed since was its share too', entryShares([entry(1, 2, 2)], flat, counted(2, 0)), { remaining: 2, ahead: 0, behind: 0 }],
    ['fills that are counted do not count again', entryShares([entry(1, 2, 2)], { ...flat, leader: 1 }, counted(0, 2)), { remaining: 2, ahead: 0, behind: 0 }],
    ['a fill that the exchange busts leaves nothing ahead', entryShares([entry(1, 2, 1)], { ...flat, leader: 1 }, counted(0, 2)), { remaining: 2, ahead: 0, behind: 0 }],
    ['nothing to be ahead of once the leader’s is gone', entryShares([entry(1, 0, 1)], { ...flat, leader: 1 }, counted(4, 0)), { remaining: 0, ahead: 0, behind: 0 }],
    ['over its whole life never more than its part, rounded up', entryShares([entry(1, 2, 1)], { ...flat, leader: 1, ratio: { num: 1, den: 2 } }, none), { remaining: 1, whole: 2 }],
    ['the same on the other side', entryShares([entry(1, 2, 0, 'sell')], { ...flat, leader: -1 }, none), { remaining: 2, ahead: 0, behind: 0 }],
  ])('%s', (_name, shares, share) => {
    expect(shares.shares.get(1)).toMatchObject(share)
  })

  it('whatever fills first, a follower’s entries and target together never exceed its share', () => {
    const qty = fc.integer({ min: 1, max: 5 })
    fc.assert(
      fc.property(fc.array(qty, { minLength: 1, maxLength: 4 }), fc.record({ num: qty, den: qty }), fc.nat(4), fc.array(fc.record({ of: fc.nat(3), leader: fc.boolean(), qty }), { maxLength: 20 }), (qtys, ratio, begin, fills) => {
        const rules = { base: 0, factor: one, ratio, contractCap: null }
        const targetAt = (net: number): number => targetOf({ legs: [{ leader: net, base: 0, factor: one }], ratio, contractCap: null }).target
        const most = targetAt(begin + qtys.reduce((sum, each) => sum + each, 0))
        let leader = begin
        let held = targetAt(begin)
        const orders = qtys.map((left, orderId) => ({ orderId, side: 'buy' as const, left, filled: 0 }))
        const own = orders.map(() => ({ left: 0, count: { surplus: 0, filled: 0 } }))
        const shares = () => entryShares(orders, { ...rules, leader }, (orderId) => own[orderId]?.count ?? null)
        const place = (): void => {
          const { shares: now, most: { buy } } = shares()
          own.forEach((each, orderId) => {
            const share = now.get(orderId)
            if (share !== undefined) each.count = { surplus: share.ahead > 0 ? share.ahead : 0 - Math.min(share.behind, overhangOf(each.left, share)), filled: share.filled }
          })
          let open = buy - held
          own.forEach((each, orderId) => {
            each.left = Math.max(0, Math.min(open, entryQty(now.get(orderId), each.left, true)))
            open -= each.left
          })
        }
        place()
        for (const { of, leader: isLeader, qty: size } of fills) {
          const at = of % orders.length
          const [order, mine] = [orders[at], own[at]]
          if (order === undefined || mine === undefined) continue
          if (isLeader) {
            const filled = Math.min(size, order.left)
            order.left -= filled
            order.filled += filled
            leader += filled
          } else {
            const filled = Math.min(size, mine.left)
            mine.left -= filled
            mine.count = { ...mine.count, surplus: mine.count.surplus + filled }
            held += filled
          }
          expect(held + own.reduce((sum, { left }) => sum + left, 0)).toBeLessThanOrEqual(most)
          place()
          expect(held + own.reduce((sum, { left }) => sum + left, 0)).toBeLessThanOrEqual(most)
          // Working contracts beyond the leader's rest stand for what the leader filled: a decision does not send them again.
          const { shares: now } = shares()
          const flying = own.reduce((sum, { left }, orderId) => sum + overhangOf(left, now.get(orderId)), 0)
          const ahead = [...now.values()].reduce((sum, share) => sum + share.ahead, 0)
          if (orders.length === 1) expect(held + flying).toBe(targetAt(leader) + ahead)
        }
      }),
    )
  })
})
