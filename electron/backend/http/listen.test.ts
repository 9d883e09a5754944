// @module-tag slow
import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from './listen.ts'

const opened = async () => {
  const listening = await listen(0)
  listening.answer((_request, response) => response.end('here'))
  onTestFinished(listening.stop)
  const dial = () => {
    const socket = connect(listening.port, '127.0.0.1')
    socket.on('error', () => undefined)
    onTestFinished(() => void socket.destroy())
    return socket
  }
  return { dial, ask: async () => (await fetch(`http://127.0.0.1:${String(listening.port)}/`, { headers: { connection: 'close' } })).text() }
}

test('the number of connections is limited, and new ones are accepted once others close', async () => {
  const { dial, ask } = await opened()
  const held = Array.from({ length: 100 }, dial)
  await Promise.all(held.map((socket) => once(socket, 'connect')))
  const more = dial()
  await once(more, 'close')
  await expect(ask()).rejects.toThrow('fetch failed')
  held[0]?.destroy()
  await expect.poll(ask).toBe('here')
})

test('a head that does not end is cut off within seconds', { tags: 'long' }, async () => {
  const { dial, ask } = await opened()
  const socket = dial()
  socket.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nx: ')
  const began = performance.now()
  socket.resume()
  await once(socket, 'close')
  expect(performance.now() - began).toBeLessThan(30_000)
  expect(await ask()).toBe('here')
})
