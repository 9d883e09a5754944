import { once } from 'node:events'
import { MessageChannel } from 'node:worker_threads'
import { afterEach, expect, test, vi } from 'vitest'
import { journalServer } from './journal-thread.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('calls sent before the stop are answered, later ones are refused', async () => {
  const { port1, port2 } = new MessageChannel()
  const server = journalServer({ twice: (number: number) => 2 * number } as Record<string, (input: never) => unknown>)
  server.serve(port2)
  const answered = once(port1, 'message')
  port1.postMessage({ call: 1, name: 'twice', input: 21 })
  await server.finish()
  expect(await answered).toEqual([{ answer: 1, value: 42 }])
  const refused = once(port1, 'message')
  port1.postMessage({ call: 2, name: 'twice', input: 21 })
  expect(await refused).toMatchObject([{ answer: 2, code: 'journal-closed' }])
  port1.close()
})

test('memory is returned to the system after a long call, and only then', async () => {
  const collect = vi.fn()
  vi.stubGlobal('gc', collect)
  let clock = 0
  vi.spyOn(performance, 'now').mockImplementation(() => clock)
  const { port1, port2 } = new MessageChannel()
  const server = journalServer({ take: (ms: number) => (clock += ms) } as Record<string, (input: never) => unknown>)
  server.serve(port2)
  const call = async (id: number, ms: number): Promise<void> => {
    const answered = once(port1, 'message')
    port1.postMessage({ call: id, name: 'take', input: ms })
    await answered
  }
  await call(1, 900)
  expect(collect).not.toHaveBeenCalled()
  await call(2, 1_100)
  expect(collect).toHaveBeenCalledExactlyOnceWith({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  port1.close()
})
