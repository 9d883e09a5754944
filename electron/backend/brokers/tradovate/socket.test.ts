// @module-tag slow
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { WebSocketServer, type WebSocket } from 'ws'
import { until } from '#tests/helpers/until.ts'
import { openSocket, type SocketNews, type SyncForm } from './socket.ts'

/** A server scripted per client frame, heartbeats excluded. */
const serve = async (answer: (frame: string, socket: WebSocket) => void): Promise<{ url: string; received: string[]; beats: () => number }> => {
  const received: string[] = []
  let beats = 0
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  server.on('connection', (socket) => {
    socket.on('message', (data: Buffer) => {
      const frame = data.toString('utf8')
      if (frame === '[]') beats += 1
      else {
        received.push(frame)
        answer(frame, socket)
      }
    })
    socket.send('o')
  })
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => {
    for (const client of server.clients) client.terminate()
    server.close()
  })
  return { url: `ws://127.0.0.1:${String((server.address() as AddressInfo).port)}/v1/websocket`, received, beats: () => beats }
}

const open = (url: string, form: SyncForm = 'entities', answerMs = 10_000) => {
  const news: SocketNews[] = []
  let calls = 0
  const socket = openSocket({ url, token: 'tok-1', form, times: { heartbeatMs: 10, silenceMs: 5_000, pongMs: 100, answerMs }, onNews: (one) => news.push(one), calls: (count) => { calls += count } })
  onTestFinished(socket.close)
  const ended = () => until(() => news.find((one) => one.kind === 'closed')?.why, 'the end')
  const synced = () => until(() => (news.some(({ kind }) => kind === 'synced') ? true : null), 'the snapshot')
  return { socket, news, calls: () => calls, ended, synced }
}

const numberOf = (frame: string): string => frame.split('\n')[1] ?? ''
const accepting = (snapshot: unknown, other: (frame: string, socket: WebSocket) => void = () => undefined) => (frame: string, socket: WebSocket) => {
  if (frame.startsWith('authorize')) socket.send(`a[{"s":200,"i":${numberOf(frame)}}]`)
  else if (!frame.startsWith('user/syncrequest')) other(frame, socket)
  else socket.send(`a[${JSON.stringify({ s: 200, i: Number(numberOf(frame)), d: snapshot })}]`)
}

