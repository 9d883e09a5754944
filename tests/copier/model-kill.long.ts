/**
 * @module-tag long
 * @module-tag nightly
 */

import { expect, test } from 'vitest'
import { fault } from '#tests/helpers/fault.ts'
import { words } from '#tests/helpers/words.ts'
import { runModel } from './model.ts'
import { stepsWithKills } from './model-steps.ts'

test('killed repeatedly while copying, every follower ends at its target, and the broker gets no order twice', { tags: 'fault' }, async ({ task }) => {
  const count = fault(task, 'kill-copier')
  count.says(words('trade-copier', 'why.order-unknown'))
  // A follower off its target, or an unexplained order, ends the run.
  const { kills, outcome } = await runModel(5, 24, stepsWithKills)
  count.tried(kills)
  for (const { found, expected } of [outcome.orders, outcome.positions]) {
    count.compare(found, expected)
    expect(expected.length).toBeGreaterThan(0)
    expect(found.toSorted()).toEqual(expected.toSorted())
  }
  expect(kills).toBeGreaterThan(5)
})
