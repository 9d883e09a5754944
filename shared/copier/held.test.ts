import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { flattened, mostOf, reachOf, tradedByCopier, tradedByHand, type Ownership, type MayFill } from './held.ts'

const some = fc.integer({ min: -6, max: 6 })
const parts: fc.Arbitrary<Ownership> = fc.record({ held: some, yours: some })
const netOf = ({ held, yours }: Ownership): number => held + yours

describe('a trade by hand', () => {
  it.each<[string, Ownership, number, Ownership]>([
    ['opens a position of the user’s', { held: 0, yours: 0 }, 2, { held: 0, yours: 2 }],
    ['in the copier’s direction adds to the user’s', { held: 2, yours: 0 }, 1, { held: 2, yours: 1 }],
    ['closes the user’s first', { held: 2, yours: 3 }, -2, { held: 2, yours: 1 }],
    ['closes the copier’s after the user’s', { held: 2, yours: 1 }, -2, { held: 1, yours: 0 }],
    ['reverses the account: the other side is the user’s', { held: 2, yours: 0 }, -3, { held: 0, yours: -1 }],
    ['closes the copier’s short', { held: -2, yours: 0 }, 1, { held: -1, yours: 0 }],
  ])('%s', (_name, before, qty, after) => {
    expect(tradedByHand(before, qty)).toEqual(after)
  })

  it('never opens, adds to, or reverses the copier’s position, closes the user’s own contracts first, and keeps the sum', () => {
    fc.assert(
      fc.property(parts, some, (before, qty) => {
        const after = tradedByHand(before, qty)
        expect(netOf(after)).toBe(netOf(before) + qty)
        expect(Math.abs(after.held)).toBeLessThanOrEqual(Math.abs(before.held))
        expect(after.held * before.held).toBeGreaterThanOrEqual(0)
        if (after.held !== before.held) expect(after.yours * qty).toBeGreaterThanOrEqual(0)
      }),
    )
  })
})

describe('an order of the copier', () => {
  it('leaves the user’s contracts alone', () => {
    fc.assert(fc.property(parts, some, (before, qty) => { expect(tradedByCopier(before, qty)).toEqual({ held: before.held + qty, yours: before.yours }) }))
  })

  it('that flattens leaves nothing of either, and keeps the sum', () => {
    expect(flattened({ held: 2, yours: 3 }, -5)).toEqual({ held: 0, yours: 0 })
    expect(flattened({ held: 2, yours: 3 }, -3)).toEqual({ held: 0, yours: 2 })
    expect(flattened({ held: 2, yours: 0 }, -3)).toEqual({ held: -1, yours: 0 })
    fc.assert(fc.property(parts, some, (before, qty) => { expect(netOf(flattened(before, qty))).toBe(netOf(before) + qty) }))
  })
})

describe('the reach of a position', () => {
  const order = fc.record<MayFill>({ side: fc.constantFrom('buy', 'sell'), left: fc.integer({ min: 1, max: 4 }), kind: fc.constantFrom('entry', 'stop', 'limit') })

  it.each<[string, number, MayFill[], [number, number]]>([
    ['is the position itself without orders', 2, [], [2, 2]],
    ['counts a pending close both filled and rejected', 2, [{ side: 'sell', left: 2, kind: 'entry' }], [0, 2]],
    ['counts a stop and a target once', 2, [{ side: 'sell', left: 2, kind: 'stop' }, { side: 'sell', left: 2, kind: 'limit' }], [0, 2]],
    ['counts an exit next to the pending close', 2, [{ side: 'sell', left: 2, kind: 'entry' }, { side: 'sell', left: 2, kind: 'stop' }], [-2, 2]],
  ])('%s', (_name, net, orders, [low, high]) => {
    expect(reachOf(net, orders)).toEqual({ low, high })
  })

  it('includes every position that any fills can lead to, with exits of one kind only', () => {
    fc.assert(
      fc.property(some, fc.array(order, { maxLength: 6 }), fc.constantFrom('stop', 'limit'), fc.func(fc.boolean()), (net, orders, never, fills) => {
        const reach = reachOf(net, orders)
        const after = orders.reduce((sum, each, at) => (each.kind !== never && fills(at) ? sum + (each.side === 'buy' ? each.left : 0 - each.left) : sum), net)
        expect(after).toBeGreaterThanOrEqual(reach.low)
        expect(after).toBeLessThanOrEqual(reach.high)
        expect(Math.abs(after)).toBeLessThanOrEqual(mostOf(reach))
      }),
    )
  })
})
