import { expect, test } from 'vitest'
import { decide, type Decision, type Situation, type WorkingExit } from './decide.ts'

const flat: Situation = {
  held: null, real: 0, target: 0, apart: 0, buying: 0, selling: 0, overdue: [], exits: [], twinMayFill: false, noAdding: null, room: Number.MAX_SAFE_INTEGER, roomWhy: 'max-position',
}
const exit = (id: string, left: number, more: Partial<WorkingExit> = {}): WorkingExit => ({ id, side: 'sell', left, ending: false, twin: false, ...more })
const told = (decision: Decision): string => {
  const why = decision.why === null ? '' : `, ${decision.why}`
  if (decision.do === 'send') return `${decision.side} ${String(decision.qty)}${decision.adds > 0 ? ` (${String(decision.adds)} more)` : ''}${why}`
  return decision.do === 'cancel' ? `cancel ${decision.orders.join(' ')}${why}` : `nothing${why}`
}

const stories: readonly (readonly [name: string, situation: Partial<Situation>, told: string])[] = [
  ['flat and nothing wanted', {}, 'nothing'],
  ['an entry', { target: 2 }, 'buy 2 (2 more)'],
  ['a short entry', { target: -2 }, 'sell 2 (2 more)'],
  ['an addition', { real: 2, target: 3 }, 'buy 1 (1 more)'],
  ['a reduction', { real: 3, target: 1 }, 'sell 2'],
  ['an exit', { real: -3, target: 0 }, 'buy 3'],
  ['a flip is one order', { real: 2, target: -3 }, 'sell 5 (3 more)'],
  ['a flip without the right to add ends at zero', { real: 2, target: -3, noAdding: 'paused' }, 'sell 2, paused'],
  ['a reduction goes though nothing may be added', { real: 3, target: 1, noAdding: 'locked' }, 'sell 2'],
  ['nothing is added while locked', { target: 2, noAdding: 'locked' }, 'nothing, locked'],
  ['an entry goes as far as there is room', { target: 5, room: 2 }, 'buy 2 (2 more), max-position'],
  ['a flip goes as far as there is room beyond zero', { real: 2, target: -3, room: 1 }, 'sell 3 (1 more), max-position'],
  ['no room at all', { target: 1, room: 0 }, 'nothing, max-position'],
  ['what is under way counts', { target: 2, buying: 2 }, 'nothing'],
  ['what is under way is added to', { target: 3, buying: 2 }, 'buy 1 (1 more)'],
  ['a close under way is enough', { real: 2, target: 0, selling: 2 }, 'nothing'],
  ['a close under way that goes too far is waited for', { real: 2, target: 1, selling: 2 }, 'nothing, order-working'],
  ['an entry under way is waited for before it is taken back', { target: 0, buying: 2 }, 'nothing, order-working'],
  ['and cancelled when it takes too long', { target: 0, buying: 2, overdue: ['a'] }, 'cancel a, order-working'],
  ['an order that takes long in the wanted direction is left alone, and told', { target: 2, buying: 2, overdue: ['a'] }, 'nothing, order-working'],
  ['more of a flip under way adds', { real: 1, target: -3, selling: 3 }, 'sell 1 (1 more)'],
  ['an unknown order holds everything', { real: 3, target: 0, held: 'order-unknown' }, 'nothing, order-unknown'],
  ['an unknown leader holds everything', { real: 3, target: null }, 'nothing, leader-down'],
  ['a deviation is no difference', { real: 0, target: 2, apart: -2 }, 'nothing'],
  ['a deviation is kept when the target moves', { real: 1, target: 1, apart: 1, noAdding: 'by-hand' }, 'nothing, by-hand'],
  ['a close leaves its exits in place', { real: 2, target: 0, exits: [exit('s', 2), exit('l', 2)] }, 'sell 2'],
  ['so does a reduction', { real: 3, target: 2, exits: [exit('s', 3)] }, 'sell 1'],
  ['the leader\'s exit has filled: the own one may follow', { real: 2, target: 0, twinMayFill: true, exits: [exit('s', 2, { twin: true })] }, 'nothing, order-working'],
  ['it did not, and goes before the close', { real: 2, target: 0, exits: [exit('s', 2), exit('l', 2, { twin: true })] }, 'cancel l, exits-cancelling'],
  ['its end is waited for', { real: 2, target: 0, exits: [exit('l', 2, { twin: true, ending: true })] }, 'nothing, exits-cancelling'],
  ['one that protects what is left shrinks first', { real: 3, target: 2, exits: [exit('l', 3, { twin: true })] }, 'nothing, exits-cancelling'],
  ['and is in nobody\'s way then', { real: 3, target: 2, exits: [exit('l', 2, { twin: true })] }, 'sell 1'],
  ['a flip closes first, beside the exits', { real: 2, target: -3, exits: [exit('s', 2)] }, 'sell 2, exits-cancelling'],
  ['and opens once no exit could add to it', { real: 0, target: -3, exits: [exit('s', 2)] }, 'cancel s, exits-cancelling'],
  ['no own exit stands: nothing is waited for', { real: 2, target: 0, twinMayFill: true }, 'sell 2'],
  ['exits do not hold up an addition', { real: 2, target: 3, exits: [exit('s', 2)] }, 'buy 1 (1 more)'],
]

test.each(stories)('%s', (_, situation, expected) => {
  expect(told(decide({ ...flat, ...situation }))).toBe(expected)
})
