import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordRoutes } from '#shared/api/journal.ts'
import { startSharedApp, type App } from '#tests/helpers/app.ts'
import { cloudUser, type CloudClient } from '#tests/helpers/cloud-client.ts'
import { startOwnCloud, type OwnCloud } from '#tests/helpers/own-cloud.ts'

/*
 * The same calls to the program on this computer and to the cloud: what each answers, and what stands in each journal
 * afterwards, is the same to the letter.
 */

let cloud: OwnCloud
let local: App
let people = 0

beforeAll(async () => {
  cloud = await startOwnCloud()
  local = await startSharedApp()
})
afterAll(async () => {
  await local.stop()
  await cloud.stop()
})

type Step = readonly [route: keyof typeof recordRoutes, body: object]
type Answer = { readonly status: number; readonly body: unknown }
type Side = (...step: Step) => Promise<Answer>

const read = ({ status, body }: { status: number; body: string }, userId: string): Answer => ({ status, body: JSON.parse(body.replaceAll(userId, 'the user')) as unknown })
const search = (query: object): string => `?${new URLSearchParams(query as Record<string, string>).toString()}`

const onThisComputer = async (): Promise<Side> => {
  const browser = await local.newBrowser()
  const { userId } = await browser.signUp(`same-${String(people)}@example.com`)
  return async (name, given) => {
    const route = recordRoutes[name]
    const body = { userId, ...given }
    const post = { method: 'POST', headers: { 'content-type': 'application/json', origin: browser.origin }, body: JSON.stringify(body) }
    return read(route.method === 'GET' ? await browser.send(`${route.path}${search(body)}`) : await browser.send(route.path, post), userId)
  }
}

const inTheCloud = async (): Promise<Side> => {
  const user: CloudClient = await cloudUser(cloud, `same-${String(people)}@example.com`)
  const { userId } = user
  // The zone in which the program of these tests cuts its days.
  await user.tell([{ entity: 'profile', id: 'profile', content: { timeZone: 'America/New_York' } }])
  return async (name, given) => {
    const body = { userId, ...given }
    return read(await user.send(recordRoutes[name], recordRoutes[name].method === 'GET' ? { query: body } : { body }), userId)
  }
}

const trade = { id: 't', symbol: 'MESZ6', qty: 2, entryPrice: 5_000, exitPrice: 5_010.25, entryTime: '2026-11-02T15:00:00Z', exitTime: '2026-11-02T15:05:00Z' }
const add = (more: object): Step => ['addTrade', { trade: { ...trade, ...more } }]
const update = (id: string, updates: object): Step => ['updateTrade', { id, updates }]
const finance = (more: object): Step => ['addFinance', { finance: { id: 'f', type: 'earning', amount: 250.5, name: 'Payout', balance: 0, date: '2026-11-02', ...more } }]

