import { expect, test } from 'vitest'
import { contractSpecOf } from '#shared/market/contract-spec.ts'
import type { ExecutionReportRow, WireFill, OrderVersionRow } from './wire.ts'
import { workedOrders } from './mapping.ts'

const contracts = new Map([[7, contractSpecOf('ESZ6')]])
const version = (id: number, orderId: number, stopPrice: number | null, more: Partial<OrderVersionRow> = {}): OrderVersionRow => ({ id, orderId, orderQty: 2, orderType: stopPrice === null ? 'Limit' : 'Stop', stopPrice, ...more })
const report = (id: number, orderId: number, commandId: number, timestamp: number, execType: string): ExecutionReportRow => ({ id, commandId, orderId, accountId: 1, contractId: 7, timestamp, execType, action: 'Sell' })
const fill = (id: number, orderId: number, timestamp: number, qty: number): WireFill => ({ id, orderId, contractId: 7, timestamp, tradeDate: { year: 2026, month: 11, day: 24 }, action: 'Sell', qty, price: 6997, active: true })
const orders = (versions: readonly OrderVersionRow[], reports: readonly ExecutionReportRow[], fills: readonly WireFill[] = []) => workedOrders({ environment: 'demo', versions, reports, fills, contracts })

test('a stop has a step for each change that was accepted, from the moment of its report', () => {
  // The change to 6,990 was refused: nobody reported it.
  const versions = [version(101, 100, 6996), version(111, 100, 6990), version(121, 100, 6998, { orderQty: 1 })]
  const reports = [report(150, 100, 120, 3000, 'Replaced'), report(102, 100, 100, 1000, 'New'), report(160, 100, 100, 9000, 'Canceled')]
  expect(orders(versions, reports)).toEqual([
    { account: 'tradovate:demo:1', id: '100', contract: 'ESZ6', tickSize: '0.25', side: 'sell', kind: 'stop', endedAt: 9000, steps: [{ at: 1000, price: 27_984, qty: 2 }, { at: 3000, price: 27_992, qty: 1 }] },
  ])
})

test('an order ends with its last contract, and works on while a part of it does', () => {
  const stop = [version(101, 100, 6996)]
  const began = [report(102, 100, 100, 1000, 'New')]
  expect(orders(stop, began, [fill(1, 100, 5000, 1), fill(2, 100, 6000, 1)])[0]?.endedAt).toBe(6000)
  expect(orders(stop, began, [fill(1, 100, 5000, 1)])[0]?.endedAt).toBeNull()
})

test('an order that is not known as a whole is left out', () => {
  const began = report(102, 100, 100, 1000, 'New')
  // Its change is not listed, it trails, its price is off the tick, or nobody said when it began.
  expect(orders([version(101, 100, 6996)], [began, report(150, 100, 120, 3000, 'Replaced')])).toEqual([])
  expect(orders([version(101, 100, 6996, { orderType: 'TrailingStop' })], [began])).toEqual([])
  expect(orders([version(101, 100, 6996.1)], [began])).toEqual([])
  expect(orders([version(101, 100, 6996)], [])).toEqual([])
})
