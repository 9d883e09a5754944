// @module-tag slow
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import express, { type Request, type RequestHandler, type Response } from 'express'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { recordRoutes } from '#shared/api/journal.ts'
import { mirrorRoutes } from '#shared/api/mirror.ts'
import { picturePath } from '#shared/api/pictures.ts'
import { ok } from '#shared/base/result.ts'
import { setCaller } from './caller.ts'
import { createCounters, mountConcurrencyLimits, limitConcurrency } from './limits.ts'

type Named = { user: string; name: string }

test('two reads of one user run at once and the next ones queue; a caller that left is skipped, and no other user waits', async () => {
  const reading: Record<string, Response> = {}
  const asked: Record<string, Response> = {}
  const app = express()
  app.get(
    '/:user/:name',
    (request: Request<Named>, response, next) => {
      setCaller(response, ok({ userId: request.params.user }) as Parameters<typeof setCaller>[1])
      asked[request.params.name] = response
      next()
    },
    limitConcurrency() as RequestHandler<Named>,
    (request: Request<Named>, response) => {
      reading[request.params.name] = response
    },
  )
  const server = app.listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const ask = (path: string, signal?: AbortSignal) => fetch(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}/${path}`, signal ? { signal } : {}).then((answer) => answer.text())
  const arrived = (name: string) => vi.waitFor(() => { expect(asked).toHaveProperty(name) })

  const first = ask('ann/first')
  await vi.waitFor(() => { expect(reading).toHaveProperty('first') })
  const second = ask('ann/second')
  await vi.waitFor(() => { expect(reading).toHaveProperty('second') })
  const leaving = new AbortController()
  const third = ask('ann/third', leaving.signal).catch(() => 'gone')
  await arrived('third')
  const fourth = ask('ann/fourth')
  await arrived('fourth')
  const other = ask('bob/other')
  await vi.waitFor(() => { expect(reading).toHaveProperty('other') })
  expect(Object.keys(reading)).toEqual(['first', 'second', 'other'])

  leaving.abort()
  expect(await third).toBe('gone')
  await vi.waitFor(() => { expect(asked['third']?.destroyed).toBe(true) })
  reading['first']?.end('one')
  expect(await first).toBe('one')
  await vi.waitFor(() => { expect(reading).toHaveProperty('fourth') })
  expect(reading).not.toHaveProperty('third')
  for (const name of ['second', 'fourth', 'other']) reading[name]?.end(name)
  expect(await Promise.all([second, fourth, other])).toEqual(['second', 'fourth', 'other'])
})

test.each([
  ['a call that writes a record takes its turn like one that reads them', 2, [recordRoutes.updateTrade, recordRoutes.updateTrade, recordRoutes.getTrades, recordRoutes.updateTrade]],
  ['uploads of one user take turns before their bodies are read', 4, [mirrorRoutes.push, mirrorRoutes.push, { method: 'POST', path: picturePath }, mirrorRoutes.push, { method: 'POST', path: picturePath }, mirrorRoutes.push]],
] as const)('%s', async (_, atOnce, calls) => {
  const working: Response[] = []
  const asked: Response[] = []
  const app = express()
  app.use((_request, response, next) => {
    setCaller(response, ok({ userId: 'ann' }) as Parameters<typeof setCaller>[1])
    asked.push(response)
    next()
  })
  mountConcurrencyLimits(app)
  app.use((_request, response) => {
    working.push(response)
  })
  const server = app.listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const answers = calls.map(({ method, path }) => fetch(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}${path}`, { method }).then((answer) => answer.text()))
  await vi.waitFor(() => { expect(asked).toHaveLength(calls.length) })
  for (const ended of calls.keys()) {
    await vi.waitFor(() => { expect(working.length).toBeGreaterThan(ended) })
    expect(working.length).toBeLessThanOrEqual(ended + atOnce)
    working[ended]?.end('done')
  }
  expect(await Promise.all(answers)).toEqual(calls.map(() => 'done'))
})

describe('counters', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 0 }))
  afterEach(() => void vi.useRealTimers())

  const hits = async (counters: ReturnType<typeof createCounters>, key: string) => (await counters.increment(key)).totalHits

  test('a key counts within its window, and resets after it', async () => {
    const counters = createCounters(1_000, 10)
    expect([await hits(counters, 'ann'), await hits(counters, 'ann'), await hits(counters, 'bob')]).toEqual([1, 2, 1])
    vi.setSystemTime(999)
    expect(await counters.increment('ann')).toEqual({ totalHits: 3, resetTime: new Date(1_000) })
    vi.setSystemTime(1_000)
    expect(await counters.increment('ann')).toEqual({ totalHits: 1, resetTime: new Date(2_000) })
  })

  test('beyond the maximum the key with the oldest window is dropped, expired ones first', async () => {
    const counters = createCounters(1_000, 2)
    for (const key of ['one', 'two', 'three']) await counters.increment(key)
    expect(await Promise.all(['one', 'two', 'three'].map((key) => counters.get?.(key) !== undefined))).toEqual([false, true, true])
    vi.setSystemTime(1_500)
    await counters.increment('four')
    expect(await Promise.all(['two', 'three', 'four'].map((key) => counters.get?.(key) !== undefined))).toEqual([false, false, true])
  })

  test('a call can be uncounted, and a key reset', async () => {
    const counters = createCounters(1_000, 2)
    await counters.increment('ann')
    await counters.decrement('ann')
    await counters.decrement('ann')
    expect(await hits(counters, 'ann')).toBe(1)
    await counters.resetKey('ann')
    expect(await hits(counters, 'ann')).toBe(1)
  })
})
