// @module-tag slow
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestBroker, type TestBroker } from '#tests/demo-broker/broker.ts'
import { call, logIn, rowsOf, type WireRow } from '#tests/helpers/demo-client.ts'
import type { FloorEvent } from './rows.ts'
import type { Environment } from './world.ts'
import { addDays, chicagoTime, sessionOpen } from './calendar.ts'

const ANCHOR = '2026-11-20'
const TUESDAY = '2026-11-17'
const WEDNESDAY = '2026-11-18'
const THURSDAY = '2026-11-19'
const ENTITIES = ['account', 'cashBalance', 'fill', 'fillFee', 'fillPair', 'order', 'orderVersion', 'position', 'contract', 'contractMaturity', 'product', 'currency'] as const

let broker: TestBroker
const tokens = new Map<string, string>()

beforeAll(async () => {
  broker = await startTestBroker({ anchor: ANCHOR })
  for (const { name } of broker.logins) tokens.set(name, (await logIn(broker, name)).access_token)
})
afterAll(() => broker.stop())

const rows = (path: string, login = 'ava.morgan', environment: Environment = 'demo'): Promise<WireRow[]> =>
  rowsOf(broker, environment, tokens.get(login) ?? '', path)

const cents = (value: unknown): number => Math.round(Number(value ?? 0) * 10_000)

describe('the running session', () => {
  it('pushes fills, positions and cash to listeners as the clock moves, equal to the lists', async () => {
    const [middle, end] = broker.walk.slice(-2)
    broker.clock.set(middle?.at ?? 0)
    const received: FloorEvent[] = []
    const forget = broker.inside.floor.listen((event) => received.push(event))
    broker.clock.set(end?.at ?? 0)
    forget()
    const ava = broker.logins.find(({ name }) => name === 'ava.morgan')?.userId ?? 0
    for (const entity of ['fill', 'position', 'cashBalance']) {
      const pushed = received.filter((event) => event.entityType === entity && event.environment === 'demo' && event.userIds.includes(ava)).map((event) => event.entity)
      expect(pushed.length).toBeGreaterThan(0)
      const listed = await rows(`/${entity}/list`)
      for (const row of pushed) expect(listed).toContainEqual(row)
    }
  })

  it('pushes the floors that the clock raises: a balance of now beside a floor of before shows too much room', async () => {
    const [first, end] = [broker.walk[0], broker.walk.at(-1)]
    broker.clock.set(first?.at ?? 0)
    const before = await rows('/accountRiskStatus/list')
    const received: FloorEvent[] = []
    const forget = broker.inside.floor.listen((event) => received.push(event))
    broker.clock.set(end?.at ?? 0)
    forget()
    const raised = (await rows('/accountRiskStatus/list')).filter(({ id, minNetLiq }) => before.find((row) => row['id'] === id)?.['minNetLiq'] !== minNetLiq)
    expect(raised.length).toBeGreaterThan(0)
    const pushed = received.filter(({ entityType }) => entityType === 'accountRiskStatus').map(({ entity }) => entity)
    for (const row of raised) expect(pushed).toContainEqual(row)
  })

  it('is all that the lists hold: after 17:00 Chicago they are empty and the ids of before answer 404', async () => {
    const roll = sessionOpen(addDays(WEDNESDAY, 1))
    broker.clock.set(roll - 1)
    const before = await Promise.all(['fill', 'order', 'fillPair', 'fillFee', 'orderVersion'].map((entity) => rows(`/${entity}/list`)))
    const [balance] = await rows('/cashBalance/list')
    expect(before.every((list) => list.length > 0)).toBe(true)
    expect(balance?.['tradeDate']).toEqual({ year: 2026, month: 11, day: 18 })
    broker.clock.set(roll)
    for (const entity of ['fill', 'order', 'fillPair', 'fillFee', 'orderVersion']) expect(await rows(`/${entity}/list`)).toEqual([])
    expect((await call(broker, 'demo', tokens.get('ava.morgan') ?? '', `/fill/item?id=${before[0]?.[0]?.id}`)).status).toBe(404)
    const [rolled] = await rows('/cashBalance/list')
    expect(rolled).toMatchObject({ tradeDate: { year: 2026, month: 11, day: 19 }, amount: balance?.['amount'], amountSOD: balance?.['amount'], realizedPnL: 0 })
  })

  it('shows nothing that the clock has not reached', async () => {
    const [middle, end] = broker.walk.slice(-2)
    broker.clock.set(middle?.at ?? 0)
    const early = await rows('/fill/list')
    expect(early.every(({ timestamp }) => Date.parse(String(timestamp)) <= (middle?.at ?? 0))).toBe(true)
    broker.clock.set(end?.at ?? 0)
    const late = await rows('/fill/list')
    expect(early.length).toBeGreaterThan(0)
    expect(late.length).toBeGreaterThan(early.length)
    expect(late.slice(0, early.length).map(({ id }) => id)).toEqual(early.map(({ id }) => id))
  })

  it('shows an order working before it is filled', async () => {
    broker.clock.set(chicagoTime(ANCHOR, 15 * 60 + 55))
    const stop = (await rows('/order/list')).find(({ ordStatus }) => ordStatus === 'Canceled')
    broker.clock.set(Date.parse(String(stop?.['timestamp'])) + 1)
    expect(await (await call(broker, 'demo', tokens.get('ava.morgan') ?? '', `/order/item?id=${stop?.id}`)).json()).toMatchObject({ ordStatus: 'Working' })
  })

  it('stamps an evening fill with the next day', async () => {
    broker.clock.set(chicagoTime(WEDNESDAY, 15 * 60 + 55))
    const evening = (await rows('/fill/list', 'ben.keller')).filter(({ timestamp }) => Date.parse(String(timestamp)) < chicagoTime(WEDNESDAY, 0))
    expect(evening.length).toBeGreaterThan(0)
    for (const fill of evening) expect(fill['tradeDate']).toEqual({ year: 2026, month: 11, day: 18 })
  })

  it('begins with the position that the last one left, under a new id', async () => {
    const held = async () => (await rows('/position/deps?masterid=700103')).find(({ netPos, prevPos }) => netPos !== 0 || prevPos !== 0)
    broker.clock.set(chicagoTime(TUESDAY, 15 * 60 + 55))
    const tuesday = await held()
    expect(tuesday).toMatchObject({ netPos: 2, prevPos: 0, bought: 2, sold: 0 })
    expect(tuesday).not.toHaveProperty('prevPrice')
    broker.clock.set(sessionOpen(WEDNESDAY))
    const night = await held()
    expect(night).toMatchObject({ netPos: 2, prevPos: 2, prevPrice: tuesday?.['netPrice'], netPrice: tuesday?.['netPrice'], bought: 0, sold: 0, tradeDate: { year: 2026, month: 11, day: 18 } })
    expect(night?.id).not.toBe(tuesday?.id)
    broker.clock.set(chicagoTime(WEDNESDAY, 9 * 60))
    const closed = await held()
    expect(closed).toMatchObject({ id: night?.id, netPos: 0, prevPos: 2, sold: 2 })
    expect(closed).not.toHaveProperty('netPrice')
    expect(await rows(`/fillPair/deps?masterid=${closed?.id}`)).toHaveLength(1)
  })

  it('marks a fill inactive when the exchange takes it back, with its fee', async () => {
    broker.clock.set(chicagoTime(THURSDAY, 15 * 60 + 55))
    const busted = (await rows('/fill/list')).find(({ active }) => active === false)
    const feeOf = async () => (await rows('/fillFee/list')).some(({ id }) => id === busted?.id)
    expect(await feeOf()).toBe(false)
    broker.clock.set(Date.parse(String(busted?.['timestamp'])) + 60_000)
    expect((await rows('/fill/list')).find(({ id }) => id === busted?.id)).toMatchObject({ active: true, finallyPaired: 0 })
    expect(await feeOf()).toBe(true)
  })
})

