// @module-tag slow
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { testTiming } from '#tests/helpers/test-timing.ts'
import { until } from '#tests/helpers/until.ts'
import { openLogin } from '../../brokers/tradovate/login.ts'
import { openLine } from './line.ts'
import type { LineEvent } from './line-reading.ts'

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }

type Script = { readonly lists: (path: string, turn: number) => unknown; readonly snapshot: (question: string) => unknown }

/** A broker that answers each path from the script, and each sync request with a snapshot. */
const setUp = async ({ lists, snapshot }: Script) => {
  const asked: string[] = []
  const turns = new Map<string, number>()
  const http = createServer((request, response) => {
    const path = (request.url ?? '').replace('/demo/v1', '')
    const turn = (turns.get(path) ?? 0) + 1
    turns.set(path, turn)
    response.end(JSON.stringify(lists(path, turn)))
  })
  const sockets = new WebSocketServer({ server: http })
  sockets.on('connection', (socket) => {
    socket.send('o')
    socket.on('message', (data: Buffer) => {
      const [endpoint = '', id = '0', , body = ''] = data.toString('utf8').split('\n')
      if (endpoint === 'authorize') socket.send(`a[{"s":200,"i":${id}}]`)
      if (endpoint !== 'user/syncrequest') return
      asked.push(body)
      socket.send(`a[${JSON.stringify({ s: 200, i: Number(id), d: snapshot(body) })}]`)
    })
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${String((http.address() as AddressInfo).port)}`
  const timing = testTiming()
  const login = openLogin({
    tokens: { access: 'tok-1', accessExpiresAt: timing.now() + 4_800_000, obtainedAt: timing.now() },
    hosts: { authorize: base, token: [base, base], live: `${base}/live/v1`, demo: `${base}/demo/v1` },
    timing, refresh: () => Promise.reject(new Error('Not needed')), saveTokens: () => Promise.resolve(),
  })
  const events: LineEvent[] = []
  const line = openLine({ loginId: 'login', environment: 'demo', login, timing, emit: (event) => events.push(event), calls: () => undefined, log: quiet })
  onTestFinished(async () => {
    await line.stop()
    for (const client of sockets.clients) client.terminate()
    http.close().closeAllConnections()
  })
  await until(() => (line.state() === 'up' ? true : null), 'the line to be up')
  return { line, events, asked, pauses: timing.pauses, turns }
}

const account = { id: 7, name: 'DEMO7', userId: 9001 }
const tradeDate = { year: 2026, month: 3, day: 2 }
const position = { id: 1, accountId: 7, contractId: 44, timestamp: '2026-03-02T15:00:00Z', tradeDate, netPos: 1, bought: 1, sold: 0, prevPos: 0 }
const order = { id: 5, accountId: 7, contractId: 44, timestamp: '2026-03-02T15:00:00Z', action: 'Buy', ordStatus: 'Filled' }
const fill = { id: 6, orderId: 5, contractId: 44, timestamp: '2026-03-02T15:00:00Z', tradeDate, action: 'Buy', qty: 1, price: 1, active: true }

test('an empty snapshot is requested again by user id, after its accounts are emitted', async () => {
  const { events, asked } = await setUp({
    lists: (path) => (path === '/account/list?userId=9001' ? [account] : path === '/user/list' ? [{ id: 9001, name: 'lee' }] : []),
    snapshot: (question) => (question.includes('users') ? { accounts: [account] } : {}),
  })
  expect(asked.map((body) => Object.keys(JSON.parse(body) as object))).toEqual([['splitResponses', 'entityTypes'], ['users']])
  expect(events.find(({ kind }) => kind === 'accounts')).toEqual({ kind: 'accounts', accounts: [{ id: 7, name: 'DEMO7', restricted: false, closed: false }] })
})

test('a position with a fill not received yet is reread', async () => {
  const { events, turns } = await setUp({
    lists: (path, turn) => (path === '/position/list' ? [position] : path === '/order/list' ? [order] : path === '/fill/list' && turn >= 3 ? [fill] : []),
    snapshot: () => ({ accounts: [account] }),
  })
  expect(turns.get('/fill/list')).toBe(3)
  const upAt = events.findIndex((event) => event.kind === 'state' && event.state === 'up')
  expect(events.findIndex((event) => event.kind === 'facts' && event.facts.some(({ kind }) => kind === 'fill'))).toBeLessThan(upAt)
})

test('a position that no fill explains does not block the others', async () => {
  const { line, turns } = await setUp({ lists: (path) => (path === '/position/list' ? [position] : []), snapshot: () => ({ accounts: [account] }) })
  expect(line.state()).toBe('up')
  expect(turns.get('/fill/list')).toBe(5)
})
