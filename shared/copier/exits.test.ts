import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Ticks } from '#shared/money/price.ts'
import type { BookOrder } from './book.ts'
import { coveredBy, exitSteps, exitTypes, kindOf, readExits, slotsOf, wantedExits, type ExitStep, type ExitType, type LeaderExit, type WorkingLeg, type WorkingSlot, type WantedExit, type WantedLeg, type WantedSlot } from './exits.ts'
import { targetOf } from './target.ts'

const one = { num: 1, den: 1 }
const half = { num: 1, den: 2 }
const at = (ticks: number): Ticks => ticks as Ticks

const exit = (orderId: number, type: ExitType, qty: number, trigger: number, side: 'buy' | 'sell' = 'sell'): LeaderExit => ({
  orderId, ocoId: null, side, qty, type, price: kindOf(type) === 'limit' ? at(trigger) : type === 'StopLimit' ? at(trigger - 4) : null, stopPrice: kindOf(type) === 'limit' ? null : at(trigger), peg: type === 'TrailingStop' ? at(-8) : null,
})
const wantedFor = (exits: readonly LeaderExit[], more: Partial<Parameters<typeof wantedExits>[0]>) =>
  wantedExits({ exits, leader: 2, base: 0, factor: one, ratio: one, contractCap: null, position: 2, ...more }).map(({ leaderOrderId, qty }) => [leaderOrderId, qty])

describe('the leader’s exits', () => {
  const order = (changes: Partial<BookOrder>, version: Partial<NonNullable<BookOrder['version']>> = {}): BookOrder => ({
    id: 1, contractId: 1, side: 'sell', status: 'Working', ocoId: null, time: 0, filled: 0, left: 2, final: false,
    version: { id: 2, orderId: 1, qty: 2, type: 'Stop', price: null, stopPrice: 100.25, pegDifference: null, timeInForce: 'Day', ...version }, ...changes,
  })
  it.each<[string, BookOrder, number, number]>([
    ['are stops against the position', order({}), 2, 1],
    ['are stops of a short position', order({ side: 'buy' }), -2, 1],
    ['are limits', order({}, { type: 'Limit', price: 101, stopPrice: null }), 2, 1],
    ['are stops with a limit', order({}, { type: 'StopLimit', price: 100 }), 2, 1],
    ['are no orders that open', order({ side: 'buy' }), 2, 0],
    ['are no orders of a flat account', order({}), 0, 0],
    ['are no market orders', order({}, { type: 'Market', stopPrice: null }), 2, 0],
    ['are trailing stops', order({}, { type: 'TrailingStop', pegDifference: -2.5 }), 2, 1],
    ['are no trailing stops without their distance', order({}, { type: 'TrailingStop' }), 2, 0],
    ['are market-if-touched orders', order({}, { type: 'MIT', price: 101, stopPrice: null }), 2, 1],
    ['are no brackets suspended until their entry fills', order({ status: 'Suspended' }), 2, 0],
    ['are none that are being canceled', order({ status: 'PendingCancel' }), 2, 0],
    ['are none off the tick grid', order({}, { stopPrice: 100.1 }), 2, 0],
    ['are none without their price', order({}, { type: 'StopLimit', price: null }), 2, 0],
    ['are none that have filled', order({ left: 0 }), 2, 0],
  ])('%s', (_name, given, leader, count) => {
    expect(readExits([given], leader, '0.25').exits).toHaveLength(count)
  })

  it('that cannot be mirrored are listed with the reason', () => {
    const given = [order({}, { type: 'TrailingStopLimit' }), order({}, { stopPrice: 100.1 }), order({}), order({ side: 'buy' }, { type: 'QTS' })]
    expect(readExits(given, 2, '0.25').not).toEqual([{ type: 'TrailingStopLimit', why: 'type' }, { type: 'Stop', why: 'price' }])
  })
})

