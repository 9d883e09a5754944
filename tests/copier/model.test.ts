import { expect, it } from 'vitest'
import { runModel } from './model.ts'

it('every follower ends at its target, or in a stated lock, whatever chance does for a while', { tags: ['long', 'nightly'] }, async () => {
  expect(await runModel(7, 100)).toMatchObject({ steps: 100, rests: expect.toSatisfy((rests: number) => rests > 0) as number })
})
