import { describe, expect, it } from 'vitest'
import { orderOf } from '#tests/demo-broker/hand.ts'
import { ANCHOR, AVA, ava, BEN, ben, BENS, FIRST, NQ, open, order, placed, rowsOf, SECOND, stateOf } from '#tests/helpers/floor-stage.ts'
import { addDays, chicagoTime, sessionOpen } from './calendar.ts'
import { noHooks } from './hooks.ts'
import { openMarket } from './market.ts'
import { feePerContract, productNamed } from './contracts.ts'
import { floorWorld } from '#tests/demo-broker/floor-world.ts'
import { growth } from '#tests/helpers/growth.ts'

describe('a market order', () => {
  it('fills at once and pushes every step in order', () => {
    const stage = open()
    const id = placed(stage.floor.place(ava, order({ orderQty: 2, clOrdId: 'mine', isAutomated: true })))
    expect(stage.pushed()).toEqual([
      'command Pending', 'order PendingNew', 'orderVersion', 'commandReport RiskPassed', 'commandReport AtExecution', 'command AtExecution',
      'order Working', 'executionReport Working', 'executionReport Filled', 'fill', 'fillFee', 'position', 'cashBalance', 'order Filled',
    ])
    expect(stage.events.every(({ userIds, environment }) => userIds.join() === String(AVA) && environment === 'demo')).toBe(true)
    expect(stage.events.find(({ entityType }) => entityType === 'command')?.entity).toMatchObject({ id, orderId: id, clOrdId: 'mine', isAutomated: true, commandType: 'New' })
    expect(stage.events.find(({ entityType }) => entityType === 'fill')?.entity).toMatchObject({ orderId: id, action: 'Buy', qty: 2, price: 25_000, active: true, finallyPaired: 0 })
    expect(stage.events.find(({ entityType }) => entityType === 'fill')?.entity).not.toHaveProperty('accountId')
    expect(stage.events.find(({ entityType }) => entityType === 'orderVersion')?.entity).toMatchObject({ orderId: id, orderQty: 2, orderType: 'Market' })
  })

  it('is in its login’s lists with the pushed rows', () => {
    const stage = open()
    stage.floor.place(ava, order())
    for (const entity of ['order', 'orderVersion', 'command', 'commandReport', 'executionReport', 'fill', 'fillFee', 'position', 'cashBalance']) {
      const pushed = new Map(stage.events.filter(({ entityType }) => entityType === entity).map(({ entity: row }) => [row.id, row]))
      expect([entity, pushed.size > 0]).toEqual([entity, true])
      const listed = rowsOf(stage, entity)
      for (const row of pushed.values()) expect(listed).toContainEqual(row)
      expect(rowsOf(stage, entity, BEN).some((row) => pushed.has(row.id))).toBe(false)
    }
  })

  it('is in the lists when its row is pushed', () => {
    const stage = open()
    const missed: string[] = []
    stage.floor.listen(({ entityType, eventType, entity }) => {
      const listed = rowsOf(stage, entityType).some((row) => JSON.stringify(row) === JSON.stringify(entity))
      if (listed === (eventType === 'Deleted')) missed.push(`${entityType} ${eventType}`)
    })
    stage.floor.place(ava, order({ orderQty: 2 }))
    const orderId = placed(stage.floor.place(ava, order({ action: 'Sell', orderType: 'Limit', price: 25_010 })))
    stage.floor.modify(ava, { orderId, orderQty: 2, orderType: 'Limit', price: 25_005, isAutomated: false })
    stage.hand.setPrice(NQ, 25_005)
    stage.floor.bust(rowsOf(stage, 'fill').at(-1)?.id ?? 0)
    expect(missed).toEqual([])
  })

  it('closes FIFO, and cash changes by the P&L minus every fee', () => {
    const stage = open()
    stage.floor.place(ava, order({ orderQty: 2 }))
    stage.hand.setPrice(NQ, 25_010)
    stage.floor.place(ava, order({ orderQty: 1 }))
    stage.hand.setPrice(NQ, 25_004)
    stage.pushed()
    stage.floor.place(ava, order({ action: 'Sell', orderQty: 3 }))
    expect(stage.pushed().slice(-7)).toEqual(['fill', 'fillFee', 'position', 'fillPair', 'fillPair', 'cashBalance', 'order Filled'])
    const fees = (feePerContract(productNamed('NQ')) * 6) / 10_000
    const gross = (2 * 4 - 6) * 20
    const [cash] = rowsOf(stage, 'cashBalance')
    expect(cash).toMatchObject({ amountSOD: 100_000, realizedPnL: gross })
    expect(Number(cash?.['amount'])).toBeCloseTo(100_000 + gross - fees, 6)
    expect(rowsOf(stage, 'fill').map((row) => row['finallyPaired'])).toEqual([2, 1, 3])
    expect(rowsOf(stage, 'position')).toMatchObject([{ netPos: 0, prevPos: 0, bought: 3, sold: 3, boughtValue: 75_010, soldValue: 75_012 }])
    const [position] = rowsOf(stage, 'position')
    expect(rowsOf(stage, 'fillPair').map((row) => row['positionId'])).toEqual([position?.id, position?.id])
  })

  it('shows open P&L in the snapshot at the set price', () => {
    const stage = open()
    stage.floor.place(ava, order({ action: 'Sell', orderQty: 3 }))
    stage.hand.setPrice(NQ, 24_990)
    const fees = (feePerContract(productNamed('NQ')) * 3) / 10_000
    const snapshot = stage.views.of(AVA, 'demo')?.snapshot(FIRST)
    expect(snapshot).toMatchObject({ openPnL: 600, realizedPnL: 0, totalPnL: 600 })
    expect(snapshot?.['netLiq']).toBeCloseTo(100_000 + 600 - fees, 6)
  })

  it('closes as many lots as it has contracts, each with an id of its own', () => {
    const stage = open()
    for (let lot = 0; lot < 40; lot += 1) stage.floor.place(ava, order())
    stage.floor.place(ava, order({ action: 'Sell', orderQty: 40 }))
    expect(rowsOf(stage, 'fillPair')).toHaveLength(40)
    const ids = ['order', 'orderVersion', 'commandReport', 'executionReport', 'fill', 'fillPair', 'position'].flatMap((entity) => rowsOf(stage, entity).map(({ id }) => id))
    expect(new Set(ids).size).toBe(ids.length)
  })
})

