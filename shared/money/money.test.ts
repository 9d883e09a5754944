import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { divideRounded, writeDecimal } from './decimal.ts'
import { addAmounts, amountOf, exactMoney, multiplyDivide, negate, parseAmount, parseCurrency, toDecimalString, toJsonNumber, type Amount } from './money.ts'
import { shareOf } from './share.ts'

const amount = (text: string | number): Amount => {
  const parsed = parseAmount(text)
  if (!parsed.ok) throw new Error(parsed.error)
  return parsed.value
}

describe('reading an amount', () => {
  it.each([
    ['12.5', 125_000],
    ['-0.0001', -1],
    ['+3', 30_000],
    ['.5', 5000],
    ['1e3', 10_000_000],
    [0.1, 1000],
    [5e-4, 5],
    [1.1, 11_000],
    ['0.50000000', 5000],
  ])('takes %s exactly', (text, units) => expect(parseAmount(text)).toEqual({ ok: true, value: units }))

  it.each(['', ' ', '1,2', '$5', '1.2.3', 'NaN', Number.NaN, Number.POSITIVE_INFINITY, '0x10', '--1'])('refuses %s', (text) =>
    expect(parseAmount(text)).toEqual({ ok: false, error: 'not-a-number' }),
  )

  it('refuses a fifth decimal, unless asked to round', () => {
    expect(parseAmount('1.00005')).toEqual({ ok: false, error: 'too-precise' })
    expect(parseAmount('1.00005', 'half-even')).toEqual({ ok: true, value: 10_000 })
    expect(parseAmount('1.00015', 'half-even')).toEqual({ ok: true, value: 10_002 })
    expect(parseAmount('-1.00005', 'half-even')).toEqual({ ok: true, value: -10_000 })
    expect(parseAmount(0.1 + 0.2, 'half-even')).toEqual({ ok: true, value: 3000 })
  })

  it('refuses what leaves the safe integers', () => {
    expect(parseAmount('900719925474.0991')).toEqual({ ok: true, value: Number.MAX_SAFE_INTEGER })
    expect(parseAmount('900719925474.0992')).toEqual({ ok: false, error: 'too-large' })
  })
})

describe('money arithmetic', () => {
  it('throws rather than lose a unit', () => {
    expect(() => addAmounts(amountOf(Number.MAX_SAFE_INTEGER), amountOf(1))).toThrow(RangeError)
    expect(() => amountOf(0.5)).toThrow(RangeError)
    expect(negate(amount('2.5'))).toBe(-25_000)
    expect(Object.is(negate(amountOf(0)), 0)).toBe(true)
  })

  it('multiplies exactly where the products leave the safe integers', () => {
    expect(multiplyDivide(9_007_199_254_740_991, 3, 7, 21)).toBe(9_007_199_254_740_991)
    expect(() => multiplyDivide(9_007_199_254_740_991, 1, 2, 1)).toThrow(RangeError)
    expect(multiplyDivide(-5, 1, 1, 2)).toBe(-3)
    expect(multiplyDivide(5, 1, 1, 2)).toBe(3)
    expect(multiplyDivide(7, 1, 1, 3)).toBe(2)
  })

  it('rounds to cents once, half away from zero', () => {
    expect(toDecimalString(amount('-140'))).toBe('-140.00')
    expect(toDecimalString(amount('7.8125'))).toBe('7.81')
    expect(toDecimalString(amount('0.005'))).toBe('0.01')
    expect(toDecimalString(amount('-0.005'))).toBe('-0.01')
    expect(toDecimalString(amount('-0.0049'))).toBe('0.00')
    expect(toJsonNumber(amount('-1234.565'))).toBe(-1234.57)
  })

  it('writes every amount as arithmetic with whole numbers of any size does, and never a negative zero', () => {
    fc.assert(
      fc.property(fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -200, max: 200 })), (units) => {
        const cents = writeDecimal(divideRounded(BigInt(units), 100n, 'half-away'), 2)
        expect(toDecimalString(amountOf(units))).toBe(cents)
        expect(Object.is(toJsonNumber(amountOf(units)), Number(cents))).toBe(true)
      }),
    )
  })

  it('writes an amount to its last place, with two to four of them', () => {
    expect(['-140', '0.515', '-0.005', '7.8125', '0.0001', '0'].map((text) => exactMoney(amount(text)))).toEqual(['-140.00', '0.515', '-0.005', '7.8125', '0.0001', '0.00'])
    fc.assert(fc.property(fc.maxSafeInteger(), (units) => { expect(parseAmount(exactMoney(amountOf(units)))).toEqual({ ok: true, value: units }) }))
  })

  it('shares a fee out with nothing lost', () => {
    const fee = amount('1.0000')
    const parts = [shareOf(fee, 0, 1, 3), shareOf(fee, 1, 2, 3), shareOf(fee, 2, 3, 3)]
    expect(parts).toEqual([3333, 3333, 3334])
    expect(shareOf(amountOf(-10), 0, 1, 3) + shareOf(amountOf(-10), 1, 3, 3)).toBe(-10)
    const large = amountOf(9_007_199_254_740_991)
    expect(BigInt(shareOf(large, 0, 999_999, 1_000_000)) + BigInt(shareOf(large, 999_999, 1_000_000, 1_000_000))).toBe(BigInt(large))
  })

  it('knows a currency by its code', () => {
    expect(parseCurrency('EUR')).toBe('EUR')
    expect(parseCurrency('usd')).toBeNull()
  })
})
