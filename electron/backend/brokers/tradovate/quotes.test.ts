// @module-tag slow
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocketServer, type WebSocket } from 'ws'
import { until } from '#tests/helpers/until.ts'
import { openQuotes, type QuotesNews } from './quotes.ts'

type Asked = { readonly endpoint: string; readonly id: number; readonly body: string }

/** A scripted quotes server. */
const setUp = async (answer: (asked: Asked) => unknown, times = { heartbeatMs: 20, silenceMs: 5_000, pongMs: 5_000 }) => {
  const asked: Asked[] = []
  const wires: WebSocket[] = []
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', autoPong: false })
  await new Promise((resolve) => server.once('listening', resolve))
  let beats = 0
  server.on('connection', (wire) => {
    wires.push(wire)
    wire.send('o')
    wire.on('message', (data: Buffer) => {
      const text = data.toString('utf8')
      if (text === '[]') return void (beats += 1)
      const [endpoint = '', id = '', , body = ''] = text.split('\n')
      const one = { endpoint, id: Number(id), body }
      asked.push(one)
      const given = answer(one)
      if (given !== undefined) wire.send(`a${JSON.stringify([{ i: one.id, s: 200, ...(given as object) }])}`)
    })
  })
  const news: QuotesNews[] = []
  let calls = 0
  const socket = openQuotes({ url: `ws://127.0.0.1:${String((server.address() as AddressInfo).port)}/md/v1/websocket`, token: 'tok-1', times, onNews: (one) => news.push(one), calls: (count) => { calls += count } })
  onTestFinished(() => {
    socket.close()
    for (const wire of wires) wire.terminate()
    server.close()
  })
  const kinds = () => news.map(({ kind }) => kind)
  return {
    socket, news, asked, calls: () => calls, beats: () => beats, kinds,
    push: (data: unknown) => wires[0]?.send(`a${JSON.stringify([{ e: 'md', d: data }])}`),
    ready: () => until(() => (kinds().includes('ready') ? true : null), 'the socket', 5_000),
  }
}
const good = ({ endpoint }: Asked): unknown => (endpoint === 'authorize' ? {} : { d: { mode: 'RealTime' } })
const subscribed = (asked: readonly Asked[]) => asked.filter(({ endpoint }) => endpoint !== 'authorize').map(({ endpoint, body }) => `${endpoint.split('/')[1] ?? ''} ${String((JSON.parse(body) as { symbol: string }).symbol)}`)

test('each contract is subscribed once and unsubscribed when unwanted, and every call is counted', async () => {
  const it = await setUp(good)
  it.socket.want(new Set(['NQZ6', 'ESZ6']))
  await until(() => (it.asked.length === 3 ? true : null), 'both contracts', 5_000)
  it.socket.want(new Set(['ESZ6', 'CLZ6']))
  await until(() => (it.asked.length === 5 ? true : null), 'the change', 5_000)
  expect(it.asked[0]).toEqual({ endpoint: 'authorize', id: 0, body: 'tok-1' })
  expect(subscribed(it.asked)).toEqual(['subscribequote NQZ6', 'subscribequote ESZ6', 'unsubscribequote NQZ6', 'subscribequote CLZ6'])
  expect(it.calls()).toBe(5)
  await until(() => (it.beats() > 1 ? true : null), 'heartbeats', 5_000)
})

test('a quote gives the last trade; one without a valid trade gives nothing', async () => {
  const it = await setUp(good)
  await it.ready()
  it.push({ quotes: [
    { timestamp: '2026-03-02T15:00:00.500Z', contractId: 44, entries: { Bid: { price: 1 }, Trade: { price: 25_000.25, size: 1 } } },
    { contractId: 45, entries: { Trade: { price: -37.5 } } },
    { contractId: 46, entries: { Bid: { price: 3 } } }, { contractId: '47', entries: { Trade: { price: 3 } } }, null, { contractId: 48 },
  ] })
  it.push({ charts: [] })
  it.push(null)
  it.push({ quotes: [{ contractId: 44, entries: { Trade: { price: 25_000.5 } }, timestamp: 'then' }] })
  await until(() => (it.kinds().filter((kind) => kind === 'quotes').length === 2 ? true : null), 'the quotes', 5_000)
  expect(it.news.filter((one) => one.kind === 'quotes').map(({ quotes }) => quotes)).toEqual([
    [{ contractId: 44, price: 25_000.25, time: Date.UTC(2026, 2, 2, 15, 0, 0, 500) }, { contractId: 45, price: -37.5, time: null }],
    [{ contractId: 44, price: 25_000.5, time: null }],
  ])
})

