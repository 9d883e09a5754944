import { expect, it } from 'vitest'
import { runModel } from './model.ts'

it('every follower ends at its target or in a stated lock after a while of random trades and faults', { tags: ['long', 'nightly'] }, async () => {
  expect(await runModel(7, 100)).toMatchObject({ steps: 100, rests: expect.toSatisfy((rests: number) => rests > 0) as number })
})
