import { expect, test } from 'vitest'
import { createSemaphore } from './semaphore.ts'

const stays = new AbortController().signal
const held = () => {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  return { promise, end: () => resolve(undefined) }
}

test('tasks beyond the limit wait, first come, first served, also after a task that failed', async () => {
  const run = createSemaphore(1)
  const order: string[] = []
  const first = held()
  const failing = run(stays, async () => {
    await first.promise
    throw new Error('failed')
  })
  const second = run(stays, () => Promise.resolve(order.push('second')))
  const third = run(stays, () => Promise.resolve(order.push('third')))
  expect(order).toEqual([])
  first.end()
  await expect(failing).rejects.toThrow('failed')
  await Promise.all([second, third])
  expect(order).toEqual(['second', 'third'])
})

test('a canceled waiting task is rejected at once and never begins; a running task keeps its place to its end', async () => {
  const run = createSemaphore(1)
  const [leaving, holding] = [new AbortController(), new AbortController()]
  const [first, order] = [held(), [] as string[]]
  const running = run(holding.signal, async () => {
    await first.promise
    return 'to its end'
  })
  const gone = run(leaving.signal, () => Promise.resolve(order.push('gone')))
  const last = run(stays, () => Promise.resolve(order.push('last')))
  leaving.abort(new Error('left'))
  await expect(gone).rejects.toThrow('left')
  holding.abort(new Error('left too'))
  expect(order).toEqual([])
  first.end()
  expect(await running).toBe('to its end')
  await last
  expect(order).toEqual(['last'])
  await expect(run(AbortSignal.abort(new Error('never came')), () => Promise.resolve())).rejects.toThrow('never came')
})