test('it authorizes once open, syncs by entity, and sends heartbeats', async () => {
  const { url, received, beats } = await serve(accepting({ accounts: [{ id: 1, name: 'DEMO1' }] }))
  const { news, calls } = open(url)
  await until(() => (news.some(({ kind }) => kind === 'synced') ? true : null), 'the snapshot')
  expect(received[0]).toBe('authorize\n0\n\ntok-1')
  expect(received[1]).toMatch(/^user\/syncrequest\n1\n\n\{"splitResponses":true,"entityTypes":\["user","account",/)
  expect(news.map(({ kind }) => kind)).toEqual(['rows', 'synced'])
  expect(calls()).toBe(2)
  const before = beats()
  await until(() => (beats() > before + 3 ? true : null), 'heartbeats')
})

test('it syncs by user on request', async () => {
  const { url, received } = await serve(accepting({}))
  const { news } = open(url, { users: [9001] })
  await until(() => (news.some(({ kind }) => kind === 'synced') ? true : null), 'the snapshot')
  expect(received[1]).toBe('user/syncrequest\n1\n\n{"users":[9001]}')
})

test('all parts of a snapshot are emitted, and synced once', async () => {
  const { url } = await serve((frame, socket) => {
    const id = numberOf(frame)
    if (frame.startsWith('authorize')) socket.send('a[{"s":200,"i":0}]')
    else for (const part of ['{"accounts":[{"id":1,"name":"A"}]}', '{"accounts":[{"id":2,"name":"B"}]}', 'null']) socket.send(`a[{"s":200,"i":${id},"d":${part}}]`)
  })
  const { news } = open(url)
  await until(() => (news.length >= 4 ? true : null), 'all parts')
  expect(news.map((one) => (one.kind === 'rows' ? one.rows.accounts.map(({ name }) => name) : one.kind))).toEqual([['A'], 'synced', ['B'], []])
})

test('a ticket is waited out and sent with the next request, under another id', async () => {
  const { url, received } = await serve((frame, socket) => {
    if (frame.startsWith('authorize')) socket.send('a[{"s":200,"i":0}]')
    else socket.send(`a[{"s":200,"i":${numberOf(frame)},"d":${frame.includes('p-ticket') ? '{}' : '{"p-ticket":"tick-7","p-time":0.01}'}}]`)
  })
  const { news } = open(url)
  await until(() => (news.some(({ kind }) => kind === 'synced') ? true : null), 'the snapshot')
  expect(received[2]).toMatch(/^user\/syncrequest\n2\n\n\{.*"p-ticket":"tick-7"\}$/)
})

test.each([
  [401, 'refused'], [403, 'refused'], [408, 'suspect'], [429, 'suspect'], [500, 'suspect'], [423, 'quota'], [503, 'network'],
] as const)('a token that is answered %i ends it as %s', async (status, why) => {
  const { url } = await serve((_, socket) => { socket.send(`a[{"s":${String(status)},"i":0,"d":"Access is denied"}]`) })
  expect(await open(url).ended()).toBe(why)
})

test.each([[401, 'refused'], [404, 'unsynced'], [429, 'suspect']] as const)('a sync request answered with %i closes it as %s', async (status, why) => {
  const { url } = await serve((frame, socket) => { socket.send(`a[{"s":${String(frame.startsWith('authorize') ? 200 : status)},"i":${numberOf(frame)}}]`) })
  expect(await open(url).ended()).toBe(why)
})

test('endless tickets close it with a long pause', async () => {
  const { url, received } = await serve((frame, socket) => {
    socket.send(frame.startsWith('authorize') ? 'a[{"s":200,"i":0}]' : `a[{"s":200,"i":${numberOf(frame)},"d":{"p-ticket":"tick-${numberOf(frame)}","p-time":0}}]`)
  })
  expect(await open(url).ended()).toBe('quota')
  expect(received.map(numberOf)).toEqual(['0', '1', '2', '3', '4'])
})

test('a captcha closes it with a long pause', async () => {
  const { url } = await serve(accepting({ 'p-ticket': 't', 'p-captcha': true }))
  expect(await open(url).ended()).toBe('quota')
})

test.each([[307, 'wrong-host'], [421, 'wrong-host'], [401, 'refused'], [429, 'quota'], [500, 'suspect'], [503, 'network']] as const)('a host that answers %i instead of opening ends it as %s', async (status, why) => {
  const server = createServer().on('upgrade', (_, line) => { line.end(`HTTP/1.1 ${String(status)} No\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`) })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => { server.close().closeAllConnections() })
  expect(await open(`ws://127.0.0.1:${String((server.address() as AddressInfo).port)}/v1/websocket`).ended()).toBe(why)
})

test.each([['Maintenance', 'maintenance'], ['ConnectionQuotaReached', 'quota'], ['IPQuotaReached', 'quota']] as const)('a shutdown for %s ends it as %s, once', async (reasonCode, why) => {
  const { url } = await serve((_, socket) => {
    socket.send(`a[${JSON.stringify({ e: 'shutdown', d: { reasonCode } })},{"e":"props","d":{"entityType":"fill","entity":{}}}]`)
    socket.send('c[3000,"Go away!"]')
  })
  const { news, ended } = open(url)
  expect(await ended()).toBe(why)
  expect(news).toEqual([{ kind: 'closed', why }])
})

test('after close nothing is received and no heartbeat is sent', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { url } = await serve(accepting({}))
  const { socket, news, ended } = open(url)
  await until(() => (news.some(({ kind }) => kind === 'synced') ? true : null), 'the snapshot')
  expect(vi.getTimerCount()).toBe(1)
  socket.close()
  expect(await ended()).toBe('asked')
  expect(vi.getTimerCount()).toBe(0)
  socket.close()
  expect(news.filter(({ kind }) => kind === 'closed')).toHaveLength(1)
})

const placing = (count: number) => Array.from({ length: count }, (_, index) => `{"clOrdId":"fb-${String(index)}"}`)

test('fifty requests of one tick are sent, and answers match in any order', async () => {
  const asked: string[] = []
  const { url, received } = await serve(accepting({}, (frame, socket) => {
    asked.unshift(frame)
    if (asked.length === 50) socket.send(`a[${asked.map((one) => `{"s":200,"i":${numberOf(one)},"d":${one.split('\n')[3] ?? ''}}`).join(',')}]`)
  }))
  const { socket, synced } = open(url)
  await synced()
  const wires: number[] = []
  const bodies = placing(50)
  const answers = await Promise.all(bodies.map((body) => socket.ask('order/placeorder', body, (at) => wires.push(at))))
  expect(answers).toEqual(bodies.map((body) => ({ kind: 'json', status: 200, retryAfterMs: null, value: JSON.parse(body) as unknown })))
  expect(wires).toHaveLength(50)
  expect(received[2]).toBe('order/placeorder\n2\n\n{"clOrdId":"fb-0"}')
})

