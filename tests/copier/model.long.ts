/** @module-tag long */

import { expect, it } from 'vitest'
import { casesOf } from '#tests/helpers/cases.ts'
import { runModel } from './model.ts'

const STEPS = Number(process.env['MODEL_STEPS'] ?? casesOf({ nightly: 6_000, long: 1_000, inCi: 250 }))
const SEEDS = process.env['MODEL_SEED']?.split(',').map(Number) ?? [11, 12, 13, 14].slice(0, casesOf({ nightly: 4, long: 4, inCi: 1 }))

// What chance does to a leader, its followers, the brokerage and the computer, in worlds of their own, which wait far more than they compute and so go side by side.
it.concurrent.each(SEEDS)('every follower ends at its target, or in a stated lock, and no order is doubled or unexplained: seed %i', { timeout: 1_800_000 }, async (seed) => {
  const steps = Math.ceil(STEPS / SEEDS.length)
  expect(await runModel(seed, steps)).toMatchObject({ steps })
})
