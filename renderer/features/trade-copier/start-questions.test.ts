// @module-tag slow
import { follower, stance } from '#tests/helpers/copier-live.ts'
import { expect, test } from 'vitest'
import { startEffects } from './start-questions.tsx'

test('each answer names its orders: to the target, to flat, or none with what stays the user’s', () => {
  const undecided = [{ contract: 'MNQZ6', leader: 2, follower: 5 }, { contract: 'MESZ6', leader: -1, follower: 0 }, { contract: 'GCZ6', leader: 0, follower: -3 }]
  const contracts = [stance({ target: 20, actual: 5 }), stance({ contract: 'MESZ6', target: -10, actual: 0 }), stance({ contract: 'GCZ6', target: 0, actual: -3 })]
  expect(startEffects(follower('a', { undecided, contracts }))).toEqual({
    adopt: [{ side: 'buy', qty: 15, contract: 'MNQZ6' }, { side: 'sell', qty: 10, contract: 'MESZ6' }, { side: 'buy', qty: 3, contract: 'GCZ6' }],
    flatten: [{ side: 'sell', qty: 5, contract: 'MNQZ6' }, { side: 'buy', qty: 3, contract: 'GCZ6' }],
    leave: [{ qty: 5, contract: 'MNQZ6' }, { qty: 3, contract: 'GCZ6' }],
  })
})

test('a follower at its target gets no order, whatever the answer but flatten', () => {
  expect(startEffects(follower('a', { undecided: [{ contract: 'MNQZ6', leader: 2, follower: 20 }], contracts: [stance()] }))).toEqual({ adopt: [], flatten: [{ side: 'sell', qty: 20, contract: 'MNQZ6' }], leave: [{ qty: 20, contract: 'MNQZ6' }] })
})

test('while a target is unknown, adopting names no orders', () => {
  expect(startEffects(follower('a', { undecided: [{ contract: 'MNQZ6', leader: 2, follower: 0 }], contracts: [] })).adopt).toBeNull()
})