describe('working orders', () => {
  it('fill a resting limit at its own price, and a marketable limit at the market', () => {
    const stage = open()
    const resting = placed(stage.floor.place(ava, order({ orderType: 'Limit', price: 24_995 })))
    expect(stateOf(stage).orders).toEqual(['Working 0'])
    stage.hand.setPrice(NQ, 24_995.25)
    expect(orderOf(stage.floor, resting)).toMatchObject({ status: 'Working', type: 'Limit', price: 24_995 })
    stage.hand.setPrice(NQ, 24_990)
    stage.floor.place(ava, order({ orderType: 'Limit', price: 25_000 }))
    expect(rowsOf(stage, 'fill').map((row) => row['price'])).toEqual([24_995, 24_990])
  })

  it('let a trailing stop follow the market and never move back', () => {
    const stage = open()
    const orderId = placed(stage.floor.place(ava, order({ action: 'Sell', orderType: 'TrailingStop', pegDifference: -10 })))
    for (const price of [25_020, 25_010.25]) stage.hand.setPrice(NQ, price)
    expect(stateOf(stage).orders).toEqual(['Working 0'])
    const change = { orderId, orderQty: 2, orderType: 'TrailingStop', isAutomated: true } as const
    expect(stage.floor.modify(ava, { ...change, pegDifference: -20 })).toMatchObject({ failureReason: 'TrailingStopNonOrderQtyModify' })
    expect(stage.floor.modify(ava, { ...change, pegDifference: -10 })).toHaveProperty('commandId')
    stage.hand.setPrice(NQ, 25_010)
    expect(rowsOf(stage, 'fill')).toMatchObject([{ action: 'Sell', qty: 2, price: 25_010 }])
  })

  it('fill a market-if-touched order at the market that touches it', () => {
    const stage = open()
    stage.floor.place(ava, order({ action: 'Sell', orderType: 'MIT', price: 25_010 }))
    stage.hand.setPrice(NQ, 25_009.75)
    expect(stateOf(stage).orders).toEqual(['Working 0'])
    stage.hand.setPrice(NQ, 25_012)
    expect(rowsOf(stage, 'fill')).toMatchObject([{ action: 'Sell', price: 25_012 }])
  })

  it('fill a stop at the market that triggers it', () => {
    const stage = open()
    stage.floor.place(ava, order({ action: 'Sell', orderType: 'Stop', stopPrice: 24_990 }))
    stage.hand.setPrice(NQ, 24_990.25)
    expect(stateOf(stage).orders).toEqual(['Working 0'])
    stage.hand.setPrice(NQ, 24_988)
    expect(rowsOf(stage, 'fill')).toMatchObject([{ action: 'Sell', price: 24_988 }])
  })

  it('let a triggered stop limit work at its limit', () => {
    const stage = open()
    stage.floor.place(ava, order({ orderType: 'StopLimit', stopPrice: 25_010, price: 25_011 }))
    stage.hand.setPrice(NQ, 25_015)
    expect(stateOf(stage).orders).toEqual(['Working 0'])
    stage.hand.setPrice(NQ, 25_008)
    expect(rowsOf(stage, 'fill')).toMatchObject([{ price: 25_011 }])
  })

  it('add a version with each change, which may fill them', () => {
    const stage = open()
    const orderId = placed(stage.floor.place(ava, order({ orderType: 'Limit', price: 24_000, orderQty: 2 })))
    stage.pushed()
    const moved = stage.floor.modify(ava, { orderId, orderQty: 3, orderType: 'Limit', price: 24_500, clOrdId: 'move', isAutomated: true })
    expect(moved).toEqual({ commandId: expect.any(Number) })
    expect(stage.pushed()).toEqual(['command Pending', 'orderVersion', 'executionReport Working', 'commandReport Replaced', 'command Replaced', 'order Working'])
    expect(rowsOf(stage, 'orderVersion').map((row) => [row['orderQty'], row['price'], row['timeInForce']])).toEqual([[2, 24_000, 'Day'], [3, 24_500, 'Day']])
    expect(rowsOf(stage, 'command')).toMatchObject([{ commandType: 'New' }, { commandType: 'Modify', commandStatus: 'Replaced', clOrdId: 'move', isAutomated: true }])
    // Past the market it is marketable and fills there.
    stage.floor.modify(ava, { orderId, orderQty: 3, orderType: 'Limit', price: 25_001, isAutomated: true })
    expect(stateOf(stage)).toMatchObject({ net: [3], orders: ['Filled 3'] })
    expect(rowsOf(stage, 'fill')).toMatchObject([{ price: 25_000 }])
  })

  it('need to trigger again after their stop moved', () => {
    const stage = open()
    const orderId = placed(stage.floor.place(ava, order({ orderType: 'StopLimit', stopPrice: 25_010, price: 25_011 })))
    stage.hand.setPrice(NQ, 25_015)
    stage.floor.modify(ava, { orderId, orderQty: 1, orderType: 'StopLimit', stopPrice: 25_030, price: 25_031, isAutomated: false })
    stage.hand.setPrice(NQ, 25_008)
    expect(stateOf(stage).orders).toEqual(['Working 0'])
    stage.hand.setPrice(NQ, 25_030)
    expect(rowsOf(stage, 'fill')).toMatchObject([{ price: 25_030 }])
  })

  it('keep their type and cannot shrink below the filled quantity', () => {
    const stage = open({ faults: [{ kind: 'partial-fills', pieces: 2, byStep: true }] })
    const orderId = placed(stage.floor.place(ava, order({ orderQty: 4 })))
    stage.pushed()
    expect(stage.floor.modify(ava, { orderId, orderQty: 2, orderType: 'Market', isAutomated: false })).toMatchObject({ failureText: 'Too late' })
    expect(stage.floor.modify(ava, { orderId, orderQty: 3, orderType: 'Limit', price: 24_000, isAutomated: false })).toMatchObject({ failureReason: 'Unsupported' })
    expect(stage.pushed()).toEqual([])
  })

  it('are final after a cancel', () => {
    const stage = open()
    const orderId = placed(stage.floor.place(ava, order({ orderType: 'Limit', price: 24_000 })))
    stage.pushed()
    expect(stage.floor.cancel(ava, { orderId, isAutomated: true })).toEqual({ commandId: expect.any(Number) })
    expect(stage.pushed()).toEqual(['command Pending', 'commandReport AtExecution', 'command AtExecution', 'executionReport Canceled', 'order Canceled'])
    expect(stage.floor.cancel(ava, { orderId, isAutomated: true })).toEqual({ failureReason: 'UnknownReason', failureText: 'Too late' })
    stage.hand.setPrice(NQ, 23_000)
    expect(stateOf(stage)).toEqual({ net: [], orders: ['Canceled 0'] })
    const filled = placed(stage.floor.place(ava, order()))
    expect(stage.floor.cancel(ava, { orderId: filled, isAutomated: true })).toMatchObject({ failureText: 'Already filled' })
    expect(stage.floor.modify(ava, { orderId: filled, orderQty: 1, orderType: 'Market', isAutomated: true })).toMatchObject({ failureText: 'Already filled' })
  })

  it('expire with their session unless GTC', () => {
    const stage = open()
    stage.floor.place(ava, order({ orderType: 'Limit', price: 24_000 }))
    stage.floor.place(ava, order({ orderType: 'Limit', price: 24_100, timeInForce: 'GTC' }))
    stage.clock.set(sessionOpen(addDays(ANCHOR, 1)))
    expect(stateOf(stage).orders).toEqual(['Expired 0', 'Working 0'])
    expect(rowsOf(stage, 'order')).toMatchObject([{ ordStatus: 'Working' }])
    expect(rowsOf(stage, 'orderVersion')).toMatchObject([{ price: 24_100 }])
  })

  it('end at once if FOK or IOC cannot fill', () => {
    const stage = open()
    stage.floor.place(ava, order({ orderType: 'Limit', price: 24_000, timeInForce: 'IOC' }))
    expect(stateOf(stage).orders).toEqual(['Canceled 0'])
  })
})