describe('wanted exits', () => {
  it.each<[string, number[][], number[][]]>([
    ['are the leader’s at 1 to 1', wantedFor([exit(1, 'Stop', 2, 90), exit(2, 'Limit', 2, 110)], {}), [[1, 2], [2, 2]]],
    ['are scaled', wantedFor([exit(1, 'Stop', 4, 90)], { leader: 4, ratio: half, position: 2 }), [[1, 2]]],
    ['give the odd contract to the nearest stop', wantedFor([exit(1, 'Stop', 1, 80), exit(2, 'Stop', 1, 90)], { ratio: half, position: 1 }), [[2, 1]]],
    ['give the odd contract to the nearest limit', wantedFor([exit(1, 'Limit', 1, 120), exit(2, 'Limit', 1, 110)], { ratio: half, position: 1 }), [[2, 1]]],
    ['sort a short position’s stops upward', wantedFor([exit(1, 'Stop', 1, 120, 'buy'), exit(2, 'Stop', 1, 110, 'buy')], { leader: -2, ratio: half, position: -1 }), [[2, 1]]],
    ['take a follower that holds less no further than the target', wantedFor([exit(1, 'Stop', 2, 90), exit(2, 'Stop', 2, 80)], { leader: 4, position: 3 }), [[1, 1], [2, 2]]],
    ['never exceed it even if the leader’s exits exceed its position', wantedFor([exit(1, 'Stop', 2, 90), exit(2, 'Stop', 2, 80)], {}), [[1, 2]]],
    ['are none of a follower that is flat', wantedFor([exit(1, 'Stop', 2, 90)], { position: 0 }), []],
    ['are none of a follower on the other side', wantedFor([exit(1, 'Stop', 2, 90)], { position: -1 }), []],
    ['leave the follower’s contracts until the leader’s position is below the cap', wantedFor([exit(1, 'Limit', 3, 110), exit(2, 'Limit', 7, 120)], { leader: 10, contractCap: 5, position: 5 }), [[2, 5]]],
    ['cover what is copied, nearest first', wantedFor([exit(1, 'Stop', 1, 90), exit(2, 'Stop', 2, 80)], { leader: 3, base: 1, position: 2 }), [[1, 1], [2, 1]]],
    ['are mapped ten to one', wantedFor([exit(1, 'Stop', 2, 90)], { factor: { num: 10, den: 1 }, position: 20 }), [[1, 20]]],
  ])('%s', (_name, got, wanted) => {
    expect(got).toEqual(wanted)
  })

  it('close as much as the target shrinks when the leader’s exits fill, whatever the ratio', () => {
    const sizes = fc.integer({ min: 1, max: 6 })
    fc.assert(
      fc.property(fc.array(sizes, { minLength: 1, maxLength: 6 }), fc.record({ num: sizes, den: sizes }), fc.nat(4), fc.option(sizes, { nil: null }), (qtys, ratio, more, contractCap) => {
        const leader = qtys.reduce((sum, qty) => sum + qty, 0) + more
        const target = (now: number): number => targetOf({ legs: [{ leader: now, base: 0, factor: one }], ratio, contractCap }).target
        const exits = qtys.map((qty, index) => exit(index, 'Stop', qty, 100 - index))
        const wanted = wantedExits({ exits, leader, base: 0, factor: one, ratio, contractCap, position: target(leader) })
        let [left, closed] = [leader, 0]
        for (const [index, qty] of qtys.entries()) {
          left -= qty
          closed += wanted.find(({ leaderOrderId }) => leaderOrderId === index)?.qty ?? 0
          expect(target(leader) - closed).toBe(target(left))
        }
      }),
    )
  })
})

const want = (id: number, type: ExitType, qty: number, trigger: number, ocoId: number | null = null): WantedExit => {
  const { orderId, ...rest } = exit(id, type, qty, trigger)
  return { ...rest, leaderOrderId: orderId, ocoId }
}
const legged = ({ leaderOrderId, type, price, stopPrice, peg }: WantedExit): WantedLeg => ({ leaderOrderId, type, price, stopPrice, peg })
const slot = (qty: number, stop: WantedExit | null, limit: WantedExit | null = null): WantedSlot => ({ side: 'sell', qty, stop: stop && legged(stop), limit: limit && legged(limit) })
const working = (key: string, wanted: WantedSlot, more: Partial<WorkingLeg> = {}): WorkingSlot => {
  const leg = (kind: 'stop' | 'limit'): WorkingLeg | null => {
    const own = wanted[kind]
    return own === null ? null : { ...own, key: `${kind === 'stop' ? 's' : 'l'}${key}`, qty: wanted.qty, filled: 0, ending: false, sure: true, twin: false, ...more }
  }
  return { side: wanted.side, stop: leg('stop'), limit: leg('limit') }
}
const named = (leg: WantedLeg | null): string => (leg === null ? '-' : `${leg.type} ${leg.leaderOrderId}`)
const summary = (steps: readonly ExitStep[]) => steps.map((step) => (step.do === 'place' ? `place ${step.slot.qty} ${named(step.slot.stop)} / ${named(step.slot.limit)}` : step.do === 'move' ? `move ${step.key} ${step.qty}` : `cancel ${step.key}`) + (step.tightens ? ' tightens' : ''))
const qtys = (slots: readonly WantedSlot[]) => slots.map(({ qty, stop, limit }) => `${qty} ${named(stop)} / ${named(limit)}`)

