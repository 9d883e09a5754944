import { expect, test } from 'vitest'
import { fillRow, instant, maturityRow, productRow } from './wire.ts'

const fill = {
  id: 600000000105, orderId: 600000000102, contractId: 4400001, timestamp: '2026-03-02T14:31:02.482Z',
  tradeDate: { year: 2026, month: 3, day: 2 }, action: 'Sell', qty: 1, price: 6759.75, active: true, finallyPaired: 0, external: false,
}

test.each([
  ['2026-03-02T14:31:02.482Z', Date.UTC(2026, 2, 2, 14, 31, 2, 482)],
  ['2026-01-30T12:00:00Z', Date.UTC(2026, 0, 30, 12)],
  ['2017-12-15T22:29Z', Date.UTC(2017, 11, 15, 22, 29)],
  ['2026-03-02T09:31:02.482-05:00', Date.UTC(2026, 2, 2, 14, 31, 2, 482)],
])('%s is a moment', (text, time) => {
  expect(instant.parse(text)).toBe(time)
})

test.each(['2026-03-02T14:31:02', '2026-03-02', '2026-13-02T14:31Z', 'yesterday', '', '1772461862482'])('%j is none: a time without its zone would be guessed', (text) => {
  expect(instant.safeParse(text).success).toBe(false)
})

test('a fill is read, and what Fillbook does not know is left alone', () => {
  expect(fillRow.parse(fill)).toMatchObject({ id: 600000000105, timestamp: Date.UTC(2026, 2, 2, 14, 31, 2, 482), price: 6759.75 })
})

test.each([
  ['id', 2 ** 53], ['id', '600000000105'], ['orderId', undefined], ['timestamp', 'now'], ['qty', 0], ['qty', 1.5], ['qty', -1],
  ['price', undefined], ['price', null], ['price', '6759.75'], ['active', undefined], ['tradeDate', { year: 2026, month: 0, day: 2 }], ['tradeDate', { year: 2026, month: 11, day: 31 }],
  ['timestamp', '0001-01-01T00:00:00Z'],
])('a fill with %s %j is refused for that field', (field, value) => {
  const read = fillRow.safeParse({ ...fill, [field]: value })
  expect(read.error?.issues[0]?.path[0]).toBe(field)
})

test('a maturity and a product of the real shape are read', () => {
  expect(maturityRow.parse({ id: 52001, productId: 902, expirationMonth: 202606, expirationDate: '2026-06-19T13:30Z', seqNo: 10 })).toEqual({ id: 52001, productId: 902, expirationMonth: 202606 })
  expect(productRow.parse({ id: 902, name: 'MES', currencyId: 1, valuePerPoint: 5, tickSize: 0.25, isMicro: true }).valuePerPoint).toBe(5)
})