test('a contract without price permission is reported and not requested again', async () => {
  const it = await setUp((asked) => (asked.endpoint === 'authorize' ? {} : asked.body.includes('NQ') ? { d: { errorText: 'Symbol is inaccessible', errorCode: 'UnknownSymbol', mode: 'None' } } : asked.body.includes('ES') ? { s: 401, d: 'Access is denied' } : asked.body.includes('RTY') ? { d: { mode: 'Delayed' } } : { d: { mode: 'RealTime' } }))
  it.socket.want(new Set(['NQZ6', 'ESZ6', 'RTYZ6', 'CLZ6']))
  await until(() => (it.kinds().filter((kind) => kind === 'inaccessible').length === 3 ? true : null), 'all refusals, delayed prices among them', 5_000)
  it.socket.want(new Set(['NQZ6', 'ESZ6', 'RTYZ6', 'CLZ6', 'GCZ6']))
  await until(() => (it.asked.length === 6 ? true : null), 'the new one', 5_000)
  expect(it.news.filter((one) => one.kind === 'inaccessible').map(({ contract }) => contract)).toEqual(['NQZ6', 'ESZ6', 'RTYZ6'])
  expect(subscribed(it.asked)).toHaveLength(5)
})

test('a token without price permission ends as denied, a broker failure does not', async () => {
  const denied = await setUp(() => ({ s: 401, d: 'Access is denied' }))
  await until(() => (denied.kinds().includes('closed') ? true : null), 'the refusal', 5_000)
  expect(denied.news).toEqual([{ kind: 'closed', why: 'denied' }])
  const trouble = await setUp(() => ({ s: 500, d: '' }))
  await until(() => (trouble.kinds().includes('closed') ? true : null), 'the trouble', 5_000)
  expect(trouble.news).toEqual([{ kind: 'closed', why: 'network' }])
})

test.each([[404, 'wrong-host'], [421, 'wrong-host'], [403, 'denied']] as const)('a host of prices that answers authorizing with %i ends it as %s', async (status, why) => {
  const it = await setUp(() => ({ s: status, d: '' }))
  await until(() => (it.kinds().includes('closed') ? true : null), 'its end', 5_000)
  expect(it.news).toEqual([{ kind: 'closed', why }])
})

test.each([[307, 'wrong-host'], [404, 'wrong-host'], [421, 'wrong-host'], [401, 'denied'], [403, 'denied'], [500, 'network']] as const)('a host of prices that answers %i instead of opening ends it as %s', async (status, why) => {
  const server = createServer().on('upgrade', (_, line) => { line.end(`HTTP/1.1 ${String(status)} No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`) })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => { server.close().closeAllConnections() })
  const news: QuotesNews[] = []
  openQuotes({ url: `ws://127.0.0.1:${String((server.address() as AddressInfo).port)}/md/v1/websocket`, token: 'tok-1', onNews: (one) => news.push(one), calls: () => undefined })
  await until(() => (news.length > 0 ? true : null), 'its end', 5_000)
  expect(news).toEqual([{ kind: 'closed', why }])
})

test('a socket that does not answer a ping is closed', async () => {
  const it = await setUp(good, { heartbeatMs: 20, silenceMs: 100, pongMs: 100 })
  await until(() => (it.kinds().includes('closed') ? true : null), 'the silence', 5_000)
  expect(it.news.at(-1)).toEqual({ kind: 'closed', why: 'silence' })
})

test('a paused socket emits nothing and catches up afterward', async () => {
  const it = await setUp(good)
  await it.ready()
  it.socket.pause()
  it.push({ quotes: [{ contractId: 44, entries: { Trade: { price: 1 } } }] })
  await until(() => (it.beats() > 3 ? true : null), 'heartbeats to go on', 5_000)
  expect(it.kinds()).toEqual(['ready'])
  it.socket.resume()
  await until(() => (it.kinds().includes('quotes') ? true : null), 'the quote', 5_000)
  it.socket.close()
  expect(it.news.at(-1)).toEqual({ kind: 'closed', why: 'asked' })
})
