import { expect, test } from 'vitest'
import { testTiming } from '#tests/helpers/test-timing.ts'
import { createOrderEnds } from './order-progress.ts'
import type { OrderGateway } from './order-gateway.ts'
import { contractsOn, emptyWorld, type Account, type CopierOrder } from './world.ts'

test.each([[1, { ticks: 2, money: 10_0000, currency: 'USD' }], [2, { ticks: 2, money: 10_0000, currency: 'EUR' }], [4, null]])('slippage of a contract in the currency %i has that currency, or is unknown', (currencyId, slippage) => {
  const world = emptyWorld()
  const contracts = contractsOn(world, 'user-1', 'demo')
  contracts.byName.set('NQZ6', { id: 44, name: 'NQZ6', product: 'NQ', tickSize: '0.25', valuePerPoint: 20, currencyId })
  const recorded: unknown[] = []
  const gateway = { record: (news: unknown) => void recorded.push(news) } as unknown as OrderGateway
  const ends = createOrderEnds({ world, gateway: () => gateway, timing: testTiming(0), copied: () => undefined })
  const order = { intent: { clOrdId: 'a', groupId: 'none', account: 'one', contract: 'NQZ6', side: 'buy', qty: 1 }, orderId: 5, filled: 1, wireAt: null, leader: { contract: 'NQZ6', price: 25_000 } } as unknown as CopierOrder
  ends.filled({ key: 'one', contracts } as unknown as Account, order, [{ id: 1, orderId: 5, contractId: 44, side: 'buy', qty: 1, price: 25_000.5, session: '2026-11-18', time: 1, active: true }])
  expect(recorded).toEqual([{ clOrdId: 'a', filled: 1, unmarked: true, price: '25000.5', ...(slippage === null ? {} : { slippage }) }])
})