describe('linked orders', () => {
  const bracket = { bracket1: { action: 'Sell', orderType: 'Limit', price: 25_020, timeInForce: 'Day' }, bracket2: { action: 'Sell', orderType: 'Stop', stopPrice: 24_990, timeInForce: 'Day' } } as const

  it('cancel the other when one fills', () => {
    const stage = open()
    stage.floor.place(ava, order())
    const pair = stage.floor.oco(ava, { ...order({ action: 'Sell', orderType: 'Limit', price: 25_020 }), other: bracket.bracket2 })
    expect(pair).toEqual({ orderId: expect.any(Number), ocoId: expect.any(Number) })
    const [, target, stop] = rowsOf(stage, 'order')
    expect([target?.['ocoId'], stop?.['ocoId']]).toEqual([stop?.id, target?.id])
    stage.hand.setPrice(NQ, 24_980)
    expect(stateOf(stage)).toEqual({ net: [0], orders: ['Filled 1', 'Canceled 0', 'Filled 1'] })
  })

  it('stay suspended until the entry fills, then protect the position', () => {
    const stage = open()
    const made = stage.floor.oso(ava, { ...order({ orderType: 'Limit', price: 24_995, orderQty: 2 }), ...bracket })
    expect(made).toEqual({ orderId: expect.any(Number), oso1Id: expect.any(Number), oso2Id: expect.any(Number) })
    expect(stateOf(stage).orders).toEqual(['Working 0', 'Suspended 0', 'Suspended 0'])
    expect(rowsOf(stage, 'order')[1]).toMatchObject({ parentId: placed(made) })
    stage.hand.setPrice(NQ, 25_030)
    expect(stateOf(stage).orders).toEqual(['Working 0', 'Suspended 0', 'Suspended 0'])
    stage.hand.setPrice(NQ, 24_995)
    expect(stateOf(stage)).toEqual({ net: [2], orders: ['Filled 2', 'Working 0', 'Working 0'] })
    stage.hand.setPrice(NQ, 25_020)
    expect(stateOf(stage)).toEqual({ net: [0], orders: ['Filled 2', 'Filled 2', 'Canceled 0'] })
  })

  it('end with a canceled entry, but protect its filled part', () => {
    const stage = open({ faults: [{ kind: 'partial-fills', pieces: 3, byStep: true, path: 'placeoso', times: 2 }] })
    const entry = placed(stage.floor.oso(ava, { ...order({ orderQty: 3 }), ...bracket }))
    expect(stateOf(stage).orders).toEqual(['Working 1', 'Suspended 0', 'Suspended 0'])
    stage.floor.cancel(ava, { orderId: entry, isAutomated: false })
    expect(stateOf(stage).orders).toEqual(['Canceled 1', 'Working 0', 'Working 0'])
    stage.hand.setPrice(NQ, 24_990)
    expect(stateOf(stage)).toEqual({ net: [0], orders: ['Canceled 1', 'Canceled 0', 'Filled 1'] })
    const unfilled = placed(stage.floor.oso(ava, { ...order({ orderType: 'Limit', price: 20_000 }), ...bracket }))
    stage.floor.cancel(ava, { orderId: unfilled, isAutomated: false })
    expect(stateOf(stage).orders?.slice(3)).toEqual(['Canceled 0', 'Canceled 0', 'Canceled 0'])
  })

  it('are refused together if one leg is invalid', () => {
    const stage = open()
    expect(stage.floor.oso(ava, { ...order(), ...bracket, bracket2: { ...bracket.bracket2, stopPrice: 24_990.1 } })).toMatchObject({ failureReason: 'InvalidPrice' })
    expect(stage.pushed()).toEqual([])
  })

  it('liquidate: working orders of the contract are canceled, the position is closed, everything else stays', () => {
    const stage = open()
    const contractId = Number(rowsOf(stage, 'contract').find(({ name }) => name === NQ)?.id)
    stage.floor.place(ava, order({ action: 'Sell', orderQty: 2 }))
    stage.floor.place(ava, order({ orderType: 'Stop', stopPrice: 25_100, orderQty: 2 }))
    stage.floor.place(ava, order({ symbol: 'ESZ6', orderType: 'Limit', price: 6000 }))
    stage.floor.place(ava, order({ accountId: SECOND, accountSpec: `DEMO${SECOND}` }))
    expect(stage.floor.liquidate(ava, { accountId: FIRST, contractId, isAutomated: true })).toEqual({ orderId: expect.any(Number) })
    expect(stateOf(stage)).toEqual({ net: [0], orders: ['Filled 2', 'Canceled 0', 'Working 0', 'Filled 2'] })
    expect(stateOf(stage, SECOND).net).toEqual([1])
    expect(stage.floor.liquidate(ava, { accountId: FIRST, contractId, isAutomated: true })).toMatchObject({ failureReason: 'UnknownReason' })
  })
})

