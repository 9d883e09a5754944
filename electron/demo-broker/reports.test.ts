// @module-tag slow
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { startTestBroker, type TestBroker } from '#tests/demo-broker/broker.ts'
import { readBytes } from '#tests/helpers/exports/read.ts'
import { logIn } from '#tests/helpers/demo-client.ts'
import { keepBooks } from './books.ts'
import { DEFAULT_SEED, tradePast } from './seeded-world.ts'

const answerSchema = z.union([z.object({ data: z.string() }), z.object({ errorText: z.string() })])
const FUNDED = 'NGF-FUNDED50K-20918'
let broker: TestBroker
let token: string

beforeAll(async () => {
  broker = await startTestBroker({ anchor: '2026-11-20' })
  token = (await logIn(broker, 'ava.morgan')).access_token
})
afterAll(() => broker.stop())

type ReportRequest = { name?: string; account?: string; from?: string; to?: string; environment?: 'live' | 'demo'; bearer?: string }

const post = ({ name = 'Fills', account = FUNDED, from = '9/21/2026', to = '11/19/2026', environment = 'demo', bearer = token }: ReportRequest) =>
  fetch(`${broker.origins.reports[environment]}/reports/requestReport`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name, representationType: 'csv', timezone: 0, params: [{ name: 'startDate', value: from }, { name: 'endDate', value: to }, { name: 'account', value: account }] }),
  })
const ask = async (request: ReportRequest) => answerSchema.parse(await (await post(request)).json())
const textOf = async (request: ReportRequest): Promise<string> => {
  const answer = await ask(request)
  if ('errorText' in answer) throw new Error(answer.errorText)
  return answer.data
}
const read = async (request: ReportRequest) => {
  const file = await readBytes(Buffer.from(await textOf(request)), 'UTC')
  if (!file.ok) throw new Error(file.problem.code)
  return file
}

describe('the reporting service', () => {
  it.each(['Performance', 'Fills', 'Orders', 'Cash History', 'Account Balance History'])('gives %s as a file in which every row can be read', async (name) => {
    const { refused, readings, kind } = await read({ name })
    expect(refused).toEqual([])
    expect(readings.length).toBeGreaterThan(40)
    expect(kind).toBe(name.toLowerCase().replaceAll(' ', '-'))
  })

  it('returns exactly the requested sessions, including ones before the walk', async () => {
    const { readings } = await read({ from: '6/1/2026', to: '6/5/2026' })
    const dates = readings.flatMap((reading) => (reading.says === 'fill' ? [reading.tradeDate] : []))
    expect(new Set(dates)).toEqual(new Set(['2026-06-01', '2026-06-02', '2026-06-03', '2026-06-04', '2026-06-05']))
    expect((await textOf({ from: '1/5/2025', to: '1/9/2025' })).trim().split('\n')).toHaveLength(1)
  })

  it('has cash balances that are exact to the cent and match the account’s cash at the start of the walk', async () => {
    const rows = (await Promise.all([['5/1/2026', '7/2/2026'], ['7/3/2026', '9/3/2026'], ['9/4/2026', '11/4/2026']].map(([from = '', to = '']) => read({ name: 'Cash History', from, to })))).flatMap(({ readings }) => readings)
    const cash = rows.flatMap((row) => (row.says === 'cash' ? [row] : []))
    expect(cash[0]?.movement).toBe('other')
    expect(cash.every((row, index) => index === 0 || Number(cash[index - 1]?.amount) + row.delta === Number(row.amount))).toBe(true)
    expect(new Set(cash.map(({ transactionId }) => transactionId)).size).toBe(cash.length)
    // The walk begins on the 5th with the opening cash of the account.
    expect(Number(cash.at(-1)?.amount)).toBe(521_405_000)
  })

  it('shows a funded account that began with its firm’s money and was paid out month by month, and a new one from its first day', async () => {
    const cashOf = async (account: string) => {
      const parts = await Promise.all([['5/1/2026', '7/2/2026'], ['7/3/2026', '9/3/2026'], ['9/4/2026', '11/5/2026']].map(([from = '', to = '']) => read({ name: 'Cash History', account, from, to })))
      return parts.flatMap(({ readings }) => readings).flatMap((row) => (row.says === 'cash' ? [row] : []))
    }
    const funded = (await cashOf(FUNDED)).filter(({ transfer }) => transfer === true)
    expect(funded[0]?.delta).toBe(50_000 * 10_000)
    const payouts = funded.slice(1)
    expect(payouts.length).toBeGreaterThan(3)
    expect(payouts.every(({ delta, amount }) => delta < 0 && Number(amount) >= 521_405_000)).toBe(true)
    expect(new Set(payouts.map(({ tradeDate }) => tradeDate?.slice(0, 7))).size).toBe(payouts.length)
    expect((await cashOf('NGF-EVAL50K-104233'))[0]).toMatchObject({ tradeDate: '2026-11-05', delta: 50_000 * 10_000, amount: 50_000 * 10_000 })
  })

  it('holds positions over some nights, and none over the night before the walk', { tags: 'long' }, async () => {
    // A world that begins on a Wednesday: on Tuesdays a trader keeps two contracts.
    const { executions } = await tradePast({ seed: DEFAULT_SEED, dollarsOnly: false, before: '2026-11-04' })
    const open = (tuesday: string): number[] => [...keepBooks(executions.filter(({ session }) => session <= tuesday), Infinity).positions.values()].filter(({ session, net: { qty } }) => session === tuesday && qty !== 0).map(({ net: { qty } }) => qty)
    expect(open('2026-10-27')).toEqual([2])
    expect(open('2026-11-03')).toEqual([])
  })

  it('shows nothing that the clock has not reached', async () => {
    const end = broker.clock.now()
    broker.clock.set(Date.UTC(2026, 10, 18, 17, 30))
    const { readings } = await read({ from: '11/17/2026', to: '11/20/2026' })
    const times = readings.flatMap((reading) => (reading.says === 'fill' ? [reading.time] : []))
    expect(times.length).toBeGreaterThan(0)
    expect(Math.max(...times)).toBeLessThanOrEqual(broker.clock.now())
    broker.clock.set(end)
  })

  it('refuses as the broker does', async () => {
    expect(await ask({ from: '9/1/2026' })).toEqual({ errorText: 'Too long range' })
    expect(await ask({ name: 'Horoscope' })).toEqual({ errorText: 'Report not found' })
    expect(await ask({ account: 'DEMO7001250' })).toEqual({ errorText: 'Account not found' })
    expect(await ask({ environment: 'live' })).toEqual({ errorText: 'Account not found' })
    expect((await post({ bearer: 'nobody' })).status).toBe(401)
    broker.faults.set([{ kind: 'report-refused', name: 'Orders' }, { kind: 'report-days', days: 5 }])
    expect((await post({ name: 'Orders' })).status).toBe(401)
    expect(await ask({ from: '11/1/2026' })).toEqual({ errorText: 'Too long range' })
    broker.faults.clear()
  })
})
