import fc from 'fast-check'
import { describe, expect } from 'vitest'
import type { z } from 'zod'
import { readFrame, type Frame } from '#backend/brokers/tradovate/open-wire.ts'
import { readLimits } from '#backend/brokers/tradovate/limit-rows.ts'
import { rowsOfList, rowsOfProps, rowsOfSnapshot, type LiveRows } from '#backend/brokers/tradovate/live-messages.ts'
import { mapBalances, mapSession } from '#backend/brokers/tradovate/mapping.ts'
import { tokensOf } from '#backend/brokers/tradovate/oauth.ts'
import { readRows } from '#backend/brokers/tradovate/wire.ts'
import { judge } from '#backend/brokers/tradovate/ask.ts'
import { calendarDay, nameText, utcMs } from '#shared/api/fields.ts'
import { holdAll } from './hold-all.ts'
import { hostileText, hostileValue } from './hostile.ts'
import { casesOf } from './schema-cases.ts'
import * as wire from '#backend/brokers/tradovate/wire.ts'

const tradeDate = { year: 2026, month: 11, day: 20 }
const timestamp = '2026-11-20T15:00:00.000Z'
/** One good row of each kind, about the same fill. */
const good = {
  fills: { id: 1, orderId: 2, contractId: 3, timestamp, tradeDate, action: 'Buy', qty: 1, price: 5_000.25, active: true },
  orders: { id: 2, accountId: 9 },
  fees: { id: 1, commission: 0.39, commissionCurrencyId: 1, exchangeFee: 0.35, exchangeCurrencyId: 1 },
  contracts: { id: 3, name: 'MESZ6', contractMaturityId: 4 },
  maturities: { id: 4, productId: 5, expirationDate: timestamp },
  products: { id: 5, name: 'MES', currencyId: 1, valuePerPoint: 5, tickSize: 0.25 },
  currencies: { id: 1, name: 'USD' },
  balances: { id: 1, accountId: 9, timestamp, tradeDate, currencyId: 1, amount: 50_000.5, realizedPnL: 1 },
}
const schemas: Record<keyof typeof good, z.ZodType> = { fills: wire.fillRow, orders: wire.orderRow, fees: wire.fillFeeRow, contracts: wire.contractRow, maturities: wire.maturityRow, products: wire.productRow, currencies: wire.currencyRow, balances: wire.cashBalanceRow }
const kinds = Object.keys(good) as (keyof typeof good)[]

const rowsLike = (kind: keyof typeof good): fc.Arbitrary<unknown> => {
  const { fitting, nearly, hostile } = casesOf(schemas[kind], good[kind])
  return fc.oneof({ weight: 8, arbitrary: fc.array(fc.oneof({ weight: 3, arbitrary: fc.constant<unknown>(good[kind]) }, { weight: 2, arbitrary: fitting }, nearly, hostile), { maxLength: 3 }) }, { weight: 1, arbitrary: hostileValue })
}
const anyAnswers = fc.record(Object.fromEntries(kinds.map((kind) => [kind, rowsLike(kind)])) as Record<keyof typeof good, fc.Arbitrary<unknown>>)
const isWhole = (value: number | null): boolean => value === null || Number.isSafeInteger(value)

/** The rows of an answer that can be read; none where it is no list. */
const read = <T>(entity: string, schema: z.ZodType<T>, value: unknown): readonly T[] => {
  const all = readRows(entity, schema, value)
  if (all === null) return []
  expect(all.rows.length + all.refused.length).toBe((value as unknown[]).length)
  return all.rows
}

const someRow = fc.oneof(...kinds.map((kind) => casesOf(schemas[kind], good[kind])).flatMap(({ fitting, nearly, hostile }) => [fitting, nearly, hostile]))
const lookedAt = ['fill', 'order', 'orderVersion', 'position', 'cashBalance', 'account', 'contract', 'contractMaturity', 'product']
const entities = fc.constantFrom(...lookedAt, 'executionReport', 'userAccountAutoLiq', 'accountRiskStatus', 'marginSnapshot', '__proto__', 'constructor', 'nothing')
const someEvent = fc.oneof({ weight: 4, arbitrary: fc.record({ entityType: fc.oneof({ weight: 6, arbitrary: entities }, { weight: 1, arbitrary: hostileValue }), eventType: fc.constantFrom<unknown>('Created', 'Updated', 'Deleted', 'x', 1), entity: someRow }) }, { weight: 1, arbitrary: hostileValue })
const framed = fc.oneof(
  fc.array(fc.oneof(fc.record({ e: fc.constantFrom('props', 'md', 'shutdown', 'clock'), d: hostileValue }), fc.record({ s: hostileValue, i: hostileValue, d: hostileValue }), hostileValue), { maxLength: 3 }).map((messages) => `a${JSON.stringify(messages)}`),
  fc.constantFrom('o', 'h', 'a', 'a[', 'a{}', 'a[null]', 'c', 'c[]', 'c[1,2]', 'c[3000,"Go away!"]', 'c{"a":1}', '[]', 'oo', `a${'['.repeat(5_000)}`),
  hostileText,
  hostileValue.map((value) => `c${JSON.stringify(value) ?? ''}`),
)
const frameKinds: readonly Frame['kind'][] = ['open', 'heartbeat', 'messages', 'close', 'unreadable']

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])
const countOf = (rows: LiveRows | null): number => (rows === null ? 0 : [rows.facts, rows.accounts, rows.contracts, rows.maturities, rows.products, rows.unreadable, rows.deleted].flat().length)
/** How many rows of an event have to be reported. */
const countIn = (event: unknown): number => {
  const { entityType, eventType, entity } = (event ?? {}) as Readonly<Record<'entityType' | 'eventType' | 'entity', unknown>>
  if (typeof entityType !== 'string') return 1
  const reportedTypes = eventType === 'Deleted' ? ['order', 'position'] : lookedAt
  return reportedTypes.includes(entityType) ? listOf(entity).length : 0
}

