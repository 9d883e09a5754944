import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contractOfInstrument, datedContract } from './contract-code.ts'

it.each([
  ['MNQ MAR25', 'MNQH5'],
  ['MNQ 03-25', 'MNQH5'],
  [' mnq  sep25 ', 'MNQU5'],
  ['6E 12-26', '6EZ6'],
  ['MES JUN26', 'MESM6'],
  ['CL 01-30', 'CLF0'],
  ['ES DEC15', 'ESZ15'],
  ['ES DEC25', 'ESZ5'],
  ['SR3 03-35', 'SR3H35'],
  ['MNQZ6', 'MNQZ6'],
  ['MNQ', 'MNQ'],
  ['NQ 13-25', 'NQ 13-25'],
  ['NQ 00-25', 'NQ 00-25'],
  ['NQ ##-##', 'NQ ##-##'],
])('%j is %s', (instrument, contract) => expect(contractOfInstrument(instrument)).toBe(contract))

describe('the delivery year of a contract', () => {
  it.each([
    ['ESZ5', '2025-09-10', 'ESZ5'],
    ['ESZ5', '2015-09-10', 'ESZ15'],
    // Traded to the end of its quarter, and to the end of the month in another zone.
    ['SR3H6', '2026-06-15', 'SR3H6'],
    ['ZQF6', '2026-02-01', 'ZQF6'],
    ['CLF6', '2025-12-18', 'CLF6'],
    ['SR3H0', '2026-05-01', 'SR3H0'],
    ['CLZ9', '2019-03-01', 'CLZ19'],
    ['ESZ25', '2025-09-10', 'ESZ5'],
    ['ESZ15', '2015-09-10', 'ESZ15'],
    ['WWJH6', '2016-01-05', 'WWJH16'],
    // Not deliveries: product codes and other names.
    ['J7', '2015-09-10', 'J7'],
    ['HK50', '2025-09-10', 'HK50'],
    ['BTCUSD', '2015-09-10', 'BTCUSD'],
  ])('%s traded on %s is %s', (name, date, contract) => expect(datedContract(name, Date.parse(`${date}T12:00:00Z`))).toBe(contract))

  it('is stable, and the same on every day that a delivery can trade', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2012, max: 2040 }), fc.constantFrom(...'FGHJKMNQUVXZ'), fc.integer({ min: -3, max: 111 }), (year, letter, monthsBefore) => {
        const delivery = year * 12 + 'FGHJKMNQUVXZ'.indexOf(letter)
        const traded = delivery - monthsBefore
        const at = Date.UTC(Math.floor(traded / 12), traded % 12, 15)
        const name = datedContract(`ES${letter}${String(year % 10)}`, at)
        expect(name).toBe(year >= 2022 && year <= 2031 ? `ES${letter}${String(year % 10)}` : `ES${letter}${String(year % 100)}`)
        expect(datedContract(name, at)).toBe(name)
      }),
    )
  })
})
