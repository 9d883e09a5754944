import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { heldWithComing, shrinkApart, shrinkBase, startStance, targetOf, tradedApart } from './target.ts'

const one = { num: 1, den: 1 }
const half = { num: 1, den: 2 }
const ten = { num: 10, den: 1 }
const target = (leader: number, more: { base?: number; ratio?: typeof one; factor?: typeof one; cap?: number | null; invert?: boolean } = {}): number =>
  targetOf({ legs: [{ leader, base: more.base ?? 0, factor: more.factor ?? one }], ratio: more.ratio ?? one, contractCap: more.cap ?? null, invert: more.invert ?? false }).target

describe('a target', () => {
  it.each<[string, number, number]>([
    ['is the leader’s position at 1 to 1', target(3), 3],
    ['is short where the leader is', target(-3), -3],
    ['is rounded toward zero', target(3, { ratio: half }), 1],
    ['is rounded toward zero on the short side too', target(-3, { ratio: half }), -1],
    ['is 0 below one contract', target(1, { ratio: half }), 0],
    ['is mapped ten to one', target(2, { factor: ten }), 20],
    ['is rounded once, after ratio and factor', target(1, { ratio: { num: 1, den: 3 }, factor: ten }), 3],
    ['is exact where floating-point division would round up', target(3, { ratio: { num: 1, den: 3 }, factor: { num: 999, den: 1 } }), 999],
    ['excludes uncopied contracts', target(5, { base: 2 }), 3],
    ['is the opposite side if inverted', target(3, { invert: true, ratio: half }), -1],
    ['is capped on the opposite side if inverted', target(-9, { invert: true, cap: 5 }), 5],
    ['is at the cap', target(5, { cap: 5 }), 5],
    ['stays below the cap', target(4, { cap: 5 }), 4],
    ['is capped above the cap', target(6, { cap: 5 }), 5],
    ['is capped on the short side', target(-6, { cap: 5 }), -5],
  ])('%s', (_name, got, wanted) => {
    expect(got).toBe(wanted)
  })

  it('reports whether the cap limits it', () => {
    const capped = (leader: number): boolean => targetOf({ legs: [{ leader, base: 0, factor: one }], ratio: one, contractCap: 5 }).capped
    expect([capped(5), capped(6)]).toEqual([false, true])
  })

  it('sums two of the leader’s contracts before it rounds', () => {
    const legs = [{ leader: 1, base: 0, factor: ten }, { leader: 3, base: 0, factor: one }]
    expect(targetOf({ legs, ratio: half, contractCap: null }).target).toBe(6)
    expect(targetOf({ legs: [], ratio: half, contractCap: null }).target).toBe(0)
    const apart = [{ leader: 1, base: 0, factor: { num: 1, den: 3 } }, { leader: 2, base: 0, factor: { num: 1, den: 3 } }]
    expect(targetOf({ legs: apart, ratio: one, contractCap: null }).target).toBe(1)
  })

  it('never exceeds the ratio nor falls a whole contract short of it, and mirrors the short side', () => {
    const ratio = fc.record({ num: fc.integer({ min: 1, max: 1000 }), den: fc.integer({ min: 1, max: 1000 }) })
    fc.assert(
      fc.property(fc.integer({ min: -10_000, max: 10_000 }), ratio, ratio, (leader, by, factor) => {
        const got = target(leader, { ratio: by, factor })
        const [num, den] = [BigInt(Math.abs(leader)) * BigInt(by.num * factor.num), BigInt(by.den * factor.den)]
        expect(BigInt(Math.abs(got))).toBe(num / den)
        expect(Math.sign(got) * Math.sign(leader)).toBeGreaterThanOrEqual(0)
        expect(target(-leader, { ratio: by, factor })).toBe(0 - got + 0)
      }),
    )
  })
})

describe('the leader’s contracts that are not copied', () => {
  it.each<[number, number, number]>([
    [3, 4, 3], [3, 3, 3], [3, 2, 2], [3, 0, 0], [3, -1, 0], [-3, -4, -3], [-3, -3, -3], [-3, -1, -1], [-3, 2, 0], [0, 5, 0],
  ])('of %i is, once the leader holds %i, %i', (base, leader, now) => {
    expect(shrinkBase(base, leader)).toBe(now)
  })
})

