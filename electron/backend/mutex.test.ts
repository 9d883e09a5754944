import { expect, test } from 'vitest'
import { createTurns } from './mutex.ts'

test('work on one key waits for what was asked before it, also where that failed; work on another does not', async () => {
  const inTurn = createTurns()
  const first = Promise.withResolvers<undefined>()
  const done: string[] = []
  const failing = inTurn('ann', () => first.promise)
  const second = inTurn('ann', () => Promise.resolve(done.push('second')))
  await inTurn('bob', () => Promise.resolve(done.push('another')))
  expect(done).toEqual(['another'])
  first.reject(new Error('The cloud is away'))
  await expect(failing).rejects.toThrow('away')
  await second
  expect(done).toEqual(['another', 'second'])
})
