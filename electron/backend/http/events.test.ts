import { PassThrough } from 'node:stream'
import type { Response } from 'express'
import { expect, test } from 'vitest'
import type { Pushed } from '#shared/api/sync.ts'
import { createEvents } from '../events.ts'
import { streamEvents } from './events.ts'

const page = { userId: 'ann', sessionId: 's1' }
const progress = (done: number): Pushed => ({ type: 'sync-progress', progress: { runId: 'r', phase: 'fills', done, total: 100, overall: done / 100 } })

/** The page's end of a connection that takes in only as much as is read. */
const slowPage = (room: number) => {
  const line = new PassThrough({ highWaterMark: room })
  const response = Object.assign(line, { set: () => response, flushHeaders: () => undefined }) as unknown as Response
  return { line, response, read: () => (line.read() as Buffer | null)?.toString() ?? '' }
}

test('a page that reads slowly gets the latest of each kind', async () => {
  const events = createEvents()
  const { line, response } = slowPage(64)
  streamEvents(events, page, response, new AbortController().signal)
  for (let done = 0; done <= 50; done += 1) events.push('ann', progress(done))
  events.push('ann', { type: 'journal-changed' })
  events.push('ann', { type: 'journal-changed' })
  events.push('ann', { type: 'finances-changed' })
  let text = ''
  await new Promise<void>((resolve) => {
    line.on('data', (part: Buffer) => {
      text += part.toString()
      if (text.includes('"finances-changed"')) resolve()
    })
  })
  expect(text.match(/"done":\d+/g)).toEqual(['"done":0', '"done":50'])
  expect(text.match(/event: journal-changed/g)).toHaveLength(1)
})

test('a page that never reads is cut off', () => {
  const events = createEvents()
  const { line, response } = slowPage(64)
  streamEvents(events, page, response, new AbortController().signal)
  const ended: Pushed = {
    type: 'sync-ended',
    receipt: { runId: 'r', trigger: 'manual', startedAt: '2026-03-02T15:00:00Z', endedAt: '2026-03-02T15:00:01Z', outcome: 'complete', logins: 0, accounts: 0, fills: { received: 0, added: 0, changed: 0, unchanged: 0, refused: 0 }, batches: 0, pairs: { added: 0, changed: 0, removed: 0 }, trades: { added: 0, changed: 0, removed: 0 }, outbox: 0, refused: [], refusedTotal: 0, holdings: [], troubles: [] },
  }
  for (let run = 0; run < 150 && !line.destroyed; run += 1) events.push('ann', ended)
  expect(line.destroyed).toBe(true)
})

test('another user hears nothing; signing out says so and ends the stream', async () => {
  const events = createEvents()
  const { line, response, read } = slowPage(10_000)
  streamEvents(events, page, response, new AbortController().signal)
  events.push('bob', { type: 'journal-changed' })
  events.signedOut('another session')
  expect(read()).toBe(': open\n\n')
  events.signedOut('s1')
  expect(read()).toBe('event: signed-out\ndata: {"type":"signed-out"}\n\n')
  line.resume()
  await new Promise((resolve) => line.once('end', resolve))
})

test('stopping the program ends the stream', async () => {
  const stopping = new AbortController()
  const { line, response } = slowPage(10_000)
  streamEvents(createEvents(), page, response, stopping.signal)
  stopping.abort()
  line.resume()
  await new Promise((resolve) => line.once('end', resolve))
})
