import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Ticks } from '#shared/money/price.ts'
import type { BookOrder } from './book.ts'
import { exitSteps, kindOf, leaderExits, wantedExits, type ExitStep, type ExitType, type LeaderExit, type StandingExit, type WantedExit } from './exits.ts'
import { targetOf } from './target.ts'

const one = { num: 1, den: 1 }
const half = { num: 1, den: 2 }
const at = (ticks: number): Ticks => ticks as Ticks

const exit = (orderId: number, type: ExitType, qty: number, trigger: number, side: 'buy' | 'sell' = 'sell'): LeaderExit => ({
  orderId, side, qty, type, price: type === 'Limit' ? at(trigger) : type === 'StopLimit' ? at(trigger - 4) : null, stopPrice: type === 'Limit' ? null : at(trigger),
})
const wantedFor = (exits: readonly LeaderExit[], more: Partial<Parameters<typeof wantedExits>[0]>) =>
  wantedExits({ exits, leader: 2, base: 0, factor: one, ratio: one, contractCap: null, position: 2, ...more }).map(({ leaderOrderId, qty }) => [leaderOrderId, qty])

describe('the leader’s exits', () => {
  const order = (changes: Partial<BookOrder>, version: Partial<NonNullable<BookOrder['version']>> = {}): BookOrder => ({
    id: 1, contractId: 1, side: 'sell', status: 'Working', ocoId: null, time: 0, filled: 0, left: 2, final: false,
    version: { id: 2, orderId: 1, qty: 2, type: 'Stop', price: null, stopPrice: 100.25, timeInForce: 'Day', ...version }, ...changes,
  })
  it.each<[string, BookOrder, number, number]>([
    ['are stops against the position', order({}), 2, 1],
    ['are stops of a short position', order({ side: 'buy' }), -2, 1],
    ['are limits', order({}, { type: 'Limit', price: 101, stopPrice: null }), 2, 1],
    ['are stops with a limit', order({}, { type: 'StopLimit', price: 100 }), 2, 1],
    ['are no orders that open', order({ side: 'buy' }), 2, 0],
    ['are no orders of a flat account', order({}), 0, 0],
    ['are no market orders', order({}, { type: 'Market', stopPrice: null }), 2, 0],
    ['are no trailing stops', order({}, { type: 'TrailingStop' }), 2, 0],
    ['are no brackets that wait for their entry', order({ status: 'Suspended' }), 2, 0],
    ['are none that are being cancelled', order({ status: 'PendingCancel' }), 2, 0],
    ['are none at a price between two ticks', order({}, { stopPrice: 100.1 }), 2, 0],
    ['are none without their price', order({}, { type: 'StopLimit', price: null }), 2, 0],
    ['are none that have filled', order({ left: 0 }), 2, 0],
  ])('%s', (_name, given, leader, count) => {
    expect(leaderExits([given], leader, '0.25')).toHaveLength(count)
  })
})

