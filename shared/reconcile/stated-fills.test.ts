import { expect, test } from 'vitest'
import { at } from '#tests/helpers/readings.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import type { Amount, Currency } from '#shared/money/money.ts'
import type { Ticks } from '#shared/money/price.ts'
import type { ClosedPair } from './closed-pair.ts'
import { reconcileSources } from './reconcile.ts'
import type { StatedFill } from './stated-fills.ts'

const [account, currency, contract] = ['A' as AccountKey, 'USD' as Currency, 'NQM6']
const dollars = (amount: number): Amount => (amount * 10_000) as Amount
const clock = (minute: number): number => at(`15:0${String(minute)}:00`)

const stated = (id: string, side: 'buy' | 'sell', gross: number | null, fees: number | null = 1): StatedFill => ({ account, id, contract, currency, time: clock(Number(id)), side, qty: 1, gross: gross === null ? null : dollars(gross), fees: fees === null ? null : dollars(fees) })

const pair = (buy: string, sell: string, gross: number): ClosedPair => ({
  account, contract, currency, tickSize: '0.25', buy: { fillId: buy, price: 100 as Ticks }, sell: { fillId: sell, price: 104 as Ticks }, qty: 1, tradingDay: '2026-06-10', doubts: [], otherFees: [],
  closedAt: Math.max(clock(Number(buy)), clock(Number(sell))), closedSince: 0, gross: dollars(gross), fees: dollars(2), net: dollars(gross - 2),
})

const hold = (closed: readonly ClosedPair[], fills: readonly StatedFill[]) =>
  reconcileSources({
    closed, fills: fills.map((fill) => ({ ...fill, tradeDate: null })), fees: fills.map(() => ({ account, tradingDay: '2026-06-10', currency, contract, fee: dollars(1) })),
    broker: { pairs: [], cash: [], balances: [], doubtful: [] }, incompleteDays: [], stated: fills,
  })

test('a reversal closes with what it states, and the next fill closes what it opened', () => {
  const { days, pairs } = hold([pair('1', '2', 5), pair('3', '2', 7)], [stated('1', 'buy', null), { ...stated('2', 'sell', 5), qty: 2 }, stated('3', 'buy', 7)])
  expect(pairs.map(({ closedBy, equal }) => [closedBy, equal])).toEqual([['2', true], ['3', true]])
  expect(days).toMatchObject([{ state: 'equal', broker: { gross: dollars(12), fees: dollars(3), netFrom: 'fills' } }])
})

test('a fill that closed for one side alone differs, even where the sums agree', () => {
  const { pairs } = hold([pair('1', '2', 0)], [stated('1', 'buy', null), stated('2', 'sell', null)])
  expect(pairs).toMatchObject([{ closedBy: '2', equal: false, broker: null }])
  expect(hold([], [stated('1', 'buy', null), stated('2', 'sell', 5)])).toMatchObject({ pairs: [{ closedBy: '2', equal: false, fillbook: null }], days: [{ state: 'differs', difference: dollars(-5) }] })
})

test('a day with a fill whose cost the broker does not say is not checked', () => {
  expect(hold([pair('1', '2', 5)], [stated('1', 'buy', null, null), stated('2', 'sell', 5)]).days).toMatchObject([{ state: 'unchecked', reason: 'fees-uncertain' }])
})
