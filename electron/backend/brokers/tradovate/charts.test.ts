// @module-tag slow
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocketServer, type WebSocket } from 'ws'
import { readChart } from './charts.ts'

type Asked = { readonly endpoint: string; readonly id: number; readonly body: string }
type Say = (messages: readonly object[]) => void

const from = Date.UTC(2026, 1, 27, 15)
const ask = { symbol: 'NQH6', from, to: from + 600_000 }
const ids = { historicalId: 31, realtimeId: 32 }
const bar = (minute: number, more: object = {}) => ({ timestamp: new Date(from + minute * 60_000).toISOString(), open: 100, high: 102, low: 99.5, close: 101, upVolume: 4, downVolume: 3, ...more })
const chart = (id: number, bars: readonly object[]) => ({ e: 'chart', d: { charts: [{ id, td: 20_260_227, bars }] } })
const end = (id: number) => ({ e: 'chart', d: { charts: [{ id, eoh: true }] } })

/** A scripted server of prices, and a chart that is read from it. */
const stage = async (answer: (asked: Asked, say: Say) => unknown, { authorize = 200, patienceMs = 5_000, signal = new AbortController().signal }: { readonly authorize?: number; readonly patienceMs?: number; readonly signal?: AbortSignal } = {}) => {
  const asked: Asked[] = []
  const wires: WebSocket[] = []
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => {
    for (const wire of wires) wire.terminate()
    server.close()
  })
  server.on('connection', (wire) => {
    wires.push(wire)
    wire.send('o')
    wire.on('message', (data: Buffer) => {
      const text = data.toString('utf8')
      if (text === '[]') return
      const [endpoint = '', id = '', , body = ''] = text.split('\n')
      const one = { endpoint, id: Number(id), body }
      asked.push(one)
      const say: Say = (messages) => { wire.send(`a${JSON.stringify(messages)}`) }
      if (endpoint === 'authorize') say([{ i: 0, s: authorize }])
      else if (endpoint === 'md/getChart') answer(one, say)
    })
  })
  const result = await readChart(ask, { url: `ws://127.0.0.1:${String((server.address() as AddressInfo).port)}/md/v1/websocket`, token: 'tok-1', signal, patienceMs })
  return { result, asked }
}
const times = ({ result }: Awaited<ReturnType<typeof stage>>) => (result.ok ? result.value.rows.map(({ time }) => (time - from) / 60_000) : result.error)

test('a chart is asked for the span, read to the end of its history, and canceled', async () => {
  const read = await stage(({ id }, say) => {
    say([{ i: id, s: 200, d: ids }])
    say([chart(31, [bar(3), bar(4)]), chart(31, [bar(0), bar(1, { high: 'high' })])])
    say([end(31)])
  })
  expect(times(read)).toEqual([3, 4, 0])
  expect(read.result).toMatchObject({ ok: true, value: { refused: 1, rows: [{ open: 100, high: 102, low: 99.5, close: 101, volume: 7 }, {}, {}] } })
  const [authorize, chartAsked, cancel] = read.asked
  expect(authorize).toEqual({ endpoint: 'authorize', id: 0, body: 'tok-1' })
  expect(JSON.parse(chartAsked?.body ?? '')).toEqual({ symbol: 'NQH6', chartDescription: { underlyingType: 'MinuteBar', elementSize: 1, elementSizeUnit: 'UnderlyingUnits', withHistogram: false }, timeRange: { closestTimestamp: new Date(ask.to).toISOString(), asFarAsTimestamp: new Date(from).toISOString() } })
  await expect.poll(() => read.asked.length).toBe(3)
  expect([cancel?.endpoint ?? read.asked[2]?.endpoint, JSON.parse((cancel ?? read.asked[2])?.body ?? '')]).toEqual(['md/cancelChart', { subscriptionId: 32 }])
})

test('packets before the answer count, those of another chart do not, and a contract that is over has none', async () => {
  const early = await stage(({ id }, say) => {
    say([chart(31, [bar(2)]), chart(77, [bar(8)])])
    say([{ i: id, s: 200, d: ids }, chart(32, [bar(3)]), chart(78, [bar(9)]), end(77)])
    say([end(31)])
  })
  expect(times(early)).toEqual([2, 3])
  const over = await stage(({ id }, say) => { say([{ i: id, s: 200, d: ids }, end(31)]) })
  expect(over.result).toEqual({ ok: true, value: { rows: [], refused: 0 } })
})

test.each([
  [{ s: 401 }, { kind: 'permission-missing' }],
  [{ s: 403, d: 'Access is denied' }, { kind: 'permission-missing' }],
  [{ s: 200, d: { errorText: 'Symbol is inaccessible', errorCode: 'UnknownSymbol', mode: 'None' } }, { kind: 'permission-missing' }],
  [{ s: 404 }, { kind: 'not-found' }],
  [{ s: 421 }, { kind: 'wrong-host' }],
  [{ s: 429 }, { kind: 'rate-limited', waitMs: 3_600_000 }],
  [{ s: 500 }, { kind: 'unreachable', cause: 'server', status: 500 }],
  [{ s: 200, d: { 'p-captcha': true } }, { kind: 'captcha', waitMs: 3_600_000 }],
  [{ s: 200, d: { 'p-ticket': 't', 'p-time': 500 } }, { kind: 'penalty', waitMs: 500_000 }],
  [{ s: 200, d: { subscribed: true } }, { kind: 'unreadable-answer' }],
] as const)('an answer of %j is %j', async (given, failure) => {
  const { result } = await stage(({ id }, say) => { say([{ i: id, ...given }]) })
  expect(result).toEqual({ ok: false, error: failure })
})

test('a token that may not read prices at all is refused', async () => {
  expect((await stage(() => undefined, { authorize: 401 })).result).toEqual({ ok: false, error: { kind: 'permission-missing' } })
})

test('a penalty is waited out, and the request repeated with its ticket', async () => {
  const read = await stage(({ id, body }, say) => {
    if ((JSON.parse(body) as Record<string, unknown>)['p-ticket'] === 'again') say([{ i: id, s: 200, d: ids }, chart(31, [bar(5)]), end(31)])
    else say([{ i: id, s: 200, d: { 'p-ticket': 'again', 'p-time': 0 } }])
  })
  expect(times(read)).toEqual([5])
})

test('a chart without an end is given up, and so is one that its user stops', async () => {
  const silent = await stage(({ id }, say) => { say([{ i: id, s: 200, d: ids }, chart(31, [bar(1)])]) }, { patienceMs: 100 })
  expect(silent.result).toEqual({ ok: false, error: { kind: 'unreachable', cause: 'timeout', status: null } })
  const stopping = new AbortController()
  const stopped = await stage(() => { stopping.abort() }, { signal: stopping.signal })
  expect(stopped.result).toEqual({ ok: false, error: { kind: 'aborted' } })
})
