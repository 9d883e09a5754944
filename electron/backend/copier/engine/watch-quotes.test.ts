// @module-tag slow
import { expect, test } from 'vitest'
import { createBook } from '#shared/copier/book.ts'
import { err, ok } from '#shared/base/result.ts'
import type { Login, Pass } from '../../brokers/tradovate/login.ts'
import type { QuotesNews, QuotesDeps } from '../../brokers/tradovate/quotes.ts'
import { testTiming } from '#tests/helpers/test-timing.ts'
import { until } from '#tests/helpers/until.ts'
import { createWatchQuotes } from './watch-quotes.ts'
import { contractsOn, emptyWorld, type Account } from './world.ts'

const user = 'user-1'
const contracts = { NQZ6: 44, CLZ6: 45 } as const
const hour = 3_600_000

/** Quotes of one login over recording sockets. */
const setUp = (given: { readonly base?: string | null } = {}) => {
  const timing = testTiming()
  const world = emptyWorld()
  const sides = contractsOn(world, user, 'demo')
  for (const [name, id] of Object.entries(contracts)) {
    const contract = { id, name, product: name.slice(0, 2), tickSize: '0.25', valuePerPoint: 20, currencyId: 1 }
    sides.byId.set(id, contract)
    sides.byName.set(name, contract)
  }
  const account = (key: string): Account => ({
    key, loginId: 'login', environment: 'demo', id: Number(key), name: key, userId: user, contracts: sides, book: createBook(Number(key)), ours: new Map(), knownFills: new Map(), placed: new Map(), givenUp: new Map(), uncounted: new Map(), liquidating: new Set(),
    session: '', restricted: false, closed: false, gone: false, wasUp: true, recovered: true, open: null, money: null,
  })
  const [one, two] = [account('1'), account('2')]
  const hold = (of: Account, contract: keyof typeof contracts, net: number): void =>
    void of.book.take({ kind: 'position', id: contracts[contract], accountId: of.id, contractId: contracts[contract], session: '2026-03-02', net, before: net, bought: 0, sold: 0, netPrice: 1, time: timing.now() })
  const sockets: { readonly deps: QuotesDeps; wanted: string[]; closed: boolean; paused: boolean }[] = []
  const asked: string[] = []
  const passAt = (base: string | null) => Promise.resolve(base === null ? err({ kind: 'not-found' } as const) : ok({ access: 'tok', base, expiresAt: timing.now() + 2 * hour }))
  const login = {
    pass: (environment: string, _: AbortSignal, purpose: string) => (asked.push(`${purpose} of ${environment}`), passAt(given.base === undefined ? 'http://127.0.0.1:1/md/v1' : given.base)),
    passInsteadOf: ({ base }: Pass) => (asked.push(`instead of ${base}`), passAt('http://127.0.0.2:1/md/v1')),
    checkHost: (environment: string, _: AbortSignal, purpose: string) => Promise.resolve(void asked.push(`check of ${purpose} of ${environment}`)),
  } as unknown as Login
  const received: string[] = []
  const quotes = createWatchQuotes({
    world, timing, logins: { open: () => Promise.resolve(login) }, received: (who) => received.push(who), log: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
    open: (deps) => {
      const socket = { deps, wanted: [] as string[], closed: false, paused: false }
      sockets.push(socket)
      return { want: (wanted) => { socket.wanted = [...wanted].toSorted() }, pause: () => { socket.paused = true }, resume: () => { socket.paused = false }, close: () => { socket.closed = true } }
    },
  })
  const look = (): void => quotes.look([one, two])
  const opened = async (count: number) => {
    look()
    await until(() => (sockets.length >= count ? true : null), `socket ${String(count)}`, 5_000)
    const socket = sockets[count - 1]
    if (socket === undefined) throw new Error('No socket')
    return { ...socket, get wanted() { return socket.wanted }, get closed() { return socket.closed }, get paused() { return socket.paused }, onNews: (news: QuotesNews) => socket.deps.onNews(news) }
  }
  return { quotes, timing, one, two, hold, sockets, asked, look, opened, heard: received, marks: sides.marks }
}

test('a login uses one socket for its accounts’ positions, and none when flat', async () => {
  const { quotes, one, two, hold, sockets, look, opened, timing } = setUp()
  look()
  expect(sockets).toHaveLength(0)
  hold(one, 'NQZ6', 2)
  hold(two, 'CLZ6', -1)
  const socket = await opened(1)
  expect([socket.wanted, socket.deps.url, socket.deps.token]).toEqual([['CLZ6', 'NQZ6'], 'ws://127.0.0.1:1/md/v1/websocket', 'tok'])
  expect(quotes.pricesOf(one)).toBe('none')
  socket.onNews({ kind: 'ready' })
  expect(quotes.pricesOf(one)).toBe('live')
  expect(sockets).toHaveLength(1)
  await timing.sleep(2 * hour - 30_000)
  await opened(2)
  expect(socket.closed).toBe(true)
})

