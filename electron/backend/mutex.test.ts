import { expect, test } from 'vitest'
import { createKeyedMutex } from './mutex.ts'

test('tasks with the same key run one after another, even after a failure; other keys do not wait', async () => {
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