describe('the balances', () => {
  it('follow to the last cent from the pairs and fees of the lists, session by session, in each currency', { tags: 'long' }, async () => {
    const last = new Map<number, number>()
    let checked = 0
    for (const { at } of broker.walk) {
      broker.clock.set(at)
      for (const [login, environment] of [['ava.morgan', 'demo'], ['ben.keller', 'demo'], ['ben.keller', 'live']] as const) {
        const tables = await Promise.all(ENTITIES.map((entity) => rows(`/${entity}/list`, login, environment)))
        const table = (entity: (typeof ENTITIES)[number]): WireRow[] => tables[ENTITIES.indexOf(entity)] ?? []
        const by = (entity: (typeof ENTITIES)[number], id: unknown): WireRow => table(entity).find((row) => row.id === id) ?? { id: 0 }
        const product = (contractId: unknown): WireRow =>
          by('product', by('contractMaturity', by('contract', contractId)['contractMaturityId'])['productId'])

        const sums = new Map<string, { gross: number; fees: number }>()
        const sumOf = (accountId: unknown, currency: unknown) => {
          const key = `${String(accountId)}/${String(currency)}`
          const sum = sums.get(key) ?? { gross: 0, fees: 0 }
          sums.set(key, sum)
          return sum
        }
        for (const pair of table('fillPair')) {
          const position = by('position', pair['positionId'])
          const { valuePerPoint, currencyId } = product(position['contractId'])
          sumOf(position['accountId'], currencyId).gross += cents((Number(pair['sellPrice']) - Number(pair['buyPrice'])) * Number(pair['qty']) * Number(valuePerPoint))
        }
        for (const fee of table('fillFee')) {
          const fill = by('fill', fee.id)
          const paid = ['commission', 'exchangeFee', 'clearingFee', 'nfaFee', 'brokerageFee', 'ipFee', 'orderRoutingFee'].reduce((sum, part) => sum + cents(fee[part]), 0)
          sumOf(by('order', fill['orderId'])['accountId'], product(fill['contractId'])['currencyId']).fees += paid
        }
        for (const balance of table('cashBalance')) {
          const { gross, fees } = sumOf(balance['accountId'], balance['currencyId'])
          expect(cents(balance['realizedPnL'])).toBe(gross)
          expect(cents(balance['amount']) - cents(balance['amountSOD'])).toBe(gross - fees)
          if (at !== broker.walk.at(-1)?.at) {
            expect(cents(balance['amountSOD'])).toBe(last.get(balance.id) ?? cents(balance['amountSOD']))
            last.set(balance.id, cents(balance['amount']))
          }
          checked += 1
        }
      }
    }
    expect(checked).toBe(13 * 6)
  })
})
