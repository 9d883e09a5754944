// @module-tag slow
import { expect, test } from 'vitest'
import { serveLoopback, type Seen, type Served } from '#tests/helpers/loopback.ts'
import { testTiming } from '#tests/helpers/test-timing.ts'
import { openLogin } from './login.ts'
import { createReads } from './reads.ts'

const signal = new AbortController().signal

const setUp = async (answer: (seen: Seen) => Served) => {
  const { url, seen } = await serveLoopback(answer)
  const timing = testTiming()
  const login = openLogin({
    tokens: { access: 'tok-0', accessExpiresAt: timing.now() + 4_800_000, obtainedAt: timing.now() },
    hosts: { authorize: url, token: [url, url], live: `${url}/live/v1`, demo: `${url}/demo/v1` },
    timing,
    refresh: () => Promise.resolve({ kind: 'refused', lastError: 'invalid_token' }),
    saveTokens: () => Promise.resolve(),
  })
  return { seen, reads: createReads(login, 'demo'), urls: () => seen.map(({ url: asked }) => asked.replace('/demo/v1', '')) }
}

const idsOf = ({ query }: Seen, name = 'ids'): number[] => (query.get(name) ?? '').split(',').map(Number)
const contract = (id: number) => ({ id, name: `MES${String(id)}`, contractMaturityId: 1, providerTickSize: 0.25 })

test('a list is read row by row: a damaged row is rejected by name and the others are kept', async () => {
  const order = { accountId: 700101, action: 'Buy' }
  const { reads } = await setUp(() => ({ json: [{ id: 1, ...order }, { id: 2, action: 'Buy' }, { ...order }, 'row', { id: 5_000_000_000_000, ...order }] }))
  expect(await reads.orders([], signal)).toEqual({
    ok: true,
    value: {
      rows: [{ id: 1, accountId: 700101 }, { id: 5_000_000_000_000, accountId: 700101 }],
      refused: [
        { entity: 'order', id: '2', reason: 'unreadable', field: 'accountId' },
        { entity: 'order', id: null, reason: 'unreadable', field: 'id' },
        { entity: 'order', id: null, reason: 'unreadable', field: null },
      ],
      missing: [],
    },
  })
})

test('an answer that is not a list is unreadable', async () => {
  const { reads } = await setUp(() => ({ json: { rows: [] } }))
  expect(await reads.fills(signal)).toEqual({ ok: false, error: { kind: 'unreadable-answer' } })
})

test('ids are requested in tens, each once, and come back in any order', async () => {
  const { reads, seen } = await setUp((asked) => ({ json: idsOf(asked).reverse().map(contract) }))
  const ids = Array.from({ length: 23 }, (_, index) => index + 1)
  const found = await reads.contracts([...ids, ...ids], signal)
  expect(found).toMatchObject({ ok: true, value: { missing: [] } })
  expect(found.ok && found.value.rows.map(({ id }) => id).sort((a, b) => a - b)).toEqual(ids)
  expect(seen.map((asked) => idsOf(asked).length)).toEqual([10, 10, 3])
})

test('ids left out of an answer are requested singly, and unknown ones are missing', async () => {
  const { reads, urls } = await setUp(({ path, query }) => {
    if (path.endsWith('/items')) return { json: [contract(1)] }
    return query.get('id') === '2' ? { json: contract(2) } : { status: 404 }
  })
  expect(await reads.contracts([1, 2, 3], signal)).toMatchObject({ ok: true, value: { rows: [{ id: 1 }, { id: 2 }], missing: [3] } })
  expect(urls()).toEqual(['/contract/items?ids=1%2C2%2C3', '/contract/item?id=2', '/contract/item?id=3'])
})

test('an unknown id that turns a batch into a 404 does not lose the others', async () => {
  const { reads } = await setUp(({ path, query }) => (path.endsWith('/items') || query.get('id') === '3' ? { status: 404 } : { json: contract(Number(query.get('id'))) }))
  expect(await reads.contracts([1, 2, 3], signal)).toMatchObject({ ok: true, value: { rows: [{ id: 1 }, { id: 2 }], missing: [3] } })
})

