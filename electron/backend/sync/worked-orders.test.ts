import { expect, test } from 'vitest'
import type { WorkedOrder } from '#shared/fills/worked-order.ts'
import type { Ticks } from '#shared/money/price.ts'
import { account, monday, openStore, other, user } from '#tests/helpers/store.ts'
import { workedOrdersIn } from './worked-orders.ts'

const order = (changes: Partial<WorkedOrder> = {}): WorkedOrder => ({ account, id: '1', contract: 'ESH6', tickSize: '0.25', side: 'sell', kind: 'stop', steps: [{ at: monday, price: 28_000 as Ticks, qty: 1 }], endedAt: null, ...changes })

test('orders are kept as they were seen last, and found where they worked', () => {
  const store = openStore()
  const found = (from: number, to: number) => workedOrdersIn(store.writer, user.userId, { account, contract: 'ESH6', from, to }).map(({ id, steps, until }) => [id, steps.length, until])
  store.write.saveWorkedOrders({ ...user, at: monday + 100, orders: [order(), order({ account: other, id: '2' })] })
  // Nobody knows how long it worked beyond.
  expect(found(monday + 100, monday + 500)).toEqual([['1', 1, monday + 100]])
  expect(found(monday + 101, monday + 500)).toEqual([])
  expect(found(monday - 5, monday)).toEqual([])

  const moved = order({ endedAt: monday + 300, steps: [...order().steps, { at: monday + 200, price: 28_010 as Ticks, qty: 1 }] })
  store.write.saveWorkedOrders({ ...user, at: monday + 400, orders: [moved] })
  expect(found(monday + 250, monday + 500)).toEqual([['1', 2, monday + 300]])
  // What ended stays as it ended.
  store.write.saveWorkedOrders({ ...user, at: monday + 500, orders: [order()] })
  expect(found(monday + 250, monday + 500)).toEqual([['1', 2, monday + 300]])
})

test('orders of an account that is not known are not kept', () => {
  const store = openStore()
  store.write.saveWorkedOrders({ ...user, at: monday, orders: [order({ account: 'tradovate:demo:9' as typeof account })] })
  expect(store.writer.database.prepare('SELECT count(*) AS count FROM worked_orders').get()).toEqual({ count: 0 })
})
