import { expect, it } from 'vitest'
import { runModel } from './model.ts'

it('every follower ends at its target, or in a stated lock, whatever chance does for a while', async () => {
  expect(await runModel(7, 200)).toMatchObject({ steps: 200, rests: 2 })
})
