import { expect, test } from 'vitest'
import { missedTick, pairRiskOf, tradeRiskOf } from './trade-risk.ts'

const micro = { symbol: 'MESH6', side: 'long' as const, qty: 3, entryPrice: 6052.25, exitPrice: 6054.75, grossPnl: '37.50', netPnl: '31.80' }
const defaults = [{ product: 'MES', distance: '12', unit: 'ticks' as const }, { product: 'XYZ', distance: '2', unit: 'points' as const }]

test('the stop of the fill pair wins over the default of its product', () => {
  // 10 ticks of 1.25 and three contracts are 37.50 at risk.
  expect(pairRiskOf(micro, '6049.75', defaults)).toEqual({ r: 0.848, by: 'own', stop: '6049.75' })
  expect(pairRiskOf(micro, null, defaults)).toEqual({ r: 0.7067, by: 'default', stop: defaults[0] })
})

test('the R of a trade is its net over the risks of its pairs together, and unknown where one has none', () => {
  const pairs = [{ ...micro, stop: '6049.75' }, { ...micro, netPnl: '-43.20', stop: '6047.25' }]
  // 37.50 and 75 are at risk, and 11.40 are lost.
  expect(tradeRiskOf(pairs, [])).toBe(-0.1013)
  expect(tradeRiskOf([...pairs, { ...micro, stop: null }], [])).toBeNull()
  expect(tradeRiskOf([{ ...micro, stop: null }], defaults)).toBe(0.7067)
})

test('a stop where only a profit would be stopped gives no R, and lessens what its trade risks', () => {
  expect(pairRiskOf(micro, '6060.00', defaults)).toBeNull()
  expect(pairRiskOf({ ...micro, side: 'short' }, '6060.00', [])?.r).toBe(0.2735)
  const late = { ...micro, entryPrice: 6062.25, netPnl: '0.00' }
  // Of three contracts at 5.00 a point: 5 points of each side are nothing, and 8 less 2 are 90.00.
  expect(tradeRiskOf([{ ...micro, stop: '6057.25' }, { ...late, stop: '6057.25' }], [])).toBeNull()
  expect(tradeRiskOf([{ ...micro, stop: '6054.25' }, { ...late, stop: '6054.25' }], [])).toBe(0.3533)
})

test('without a stop, at the entry, or with a stop that is no number, there is no R', () => {
  expect(pairRiskOf(micro, null, [])).toBeNull()
  expect(pairRiskOf(micro, '6052.25', defaults)).toBeNull()
  expect(pairRiskOf(micro, 'soon', defaults)).toBeNull()
})

test('a contract that the table does not know is worth what its own gross says', () => {
  // 5 points made 100 of two contracts: 10 a point, 40 at risk at two points.
  const strange = { symbol: 'XYZH6', side: 'long' as const, qty: 2, entryPrice: 100, exitPrice: 105, grossPnl: '100.00', netPnl: '96.00' }
  expect(pairRiskOf(strange, null, defaults)).toMatchObject({ r: 2.4, by: 'default' })
  expect(pairRiskOf(strange, '97', [])).toMatchObject({ r: 1.6, by: 'own' })
  expect(pairRiskOf({ ...strange, exitPrice: 100, grossPnl: '0.00' }, '97', [])).toBeNull()
  expect(pairRiskOf(strange, null, [{ product: 'XYZ', distance: '2', unit: 'ticks' }])).toBeNull()
})

test('a stop between two ticks is said, where the contract is surely known', () => {
  const missed = (symbol: string) => ['6,049.75', '6049.8', '', 'nonsense'].map((stop) => missedTick(stop, symbol))
  expect(missed('MESZ6')).toEqual([null, '0.25', null, null])
  expect(missed('CLF7')).toEqual([null, null, null, null])
  expect(missed('SOMETHINGZ6')).toEqual([null, null, null, null])
})