describe('the session roll', () => {
  it('pushes a new row for every open position, with zero traded quantity', () => {
    const stage = open({ positions: [{ account: `DEMO${BENS}`, product: 'NQ', net: -2, overnight: true }] })
    expect(rowsOf(stage, 'position', BEN)).toMatchObject([{ netPos: -2, prevPos: -2, bought: 0, sold: 0 }])
    const carried = rowsOf(stage, 'position', BEN)[0]?.id
    stage.floor.place(ben, order({ accountId: BENS, accountSpec: `DEMO${BENS}`, orderQty: 5 }))
    expect(rowsOf(stage, 'position', BEN)).toMatchObject([{ id: carried, netPos: 3, prevPos: -2, bought: 5, sold: 0 }])
    stage.floor.place(ava, order())
    stage.floor.place(ava, order({ action: 'Sell' }))
    const yesterdays = rowsOf(stage, 'fill')[0]?.id ?? 0
    const before = stage.events.length
    stage.clock.set(sessionOpen(addDays(ANCHOR, 1)))
    expect(stage.events.slice(before).filter(({ entityType }) => entityType === 'position')).toHaveLength(1)
    expect(stage.floor.bust(yesterdays)).toBe(false)
    const rolled = stage.events.findLast(({ entityType }) => entityType === 'position')
    expect(rolled).toMatchObject({ eventType: 'Created', userIds: [BEN], entity: { netPos: 3, prevPos: 3, bought: 0, sold: 0, prevPrice: 25_000, tradeDate: { day: 20 } } })
    expect(rowsOf(stage, 'position', BEN)).toEqual([rolled?.entity])
    expect(rolled?.entity.id).not.toBe(carried)
    for (const entity of ['fill', 'order', 'command']) expect(rowsOf(stage, entity, BEN)).toEqual([])
    expect(rowsOf(stage, 'cashBalance', BEN)[0]).toMatchObject({ realizedPnL: 0, tradeDate: { day: 20 } })
    stage.floor.place(ben, order({ accountId: BENS, accountSpec: `DEMO${BENS}`, action: 'Sell', orderQty: 3 }))
    expect(stage.events.findLast(({ entityType }) => entityType === 'position')).toMatchObject({ eventType: 'Updated', entity: { id: rolled?.entity.id, netPos: 0, prevPos: 3, sold: 3 } })
  })

  it('keeps the market closed in the hour before', () => {
    const stage = open()
    stage.clock.set(chicagoTime(ANCHOR, 16 * 60 + 30))
    expect(stage.floor.place(ava, order())).toMatchObject({ failureReason: 'SessionClosed' })
    stage.clock.set(chicagoTime('2026-11-21', 12 * 60))
    expect(stage.floor.place(ava, order())).toMatchObject({ failureReason: 'SessionClosed' })
  })
})

