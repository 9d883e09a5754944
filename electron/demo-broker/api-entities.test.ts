import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestBroker, type TestBroker } from '#tests/demo-broker/broker.ts'
import { call, logIn, rowsOf, type WireRow } from '#tests/helpers/demo-client.ts'
import type { Environment } from './world.ts'
import { chicagoTime } from './calendar.ts'

const ANCHOR = '2026-11-20'
const LAST = chicagoTime(ANCHOR, 15 * 60 + 55)
let broker: TestBroker
let ava: string
let ben: string

beforeAll(async () => {
  broker = await startTestBroker({ anchor: ANCHOR })
  ava = (await logIn(broker, 'ava.morgan')).access_token
  ben = (await logIn(broker, 'ben.keller')).access_token
})
afterAll(() => broker.stop())

const list = (path: string, token = ava, environment: Environment = 'demo'): Promise<WireRow[]> => {
  broker.clock.set(LAST)
  return rowsOf(broker, environment, token, path)
}
const ids = (rows: readonly WireRow[]): number[] => rows.map(({ id }) => id)

describe('every entity', () => {
  it('lists a login its own rows, live and demo apart', async () => {
    expect((await list('/account/list')).map(({ name }) => name)).toEqual(['NGF-EVAL50K-104233', 'NGF-EVAL150K-104871', 'NGF-FUNDED50K-20918'])
    expect(await list('/account/list', ava, 'live')).toEqual([])
    expect(ids(await list('/account/list', ben))).toEqual([700_111])
    expect(ids(await list('/account/list', ben, 'live'))).toEqual([700_112])
    expect(await list('/user/list')).toMatchObject([{ id: 9001, name: 'ava.morgan', status: 'Active' }])
  })

  it('returns one row by id, and a 404 without a body for unknown ids and other logins’ rows', async () => {
    const [fill] = await list('/fill/list')
    expect(await (await call(broker, 'demo', ava, `/fill/item?id=${fill?.id}`)).json()).toEqual(fill)
    for (const path of ['/fill/item?id=1', '/account/item?id=700111', '/fill/item', '/nonsense/list', '/fill/nonsense', '/fill/list/more']) {
      const answer = await call(broker, 'demo', ava, path)
      expect([path, answer.status, await answer.text()]).toEqual([path, 404, ''])
    }
  })

  it('returns up to ten rows in its own order, skips unknown ids, and refuses eleven', async () => {
    const some = ids(await list('/order/list')).slice(0, 11)
    const requested = [...some.slice(0, 9), 5]
    const got = ids(await list(`/order/items?ids=${requested.join('%2C')}`))
    expect(got).toHaveLength(9)
    expect(got).not.toEqual(requested.slice(0, 9))
    expect(got.sort((a, b) => a - b)).toEqual(requested.slice(0, 9))
    const many = await call(broker, 'demo', ava, `/order/items?ids=${some.join(',')}`)
    expect([many.status, await many.text()]).toEqual([404, ''])
  })

  it('finds and suggests by name', async () => {
    const found = await (await call(broker, 'demo', ava, '/contract/find?name=MESZ6')).json()
    expect(found).toMatchObject({ name: 'MESZ6' })
    expect((await list('/contract/suggest?t=mes&l=1')).map(({ name }) => name)).toEqual(['MESZ6'])
    expect((await call(broker, 'demo', ava, '/contract/find?name=XX')).status).toBe(404)
  })

  it('returns the rows of a master', async () => {
    const fills = await list('/fill/list')
    const orderId = fills[0]?.['orderId']
    expect(await list(`/fill/deps?masterid=${orderId}`)).toEqual(fills.filter((fill) => fill['orderId'] === orderId))
    expect(ids(await list('/order/ldeps?masterids=700101,700103'))).toEqual(
      (await list('/order/list')).filter(({ accountId }) => accountId !== 700_102).map(({ id }) => id))
    expect(ids(await list(`/fillFee/ldeps?masterids=${ids(fills).join(',')}`))).toEqual(ids(fills))
    expect(await list('/account/deps?masterid=9001')).toHaveLength(3)
  })

  it('links a fill to its product, currency and account', async () => {
    for (const environment of ['demo', 'live'] as const) {
      const [fills, orders, contracts, maturities, products, currencies] = await Promise.all(
        ['fill', 'order', 'contract', 'contractMaturity', 'product', 'currency'].map((entity) => list(`/${entity}/list`, ben, environment)))
      const by = (rows: readonly WireRow[] | undefined, id: unknown): WireRow | undefined => rows?.find((row) => row.id === id)
      expect(fills?.length).toBeGreaterThan(0)
      for (const fill of fills ?? []) {
        expect(fill).not.toHaveProperty('accountId')
        expect([700_111, 700_112]).toContain(by(orders, fill['orderId'])?.['accountId'])
        const product = by(products, by(maturities, by(contracts, fill['contractId'])?.['contractMaturityId'])?.['productId'])
        expect(product?.['valuePerPoint']).toBeGreaterThan(0)
        expect(Number(fill['price']) / Number(product?.['tickSize'])).toBeCloseTo(Math.round(Number(fill['price']) / Number(product?.['tickSize'])), 6)
        expect(['USD', 'EUR']).toContain(by(currencies, product?.['currencyId'])?.['name'])
      }
    }
  })

  it('answers a snapshot that agrees with the balance, for own accounts only', async () => {
    const [balance] = await list('/cashBalance/deps?masterid=700103')
    const ask = async (accountId: number) =>
      (await call(broker, 'demo', ava, '/cashBalance/getcashbalancesnapshot', { method: 'POST', body: JSON.stringify({ accountId }) })).json()
    expect(await ask(700_103)).toMatchObject({ totalCashValue: balance?.['amount'], weekRealizedPnL: balance?.['weekRealizedPnL'] })
    expect(await ask(700_111)).toEqual({ errorText: expect.any(String) })
  })
})
