import { expect, test } from 'vitest'
import { contracts, inChicago, nextSession, priceText, sessionOf, undisturbed, type Fill, type Side } from './market.ts'
import { centsOf, dayGross, feesOf, netOf, openLots, truePairs } from './oracle.ts'

const [mes, , , dax] = contracts as [typeof contracts[number], unknown, unknown, typeof contracts[number]]
let id = 0
const fill = (side: Side, qty: number, ticks: number, at: string, given: Partial<Fill> = {}): Fill => {
  const time = Date.parse(at)
  return { id: ++id, orderId: id, account: 1, contract: mes, time, day: sessionOf(time), side, qty, ticks, active: true, feeCents: 95 * qty, rows: undisturbed(), ...given }
}

test('the session rolls at 17:00 in Chicago, in winter, in summer and over the weekend', () => {
  expect(sessionOf(Date.parse('2026-01-07T22:59:59Z'))).toBe('2026-01-07')
  expect(sessionOf(Date.parse('2026-01-07T23:00:00Z'))).toBe('2026-01-08')
  expect(sessionOf(Date.parse('2026-07-08T22:00:00Z'))).toBe('2026-07-09')
  expect(sessionOf(Date.parse('2026-01-09T23:30:00Z'))).toBe('2026-01-12')
  expect(sessionOf(Date.parse('2026-01-11T23:30:00Z'))).toBe('2026-01-12')
  expect([nextSession('2026-03-05'), nextSession('2026-03-06')]).toEqual(['2026-03-06', '2026-03-09'])
  expect(new Date(inChicago('2026-07-08', 16)).toISOString()).toBe('2026-07-08T21:00:00.000Z')
  expect(new Date(inChicago('2026-01-08', -7)).toISOString()).toBe('2026-01-07T23:00:00.000Z')
})

test('prices have the decimals of their tick', () => {
  expect([priceText(mes, 24_001), priceText(contracts[1] ?? mes, 6_507), priceText(contracts[2] ?? mes, 901), priceText(dax, 18_000)]).toEqual(['6000.25', '65.07', '45.05', '18000'])
})

// By hand: 2 carried long at 6000.00, one sold at 6010.00 (+50.00), then 3 sold at 6005.00: one closes the second (+25.00), two turn short; bought back at 6001.00: 2 x 4 points x 5 = +40.00.
test('first in, first out, over a session and through zero, a scripted case', () => {
  const fills = [
    fill('Buy', 2, 24_000, '2026-01-07T20:00:00Z'),
    fill('Sell', 1, 24_040, '2026-01-08T15:00:00Z'),
    fill('Sell', 3, 24_020, '2026-01-08T15:01:00Z'),
    fill('Buy', 2, 24_004, '2026-01-08T15:02:00Z'),
    fill('Buy', 9, 20_000, '2026-01-08T15:03:00Z', { active: false }),
  ]
  const pairs = truePairs(fills)
  expect(pairs.map(({ long, qty, gross }) => [long, qty, centsOf(gross)])).toEqual([[true, 1, 5_000], [true, 1, 2_500], [false, 2, 4_000]])
  expect(pairs.map((pair) => feesOf(pair, ({ feeCents }) => feeCents))).toEqual([190, 190, 380])
  expect([netOf(fills), openLots(fills)]).toEqual([0, []])
  expect([dayGross(fills, 1, '2026-01-07', 'USD'), dayGross(fills, 1, '2026-01-08', 'USD')]).toEqual([0, 11_500])
})

test('accounts, contracts and currencies are matched separately', () => {
  const fills = [
    fill('Buy', 1, 24_000, '2026-01-08T15:00:00Z'),
    fill('Sell', 1, 24_010, '2026-01-08T15:01:00Z', { account: 2 }),
    fill('Sell', 1, 18_000, '2026-01-08T15:02:00Z', { contract: dax }),
    fill('Buy', 1, 17_990, '2026-01-08T15:03:00Z', { contract: dax }),
  ]
  expect(truePairs(fills).map(({ contract, long, gross }) => [contract.name, long, centsOf(gross)])).toEqual([['FDXMZ6', false, 5_000]])
  expect(openLots(fills).map(({ fill: { account }, left }) => [account, left])).toEqual([[1, 1], [2, 1]])
  expect([dayGross(fills, 1, '2026-01-08', 'EUR'), dayGross(fills, 1, '2026-01-08', 'USD')]).toEqual([5_000, 0])
})
