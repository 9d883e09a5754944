// @module-tag slow
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decide, type Decision, type Situation, type WorkingExit } from './decide.ts'

const small = fc.integer({ min: -6, max: 6 })
const qty = fc.integer({ min: 0, max: 5 })
const exits = fc.array(
  fc.record<WorkingExit>({ id: fc.uuid(), side: fc.constantFrom('buy', 'sell'), left: fc.integer({ min: 1, max: 4 }), ending: fc.boolean(), twin: fc.boolean() }),
  { maxLength: 4 },
)
const situation: fc.Arbitrary<Situation> = fc.record<Situation>({
  held: fc.option(fc.constantFrom('line-down', 'order-unknown'), { nil: null, freq: 5 }),
  actual: small,
  target: fc.option(small, { nil: null, freq: 10 }),
  apart: fc.integer({ min: -2, max: 2 }),
  buying: qty,
  selling: qty,
  overdue: fc.constantFrom([], ['late']),
  exits,
  twinMayFill: fc.boolean(),
  noAdding: fc.option(fc.constantFrom('locked', 'paused', 'plan-ended', 'hedge'), { nil: null }),
  room: qty,
  roomWhy: fc.constant('max-position'),
})

const signed = (decision: Decision): number => (decision.do !== 'send' ? 0 : decision.side === 'buy' ? decision.qty : 0 - decision.qty)
const plain = (changes: Partial<Situation>): Situation => ({
  held: null, actual: 0, target: 0, apart: 0, buying: 0, selling: 0, overdue: [], exits: [], twinMayFill: false, noAdding: null, room: 100, roomWhy: 'max-position', ...changes,
})
const holds = (law: (given: Situation, decision: Decision) => void): void => fc.assert(fc.property(situation, (given) => law(given, decide(given))), { numRuns: 2000 })
const between = (value: number, one: number, other: number): boolean => value >= Math.min(one, other) && value <= Math.max(one, other)

