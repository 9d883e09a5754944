// @module-tag slow
import { expect, test } from 'vitest'
import { createCopiedOrders } from './copied-orders.ts'

const order = (orderId: number) => ({ account: 'tradovate:demo:1', orderId: String(orderId), clOrdId: `fb-${String(orderId)}` })

const start = () => {
  const it = { fails: false, kept: [] as string[], marked: [] as string[], warned: 0 }
  const copied = createCopiedOrders({
    main: {
      copied: ({ userId, orders }) => (it.fails ? Promise.reject(new Error('The journal is busy')) : Promise.resolve(void it.kept.push(`${userId} ${orders.map(({ orderId }) => orderId).join()}`))),
    },
    marked: (clOrdId) => void it.marked.push(clOrdId),
    log: { warn: () => void (it.warned += 1) },
  })
  return { it, copied }
}

test('each order is reported once, grouped by user', async () => {
  const { it, copied } = start()
  copied.add('ann', order(1))
  copied.add('bob', order(2))
  copied.add('ann', order(3))
  await copied.report()
  await copied.report()
  expect(it.kept).toEqual(['ann 1,3', 'bob 2'])
})

test('a failed report is repeated next time, before newer orders', async () => {
  const { it, copied } = start()
  copied.add('ann', order(1))
  it.fails = true
  const failing = copied.report()
  copied.add('ann', order(2))
  await failing
  expect(it.marked).toEqual([])
  it.fails = false
  await copied.report()
  expect([it.kept, it.marked, it.warned]).toEqual([['ann 1,2'], ['fb-1', 'fb-2'], 1])
})

test('the backlog of a failing journal is bounded: the oldest are dropped', async () => {
  const { it, copied } = start()
  for (let id = 0; id < 10_001; id += 1) copied.add('ann', order(id))
  it.fails = true
  await copied.report()
  it.fails = false
  await copied.report()
  expect(it.kept[0]?.slice(0, 8)).toBe('ann 1,2,')
})
