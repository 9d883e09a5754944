import { once } from 'node:events'
import { MessageChannel } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { journalServer } from './journal-server.ts'

test('what was sent before the order to finish is answered, what comes after is refused', async () => {
  const { port1, port2 } = new MessageChannel()
  const server = journalServer({ twice: (number: number) => 2 * number } as Record<string, (input: never) => unknown>)
  server.serve(port2)
  const answered = once(port1, 'message')
  port1.postMessage({ id: 1, name: 'twice', input: 21 })
  await server.finish()
  expect(await answered).toEqual([{ id: 1, ok: true, value: 42 }])
  const refused = once(port1, 'message')
  port1.postMessage({ id: 2, name: 'twice', input: 21 })
  expect(await refused).toMatchObject([{ id: 2, ok: false, code: 'journal-closed' }])
  port1.close()
})
