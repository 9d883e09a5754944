import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatAveragePrice, formatPrice, parsePrice, priceToJsonNumber, type Ticks } from './price.ts'

const ticks = (text: string | number, tickSize: string): Ticks => {
  const price = parsePrice(text, tickSize)
  if (!price.ok) throw new Error(price.error)
  return price.value
}

describe('a price in ticks', () => {
  it.each([
    ['6759.75', '0.25', 27_039],
    [112.5, '0.03125', 3600],
    [0.0067125, '0.0000005', 13_425],
    ['-37.63', '0.01', -3763],
    [0, '0.25', 0],
  ])('%s in ticks of %s', (price, tickSize, count) => expect(parsePrice(price, tickSize)).toEqual({ ok: true, value: count }))

  it('snaps the noise of a float and nothing more', () => {
    expect(parsePrice('2647.1000000000004', '0.1')).toEqual({ ok: true, value: 26_471 })
    expect(parsePrice(0.1 + 0.2, '0.1')).toEqual({ ok: true, value: 3 })
    expect(parsePrice('100.00024', '0.25')).toEqual({ ok: true, value: 400 })
    expect(parsePrice('99.99976', '0.25')).toEqual({ ok: true, value: 400 })
    expect(parsePrice('100.00025', '0.25')).toEqual({ ok: false, error: 'off-tick' })
    expect(parsePrice('100.125', '0.25')).toEqual({ ok: false, error: 'off-tick' })
  })

  it('refuses what is no price', () => {
    expect(parsePrice('112\'16', '0.03125')).toEqual({ ok: false, error: 'not-a-number' })
    expect(parsePrice('90071992547409.92', '0.01')).toEqual({ ok: false, error: 'too-large' })
    expect(() => parsePrice('1', '0')).toThrow(RangeError)
  })

  it('is written as the exchange shows it', () => {
    expect(formatPrice(ticks('6759', '0.25'), '0.25')).toBe('6759.00')
    expect(formatPrice(ticks(112.5, '0.03125'), '0.03125', 'trimmed')).toBe('112.5')
    expect(formatPrice(ticks('0.0067125', '0.0000005'), '0.0000005')).toBe('0.0067125')
    expect(formatPrice(ticks('27000', '1'), '1', 'trimmed')).toBe('27000')
    expect(formatPrice(ticks('-0.5', '0.25'), '0.25')).toBe('-0.50')
    expect(priceToJsonNumber(ticks('1.23456789', '0.00000001'), '0.00000001')).toBe(1.23456789)
  })

  it('is as a number what its text says, whatever its size', () => {
    const tickSizes = ['0.25', '0.03125', '0.0000005', '1', '5', '0.1', '0.0078125', '12.5', '0.00000000000000000001']
    fc.assert(
      fc.property(fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -200_000, max: 200_000 })), fc.constantFrom(...tickSizes), (price, tickSize) => {
        expect(Object.is(priceToJsonNumber(price as Ticks, tickSize), Number(formatPrice(price as Ticks, tickSize)))).toBe(true)
      }),
    )
  })

  it('averages exactly before it rounds', () => {
    const base = ticks('6759.25', '0.25')
    expect(formatAveragePrice(base, 1, 2, '0.25')).toBe('6759.375')
    expect(formatAveragePrice(base, 1, 3, '0.25')).toBe('6759.3333')
    expect(formatAveragePrice(base, 0, 5, '0.25')).toBe('6759.25')
    expect(formatAveragePrice(base, -6, 3, '0.25')).toBe('6758.75')
  })
})
