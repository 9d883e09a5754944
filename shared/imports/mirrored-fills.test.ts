import { describe, expect, it } from 'vitest'
import { at, fillOf, orderOf, pairOf } from '#tests/helpers/readings.ts'
import { assemble } from './assemble.ts'
import type { Reading } from './reading.ts'

const idsOf = (...readings: readonly Reading[]): (string | number)[][] => assemble(readings, { account: null }).fills.map(({ id, qty }) => [id, qty])

const leg = fillOf('ninjatrader-1~in', { mirrored: 'pairs-file' })
const standIn = fillOf('order:rithmic-7', { orderId: 'rithmic-7', mirrored: 'orders-file', qty: 2 })
const trade = pairOf('ninjatrader-1~in', 'ninjatrader-1~out', { account: 'A', closing: 'sell' })

describe('what another computer made of its files', () => {
  it('is not counted beside the same fills of files here, whichever of them are the better known', () => {
    expect(idsOf(leg, fillOf('500'))).toEqual([['500', 1]])
    expect(idsOf(standIn, fillOf('500'), fillOf('501'))).toEqual([['500', 1], ['501', 1]])
    expect(idsOf(standIn, trade)).toEqual([['ninjatrader-1~in', 1], ['order:rithmic-7', 1], ['ninjatrader-1~out', 1]])
    expect(idsOf(leg, orderOf('rithmic-7'))).toEqual([['ninjatrader-1~in', 1]])
    expect(idsOf(fillOf('500', { mirrored: 'pairs-file' }), orderOf('7'))).toEqual([['500', 1]])
  })

  it('gives way to the same by its id, and to fills of its order', () => {
    expect(idsOf(leg, trade)).toEqual([['ninjatrader-1~in', 1], ['ninjatrader-1~out', 1]])
    expect(idsOf(fillOf('500', { mirrored: 'pairs-file' }), fillOf('500', { qty: 3 }))).toEqual([['500', 3]])
    expect(idsOf(standIn, fillOf('500', { orderId: 'rithmic-7', price: 104 }))).toEqual([['500', 1]])
    expect(idsOf(standIn, orderOf('rithmic-7', { qty: 3, priceSum: 300 }))).toEqual([['order:rithmic-7', 3]])
  })

  it('was put together there, so that none of it is held against another part of it', () => {
    const rest = [fillOf('500', { mirrored: 'fills-file' }), leg, standIn]
    expect(idsOf(...rest)).toEqual([['500', 1], ['ninjatrader-1~in', 1], ['order:rithmic-7', 2]])
    // A file here with a fill of it makes that fill one of this computer's.
    expect(idsOf(...rest, fillOf('500'))).toEqual([['500', 1], ['order:rithmic-7', 1]])
  })

  it('tells the same fills here its fees', () => {
    const { fills } = assemble([fillOf('order:rithmic-7', { orderId: 'rithmic-7', mirrored: 'orders-file', fee: 0.5 }), fillOf('500', { time: at('15:00:00') })], { account: null })
    expect(fills.map(({ id, fee }) => [id, fee])).toEqual([['500', 5_000]])
  })
})
