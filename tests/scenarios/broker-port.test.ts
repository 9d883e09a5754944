import { expect, onTestFinished, test } from 'vitest'
import type { BrokerageLogin, FetchedFills } from '#backend/brokers/port.ts'
import { runSync } from '#backend/sync/sync.ts'
import { err, ok } from '#shared/base/result.ts'
import type { AccountKey, Fill } from '#shared/fills/fill.ts'
import { contractSpecOf } from '#shared/market/contract-spec.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { parseAmount, type Amount, type Currency } from '#shared/money/money.ts'
import { parsePrice, type Ticks } from '#shared/money/price.ts'
import { openSyncJournal, type SyncJournal } from '#tests/helpers/sync-journal.ts'
import { testTiming } from '#tests/helpers/test-timing.ts'

// Adding a brokerage is a folder that answers the port: this one has its whole book in memory.
type Trade = { readonly id: string; readonly at: number; readonly side: Fill['side']; readonly qty: number; readonly price: number; voided?: boolean }
type Book = { readonly trades: Trade[]; position: number; away: boolean; readonly asked: string[] }

const spec = contractSpecOf('MNQH6')
const account = 'paper:live:7' as AccountKey
const money = (text: string): Amount => { const amount = parseAmount(text); if (!amount.ok) throw new Error(text); return amount.value }
const ticksOf = (price: number): Ticks => { const ticks = parsePrice(price, spec.tickSize); if (!ticks.ok) throw new Error(String(price)); return ticks.value }

const fetched = (trades: readonly Trade[]): FetchedFills => ({
  fills: trades.map(({ id, at, side, qty, price, voided = false }) => ({ id, account, contract: spec.contract, time: at, side, qty, price: ticksOf(price), fee: money(String(0.5 * qty)), active: !voided, source: 'api', orderId: null, contractId: null, tradeDate: null })),
  specs: [spec], asked: [], received: trades.length, refused: [],
})

const paperLogin = (book: Book): BrokerageLogin => ({
  prepare: () => Promise.resolve(book.away ? { kind: 'unreachable', cause: 'network', status: null } : null),
  part: ({ environment, now }) => ({
    accounts: () => Promise.resolve(ok(environment === 'live' ? [{ key: account, environment, brokerAccountId: '7', name: 'PAPER-7', closed: false }] : [])),
    balances: () => Promise.resolve(ok([{ account, amount: money('50000'), currency: 'USD' as Currency, time: now() }])),
    firstDay: () => (book.trades[0] === undefined ? null : tradingDay(book.trades[0].at)),
    past: (_, { from, to }) => {
      book.asked.push(`${from} to ${to}`)
      return Promise.resolve(book.away ? err({ kind: 'unreachable', cause: 'server', status: 500 }) : ok(fetched(book.trades.filter(({ at }) => from <= tradingDay(at) && tradingDay(at) <= to))))
    },
    session: () => {
      const [askedAt, tradeDate] = [now(), tradingDay(now())]
      const trades = book.trades.filter(({ at }) => tradingDay(at) === tradeDate)
      const sum = (which: Fill['side']): number => trades.filter(({ side: of, voided }) => of === which && voided !== true).reduce((total, { qty }) => total + qty, 0)
      const [bought, sold] = [sum('buy'), sum('sell')]
      const positions = trades.length === 0 ? [] : [{ account, contract: spec.contract, tradeDate, time: trades.at(-1)?.at ?? askedAt, net: book.position, carried: book.position - bought + sold, bought, sold }]
      return Promise.resolve(ok({ ...fetched(trades), askedAt, answered: new Set(trades.map(({ id }) => id)), contracts: [spec], refusedOf: new Set<AccountKey>(), refusedOfAny: false, books: { positions, pairs: [], isWhole: true, pairsRead: false, moving: false }, tradeDate, feesSettled: false }))
    },
  }),
})

const monday = Date.UTC(2026, 2, 2, 17)
const stage = async (book: Book) => {
  const it = await openSyncJournal({ brokerage: { hosts: { authorize: 'http://127.0.0.1:9', token: ['http://127.0.0.1:9', 'http://127.0.0.1:9'], live: 'http://127.0.0.1:9', demo: 'http://127.0.0.1:9' }, application: { clientId: 'own', clientSecret: 'own' }, redirectUri: 'http://127.0.0.1:9/oauth/callback' }, timing: testTiming(monday) })
  await it.journal.write.saveLogin({ userId: it.userId, id: 'paper', brokerUserId: 'me', name: 'Paper', hosts: null, at: monday })
  const stop = new AbortController()
  onTestFinished(() => { stop.abort() })
  // The one line that a program has of it.
  const sync = (runId: string) => runSync({ ...it.parts, login: () => Promise.resolve(paperLogin(book)) }, { runId, userId: it.userId, trigger: 'manual' }, stop.signal)
  return { it, sync }
}
const trades = async ({ journal, userId }: SyncJournal) =>
  (JSON.parse(new TextDecoder().decode(await journal.read.tradesJson({ userId }))) as { trades: { account: string; side: string; qty: number; netPnl: string }[] }).trades.map(({ account: name, side, qty, netPnl }) => `${name} ${side} ${String(qty)} ${netPnl}`)

test('a brokerage behind the broker port has its accounts, past, session, corrections and troubles in the journal', async () => {
  const day = 86_400_000
  const book: Book = { trades: [], position: 0, away: false, asked: [] }
  book.trades.push({ id: 'a', at: monday - 400 * day, side: 'buy', qty: 1, price: 20_000 }, { id: 'b', at: monday - 400 * day + 1_000, side: 'sell', qty: 1, price: 20_010 })
  book.trades.push({ id: 'c', at: monday - 60_000, side: 'sell', qty: 2, price: 21_000 }, { id: 'd', at: monday - 50_000, side: 'buy', qty: 2, price: 20_990 })
  const { it, sync } = await stage(book)
  expect(await sync('1')).toMatchObject({ outcome: 'complete', accounts: 1, fills: { received: 4, added: 4 }, holdings: [], troubles: [] })
  expect(await trades(it)).toEqual(['PAPER-7 long 1 19.00', 'PAPER-7 short 2 38.00'])
  expect(book.asked[0]?.slice(0, 10)).toBe(tradingDay(monday - 400 * day))
  const asked = book.asked.length
  // What is over is not asked for again; a trade that is taken back leaves, and one that the answer lacks is named.
  for (const voided of book.trades.slice(2)) voided.voided = true
  expect(await sync('2')).toMatchObject({ outcome: 'complete', fills: { changed: 2 } })
  expect(book.asked).toHaveLength(asked)
  expect(await trades(it)).toEqual(['PAPER-7 long 1 19.00'])
  book.position = 3
  expect(await sync('3')).toMatchObject({ outcome: 'partial', holdings: [{ accountName: 'PAPER-7', contract: 'MNQH6' }] })
  book.away = true
  expect(await sync('4')).toMatchObject({ outcome: 'failed', troubles: [{ loginName: 'Paper', code: 'unreachable' }, { loginName: 'Paper', code: 'unreachable' }] })
  expect(await trades(it)).toEqual(['PAPER-7 long 1 19.00'])
})
