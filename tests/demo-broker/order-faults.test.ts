import { describe, expect, it } from 'vitest'
import { stateOfFloor } from './hand.ts'
import { ava, FIRST, NQ, open, order, placed, rowsOf, SECOND, stateOf } from '#tests/helpers/floor-stage.ts'

describe('faults of orders', () => {
  it('fills in pieces at once', () => {
    const stage = open({ faults: [{ kind: 'partial-fills', pieces: 3, account: FIRST }] })
    stage.floor.place(ava, order({ orderQty: 7 }))
    expect(rowsOf(stage, 'fill').map((row) => row['qty'])).toEqual([3, 3, 1])
    stage.floor.place(ava, order({ accountId: SECOND, accountSpec: `DEMO${SECOND}`, orderQty: 7 }))
    expect(rowsOf(stage, 'fill')).toHaveLength(4)
  })

  it('fills a piece with every step', () => {
    const stage = open({ faults: [{ kind: 'partial-fills', pieces: 2, byStep: true, times: 1 }] })
    stage.floor.place(ava, order({ orderQty: 3 }))
    expect(stateOf(stage)).toEqual({ net: [2], orders: ['Working 2'] })
    stage.hand.setPrice(NQ, 25_001)
    expect(stateOf(stage)).toEqual({ net: [2], orders: ['Working 2'] })
    stage.floor.step()
    expect(stateOf(stage)).toEqual({ net: [3], orders: ['Filled 3'] })
  })

  it('fills a part and drops the rest', () => {
    const stage = open({ faults: [{ kind: 'partial-fills', pieces: 2, dropRest: true }] })
    stage.floor.place(ava, order({ orderQty: 4 }))
    expect(stateOf(stage)).toEqual({ net: [2], orders: ['Canceled 2'] })
  })

  it('shrinks the other order of an OCO with every piece', () => {
    const stage = open({ faults: [{ kind: 'partial-fills', pieces: 2, byStep: true, path: 'placeoco', times: 1 }] })
    stage.floor.place(ava, order({ orderQty: 4 }))
    stage.floor.oco(ava, { ...order({ action: 'Sell', orderQty: 4, orderType: 'Limit', price: 25_020 }), other: { action: 'Sell', orderType: 'Stop', stopPrice: 24_990, timeInForce: 'Day' } })
    stage.hand.setPrice(NQ, 25_020)
    expect(stateOfFloor(stage)[0]?.orders.map(({ status, filled, qty }) => [status, filled, qty])).toEqual([['Filled', 4, 4], ['Working', 2, 4], ['Working', 0, 2]])
    stage.hand.setPrice(NQ, 24_990)
    expect(stateOf(stage)).toEqual({ net: [0], orders: ['Filled 4', 'Canceled 2', 'Filled 2'] })
  })

  it('refuses an order at once, or after it was taken', () => {
    const stage = open({ faults: [{ kind: 'reject-order', reason: 'NoQuote', text: 'No quote', times: 1 }, { kind: 'late-reject', times: 1 }] })
    expect(stage.floor.place(ava, order())).toEqual({ failureReason: 'NoQuote', failureText: 'No quote' })
    expect(stage.pushed()).toEqual([])
    expect(stage.floor.place(ava, order())).toHaveProperty('orderId')
    expect(stateOf(stage).orders).toEqual(['PendingNew 0'])
    stage.wait()
    expect(stateOf(stage)).toEqual({ net: [], orders: ['Rejected 0'] })
    expect(stage.pushed().slice(-3)).toEqual(['commandReport Rejected', 'command RiskRejected', 'order Rejected'])
    expect(rowsOf(stage, 'commandReport').at(-1)).toMatchObject({ commandStatus: 'RiskRejected', rejectReason: 'MaxOrderQtyLimitReached', text: 'Your maximum order quantity has been met.' })
  })

  it('refuses the legs with an entry that is refused late', () => {
    const stage = open({ faults: [{ kind: 'late-reject', path: 'placeoso' }] })
    stage.floor.oso(ava, { ...order(), bracket1: { action: 'Sell', orderType: 'Stop', stopPrice: 24_990, timeInForce: 'Day' } })
    stage.wait()
    expect(stateOf(stage).orders).toEqual(['Rejected 0', 'Rejected 0'])
    expect(rowsOf(stage, 'commandReport').at(-1)).toMatchObject({ rejectReason: 'ParentRejected' })
  })

  it('holds an order until it is released, and lets it be canceled meanwhile', () => {
    const stage = open({ faults: [{ kind: 'slow-fill', times: 2 }] })
    stage.floor.place(ava, order())
    const second = placed(stage.floor.place(ava, order()))
    expect(stateOf(stage)).toEqual({ net: [], orders: ['Working 0', 'Working 0'] })
    stage.floor.cancel(ava, { orderId: second, isAutomated: true })
    stage.floor.release()
    expect(stateOf(stage)).toEqual({ net: [1], orders: ['Filled 1', 'Canceled 0'] })
  })

  it('fills an order that is being canceled', () => {
    const stage = open({ faults: [{ kind: 'fill-beats-cancel', times: 1 }] })
    const orderId = placed(stage.floor.place(ava, order({ orderType: 'Limit', price: 24_000, orderQty: 2 })))
    expect(stage.floor.cancel(ava, { orderId, isAutomated: true })).toMatchObject({ failureText: 'Already filled' })
    expect(stateOf(stage)).toEqual({ net: [2], orders: ['Filled 2'] })
  })

  it('busts a fill: the books are recomputed, and every change is pushed', () => {
    const stage = open()
    stage.floor.place(ava, order({ orderQty: 1 }))
    stage.hand.setPrice(NQ, 25_010)
    stage.floor.place(ava, order({ orderQty: 1 }))
    stage.floor.place(ava, order({ action: 'Sell', orderQty: 1 }))
    const [first] = rowsOf(stage, 'fill')
    stage.pushed()
    expect(stage.floor.bust(first?.id ?? 0)).toBe(true)
    expect(stage.pushed()).toEqual(['fill', 'position', 'fillPair', 'cashBalance'])
    expect(rowsOf(stage, 'fill')).toMatchObject([{ active: false, finallyPaired: 0 }, { finallyPaired: 1 }, { finallyPaired: 1 }])
    expect(rowsOf(stage, 'position')).toMatchObject([{ netPos: 0, bought: 1, sold: 1 }])
    expect(rowsOf(stage, 'cashBalance')[0]).toMatchObject({ realizedPnL: 0 })
    expect(stage.floor.bust(first?.id ?? 0)).toBe(false)
  })

  it('busts the only fill of a position: its row disappears', () => {
    const stage = open()
    stage.floor.place(ava, order())
    const [position] = rowsOf(stage, 'position')
    stage.floor.bust(rowsOf(stage, 'fill')[0]?.id ?? 0)
    expect(stage.events.find(({ eventType }) => eventType === 'Deleted')).toMatchObject({ entityType: 'position', entity: { id: position?.id } })
    expect(rowsOf(stage, 'position')).toEqual([])
  })
})