const stories: readonly [string, readonly Step[]][] = [
  ['trades are worked out', [
    add({ id: 'long' }),
    add({ id: 'short', side: 'short', commission: '1.5' }),
    add({ id: 'told-net', pnl: -12.34, commission: '1.55555' }),
    add({ id: 'told-net-only', pnl: 98.76543 }),
    add({ id: 'between', entryPrice: 5_000.375, qty: 3 }),
    add({ id: 'bond', symbol: 'ZFH6', entryPrice: 108.0078125, exitPrice: 108.03125, qty: 7 }),
    add({ id: 'euro', symbol: 'FDAXZ6', entryPrice: 24_000, exitPrice: 23_999.5 }),
    add({ id: 'unknown', symbol: 'QQQQH6', entryPrice: 10, exitPrice: 10.5 }),
    add({ id: 'partial', symbol: 'QNGH6', entryPrice: 3, exitPrice: 3.005 }),
    add({ id: 'evening', exitTime: '2026-11-03T03:30:00+01:00', account: 'Eval 50K', accountId: 'a', platform: 'Other', notes: 'n', tags: ['x', 'y'], stop: '4990.25', screenshotHeadline: 'h' }),
    add({ id: 'dated', date: '2026-10-31' }),
  ]],
  ['trades that make no sense are refused', [
    add({ id: 'backwards', exitTime: '2026-11-02T14:00:00Z' }),
    add({ id: 'fine', entryPrice: 5_000.123456789 }),
    add({ id: 'vast', symbol: 'QQQQH6', exitPrice: 9e11 }),
    add({ id: 'none', qty: 0 }),
    add({ id: 'when', entryTime: 'yesterday' }),
    ['addTrade', {}],
    add({ userId: 'somebody else' }),
  ]],
  ['trades are changed, each in its own way', [
    add({ notes: 'first', tags: ['a'], commission: '1.0001' }),
    add({ id: 'dated', date: '2026-10-31' }),
    add({ id: 'told', pnl: 5.0001 }),
    update('t', { notes: 'second', tags: [], stop: '4990' }),
    update('t', { stop: null, qty: 5, symbol: 'MNQZ6' }),
    update('t', { commission: '7', side: 'short' }),
    update('t', { pnl: 3.21 }),
    update('t', { exitPrice: 4_990 }),
    update('dated', { qty: 3 }),
    update('dated', { exitTime: '2026-11-05T02:00:00Z' }),
    update('told', { exitPrice: 4_000, account: 'Mine', accountId: 'a-1', platform: 'P' }),
    update('t', {}),
    update('t', { exitTime: '2026-11-01T00:00:00Z' }),
    update('t', { entryPrice: 1.123456789 }),
    update('t', { netPnl: '5.00' }),
    update('nowhere', { notes: 'x' }),
    add({ notes: 'said again' }),
    add({}),
  ]],
  ['trades are removed, and come back when they are added again', [
    add({ notes: 'kept', accountId: 'a' }),
    add({ id: 'u', accountId: 'a' }),
    add({ id: 'v', accountId: 'b' }),
    ['removeTrade', { id: 't' }],
    ['removeTrade', { id: 't' }],
    update('t', { notes: 'late' }),
    ['removeTrade', { accountId: 'a' }],
    ['removeTrade', { accountId: 'nobody' }],
    ['removeTrade', { id: 'u' }],
    ['removeTrade', {}],
    add({ accountId: 'a' }),
  ]],
  ['finances are added, changed and removed', [
    finance({}),
    finance({ id: 'g', amount: 0.1 + 0.2, balance: '17.5', firm: 'Tradeify', date: '2026-10-01' }),
    finance({ id: 'h', balance: 'not a number', firm: '', platform: 'Other' }),
    finance({ id: 'i', date: '2026-10-01' }),
    finance({ type: 'expense', amount: 99.99999, date: undefined }),
    finance({ type: 'expense', amount: -99.99999 }),
    finance({ id: 'j', type: 'expense', category: 'reset', account: 'tradovate:demo:1', note: 'again', currency: 'eur' }),
    finance({ id: 'j', type: 'expense', amount: 7 }),
    finance({ id: 'j', category: 'reset' }),
    finance({ id: 'j', account: '', note: '', category: 'payout' }),
    ['addFinance', { finance: { id: 'bare', type: 'earning', date: '2026-11-02' } }],
    ['addFinance', { finance: { id: 'g', type: 'Funded Account', firm: 'Tradeify', platform: 'Tradovate' } }],
    finance({ type: 'lottery' }),
    finance({ userId: 'somebody else' }),
    ['removeFinance', { id: 'g' }],
    ['removeFinance', { id: 'g' }],
    ['removeFinance', { id: 'nothing' }],
    ['addFinance', { finance: { id: 'g', type: 'Account' } }],
  ]],
  ['fills of accounts that are not connected are refused', [
    ['addFill', { fill: { id: '1', accountId: 'a', contractId: 5, contractSymbol: 'MESZ6', action: 'buy', qty: 1, price: 5_000, timestamp: '2026-11-02T15:00:00Z', platform: 'Tradovate' } }],
    ['addFill', { fill: { id: '1', accountId: 'a', contractId: 5, action: 'hold', qty: 1, price: 5_000, timestamp: '2026-11-02T15:00:00Z', platform: 'Tradovate' } }],
  ]],
]

test.each(stories)('%s', async (_, steps) => {
  people += 1
  const [here, there] = [await onThisComputer(), await inTheCloud()]
  for (const [name, body] of steps) {
    const call = `${name} ${JSON.stringify(body)}`
    const expected = { call, ...(await here(name, body)) }
    expect({ call, ...(await there(name, body)) }).toEqual(expected)
    for (const list of ['getTrades', 'getFinances'] as const) expect({ call, ...(await there(list, {})) }).toEqual({ call, ...(await here(list, {})) })
  }
})