test('a failure midway is returned, not taken for missing rows', async () => {
  const { reads, urls } = await setUp(({ path }) => (path.endsWith('/items') ? { status: 503 } : { json: contract(1) }))
  expect(await reads.contracts([1], signal)).toMatchObject({ ok: false, error: { kind: 'unreachable' } })
  expect(urls().filter((url) => url.includes('/item?'))).toEqual([])
  const half = await setUp(({ path }) => (path.endsWith('/items') ? { json: [] } : { status: 503 }))
  expect(await half.reads.contracts([1], signal)).toMatchObject({ ok: false, error: { kind: 'unreachable' } })
})

test('only orders missing from the list are requested by id', async () => {
  const { reads, urls } = await setUp(({ path }) => ({ json: path.endsWith('/list') ? [{ id: 1, accountId: 7 }] : [{ id: 2, accountId: 8 }] }))
  expect(await reads.orders([1, 2], signal)).toMatchObject({ ok: true, value: { rows: [{ id: 1 }, { id: 2, accountId: 8 }], missing: [] } })
  expect(urls()).toEqual(['/order/list', '/order/items?ids=2'])
})

test('an empty account list is requested again by user id', async () => {
  const account = { id: 700101, name: 'DEMO700101', userId: 1, active: true }
  const { reads, urls } = await setUp(({ path, query }) => ({ json: path.endsWith('/user/list') ? [{ id: 9001, name: 'demo.user' }] : query.get('userId') === '9001' ? [account] : [] }))
  expect(await reads.accounts(signal)).toMatchObject({ ok: true, value: { rows: [{ id: 700101, name: 'DEMO700101' }] } })
  expect(urls()).toEqual(['/account/list', '/user/list', '/account/list?userId=9001'])
})

test('a login that has no accounts and no user has no accounts', async () => {
  const { reads } = await setUp(({ path }) => (path.endsWith('/user/list') ? { status: 404 } : { json: [] }))
  expect(await reads.accounts(signal)).toEqual({ ok: true, value: { rows: [], refused: [] } })
})

test('fees come in one list for all fills', async () => {
  const { reads, urls } = await setUp(() => ({ json: [{ id: 1, commission: 0.39, commissionCurrencyId: 1 }] }))
  expect(await reads.feeList(signal)).toMatchObject({ ok: true, value: { rows: [{ id: 1, commission: 0.39 }] } })
  expect(urls()).toEqual(['/fillFee/list'])
})

test.each<[string, Served]>([
  ['has no list', { status: 404 }],
  ['lists nothing', { json: [] }],
])('a broker that %s of fees has no fee list', async (_, listed) => {
  const { reads } = await setUp(() => listed)
  expect(await reads.feeList(signal)).toEqual({ ok: true, value: null })
})

test('fees are requested by fill, ten at a time', async () => {
  const { reads, urls } = await setUp((asked) => ({ json: idsOf(asked, 'masterids').map((id) => ({ id, commission: 1 })) }))
  const ids = Array.from({ length: 12 }, (_unused, index) => index + 1)
  const fees = await reads.feesOf(ids, signal)
  expect(fees.ok && fees.value.rows.map(({ id }) => id)).toEqual(ids)
  expect(urls()).toHaveLength(2)
})

test('fills without fees cost one request, not one for every ten', async () => {
  const { reads, urls } = await setUp(() => ({ json: [] }))
  expect(await reads.feesOf(Array.from({ length: 500 }, (_, index) => index + 1), signal)).toEqual({ ok: true, value: { rows: [], refused: [] } })
  expect(urls()).toHaveLength(1)
})

test('a snapshot is per account, and may leave figures out', async () => {
  const { reads, seen } = await setUp(() => ({ json: { errorText: '', netLiq: 50_525.5, autoLiqLevel: 1 } }))
  expect(await reads.snapshot(700101, signal)).toEqual({ ok: true, value: { netLiq: 50_525.5 } })
  expect(seen[0]).toMatchObject({ method: 'POST', path: '/demo/v1/cashBalance/getcashbalancesnapshot', fields: { accountId: 700101 } })
})
