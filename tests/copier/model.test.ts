import { expect, it } from 'vitest'
import { runModel } from './model.ts'

it('every follower ends at its target, or in a stated lock, whatever chance does for a while', async () => {
  expect(await runModel(7, 300)).toMatchObject({ steps: 300, rests: 3 })
})
