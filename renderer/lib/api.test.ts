import { createServer, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { localRoutes } from '#shared/api/contract.ts'
import { QueryClient } from '@tanstack/react-query'
import { ApiFailure, apiQuery, callApi, invalidateRoutes } from './api.ts'

type Received = { method: string | undefined; url: string | undefined; body: string; headers: IncomingMessage['headers'] }

const closers: (() => void)[] = []
let keys: string[]
beforeEach(() => {
  keys = ['key']
  vi.stubGlobal('localStorage', { getItem: () => (keys.length > 1 ? keys.shift() : keys[0]) })
})
afterEach(() => {
  vi.unstubAllGlobals()
  for (const close of closers.splice(0)) close()
})

/** A program that answers every call the same, and keeps what it received. A page's own address stands before every path. */
const answering = async (status: number, answer: string): Promise<Received[]> => {
  const received: Received[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      received.push({ method: request.method, url: request.url, body, headers: request.headers })
      response.writeHead(status, { 'content-type': 'application/json' }).end(answer)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => server.close())
  useOrigin(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`)
  return received
}
const realFetch = globalThis.fetch
const useOrigin = (origin: string): void => {
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => realFetch(origin + path, init))
}

test('a reading sends what was given and leaves out what was not', async () => {
  const received = await answering(200, '{"total":0,"rows":[]}')
  const { queryKey } = apiQuery(localRoutes.pairPage, { query: { symbol: 'ES & NQ', offset: 200 } })
  expect(queryKey).toEqual(['/api/fill-pairs', { symbol: 'ES & NQ', offset: 200 }])
  const page = await new QueryClient().fetchQuery(apiQuery(localRoutes.pairPage, { query: { symbol: 'ES & NQ', account: undefined, offset: 200 } }))
  expect(page).toEqual({ total: 0, rows: [] })
  expect(received[0]?.headers['x-fillbook-key']).toBe('key')
  expect(received.map(({ method, url, body }) => ({ method, url, body }))).toEqual([{ method: 'GET', url: '/api/fill-pairs?symbol=ES+%26+NQ&offset=200', body: '' }])
})

test('a change goes as JSON, an empty one too', async () => {
  const received = await answering(200, '{"success":true}')
  await callApi(localRoutes.removeTrade, { body: { userId: 'u', id: 't' } })
  await callApi(localRoutes.signOut)
  expect(received.map(({ body, headers }) => [body, headers['content-type']])).toEqual([
    ['{"userId":"u","id":"t"}', 'application/json'],
    ['{}', 'application/json'],
  ])
})

test('a refusal carries its reason, its text and the time to wait', async () => {
  await answering(429, '{"success":false,"code":"too-many-attempts","error":"too-many-attempts","retryAfterMs":2500}')
  const failure = await callApi(localRoutes.signIn, { body: { email: 'a@b.cd', password: 'x' } }).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(ApiFailure)
  expect(failure).toMatchObject({ status: 429, code: 'too-many-attempts', message: 'too-many-attempts', problem: { retryAfterMs: 2500 } })
})

test("the contract's error text is the message", async () => {
  await answering(500, '{"success":false,"code":"internal","error":"Failed to save trade"}')
  await expect(callApi(localRoutes.removeTrade, { body: { userId: 'u', id: 't' } })).rejects.toThrow('Failed to save trade')
})

test('an answer that is no problem of ours is an internal failure', async () => {
  await answering(502, '<html>')
  await expect(callApi(localRoutes.session)).rejects.toMatchObject({ status: 502, code: 'internal' })
})

test('no answer at all is its own failure', async () => {
  useOrigin('http://127.0.0.1:1')
  await expect(callApi(localRoutes.session)).rejects.toMatchObject({ status: 0, code: 'program-unreachable' })
})

test('only the readings of the named routes become old', async () => {
  const client = new QueryClient()
  const [trades, session] = [apiQuery(localRoutes.pairPage, { query: {} }).queryKey, apiQuery(localRoutes.session).queryKey]
  client.setQueryData(trades, { total: 0, rows: [] })
  client.setQueryData(session, undefined)
  client.getQueryCache().build(client, { queryKey: session })
  await invalidateRoutes(client, localRoutes.pairPage)
  expect([client.getQueryState(trades)?.isInvalidated, client.getQueryState(session)?.isInvalidated]).toEqual([true, false])
})

test('a call that was refused is made again where another tab got a new key meanwhile', async () => {
  const received = await answering(401, '{"success":false,"code":"no-session","error":"no-session"}')
  keys = ['old', 'new']
  await expect(callApi(localRoutes.session)).rejects.toMatchObject({ status: 401 })
  expect(received.map(({ headers }) => headers['x-fillbook-key'])).toEqual(['old', 'new'])
})
