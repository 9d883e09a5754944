import { describe, expect, it } from 'vitest'
import { readMoney, readPrice, readWhole } from './cell-number.ts'

describe('money', () => {
  it.each([
    ['$62.50', 625_000],
    ['$(41.25)', -412_500],
    ['$1,200.00', 12_000_000],
    ['$(1,000.00)', -10_000_000],
    ['-12.50', -125_000],
    ['(125.50)', -1_255_000],
    ['($75.90)', -759_000],
    ['-$2.50', -25_000],
    ['$-2.50', -25_000],
    ['$(20.00)', -200_000],
    ['50,000.00', 500_000_000],
    ['1,234,567.89', 12_345_678_900],
    ['-1.04', -10_400],
    ['0.00', 0],
    ['$0.00', 0],
    ['$(0.00)', 0],
    ['€5', 50_000],
    [' - $ 5.00 ', -50_000],
    ['.5', 5_000],
    ['7.8125', 78_125],
    ['0.9400000000000001', 9_400],
  ])('%s', (text, units) => {
    const read = readMoney(text)
    expect(read).toEqual({ ok: true, value: units })
    expect(read.ok && Object.is(read.value, -0)).toBe(false)
  })

  it('may have a decimal comma', () => {
    expect(readMoney('0,62 $', 'comma')).toEqual({ ok: true, value: 6_200 })
    expect(readMoney('1 250,50 €', 'comma')).toEqual({ ok: true, value: 12_505_000 })
    expect(readMoney('-1.250,50 €', 'comma')).toEqual({ ok: true, value: -12_505_000 })
    expect(readMoney('2.22', 'comma')).toEqual({ ok: true, value: 22_200 })
    expect(readMoney('1,234.50', 'comma')).toEqual({ ok: true, value: 12_345_000 })
    expect(readMoney('1.234.567', 'comma')).toEqual({ ok: true, value: 12_345_670_000 })
    expect(readMoney('1.23,456', 'comma')).toEqual({ ok: false, error: 'bad-number' })
  })

  it('is rejected if the file does not show whether it has thousands or decimals', () => {
    for (const text of ['6.100', '$6.100', '-6.100 €']) for (const sign of ['comma', 'open'] as const) expect(readMoney(text, sign)).toEqual({ ok: false, error: 'unclear-number' })
    expect(readMoney('6,100', 'open')).toEqual({ ok: false, error: 'unclear-number' })
    expect(readMoney('6,100', 'comma')).toEqual({ ok: true, value: 61_000 })
    for (const text of ['6100.25', '6100,25', '6.100,25', '6,100.25']) expect(readPrice(text, '0.25', 'open')).toEqual({ ok: true, value: 24_401 })
    for (const text of ['0.125', '0,125']) expect(readPrice(text, '0.125', 'open')).toEqual({ ok: true, value: 1 })
    expect(['1', '1.0', '1,00'].map((text) => readWhole(text, 'open'))).toEqual([1, 1, 1].map((value) => ({ ok: true, value })))
    expect(readWhole('2.')).toEqual({ ok: false, error: 'bad-number' })
    expect(readWhole('1.000', 'comma')).toEqual({ ok: false, error: 'unclear-number' })
  })

  it.each(['', '$', '()', '12,5', '1 250.00', '1  2', '1,20.00', '1.234,50', '$(41.25', '41.25)', '-(5.00)', '$-(5.00)', '--5', '5-', '1$2', '=1+1', 'NaN', '1e3', '6.00E+09', '١٢'])('is not %j', (text) =>
    expect(readMoney(text)).toEqual({ ok: false, error: 'bad-number' }),
  )

  it('is bounded', () => {
    expect(readMoney('9'.repeat(41))).toEqual({ ok: false, error: 'too-large' })
    expect(readMoney('999999999999999')).toEqual({ ok: false, error: 'too-large' })
  })
})

describe('a price', () => {
  it('snaps float noise to its tick, and nothing more', () => {
    expect(readPrice('2647.1000000000004', '0.1')).toEqual({ ok: true, value: 26_471 })
    expect(readPrice('4396.900000000001', '0.1')).toEqual({ ok: true, value: 43_969 })
    expect(readPrice('2647.15', '0.1')).toEqual({ ok: false, error: 'off-tick' })
  })

  it('may be grouped, have a decimal comma, be negative or very small', () => {
    expect(readPrice('21,345.25', '0.25')).toEqual({ ok: true, value: 85_381 })
    expect(readPrice('7200,75', '0.25', 'comma')).toEqual({ ok: true, value: 28_803 })
    expect(readPrice('-37.63', '0.01')).toEqual({ ok: true, value: -3763 })
    expect(readPrice('5e-7', '0.0000005')).toEqual({ ok: true, value: 1 })
  })

  it.each(['', '7200,75', '$5', 'x', '6759.', '6,759.', '0.'])('is not %j', (text) => expect(readPrice(text, '0.25')).toEqual({ ok: false, error: 'bad-number' }))
})

it('a whole number', () => {
  expect(['2', '2.0', '1,000', '0'].map((text) => readWhole(text))).toEqual([2, 2, 1000, 0].map((value) => ({ ok: true, value })))
  for (const text of ['', '-2', '2.5', '2e3', '10,00', 'x']) expect(readWhole(text)).toEqual({ ok: false, error: 'bad-number' })
  expect(readWhole('99999999999999999')).toEqual({ ok: false, error: 'too-large' })
})

describe('a price in fractions', () => {
  it.each([
    ["112'16", '0.015625', 7_200], ["112'165", '0.015625', 7_201], ["112'167", '0.0078125', 14_403], ["112'162", '0.0078125', 14_401], ["112'16.5", '0.015625', 7_201], ["112'16+", '0.015625', 7_201],
    ["112'161", '0.00390625', 28_801], ["112'168", '0.00390625', 28_807], ["112'16.25", '0.0078125', 14_401], ["452'4", '0.25', 1_810], ["1,052'2", '0.25', 4_209], ["118’31", '0.03125', 3_807], ["-0'01", '0.03125', -1],
  ])('%s in ticks of %s', (text, tickSize, ticks) => expect(readPrice(text, tickSize)).toEqual({ ok: true, value: ticks }))

  it.each(["112'164", "112'169", "112'32", "112'99", "452'8", "112'", "'16", "112'1655", "112'16.12345", "1'1'1"])('%s is none', (text) => expect(readPrice(text, '0.00390625')).toEqual({ ok: false, error: 'bad-number' }))
  it('must lie on a tick', () => expect(readPrice("112'165", '0.03125')).toEqual({ ok: false, error: 'off-tick' }))
})