describe('a deviation', () => {
  const walk = (apart: number, ...targets: readonly number[]): number[] => {
    const stood: number[] = []
    let now = apart
    for (const [index, to] of targets.entries()) {
      if (index > 0) now = shrinkApart({ apart: now, before: targets[index - 1] ?? 0, now: to })
      stood.push(to + now)
    }
    return stood
  }
  // The wanted position after each target, for example after the follower's stop filled: flat at a target of two.
  it.each<[string, number, number[], number[]]>([
    ['from an exit shrinks as the leader follows', -2, [2, 1, 0], [0, 0, 0]],
    ['from an exit ends once the leader caught up, and later trades are copied', -2, [2, 0, 3], [0, 0, 3]],
    ['from a partial exit shrinks, then the target is followed', -1, [4, 3, 2, 0], [3, 3, 2, 0]],
    ['stays if the leader adds: nothing is added', -2, [2, 3, 2, 1], [0, 0, 0, 0]],
    ['ends on a change of side', -2, [2, -2], [0, -2]],
    ['that exceeds the target ends on a change of side', 1, [2, -2], [3, -2]],
    ['by hand beyond the target shrinks when the leader adds', 1, [2, 3, 4], [3, 3, 4]],
    ['by hand beyond the target keeps its contracts while the leader goes flat', 1, [2, 1, 0], [3, 2, 1]],
    ['by hand on the other side keeps its contracts too', -3, [1, 0], [-2, -2]],
    ['by hand while the leader is flat shrinks when the leader follows', 2, [0, 2], [2, 2]],
    ['by hand while the leader is flat stays if the leader goes the other way', -1, [0, 3, 0], [-1, -1, -1]],
    ['on the short side shrinks as well', 2, [-2, -1, 0], [0, 0, 0]],
  ])('%s', (_name, apart, targets, wanted) => {
    expect(walk(apart, ...targets)).toEqual(wanted)
  })

  it('never makes a follower add or cross zero while it lasts', () => {
    fc.assert(
      fc.property(fc.integer({ min: -6, max: 6 }), fc.array(fc.integer({ min: -6, max: 6 }), { minLength: 2, maxLength: 12 }), (first, targets) => {
        let apart = first
        for (const [index, now] of targets.entries()) {
          const before = targets[index - 1]
          if (before === undefined) continue
          const wanted = before + apart
          apart = shrinkApart({ apart, before, now })
          if (apart === 0) continue
expect(Math.abs(now + apart)).toBeLessThanOrEqual(Math.abs(wanted))
          expect(wanted * (now + apart)).toBeGreaterThanOrEqual(0)
        }
      }),
    )
  })
})

describe('the position with its pending orders', () => {
  it.each([
    ['counts orders toward the target', 0, 2, 4, 2],
    ['counts reductions toward it', 4, -2, 2, 2],
    ['counts nothing beyond it', 1, 5, 3, 3],
    ['counts nothing that leads away from it', -3, -3, -1, -3],
    ['counts nothing when at its target', 2, 2, 2, 2],
  ] as const)('%s', (_name, held, coming, target, expected) => {
    expect(heldWithComing({ held, coming, target })).toBe(expected)
  })
})

describe('a trade that the copier did not decide', () => {
  it.each<[string, { apart: number; target: number; held: number; qty: number }, number]>([
    ['moves a follower in sync off its target', { apart: 0, target: 2, held: 2, qty: -1 }, -1],
    ['opens where the leader is flat', { apart: 0, target: 0, held: 0, qty: -2 }, -2],
    ['goes further away', { apart: -1, target: 2, held: 1, qty: -1 }, -2],
    ['completes what the copier could not', { apart: 0, target: 0, held: 2, qty: -2 }, 0],
    ['completes a part of it', { apart: 0, target: 0, held: 2, qty: -1 }, 0],
    ['overshoots it', { apart: 0, target: 1, held: 3, qty: -3 }, -1],
    ['closes contracts of a follower below its target: the missing ones are not added either', { apart: 0, target: -4, held: -2, qty: 2 }, 4],
  ])('%s', (_name, trade, apart) => {
    expect(tradedApart(trade)).toBe(apart)
  })

  it('is never traded back if the follower was in sync', () => {
    const some = fc.integer({ min: -5, max: 5 })
    fc.assert(
      fc.property(some, some, some.filter((qty) => qty !== 0), (target, apart, qty) => {
        expect(target + tradedApart({ apart, target, held: target + apart, qty })).toBe(target + apart + qty)
      }),
    )
  })
})

describe('the start', () => {
  it.each<['adopt' | 'flatten' | 'leave', number, number, number]>([
    ['adopt', 3, 6, 1], ['flatten', 0, 3, 1], ['leave', 0, 3, 0],
  ])('with %s wants %i, and %i once the leader adds three; of the one that is held, %i is the copier’s', (answer, first, later, copiers) => {
    const { held, yours, base } = startStance(answer, 3, 1)
    expect([target(3, { base }), target(6, { base }), held, held + yours]).toEqual([first, later, copiers, 1])
  })
})