describe('wanted exits', () => {
  it.each<[string, number[][], number[][]]>([
    ['are the leader’s at 1 to 1', wantedFor([exit(1, 'Stop', 2, 90), exit(2, 'Limit', 2, 110)], {}), [[1, 2], [2, 2]]],
    ['are scaled', wantedFor([exit(1, 'Stop', 4, 90)], { leader: 4, ratio: half, position: 2 }), [[1, 2]]],
    ['give the odd contract to the nearest stop', wantedFor([exit(1, 'Stop', 1, 80), exit(2, 'Stop', 1, 90)], { ratio: half, position: 1 }), [[2, 1]]],
    ['give the odd contract to the nearest limit', wantedFor([exit(1, 'Limit', 1, 120), exit(2, 'Limit', 1, 110)], { ratio: half, position: 1 }), [[2, 1]]],
    ['know the nearest of a short position', wantedFor([exit(1, 'Stop', 1, 120, 'buy'), exit(2, 'Stop', 1, 110, 'buy')], { leader: -2, ratio: half, position: -1 }), [[2, 1]]],
    ['never exceed what the follower holds', wantedFor([exit(1, 'Stop', 2, 90), exit(2, 'Stop', 2, 80)], { leader: 4, position: 3 }), [[1, 2], [2, 1]]],
    ['never exceed it where the leader’s own exceed its position', wantedFor([exit(1, 'Stop', 2, 90), exit(2, 'Stop', 2, 80)], {}), [[1, 2]]],
    ['are none of a follower that is flat', wantedFor([exit(1, 'Stop', 2, 90)], { position: 0 }), []],
    ['are none of a follower on the other side', wantedFor([exit(1, 'Stop', 2, 90)], { position: -1 }), []],
    ['leave the follower’s contracts until the leader’s position is below the cap', wantedFor([exit(1, 'Limit', 3, 110), exit(2, 'Limit', 7, 120)], { leader: 10, contractCap: 5, position: 5 }), [[2, 5]]],
    ['cover what is copied, nearest first', wantedFor([exit(1, 'Stop', 1, 90), exit(2, 'Stop', 2, 80)], { leader: 3, base: 1, position: 2 }), [[1, 1], [2, 1]]],
    ['are mapped ten to one', wantedFor([exit(1, 'Stop', 2, 90)], { factor: { num: 10, den: 1 }, position: 20 }), [[1, 20]]],
  ])('%s', (_name, got, wanted) => {
    expect(got).toEqual(wanted)
  })

  it('close as much as the target loses when the leader’s exits fill, whatever the ratio', () => {
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

const want = (id: number, type: ExitType, qty: number, trigger: number): WantedExit => {
  const { orderId, ...rest } = exit(id, type, qty, trigger)
  return { ...rest, leaderOrderId: orderId }
}
const stands = (key: string, wanted: WantedExit, more: Partial<StandingExit> = {}): StandingExit => ({ ...wanted, key, filled: 0, ending: false, ...more })
const told = (steps: readonly ExitStep[]) => steps.map((step) => (step.do === 'place' ? `place ${step.exit.qty}` : step.do === 'move' ? `move ${step.key} ${step.qty}` : `cancel ${step.key}`) + (step.tightens ? ' tightens' : ''))

describe('the steps to them', () => {
  const stop = want(1, 'Stop', 2, 90)
  it.each<[string, WantedExit[], StandingExit[], number, string[], number]>([
    ['place what is missing, and stops first', [want(2, 'Limit', 2, 110), stop], [], 2, ['place 2', 'place 2 tightens'], 0],
    ['do nothing where all stands', [stop], [stands('a', stop)], 2, [], 0],
    ['move a stop nearer', [want(1, 'Stop', 2, 95)], [stands('a', stop)], 2, ['move a 2 tightens'], 0],
    ['move a stop away', [want(1, 'Stop', 2, 85)], [stands('a', stop)], 2, ['move a 2'], 0],
    ['move a limit', [want(2, 'Limit', 2, 108)], [stands('a', want(2, 'Limit', 2, 110))], 2, ['move a 2'], 0],
    ['cancel what is not wanted', [], [stands('a', stop)], 0, ['cancel a'], 0],
    ['take the order of one that went for one that came', [want(9, 'Stop', 2, 95)], [stands('a', stop)], 2, ['move a 2 tightens'], 0],
    ['take only an order of the same type', [want(9, 'StopLimit', 2, 95)], [stands('a', stop)], 2, ['cancel a'], 1],
    ['take the nearest of several', [want(9, 'Stop', 1, 81)], [stands('a', want(1, 'Stop', 1, 90)), stands('b', want(2, 'Stop', 1, 80))], 1, ['cancel a', 'move b 1 tightens'], 0],
    ['count what filled already in a changed order', [want(1, 'Stop', 1, 95)], [stands('a', want(1, 'Stop', 1, 90), { filled: 2 })], 1, ['move a 3 tightens'], 0],
    ['let nothing grow while a cancellation is under way', [stop], [stands('a', want(7, 'Stop', 2, 80), { ending: true })], 2, [], 1],
    ['place as much as there is room for already', [stop], [stands('a', want(7, 'Stop', 1, 80), { ending: true })], 2, ['place 1 tightens'], 1],
    ['shrink before they grow', [want(1, 'Stop', 1, 90), want(2, 'Stop', 1, 80)], [stands('a', stop)], 2, ['move a 1'], 1],
    ['shrink first, whatever the order of prices', [want(2, 'Stop', 1, 95), want(1, 'Stop', 1, 90)], [stands('a', stop)], 3, ['move a 1', 'place 1 tightens'], 0],
    ['give limits a room of their own', [stop, want(2, 'Limit', 2, 110)], [stands('a', stop)], 2, ['place 2'], 0],
    ['move the price even where it cannot grow yet', [want(1, 'Stop', 2, 95)], [stands('a', want(1, 'Stop', 1, 90)), stands('b', want(7, 'Stop', 1, 80), { ending: true })], 2, ['move a 1 tightens'], 1],
    ['cancel an exit of the wrong side', [stop], [stands('a', { ...stop, side: 'buy' })], 4, ['cancel a', 'place 2 tightens'], 0],
  ])('%s', (_name, wanted, standing, position, steps, waiting) => {
    const got = exitSteps(wanted, standing, position)
    expect([told(got.steps), got.waiting]).toEqual([steps, waiting])
  })

  it('reach what is wanted in two rounds, whichever call is done first, and no kind ever exceeds the position', () => {
    const some = fc.array(fc.record({ id: fc.nat(5), type: fc.constantFrom<ExitType>('Stop', 'Limit', 'StopLimit'), qty: fc.integer({ min: 1, max: 3 }), at: fc.integer({ min: 80, max: 120 }) }), { maxLength: 5 })
    const within = (exits: readonly WantedExit[], position: number): WantedExit[] => {
      const room = { stop: position, limit: position }
      return exits.filter(({ type, qty }) => {
        if (qty > room[kindOf(type)]) return false
        room[kindOf(type)] -= qty
        return true
      })
    }
    const unique = (exits: readonly { id: number; type: ExitType; qty: number; at: number }[]) => [...new Map(exits.map((each) => [each.id, each])).values()].map(({ id, type, qty, at: trigger }) => want(id, type, qty, trigger))
    fc.assert(
      fc.property(some, some, fc.integer({ min: 1, max: 8 }), fc.infiniteStream(fc.nat()), (goal, begin, position, dice) => {
        const wanted = within(unique(goal), position)
        let standing = within(unique(begin), position).map((each, index) => stands(`s${index}`, each))
        for (let round = 0; round < 2; round += 1) {
          const { steps } = exitSteps(wanted, standing, position)
          for (const step of [...steps].map((each) => ({ each, order: dice.next().value ?? 0 })).toSorted((x, y) => x.order - y.order).map(({ each }) => each)) {
            if (step.do === 'cancel') standing = standing.filter(({ key }) => key !== step.key)
            else if (step.do === 'move') standing = standing.map((own) => (own.key === step.key ? stands(step.key, { ...step.to, qty: step.qty }) : own))
            else standing = [...standing, stands(`r${round}.${standing.length}.${step.exit.leaderOrderId}`, step.exit)]
            for (const kind of ['stop', 'limit'] as const) expect(standing.filter(({ type }) => kindOf(type) === kind).reduce((sum, { qty }) => sum + qty, 0)).toBeLessThanOrEqual(position)
          }
        }
        const plain = (exits: readonly WantedExit[]) => exits.map(({ leaderOrderId, type, qty, price, stopPrice }) => JSON.stringify([leaderOrderId, type, qty, price, stopPrice])).toSorted()
        const unnamed = (exits: readonly WantedExit[]) => exits.map(({ type, qty, price, stopPrice }) => JSON.stringify([type, qty, price, stopPrice])).toSorted()
        expect(unnamed(standing)).toEqual(unnamed(wanted))
        expect(exitSteps(wanted, standing, position)).toEqual({ steps: [], waiting: 0 })
        expect(plain(wanted)).toHaveLength(standing.length)
      }),
    )
  })
})
