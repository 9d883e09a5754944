// @module-tag slow
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { err, ok } from '#shared/base/result.ts'
import { mount } from './mount.ts'
import type { Admission, Handlers } from './mount.ts'

const ofUser = z.object({ userId: z.string() })
const routes = {
  open: { method: 'GET', path: '/api/open', access: 'none', answer: z.object({ hello: z.string() }) },
  read: { method: 'GET', path: '/api/read', query: ofUser.extend({ limit: z.coerce.number().int().max(5).default(2) }), answer: z.object({ limit: z.number(), by: z.string() }) },
  ready: { method: 'GET', path: '/api/ready', answer: z.object({ rows: z.array(z.number()) }) },
  write: { method: 'POST', path: '/api/write', body: ofUser.extend({ trade: z.object({ qty: z.number(), userId: z.string().optional() }) }), answer: z.object({ success: z.literal(true) }), failure: 'Failed to save' },
  choose: { method: 'POST', path: '/api/choose', body: z.union([ofUser.extend({ id: z.string() }), ofUser.extend({ accountId: z.string() })]), answer: z.object({ success: z.literal(true) }) },
  fails: { method: 'POST', path: '/api/fails', answer: z.object({}) },
} as const

const admission: Admission<null, string> = {
  anyone: (request) => Promise.resolve(request.headers.cookie === undefined ? err({ code: 'no-session' }) : ok(null)),
  user: () => Promise.resolve(ok({ userId: 'ann', user: 'ann' })),
}