test('a redirect gets a new pass at once, one time', async () => {
  const { one, hold, opened, asked, sockets, look, timing } = setUp()
  hold(one, 'NQZ6', 2)
  const socket = await opened(1)
  socket.onNews({ kind: 'closed', why: 'wrong-host' })
  const moved = await opened(2)
  expect([moved.deps.url, asked]).toEqual(['ws://127.0.0.2:1/md/v1/websocket', ['quotes of demo', 'instead of http://127.0.0.1:1/md/v1']])
  moved.onNews({ kind: 'closed', why: 'wrong-host' })
  look()
  expect(sockets).toHaveLength(2)
  await timing.sleep(60_000)
  await opened(3)
  expect(asked.at(-1)).toBe('quotes of demo')
})

test('a host unreachable twice is checked before the next try', async () => {
  const { one, hold, opened, asked, timing } = setUp()
  hold(one, 'NQZ6', 2)
  for (const count of [1, 2]) {
    const socket = await opened(count)
    expect(asked).not.toContain('check of quotes of demo')
    socket.onNews({ kind: 'closed', why: 'network' })
    await timing.sleep(60_000)
  }
  await opened(3)
  expect(asked.slice(-2)).toEqual(['check of quotes of demo', 'quotes of demo'])
})

test('a refused contract is missing for its holders for an hour, across reconnects', async () => {
  const { quotes, one, two, hold, opened, timing } = setUp()
  hold(one, 'NQZ6', 2)
  hold(two, 'CLZ6', -1)
  const socket = await opened(1)
  socket.onNews({ kind: 'ready' })
  socket.onNews({ kind: 'inaccessible', contract: 'CLZ6' })
  expect([quotes.pricesOf(one), quotes.pricesOf(two)]).toEqual(['live', 'denied'])
  socket.onNews({ kind: 'closed', why: 'network' })
  expect([quotes.pricesOf(one), quotes.pricesOf(two)]).toEqual(['none', 'denied'])
  await timing.sleep(5_000)
  const second = await opened(2)
  expect(second.wanted).toEqual(['NQZ6'])
  await timing.sleep(hour)
  const third = await opened(3)
  expect([second.closed, third.wanted]).toEqual([true, ['CLZ6', 'NQZ6']])
})

test('a refused login is retried after an hour or with new tokens', async () => {
  const { quotes, one, hold, opened, look, sockets, timing } = setUp()
  hold(one, 'NQZ6', 2)
  const socket = await opened(1)
  socket.onNews({ kind: 'closed', why: 'denied' })
  await timing.sleep(600_000)
  look()
  expect([quotes.pricesOf(one), sockets.length]).toEqual(['denied', 1])
  quotes.renew(user)
  const second = await opened(2)
  second.onNews({ kind: 'closed', why: 'denied' })
  await timing.sleep(hour)
  await opened(3)
})

test('without a price source prices are denied and no request is made', async () => {
  const { quotes, one, hold, look, sockets } = setUp({ base: null })
  hold(one, 'NQZ6', 2)
  look()
  await until(() => (quotes.pricesOf(one) === 'denied' ? true : null), 'the refusal', 5_000)
  expect(sockets).toHaveLength(0)
})

test('a price becomes the contract’s mark unless older by the broker’s clock', async () => {
  const { one, hold, opened, marks, heard: received } = setUp()
  hold(one, 'NQZ6', 2)
  const socket = await opened(1)
  socket.onNews({ kind: 'quotes', quotes: [{ contractId: 44, price: 25_000, time: 1_000 }, { contractId: 99, price: 1, time: 1_000 }] })
  socket.onNews({ kind: 'quotes', quotes: [{ contractId: 44, price: 24_000, time: 999 }] })
  expect([...marks]).toMatchObject([[44, { price: 25_000, time: 1_000 }]])
  socket.onNews({ kind: 'quotes', quotes: [{ contractId: 44, price: 25_001, time: null }] })
  expect(marks.get(44)).toMatchObject({ price: 25_001, time: 1_000 })
  expect(received).toHaveLength(3)
})

test('a socket closes after a minute flat, and when nobody watches', async () => {
  const { quotes, one, hold, opened, look, timing } = setUp()
  hold(one, 'NQZ6', 2)
  const socket = await opened(1)
  hold(one, 'NQZ6', 0)
  look()
  expect([socket.wanted, socket.closed]).toEqual([[], false])
  await timing.sleep(60_000)
  look()
  expect(socket.closed).toBe(true)
  hold(one, 'NQZ6', 1)
  const second = await opened(2)
  quotes.look([])
  expect(second.closed).toBe(true)
})

test('no price is read while copies are being sent', async () => {
  const { quotes, one, hold, opened } = setUp()
  hold(one, 'NQZ6', 2)
  const socket = await opened(1)
  quotes.hush(5)
  expect(socket.paused).toBe(true)
  await until(() => (socket.paused ? null : true), 'reading to go on', 5_000)
})