describe('the laws of a decision', () => {
  it('sends nothing while held or while the leader’s position is unknown', () => {
    holds((given, decision) => {
      if (given.held !== null) expect(decision).toMatchObject({ do: 'nothing', why: given.held })
      else if (given.target === null) expect(decision).toMatchObject({ do: 'nothing', why: 'leader-down' })
    })
  })

  it('only reduces when it may not add, and never past zero', () => {
    holds((given, decision) => {
      if (decision.do !== 'send' || given.noAdding === null) return
      const projected = given.actual + given.buying - given.selling
      const after = projected + signed(decision)
      expect([decision.adds, Math.abs(after) < Math.abs(projected), between(after, 0, projected)]).toEqual([0, true, true])
    })
  })

  it('adds no more than the room allows, and reports how much of the order adds', () => {
    holds((given, decision) => {
      if (decision.do !== 'send') return
      const projected = given.actual + given.buying - given.selling
      const after = projected + signed(decision)
      const added = projected * after < 0 ? Math.abs(after) : Math.max(0, Math.abs(after) - Math.abs(projected))
      expect(decision.adds).toBe(added)
      expect(added).toBeLessThanOrEqual(given.room)
    })
  })

  it('stays between actual and target position, whichever pending orders fill', () => {
    holds((given, decision) => {
      if (decision.do !== 'send' || given.target === null) return
      const wanted = given.target + given.apart
      const order = signed(decision)
      const [buying, selling] = [given.buying + Math.max(order, 0), given.selling + Math.max(-order, 0)]
      for (let bought = 0; bought <= buying; bought += 1) for (let sold = 0; sold <= selling; sold += 1) expect(between(given.actual + bought - sold, given.actual, wanted)).toBe(true)
    })
  })

  it('gives a reason whenever something is left undone', () => {
    holds((_given, decision) => {
      if (decision.do === 'nothing' && decision.difference !== 0) expect(decision.why).not.toBeNull()
      if (decision.do === 'send' && decision.qty < Math.abs(decision.difference)) expect(decision.why).not.toBeNull()
      if (decision.do === 'cancel') expect(decision.orders.length).toBeGreaterThan(0)
    })
  })

  it('never reduces next to an exit whose leader’s exit has filled, never opens next to an exit that would add, and cancels none twice', () => {
    holds((given, decision) => {
      const projected = given.actual + given.buying - given.selling
      if (decision.do === 'send') {
        const same = given.exits.filter(({ side }) => side === decision.side)
        if (decision.adds > 0) expect(same).toEqual([])
        const after = Math.max(0, Math.abs(projected) - decision.qty)
        if (projected * signed(decision) < 0) expect(same.filter(({ twin }) => twin).reduce((sum, { left }) => sum + left, 0)).toBeLessThanOrEqual(after)
      }
      if (decision.do === 'cancel' && decision.why === 'exits-cancelling') for (const id of decision.orders) expect(given.exits.find((exit) => exit.id === id)?.ending).toBe(false)
    })
  })

  it('brings a follower into sync within a few steps at a perfect broker', () => {
    holds((given) => {
      let now: Situation = { ...given, held: null, target: given.target ?? 0, twinMayFill: false, room: 100 }
      const wanted = (now.target ?? 0) + now.apart
      const began = now.actual + now.buying - now.selling
      for (let step = 0; step < 12; step += 1) {
        const decision = decide(now)
        if (decision.do === 'send') now = { ...now, actual: now.actual + signed(decision) }
        else if (decision.do === 'cancel') now = { ...now, exits: now.exits.filter(({ id }) => !decision.orders.includes(id)) }
        else {
          // Canceling orders end, and exits shrink to the target.
          now = { ...now, exits: now.exits.filter(({ ending, side }) => !ending && (side === 'sell') === wanted > 0).map((exit) => ({ ...exit, left: 1 })).slice(0, Math.abs(wanted)) }
        }
        // Pending orders fill, or end if the decision was to wait.
        now = { ...now, actual: now.actual + now.buying - now.selling, buying: 0, selling: 0, overdue: [] }
      }
      const reachable = now.noAdding === null ? wanted : Math.sign(wanted) === Math.sign(began) ? Math.sign(began) * Math.min(Math.abs(began), Math.abs(wanted)) : 0
      expect(now.actual + 0).toBe(reachable + 0)
      expect(decide(now)).toMatchObject({ do: 'nothing' })
    })
  })

  it('never overshoots any of its targets through partial fills, rejects, and lost orders', () => {
    const deed = fc.oneof(
      fc.record({ do: fc.constant('target' as const), to: small }),
      fc.record({ do: fc.constant('decide' as const) }),
      fc.record({ do: fc.constantFrom('fill' as const, 'reject' as const), which: fc.nat(5), qty: fc.integer({ min: 1, max: 4 }) }),
      fc.record({ do: fc.constant('rights' as const), noAdding: fc.option(fc.constant('paused' as const), { nil: null }) }),
    )
    fc.assert(
      fc.property(fc.array(deed, { maxLength: 60 }), (deeds) => {
        let [actual, target, low, high] = [0, 0, 0, 0]
        let noAdding: 'paused' | null = null
        let open: { sign: number; left: number }[] = []
        const act = (): Decision => {
          const left = (sign: number): number => open.filter((order) => order.sign === sign).reduce((sum, order) => sum + order.left, 0)
          const decision = decide(plain({ actual, target, buying: left(1), selling: left(-1), noAdding }))
          if (decision.do === 'send') open = [...open, { sign: Math.sign(signed(decision)), left: decision.qty }]
          return decision
        }
        const fill = (which: number, most: number): void => {
          const order = open[which % Math.max(1, open.length)]
          if (order === undefined) return
          const filled = Math.min(order.left, most)
          order.left -= filled
          actual += order.sign * filled
          open = open.filter(({ left }) => left > 0)
          expect(between(actual, low, high)).toBe(true)
        }
        for (const each of deeds) {
          if (each.do === 'target') {
            target = each.to
            low = Math.min(low, target)
            high = Math.max(high, target)
          } else if (each.do === 'rights') noAdding = each.noAdding
          else if (each.do === 'fill') fill(each.which, each.qty)
          else if (each.do === 'reject') open = open.filter((_, index) => index !== each.which % Math.max(1, open.length))
          else act()
        }
        noAdding = null
        for (let step = 0; step < 5; step += 1) {
          while (open.length > 0) fill(0, 100)
          act()
        }
        expect([actual, open.length]).toEqual([target, 0])
      }),
      { numRuns: 500 },
    )
  })

  it('reverses in one order if it may add, and only flattens otherwise', () => {
    expect(decide(plain({ actual: 3, target: -2 }))).toMatchObject({ do: 'send', side: 'sell', qty: 5, adds: 2, why: null })
    expect(decide(plain({ actual: 3, target: -2, noAdding: 'locked' }))).toMatchObject({ do: 'send', side: 'sell', qty: 3, adds: 0, why: 'locked' })
    expect(decide(plain({ actual: 3, target: -2, room: 1 }))).toMatchObject({ do: 'send', side: 'sell', qty: 4, adds: 1, why: 'max-position' })
  })

  it('waits for an opposite order, and cancels it once overdue', () => {
    expect(decide(plain({ actual: 0, target: 0, buying: 2 }))).toMatchObject({ do: 'nothing', difference: -2, why: 'order-working' })
    expect(decide(plain({ actual: 0, target: 0, buying: 2, overdue: ['a'] }))).toMatchObject({ do: 'cancel', orders: ['a'] })
  })

  it('gives the follower’s own exit time to fill, then cancels it, then reduces', () => {
    const stop: WorkingExit = { id: 's', side: 'sell', left: 2, ending: false, twin: true }
    expect(decide(plain({ actual: 2, target: 0, exits: [stop], twinMayFill: true }))).toMatchObject({ do: 'nothing', why: 'order-working' })
    expect(decide(plain({ actual: 2, target: 0, exits: [stop] }))).toMatchObject({ do: 'cancel', orders: ['s'] })
    expect(decide(plain({ actual: 2, target: 0, exits: [{ ...stop, ending: true }] }))).toMatchObject({ do: 'nothing', why: 'exits-cancelling' })
    expect(decide(plain({ actual: 3, target: 2, exits: [stop] }))).toMatchObject({ do: 'send', side: 'sell', qty: 1 })
  })
})