test.each<[string, object]>([
  ['{"s":429', { kind: 'text', status: 429, retryAfterMs: null, text: '' }],
  ['{"s":401,"d":"Access is denied"', { kind: 'text', status: 401, retryAfterMs: null, text: 'Access is denied' }],
  ['{"s":200,"d":{"orderId":5}', { kind: 'json', status: 200, retryAfterMs: null, value: { orderId: 5 } }],
])('an answer %s} is returned as it is, and ends nothing', async (response, wanted) => {
  const { url } = await serve(accepting({}, (frame, socket) => { socket.send(`a[${response},"i":${numberOf(frame)}}]`) }))
  const { socket, synced, news } = open(url)
  await synced()
  expect(await socket.ask('order/placeorder', '{}')).toEqual(wanted)
  await socket.settled()
  expect(news.filter(({ kind }) => kind === 'closed')).toEqual([])
})

test('fills before and after an answer in one frame are all emitted, with their positions and cash', async () => {
  const day = { year: 2026, month: 11, day: 18 }
  const traded = (account: number) => [
    { entityType: 'fill', entity: { id: account + 10, orderId: account + 20, contractId: 5, timestamp: '2026-11-18T16:30:00.000Z', tradeDate: day, action: 'Buy', qty: 1, price: 100, active: true } },
    { entityType: 'position', entity: { id: account + 30, accountId: account, contractId: 5, timestamp: '2026-11-18T16:30:00.000Z', tradeDate: day, netPos: 1, netPrice: 100, bought: 1, boughtValue: 100, sold: 0, soldValue: 0, prevPos: 0, prevPrice: 0 } },
    { entityType: 'cashBalance', entity: { id: account + 40, accountId: account, timestamp: '2026-11-18T16:30:00.000Z', tradeDate: day, currencyId: 1, amount: 1_000, realizedPnL: -5, amountSOD: 1_005 } },
  ].map((row) => ({ e: 'props', d: { eventType: 'Created', ...row } }))
  const { url } = await serve(accepting({}, (frame, socket) => {
    socket.send(`a${JSON.stringify([...traded(1), { s: 200, i: Number(numberOf(frame)), d: {} }, ...traded(2)])}`)
  }))
  const { socket, synced, news } = open(url)
  await synced()
  await socket.ask('order/placeorder', '{}')
  const facts = () => news.flatMap((one) => (one.kind === 'rows' && one.source === 'socket' ? one.rows.facts : [])).map((fact) => `${fact.kind} ${'accountId' in fact ? String(fact.accountId) : ''}`)
  await until(() => (facts().includes('cash 2') ? true : null), 'the cash of the other account')
  expect(facts().toSorted()).toEqual(['cash 1', 'cash 2', 'fill ', 'fill ', 'position 1', 'position 2'])
})

test('nothing is written before the sync or after the close', async () => {
  const never = { kind: 'lost', cause: 'network', reached: false }
  const { url, received } = await serve(accepting({}))
  const { socket, synced } = open(url)
  expect(await socket.ask('order/placeorder', '{}')).toEqual(never)
  await synced()
  socket.close()
  expect(await socket.ask('order/placeorder', '{}')).toEqual(never)
  expect(received.filter((frame) => frame.startsWith('order'))).toEqual([])
})

test('pending requests are lost with the socket, and may have arrived', async () => {
  let asked = 0
  const { url } = await serve(accepting({}, (_, socket) => {
    asked += 1
    if (asked === 50) socket.terminate()
  }))
  const { socket, synced, ended } = open(url)
  await synced()
  const answers = await Promise.all(placing(50).map((body) => socket.ask('order/placeorder', body)))
  expect(answers).toEqual(Array.from({ length: 50 }, () => ({ kind: 'lost', cause: 'network', reached: true })))
  expect(await ended()).toBe('network')
})

test('a missing answer is lost, and the socket stays open', async () => {
  const { url } = await serve(accepting({}))
  const { socket, synced, news } = open(url, 'entities', 50)
  await synced()
  expect(await socket.ask('order/placeorder', '{}')).toEqual({ kind: 'lost', cause: 'timeout', reached: true })
  expect(news.at(-1)?.kind).toBe('synced')
})

test('a stalled link gets no further order, and its backlog is never sent', { tags: 'long' }, async () => {
  const { url } = await serve(accepting({}, (_, socket) => { socket.pause() }))
  const { socket, synced, news } = open(url, 'entities', 1_000)
  await synced()
  const asked: ReturnType<typeof socket.ask>[] = []
  // More than both ends' system buffers.
  for (let turn = 0; turn < 40; turn += 1) {
    asked.push(socket.ask('order/placeorder', 'x'.repeat(1_000_000)))
    await new Promise(setImmediate)
  }
  expect(await socket.ask('order/placeorder', '{}')).toEqual({ kind: 'lost', cause: 'network', reached: false })
  const answers = await Promise.all(asked)
  expect(new Set(answers.map((answer) => answer.kind === 'lost' && answer.reached))).toEqual(new Set([true, false]))
  expect(news.at(-1)).toEqual({ kind: 'closed', why: 'silence' })
})