describe('slots', () => {
  const [stop, limit] = [want(1, 'Stop', 2, 90), want(2, 'Limit', 2, 110)]
  it.each<[string, WantedExit[], number, string[]]>([
    ['join stop and target of a whole position', [stop, limit], 2, ['2 Stop 1 / Limit 2']],
    ['split a stop over several targets', [want(1, 'Stop', 4, 90), limit, want(3, 'Limit', 2, 120)], 4, ['2 Stop 1 / Limit 2', '2 Stop 1 / Limit 3']],
    ['leave the rest of a stop alone', [want(1, 'Stop', 4, 90), limit], 4, ['2 Stop 1 / Limit 2', '2 Stop 1 / -']],
    ['leave two exits apart that close different contracts', [stop, limit], 4, ['2 Stop 1 / -', '2 - / Limit 2']],
    ['join them where the leader’s broker does', [{ ...stop, ocoId: 2 }, limit], 4, ['2 Stop 1 / Limit 2']],
    ['join as much as two exits overlap', [stop, limit], 3, ['1 Stop 1 / Limit 2', '1 Stop 1 / -', '1 - / Limit 2']],
  ])('%s', (_name, exits, position, slots) => {
    expect(qtys(slotsOf(exits, position))).toEqual(slots)
  })
})

describe('the steps to them', () => {
  const [stop, limit] = [want(1, 'Stop', 2, 90), want(2, 'Limit', 2, 110)]
  const pair = slot(2, stop, limit)
  it.each<[string, WantedSlot[], WorkingSlot[], number | { held: number; closing: number }, string[], number]>([
    ['place a pair as one', [pair], [], 2, ['place 2 Stop 1 / Limit 2 tightens'], 0],
    ['do nothing if all exits work', [pair], [working('a', pair)], 2, [], 0],
    ['move both orders of a pair together', [slot(3, stop, limit)], [working('a', pair)], 3, ['move sa 3 tightens', 'move la 3'], 0],
    ['move a stop nearer', [slot(2, want(1, 'Stop', 2, 95))], [working('a', slot(2, stop))], 2, ['move sa 2 tightens'], 0],
    ['move a stop away', [slot(2, want(1, 'Stop', 2, 85))], [working('a', slot(2, stop))], 2, ['move sa 2'], 0],
    ['cancel unwanted exits', [], [working('a', pair)], 2, ['cancel sa', 'cancel la'], 0],
    ['cancel everything of a flat position', [pair], [working('a', pair)], 0, ['cancel sa', 'cancel la'], 1],
    ['cancel exits of the other side', [], [working('a', pair)], -2, ['cancel sa', 'cancel la'], 0],
    ['change the quantity of a stop when a position is scaled out', [slot(3, want(1, 'Stop', 3, 90))], [working('a', slot(4, want(1, 'Stop', 4, 90)))], 3, ['move sa 3'], 0],
    ['leave it until the close has filled', [slot(3, want(1, 'Stop', 3, 90))], [working('a', slot(4, want(1, 'Stop', 4, 90)))], { held: 4, closing: 1 }, [], 0],
    ['leave all until the close has filled', [], [working('a', pair)], { held: 2, closing: 2 }, [], 0],
    ['shrink what is left as the close fills', [], [working('a', pair)], { held: 1, closing: 1 }, ['move sa 1', 'move la 1'], 0],
    ['place the pair before the lone stop is canceled', [pair], [working('a', slot(2, stop))], 2, ['place 2 Stop 1 / Limit 2 tightens'], 0],
    ['cancel the lone stop once the pair works', [pair], [working('a', slot(2, stop)), working('b', pair)], 2, ['cancel sa'], 0],
    ['keep a stop while the pair that replaces it waits for a lone target', [pair], [working('a', slot(2, stop)), working('b', slot(2, null, limit))], 2, ['cancel lb'], 1],
    ['and not before', [pair], [working('a', slot(2, stop)), working('b', pair, { sure: false })], 2, [], 0],
    ['cancel one order of a pair and keep the other', [slot(2, stop)], [working('a', pair)], 2, ['cancel la'], 0],
    ['replace a stop of another type', [slot(2, want(9, 'StopLimit', 2, 95))], [working('a', slot(2, stop))], 2, ['place 2 StopLimit 9 / - tightens'], 0],
    ['replace a trailing stop of another distance', [slot(2, { ...want(9, 'TrailingStop', 2, 95), peg: at(-4) })], [working('a', slot(2, want(9, 'TrailingStop', 2, 95)))], 2, ['place 2 TrailingStop 9 / - tightens'], 0],
    ['never move the price of a trailing stop', [slot(2, want(9, 'TrailingStop', 2, 99))], [working('a', slot(2, want(9, 'TrailingStop', 2, 95)))], 2, [], 0],
    ['reuse the order of a gone exit for a new one', [slot(2, want(9, 'Stop', 2, 95))], [working('a', slot(2, stop))], 2, ['move sa 2 tightens'], 0],
    ['keep the whole stop while a part of it becomes a pair', [slot(1, stop, limit), slot(1, stop)], [working('a', slot(2, stop))], 2, ['place 1 Stop 1 / Limit 2 tightens'], 0],
    ['include the filled part in a modified order', [slot(1, want(1, 'Stop', 1, 95))], [working('a', slot(1, want(1, 'Stop', 1, 90)), { filled: 2 })], 1, ['move sa 3 tightens'], 0],
    ['let a target wait for room', [slot(2, null, limit)], [working('a', slot(2, null, want(7, 'MIT', 2, 105)))], 2, ['cancel la'], 1],
    ['cancel a lone target before placing a pair', [pair], [working('a', slot(2, null, limit))], 2, ['cancel la'], 1],
    ['and wait for its end', [pair], [working('a', slot(2, null, limit), { ending: true })], 2, [], 1],
    ['place a stop without waiting for canceling exits', [slot(2, stop)], [working('a', slot(2, want(7, 'StopLimit', 2, 80)), { ending: true })], 2, ['place 2 Stop 1 / - tightens'], 0],
    ['cancel an exit whose leader’s order filled, and keep the other', [], [working('a', { ...pair, limit: null }), { ...working('b', slot(2, null, limit), { twin: true }) }], { held: 2, closing: 2 }, ['cancel lb'], 0],
  ])('%s', (_name, wanted, standing, room, steps, waiting) => {
    const got = exitSteps(wanted, standing, typeof room === 'number' ? { held: room, closing: 0 } : room)
    expect([summary(got.steps), got.waiting]).toEqual([steps, waiting])
  })

  it('reach the wanted exits in a few rounds in any order of calls, never bare and never more than twice the position', () => {
    const some = fc.array(fc.record({ id: fc.nat(5), type: fc.constantFrom(...exitTypes), qty: fc.integer({ min: 1, max: 3 }), at: fc.integer({ min: 80, max: 120 }) }), { maxLength: 5 })
    const within = (exits: readonly WantedExit[], position: number): readonly WantedSlot[] => {
      const room = { stop: position, limit: position }
      return slotsOf(exits.filter(({ type, qty }) => {
        if (qty > room[kindOf(type)]) return false
        room[kindOf(type)] -= qty
        return true
      }), position)
    }
    const unique = (exits: readonly { id: number; type: ExitType; qty: number; at: number }[]) => [...new Map(exits.map((each) => [each.id, each])).values()].map(({ id, type, qty, at: trigger }) => want(id, type, qty, trigger))
    const size = ({ stop, limit }: WorkingSlot): number => Math.max(stop?.qty ?? 0, limit?.qty ?? 0)
    const plain = (slots: readonly { stop: WantedLeg | null; limit: WantedLeg | null; qty?: number }[]) => slots.map(({ stop, limit, ...rest }) => JSON.stringify([stop, limit].map((leg) => leg && [leg.type, leg.price, leg.type === 'TrailingStop' ? null : leg.stopPrice, leg.peg, 'qty' in leg ? leg.qty : rest.qty]))).toSorted()
    fc.assert(
      fc.property(some, some, fc.integer({ min: 1, max: 8 }), fc.infiniteStream(fc.nat()), (goal, begin, position, dice) => {
        const wanted = within(unique(goal), position)
        let standing: readonly WorkingSlot[] = within(unique(begin), position).map((each, index) => working(String(index), each))
        const least = Math.min(coveredBy(standing), wanted.reduce((sum, { qty, stop }) => sum + (stop === null ? 0 : qty), 0))
        const change = (key: string, to: (leg: WorkingLeg) => WorkingLeg | null): void => {
          const leg = (own: WorkingLeg | null): WorkingLeg | null => (own?.key === key ? to(own) : own)
          standing = standing.map((own) => ({ ...own, stop: leg(own.stop), limit: leg(own.limit) })).filter(({ stop, limit }) => stop !== null || limit !== null)
        }
        for (let round = 0; round < 6; round += 1) {
          const { steps } = exitSteps(wanted, standing, { held: position, closing: 0 })
          for (const [index, step] of [...steps].map((each) => ({ each, order: dice.next().value ?? 0 })).toSorted((x, y) => x.order - y.order).map(({ each }) => each).entries()) {
            if (step.do === 'cancel') change(step.key, () => null)
            else if (step.do === 'move') change(step.key, (leg) => ({ ...leg, ...step.to, qty: step.qty }))
            else standing = [...standing, working(`r${round}.${index}`, step.slot)]
            expect(coveredBy(standing)).toBeGreaterThanOrEqual(least)
            expect(standing.reduce((sum, own) => sum + size(own), 0)).toBeLessThanOrEqual(2 * position)
          }
        }
        expect(exitSteps(wanted, standing, { held: position, closing: 0 })).toEqual({ steps: [], waiting: 0 })
        expect(plain(standing)).toEqual(plain(wanted))
      }),
      { numRuns: 500 },
    )
  })
})