const start = async () => {
  const written: unknown[] = []
  const app = express()
  mount(
    app,
    routes,
    {
      open: () => Promise.resolve(ok({ hello: 'you' })),
      read: ({ query, caller }) => Promise.resolve(ok({ limit: query.limit, by: caller })),
      ready: () => Promise.resolve(ok(new TextEncoder().encode('xx{"rows":[1,2]}').subarray(2))),
      write: ({ body }) => {
        written.push(body)
        return Promise.resolve(ok({ success: true }))
      },
      choose: () => Promise.resolve(ok({ success: true })),
      fails: () => Promise.resolve(err({ code: 'brokerage-busy', retryAfterMs: 1_500 })),
    },
    admission,
  )
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const call = async (path: string, body?: unknown, headers: Record<string, string> = { cookie: 'x' }) => {
    const answer = await fetch(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}${path}`, body === undefined ? { headers } : { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: typeof body === 'string' ? body : JSON.stringify(body) })
    const type = answer.headers.get('content-type') ?? ''
    return { status: answer.status, type, retryAfter: answer.headers.get('retry-after'), body: type.includes('json') ? ((await answer.json()) as unknown) : await answer.text() }
  }
  return { call, written }
}

test('query and body arrive parsed, defaults filled in', async () => {
  const { call, written } = await start()
  expect(await call('/api/open')).toMatchObject({ status: 200, body: { hello: 'you' } })
  expect(await call('/api/read?userId=ann')).toMatchObject({ status: 200, body: { limit: 2, by: 'ann' } })
  expect(await call('/api/read?userId=ann&limit=4')).toMatchObject({ body: { limit: 4 } })
  expect(await call('/api/write', { userId: 'ann', trade: { qty: 1, userId: 'ann', extra: 1 } })).toMatchObject({ status: 200 })
  expect(written).toEqual([{ userId: 'ann', trade: { qty: 1, userId: 'ann' } }])
})

test('an answer that is JSON already goes out as it is', async () => {
  const { call } = await start()
  expect(await call('/api/ready')).toMatchObject({ status: 200, type: 'application/json; charset=utf-8', body: { rows: [1, 2] } })
})

test('invalid fields are named one by one, with the text of the route', async () => {
  const { call, written } = await start()
  expect(await call('/api/read?userId=ann&limit=9')).toMatchObject({ status: 400, body: { success: false, code: 'invalid-request', error: 'invalid-request', fields: [{ path: 'limit' }] } })
  expect(await call('/api/write', { userId: 'ann', trade: { qty: 'many' } })).toMatchObject({ status: 400, body: { error: 'Failed to save', code: 'invalid-request', fields: [{ path: 'trade.qty' }] } })
  expect(await call('/api/write')).toMatchObject({ status: 404 })
  expect(written).toEqual([])
})

test('of a union the closest branch is explained', async () => {
  const { call } = await start()
  const { body } = await call('/api/choose', { userId: 'ann' })
  expect(body).toMatchObject({ code: 'invalid-request', fields: [{ path: 'id' }] })
})

test('no call succeeds without a session, and another user is refused wherever the id appears', async () => {
  const { call, written } = await start()
  expect(await call('/api/open', undefined, {})).toMatchObject({ status: 401, body: { code: 'no-session' } })
  expect(await call('/api/read?userId=bob')).toMatchObject({ status: 403, body: { code: 'not-this-user' } })
  expect(await call('/api/write', { userId: 'bob', trade: { qty: 1 } })).toMatchObject({ status: 403, body: { code: 'not-this-user', error: 'Failed to save' } })
  expect(await call('/api/write', { userId: 'ann', trade: { qty: 1, userId: 'bob' } })).toMatchObject({ status: 403, body: { code: 'not-this-user' } })
  expect(await call('/api/write', { userId: ['ann'], trade: { qty: 1 } })).toMatchObject({ status: 403 })
  expect(await call('/api/ready', undefined, { cookie: 'x', 'x-fillbook-user': 'bob' })).toMatchObject({ status: 403, body: { code: 'not-this-user' } })
  expect(await call('/api/fails', {}, { cookie: 'x', 'x-fillbook-user': 'bob' })).toMatchObject({ status: 403, body: { code: 'not-this-user' } })
  expect(await call('/api/ready', undefined, { cookie: 'x', 'x-fillbook-user': 'ann' })).toMatchObject({ status: 200 })
  expect(await call('/api/open', undefined, { cookie: 'x', 'x-fillbook-user': 'bob' })).toMatchObject({ status: 200 })
  expect(written).toEqual([])
})

test('an unreadable, foreign or too large body is refused before the handler', async () => {
  const { call, written } = await start()
  expect(await call('/api/write', '{"userId"')).toMatchObject({ status: 400, body: { code: 'invalid-request', error: 'Failed to save' } })
  expect(await call('/api/write', 'userId=ann', { cookie: 'x', 'content-type': 'application/x-www-form-urlencoded' })).toMatchObject({ status: 400, body: { code: 'invalid-request' } })
  expect(await call('/api/write', { userId: 'ann', trade: { qty: 1 }, padding: 'x'.repeat(1_100_000) })).toMatchObject({ status: 413, body: { code: 'body-too-large', error: 'Failed to save' } })
  expect(await call('/api/write', '{}', { cookie: 'x', 'content-encoding': 'nonsense' })).toMatchObject({ status: 400, body: { code: 'invalid-request' } })
  expect(await call('/api/write', '{}', { cookie: 'x', 'content-encoding': 'gzip' })).toMatchObject({ status: 400, body: { code: 'invalid-request', error: 'Failed to save' } })
  expect(written).toEqual([])
})

test('a refusal carries its status and how long to wait', async () => {
  const { call } = await start()
  expect(await call('/api/fails', {})).toMatchObject({ status: 503, retryAfter: '2', body: { success: false, code: 'brokerage-busy', error: 'brokerage-busy', retryAfterMs: 1_500 } })
})

test('paths are matched letter for letter', async () => {
  const { call } = await start()
  expect((await call('/api/OPEN')).status).toBe(404)
  expect((await call('/api/open/')).status).toBe(404)
})

test('a handler that is missing or answers something else does not compile', () => {
  const complete = (handlers: Handlers<Pick<typeof routes, 'open'>, null, string>) => handlers
  // @ts-expect-error: there is no handler for the route.
  complete({})
  // @ts-expect-error: the answer is not that of the contract.
  complete({ open: () => Promise.resolve(ok({ hello: 5 })) })
  expect(Object.keys(complete({ open: () => Promise.resolve(ok({ hello: 'you' })) }))).toEqual(['open'])
})
