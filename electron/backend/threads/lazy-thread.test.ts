import { expect, test } from 'vitest'
import { lazyThread } from './start-thread.ts'

const kitchen = () => {
  const begun: number[] = []
  const ended: number[] = []
  const start = () => {
    begun.push(begun.length)
    return {
      boil: (minutes: number, what: string) => Promise.resolve(`${what}: ${String(minutes)} minutes`),
      burning: () => Promise.resolve(true),
      stop: () => Promise.resolve(void ended.push(ended.length)),
    }
  }
  return { begun, ended, ...lazyThread(start, { burning: () => Promise.resolve(false) }) }
}

test('nothing starts before the first call that needs it, and then once', async () => {
  const { calls, begun } = kitchen()
  expect(begun).toEqual([])
  expect(await Promise.all([calls.boil(3, 'an egg'), calls.boil(8, 'rice')])).toEqual(['an egg: 3 minutes', 'rice: 8 minutes'])
  expect(begun).toHaveLength(1)
})

test('calls with an answer at rest start nothing, and go to the thread once it runs', async () => {
  const { calls, begun, begin } = kitchen()
  expect([await calls.burning(), begun.length]).toEqual([false, 0])
  begin()
  begin()
  expect([await calls.burning(), begun.length]).toEqual([true, 1])
})

test('ending one that never started starts nothing, and neither does a later call', async () => {
  const { calls, begun, ended, begin } = kitchen()
  await calls.stop()
  await calls.stop()
  await expect(calls.boil(3, 'an egg')).rejects.toThrow('The thread ended')
  await expect(calls.burning()).rejects.toThrow('The thread ended')
  expect(begin).toThrow('The thread ended')
  expect([begun, ended]).toEqual([[], []])
})

test('a running one is ended itself, and still answers afterwards', async () => {
  const { calls, begun, ended } = kitchen()
  await calls.boil(3, 'an egg')
  await calls.stop()
  expect(await calls.burning()).toBe(true)
  expect([begun.length, ended.length]).toEqual([1, 1])
})