describe('any answer of the brokerage', () => {
  holdAll({
    'rows are read or refused one by one, and accepted fills are exact, with a valid time, day and name': (numRuns) =>
      fc.assert(
        fc.property(anyAnswers, (answers) => {
          const { fills, specs } = mapSession({
            environment: 'demo',
            fills: read('fill', wire.fillRow, answers.fills),
            orders: read('order', wire.orderRow, answers.orders),
            fees: read('fillFee', wire.fillFeeRow, answers.fees),
            contracts: read('contract', wire.contractRow, answers.contracts),
            maturities: read('contractMaturity', wire.maturityRow, answers.maturities),
            products: read('product', wire.productRow, answers.products),
            currencies: read('currency', wire.currencyRow, answers.currencies),
          })
          for (const { time, qty, price, fee, contract, tradeDate: day } of fills) {
            expect([utcMs.safeParse(time).success, nameText.safeParse(contract).success, calendarDay.safeParse(day).success], JSON.stringify({ time, contract, day })).toEqual([true, true, true])
            expect([qty > 0, isWhole(qty), isWhole(price), isWhole(fee)]).toEqual([true, true, true, true])
          }
          for (const { contract } of specs) expect(nameText.safeParse(contract).success).toBe(true)
        }),
        { numRuns },
      ),
    'balances are exact, or refused': (numRuns) =>
      fc.assert(
        fc.property(anyAnswers, (answers) => {
          const { balances } = mapBalances('live', read('cashBalance', wire.cashBalanceRow, answers.balances), read('currency', wire.currencyRow, answers.currencies))
          for (const { amount, realizedPnl, time, tradeDate: day } of balances) expect([isWhole(amount), isWhole(realizedPnl), utcMs.safeParse(time).success, calendarDay.safeParse(day).success]).toEqual([true, true, true, true])
        }),
        { numRuns },
      ),
    'every answer is classified, whatever its status and body, and no result repeats a token': (numRuns) =>
      fc.assert(
        fc.property(fc.integer({ min: 100, max: 599 }), fc.option(fc.nat()), fc.oneof(hostileValue, fc.record({ 'p-ticket': hostileValue, 'p-time': hostileValue, 'p-captcha': hostileValue, errorText: hostileValue }, { requiredKeys: [] })), fc.boolean(), (status, retryAfterMs, value, isText) => {
          const secret = 'token-that-nobody-sees'
          const leaking = { errorText: `no: ${secret}`, value }
          const verdict = judge(isText ? { kind: 'text', status, retryAfterMs, text: `${JSON.stringify(value) ?? ''} ${secret}` } : { kind: 'json', status, retryAfterMs, value: status % 2 === 0 ? leaking : value }, [secret])
          if (verdict.kind !== 'good') expect(JSON.stringify(verdict)).not.toContain(secret)
        }),
        { numRuns },
      ),
    'tokens are valid, or none': (numRuns) =>
      fc.assert(
        fc.property(fc.oneof(hostileValue, fc.record({ access_token: hostileValue, refresh_token: hostileValue, expires_in: hostileValue }, { requiredKeys: [] })), (value) => {
          const tokens = tokensOf(value, 1)
          if (tokens !== null) expect([typeof tokens.access, tokens.access === '', Number.isFinite(tokens.accessExpiresAt)]).toEqual(['string', false, true])
        }),
        { numRuns },
      ),
    'a socket frame is one of five kinds': (numRuns) =>
      fc.assert(
        fc.property(framed, (text) => {
          expect(frameKinds).toContain(readFrame(text).kind)
        }),
        { numRuns },
      ),
    'pushed rows are accepted or named as unreadable, and none is lost': (numRuns) =>
      fc.assert(
        fc.property(fc.array(fc.oneof(someEvent, fc.array(someEvent, { maxLength: 2 })), { maxLength: 3 }), entities, fc.array(someRow, { maxLength: 3 }), hostileValue, (events, entity, rows, value) => {
          expect(countOf(rowsOfProps(events))).toBe(events.flatMap(listOf).reduce<number>((sum, event) => sum + countIn(event), 0))
          expect(countOf(rowsOfList(entity, rows))).toBe(lookedAt.includes(entity) ? rows.length : 0)
          expect(rowsOfSnapshot(value) === null).toBe(typeof value !== 'object' || value === null || Array.isArray(value))
          expect(countOf(rowsOfSnapshot({ fills: rows, orders: rows, positions: value, accounts: rows }))).toBe(3 * rows.length + (Array.isArray(value) ? value.length : 0))
          for (const row of [...rows, value]) readLimits(entity, row)
        }),
        { numRuns },
      ),
  })
})
