import { expect, test } from 'vitest'
import { rowsOfList, rowsOfProps, rowsOfSnapshot } from './live-messages.ts'

const fill = {
  id: 600000000105, orderId: 600000000102, contractId: 4400001, timestamp: '2026-03-02T14:31:02.482Z', tradeDate: { year: 2026, month: 3, day: 2 },
  action: 'Sell', qty: 1, price: 6759.75, active: true, finallyPaired: 0, external: false,
}
const position = {
  id: 600000000120, accountId: 700101, contractId: 4400001, timestamp: '2026-03-02T14:40:11.004Z', tradeDate: { year: 2026, month: 3, day: 2 },
  netPos: 0, bought: 1, boughtValue: 6758, sold: 1, soldValue: 6759.75, archived: false, prevPos: 0,
}
const fillFact = { kind: 'fill', id: 600000000105, orderId: 600000000102, contractId: 4400001, side: 'sell', qty: 1, price: 6759.75, session: '2026-03-02', time: Date.UTC(2026, 2, 2, 14, 31, 2, 482), active: true }

test('a fill is read whether alone, in a list, or in a list of events', () => {
  const event = { entityType: 'fill', eventType: 'Created', entity: fill }
  expect(rowsOfProps([event]).facts).toEqual([fillFact])
  expect(rowsOfProps([{ ...event, entity: [fill, { ...fill, active: false }] }]).facts).toEqual([fillFact, { ...fillFact, active: false }])
  expect(rowsOfProps([[event, event]]).facts).toEqual([fillFact, fillFact])
})

test('a flat position has no price, and a missing prevPos follows from the rest', () => {
  const short = { ...position, prevPos: null, netPos: -2, bought: 1, sold: 4, netPrice: 6760.5 }
  const { facts } = rowsOfList('position', [position, short]) ?? { facts: [] }
  expect(facts).toMatchObject([
    { kind: 'position', net: 0, before: 0, bought: 1, sold: 1, netPrice: null, session: '2026-03-02' },
    { net: -2, before: 1, netPrice: 6760.5 },
  ])
})

test('an unknown order state is Unknown', () => {
  const order = { id: 5, accountId: 7, timestamp: '2026-03-02T14:31Z', action: 'Buy', ordStatus: 'Bewildered' }
  expect(rowsOfProps([{ entityType: 'order', entity: order }]).facts).toEqual([{ kind: 'order', id: 5, accountId: 7, contractId: null, side: 'buy', status: 'Unknown', ocoId: null, time: Date.UTC(2026, 2, 2, 14, 31) }])
})

test('missing fields of versions, commands, reports, and cash are null', () => {
  const snapshot = {
    orderVersions: [{ id: 9, orderId: 5, orderQty: 2, orderType: 'Stop', stopPrice: 6700.25 }],
    commands: [{ id: 5, orderId: 5, timestamp: 'x', commandType: 'New', commandStatus: 'RiskPassed', clOrdId: 'fb-1' }],
    commandReports: [{ id: 11, commandId: 5, commandStatus: 'RiskRejected', rejectReason: 'MaxOrderQtyLimitReached', text: 'Too many' }],
    cashBalances: [{ id: 1, accountId: 7, timestamp: 'x', tradeDate: { year: 2026, month: 3, day: 2 }, currencyId: 1, amount: 50400.5, amountSOD: 50000.1 }],
    fills: null,
  }
  expect(rowsOfSnapshot(snapshot)?.facts).toEqual([
    { kind: 'version', id: 9, orderId: 5, qty: 2, type: 'Stop', price: null, stopPrice: 6700.25, pegDifference: null, timeInForce: null },
    { kind: 'command', id: 5, orderId: 5, type: 'New', clOrdId: 'fb-1' },
    { kind: 'report', id: 11, commandId: 5, rejectReason: 'MaxOrderQtyLimitReached', text: 'Too many' },
    { kind: 'cash', accountId: 7, session: '2026-03-02', currencyId: 1, amount: 504_005_000, startOfDay: 500_001_000, realized: null },
  ])
})

test('an unreadable row is reported without affecting others; an unknown entity is skipped', () => {
  const rows = rowsOfProps([
    { entityType: 'fill', entity: { ...fill, qty: 0 } },
    { entityType: 'weather', entity: { sun: true } },
    { entityType: 'fill', entity: fill },
    'noise',
  ])
  expect(rows.facts).toEqual([fillFact])
  expect(rows.unreadable).toEqual([{ entity: 'fill', why: 'qty' }, { entity: 'props', why: 'event' }])
})

test('a deleted order or position is not a fact but is reported', () => {
  const rows = rowsOfProps([{ entityType: 'order', eventType: 'Deleted', entity: { id: 5 } }, { entityType: 'position', eventType: 'Deleted', entity: position }, { entityType: 'fill', eventType: 'Deleted', entity: fill }])
  expect(rows.facts).toEqual([])
  expect(rows.deleted).toEqual([{ entity: 'order', id: 5 }, { entity: 'position', id: 600000000120 }])
})

test('accounts show whether they may still trade', () => {
  const account = { id: 1, name: 'DEMO1', userId: 9, active: true }
  expect(rowsOfSnapshot({ accounts: [account, { ...account, restricted: true }, { ...account, active: false }, { ...account, readonly: true }] })?.accounts).toEqual([
    { id: 1, name: 'DEMO1', restricted: false, closed: false },
    { id: 1, name: 'DEMO1', restricted: true, closed: false },
    { id: 1, name: 'DEMO1', restricted: false, closed: true },
    { id: 1, name: 'DEMO1', restricted: true, closed: false },
  ])
})

test('anything but a snapshot or list is null', () => {
  expect(rowsOfSnapshot('Access is denied')).toBeNull()
  expect(rowsOfList('fill', {})).toBeNull()
})