describe('orders that the floor refuses', () => {
  it.each([
    ['an account of another', { accountId: BENS, accountSpec: `DEMO${BENS}` }, 'UnknownReason', 'Access is denied'],
    ['an account whose name is another’s', { accountSpec: 'DEMO1' }, 'UnknownReason', 'Access is denied'],
    ['a contract that is not traded', { symbol: 'XXZ6' }, 'InvalidContract', 'Unknown symbol XXZ6'],
    ['a price between two ticks', { orderType: 'Limit', price: 25_000.1 }, 'InvalidPrice', expect.any(String)],
    ['a stop without a price', { orderType: 'Stop' }, 'InvalidPrice', expect.any(String)],
    ['too many contracts', { orderQty: 1001 }, 'MaxOrderQtyLimitReached', 'Your maximum order quantity has been met.'],
    ['a trailing stop with a limit', { orderType: 'TrailingStopLimit', stopPrice: 24_000 }, 'Unsupported', expect.any(String)],
  ] as const)('%s', (_, given, failureReason, failureText) => {
    const stage = open()
    expect(stage.floor.place(ava, order(given))).toEqual({ failureReason, failureText })
    expect(stage.pushed()).toEqual([])
  })

  it('lets a restricted account only reduce and a closed one not trade, and pushes the restriction', () => {
    const stage = open({ positions: [{ account: `DEMO${FIRST}`, product: 'NQ', net: 2 }] })
    stage.hand.setAccount(FIRST, { restricted: true })
    expect(stage.events.at(-1)).toMatchObject({ entityType: 'account', eventType: 'Updated', entity: { id: FIRST, restricted: true } })
    expect(stage.floor.place(ava, order())).toMatchObject({ failureReason: 'LiquidationOnly' })
    expect(stage.floor.place(ava, order({ action: 'Sell' }))).toHaveProperty('orderId')
    stage.hand.setAccount(FIRST, { closed: true })
    expect(stage.floor.place(ava, order({ action: 'Sell' }))).toMatchObject({ failureReason: 'AccountClosed' })
  })

  it('does not touch another user’s orders', () => {
    const stage = open()
    const orderId = placed(stage.floor.place(ava, order({ orderType: 'Limit', price: 24_000 })))
    expect(stage.floor.cancel(ben, { orderId, isAutomated: true })).toMatchObject({ failureText: 'Access is denied' })
    expect(stage.floor.modify(ben, { orderId, orderQty: 1, orderType: 'Limit', price: 1, isAutomated: true })).toMatchObject({ failureText: 'Access is denied' })
    expect(stateOf(stage).orders).toEqual(['Working 0'])
  })
})

describe('a busy floor', () => {
  it('places thousands of orders, and reads its lists all the while, in time that grows no faster than their number', { tags: ['long', 'nightly'] }, () => {
    const rounds = (count: number) => () => {
      const world = floorWorld(ANCHOR, { kind: 'floor', logins: [{ name: 'ava', live: 0, demo: 50 }] })
      const market = openMarket(world, { begin: undefined, hooks: noHooks, wallNow: Date.now })
      for (let round = 0; round < count; round += 1) {
        for (const { id, name } of world.accounts) market.floor.place(ava, order({ accountId: id, accountSpec: name, action: round % 3 === 2 ? 'Sell' : 'Buy', orderQty: round % 3 === 2 ? 2 : 1 }))
        if (round % (count / 20) === 0) for (const entity of ['fill', 'order', 'position', 'cashBalance']) market.views.of(AVA, 'demo')?.rows(entity)
      }
      return market
    }
    expect(rowsOf(rounds(200)(), 'fill')).toHaveLength(10_000)
    // Four times the orders, and as many readings; with their square it would be sixteen.
    expect(growth(rounds(60), rounds(240))).toBeLessThan(10)
  })
})
