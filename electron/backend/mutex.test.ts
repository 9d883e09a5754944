import { expect, test } from 'vitest'
import { createKeyedMutex } from './mutex.ts'

test('work on one key waits for what was asked before it, also where that failed; work on another does not', async () => {
  const runExclusive = createKeyedMutex()
  const first = Promise.withResolvers<undefined>()
  const done: string[] = []
  const failing = runExclusive('ann', () => first.promise)
  const second = runExclusive('ann', () => Promise.resolve(done.push('second')))
  await runExclusive('bob', () => Promise.resolve(done.push('another')))
  expect(done).toEqual(['another'])
  first.reject(new Error('The cloud is away'))
  await expect(failing).rejects.toThrow('away')
  await second
  expect(done).toEqual(['another', 'second'])
})
