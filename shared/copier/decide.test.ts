import { expect, test } from 'vitest'
import { decide, type Decision, type Situation, type WorkingExit } from './decide.ts'

const flat: Situation = {
  held: null, actual: 0, target: 0, apart: 0, buying: 0, selling: 0, overdue: [], exits: [], twinMayFill: false, noAdding: null, room: Number.MAX_SAFE_INTEGER, roomWhy: 'max-position',
}
const exit = (id: string, left: number, more: Partial<WorkingExit> = {}): WorkingExit => ({ id, side: 'sell', left, ending: false, twin: false, ...more })
const summary = (decision: Decision): string => {
  const why = decision.why === null ? '' : `, ${decision.why}`
  if (decision.do === 'send') return `${decision.side} ${String(decision.qty)}${decision.adds > 0 ? ` (${String(decision.adds)} more)` : ''}${why}`
  return decision.do === 'cancel' ? `cancel ${decision.orders.join(' ')}${why}` : `nothing${why}`
}

const stories: readonly (readonly [name: string, situation: Partial<Situation>, expected: string])[] = [
  ['flat with a flat target', {}, 'nothing'],
  ['an entry', { target: 2 }, 'buy 2 (2 more)'],
  ['a short entry', { target: -2 }, 'sell 2 (2 more)'],
  ['an addition', { actual: 2, target: 3 }, 'buy 1 (1 more)'],
  ['a reduction', { actual: 3, target: 1 }, 'sell 2'],
  ['an exit', { actual: -3, target: 0 }, 'buy 3'],
  ['a reversal is one order', { actual: 2, target: -3 }, 'sell 5 (3 more)'],
  ['a reversal without permission to add stops at zero', { actual: 2, target: -3, noAdding: 'paused' }, 'sell 2, paused'],
  ['a reduction goes even if nothing may be added', { actual: 3, target: 1, noAdding: 'locked' }, 'sell 2'],
  ['nothing is added while locked', { target: 2, noAdding: 'locked' }, 'nothing, locked'],
  ['an entry is limited by the room', { target: 5, room: 2 }, 'buy 2 (2 more), max-position'],
  ['a reversal is limited by the room beyond zero', { actual: 2, target: -3, room: 1 }, 'sell 3 (1 more), max-position'],
  ['no room at all', { target: 1, room: 0 }, 'nothing, max-position'],
  ['pending orders count', { target: 2, buying: 2 }, 'nothing'],
  ['pending orders are topped up', { target: 3, buying: 2 }, 'buy 1 (1 more)'],
  ['a pending close is enough', { actual: 2, target: 0, selling: 2 }, 'nothing'],
  ['waits for a pending close that goes too far', { actual: 2, target: 1, selling: 2 }, 'nothing, order-working'],
  ['waits for a pending entry before trading it back', { target: 0, buying: 2 }, 'nothing, order-working'],
  ['cancels it once overdue', { target: 0, buying: 2, overdue: ['a'] }, 'cancel a, order-working'],
  ['an overdue order in the wanted direction stays, and is reported', { target: 2, buying: 2, overdue: ['a'] }, 'nothing, order-working'],
  ['adding to a pending reversal', { actual: 1, target: -3, selling: 3 }, 'sell 1 (1 more)'],
  ['an unknown order holds everything', { actual: 3, target: 0, held: 'order-unknown' }, 'nothing, order-unknown'],
  ['an unknown leader holds everything', { actual: 3, target: null }, 'nothing, leader-down'],
  ['a deviation is no difference', { actual: 0, target: 2, apart: -2 }, 'nothing'],
  ['a deviation is kept when the target moves', { actual: 1, target: 1, apart: 1, noAdding: 'by-hand' }, 'nothing, by-hand'],
  ['a close leaves its exits in place', { actual: 2, target: 0, exits: [exit('s', 2), exit('l', 2)] }, 'sell 2'],
  ['a reduction leaves its exits in place', { actual: 3, target: 2, exits: [exit('s', 3)] }, 'sell 1'],
  ['the leader\'s exit has filled: the own one may follow', { actual: 2, target: 0, twinMayFill: true, exits: [exit('s', 2, { twin: true })] }, 'nothing, order-working'],
  ['an exit that did not fill is canceled before the close', { actual: 2, target: 0, exits: [exit('s', 2), exit('l', 2, { twin: true })] }, 'cancel l, exits-cancelling'],
  ['the close waits for its end', { actual: 2, target: 0, exits: [exit('l', 2, { twin: true, ending: true })] }, 'nothing, exits-cancelling'],
  ['an exit that protects the rest shrinks first', { actual: 3, target: 2, exits: [exit('l', 3, { twin: true })] }, 'nothing, exits-cancelling'],
  ['and is in nobody\'s way then', { actual: 3, target: 2, exits: [exit('l', 2, { twin: true })] }, 'sell 1'],
  ['a reversal closes first, next to the exits', { actual: 2, target: -3, exits: [exit('s', 2)] }, 'sell 2, exits-cancelling'],
  ['a reversal opens once no exit could add to it', { actual: 0, target: -3, exits: [exit('s', 2)] }, 'cancel s, exits-cancelling'],
  ['nothing to wait for without own exits', { actual: 2, target: 0, twinMayFill: true }, 'sell 2'],
  ['exits do not hold up an addition', { actual: 2, target: 3, exits: [exit('s', 2)] }, 'buy 1 (1 more)'],
]

test.each(stories)('%s', (_, situation, expected) => {
  expect(summary(decide({ ...flat, ...situation }))).toBe(expected)
})
