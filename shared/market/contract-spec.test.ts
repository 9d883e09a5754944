import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { brokerContractSpec, contractSpecOf, namedContractSpec, tickedContractSpec } from './contract-spec.ts'
import { contractTable } from './contract-table.ts'

/** The rows of a CSV by the names of its columns; cells in quotes may hold commas. */
const csvRows = (name: string): readonly Readonly<Record<string, string>>[] => {
  const [header = '', ...lines] = readFileSync(new URL(name, import.meta.url), 'utf8').trimEnd().split('\n')
  const cells = (line: string): string[] => [...line.matchAll(/(?:^|,)(?:"([^"]*)"|([^,]*))/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
  return lines.map((line) => Object.fromEntries(cells(line).map((cell, index) => [header.split(',')[index] ?? '', cell])))
}
const sourced = csvRows('../../docs/contracts.csv')
const specified = readFileSync(new URL('../../tests/fixtures/contract-table.md', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| **') && !line.startsWith('| Root'))
  .map((line) => line.split('|').slice(1, -1).map((cell) => cell.trim()))
const decimals = (text = '0'): bigint => {
  const [whole = '', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(20, '0'))
}

describe('the contract table', () => {
  it('has exactly the rows of docs/contracts.csv, each with a source', () => {
    expect(contractTable.length).toBe(210)
    expect(contractTable.map(({ codes, smallerOf, commission, ...row }) => ({ ...row, smallerOf: smallerOf ?? '', commission: commission ?? '', codes }))).toEqual(
      sourced.map(({ root, name, exchange, currency, multiplier, tick_size, tick_value, quoting, months, micro_of, commission, tradovate, ninjatrader, rithmic, projectx }) => ({
        root, name, exchange, currency, multiplier, tickSize: tick_size, tickValue: tick_value, quoting, months, smallerOf: micro_of?.split(':')[0], commission,
        codes: Object.fromEntries(Object.entries({ tradovate, ninjatrader, rithmic, projectx }).filter(([, code]) => code !== '')),
      })),
    )
    for (const { root, source1 } of sourced) expect(source1, root).not.toBe('')
  })

  it.each(sourced)('$root: a tick is worth the multiplier times its size, and a smaller contract the given part of the larger', ({ root = '', multiplier, tick_size, tick_value, micro_of = '' }) => {
    expect(decimals(multiplier) * decimals(tick_size)).toBe(decimals(tick_value) * 10n ** 20n)
    const [larger, parts] = micro_of.split(':')
    if (larger !== '') expect(decimals(multiplier) * BigInt(parts ?? 0), root).toBe(decimals(sourced.find((row) => row['root'] === larger)?.['multiplier']))
  })

  it('gives no code to two products, on whichever platform', () => {
    const codes = contractTable.flatMap(({ root, codes: own }) => [...new Set([root, ...Object.values(own)])])
    expect(new Set(codes).size).toBe(codes.length)
  })

  it.each(specified)('%s keeps the figures of the specification', (root, _name, _exchange, currency, multiplier, tickSize, tickValue, commission, origin, _sources, note = '') => {
    const adopted = origin === '–' ? /\[([\d.]+)\]/.exec(note)?.[1] : commission
    // Screens write rough rice in dollars, not in cents: a tick is worth the same.
    const [point, tick] = root === 'ZR' ? ['2000', '0.005'] : [multiplier, tickSize]
    expect(contractTable.find((row) => row.root === root)).toMatchObject({ currency, multiplier: point, tickSize: tick, tickValue, commission: adopted })
    const spec = contractSpecOf(`${String(root)}Z5`)
    expect(spec).toEqual({
      contract: `${String(root)}Z5`, root, rootIsWhole: true, currency, tickSize: tick, rounding: null, source: 'table',
      tickValue: { num: Math.round(Number(tickValue) * 10_000), den: 1 },
      feePerSide: Math.round(Number(adopted) * 10_000),
    })
  })

  it('keeps a tick that is worth no whole number of 1/10,000', () => expect(contractSpecOf('AUPZ5')).toMatchObject({ tickValue: { num: 27_558, den: 5 } }))
})

describe('finding a contract by its name', () => {
  it.each([
    ['MESZ5', 'MES'], ['ESM6', 'ES'], ['M6EH6', 'M6E'], ['6EH6', '6E'], ['SILN6', 'SIL'], ['SIN6', 'SI'], ['MNQ MAR25', 'MNQ'],
    ['NQ JUN25', 'NQ'], ['M2KU25', 'M2K'], ['FESXZ5', 'FESX'], ['mesz5', 'MES'], ['MBTK6', 'MBT'], ['GC', 'GC'],
  ])('%s is %s, the whole of it', (name, root) => expect(contractSpecOf(name)).toMatchObject({ root, rootIsWhole: true, source: 'table' }))

  it('says where the code is only a part of the name', () => {
    expect(contractSpecOf('QNGH6')).toMatchObject({ root: 'NG', rootIsWhole: false, tickValue: { num: 100_000, den: 1 } })
    expect(contractSpecOf('XMESZ5')).toMatchObject({ root: 'MES', rootIsWhole: false })
  })

  it.each([
    ['MNGH6', 'USD', 10_000], ['MZCZ6', 'USD', 25_000], ['NIYU6', 'JPY', 25_000_000], ['MNIU6', 'JPY', 2_500_000], ['GSOLM6', 'USD', 250_000], ['EPM6', 'USD', 125_000], ['J7M6', 'USD', 62_500],
  ])('%s is a product of its own: a tick is %s %d', (name, currency, num) => expect(contractSpecOf(name)).toMatchObject({ rootIsWhole: true, currency, tickValue: { num, den: 1 } }))

  it('takes the product that a file names over a guess, but not over the name of a known contract', () => {
    expect(namedContractSpec('NEWCORNZ6', 'MZC')).toMatchObject({ contract: 'NEWCORNZ6', root: 'MZC', rootIsWhole: true, source: 'table' })
    expect(namedContractSpec('QNGH6', 'QNG')).toMatchObject({ contract: 'QNGH6', root: 'QNG', source: 'unknown' })
    expect(namedContractSpec('MESM6', 'NQ')).toMatchObject({ root: 'MES', source: 'table' })
    expect(namedContractSpec('QNGH6', null)).toMatchObject({ root: 'NG', rootIsWhole: false })
  })

  it('prefers the code at the beginning among those of one length', () => expect(contractSpecOf('CLES').root).toBe('CL'))

  it('counts an unknown contract at its price and free of commission', () => {
    expect(contractSpecOf('WEIRD')).toEqual({
      contract: 'WEIRD', root: null, rootIsWhole: true, currency: 'USD', tickSize: '0.00000001',
      tickValue: { num: 1, den: 10_000 }, feePerSide: 0, rounding: null, source: 'unknown',
    })
  })
})

describe('a contract as its broker describes it', () => {
  it('takes point value and tick from the broker, commission from the table', () => {
    expect(brokerContractSpec('6JM6', { name: '6J', valuePerPoint: 12_500_000, tickSize: 5e-7, currency: 'USD' })).toEqual({
      ok: true,
      value: {
        contract: '6JM6', root: '6J', rootIsWhole: true, currency: 'USD', tickSize: '0.0000005',
        tickValue: { num: 62_500, den: 1 }, feePerSide: 18_000, rounding: null, source: 'broker',
      },
    })
  })

  it('keeps a tick value that is no whole number of units', () => {
    const spec = brokerContractSpec('XYZM6', { name: 'XYZ', valuePerPoint: 1.5, tickSize: 0.00001, currency: 'EUR' })
    expect(spec).toMatchObject({ ok: true, value: { tickValue: { num: 3, den: 20 }, feePerSide: 0, currency: 'EUR' } })
  })

  it.each([
    { name: 'MES', valuePerPoint: 0, tickSize: 0.25, currency: 'USD' },
    { name: 'MES', valuePerPoint: 5, tickSize: -1, currency: 'USD' },
    { name: 'MES', valuePerPoint: 'five', tickSize: 0.25, currency: 'USD' },
    { name: 'MES', valuePerPoint: 5, tickSize: 0.25, currency: 'dollar' },
  ])('refuses %o', (product) => expect(brokerContractSpec('MESM6', product)).toEqual({ ok: false, error: 'bad-product' }))
})

describe('a contract whose broker says what a tick is worth', () => {
  it.each([
    ['ESH5', 0.25, 12.5, { root: 'ES', tickSize: '0.25', tickValue: { num: 125_000, den: 1 } }],
    ['ZNH6', 0.015625, 15.625, { root: 'ZN', tickSize: '0.015625', tickValue: { num: 156_250, den: 1 } }],
    ['XYZM6', 0.1, 0.00003, { root: 'XYZ', tickSize: '0.1', tickValue: { num: 3, den: 10 } }],
  ])('%s with a tick of %d worth %d', (name, tickSize, tickValue, spec) => {
    expect(tickedContractSpec(name, { tickSize, tickValue })).toMatchObject({ contract: name, currency: 'USD', source: 'broker', rootIsWhole: true, ...spec })
  })

  it.each([[0, 1], [0.25, -1], [0.25, NaN]])('refuses a tick of %d worth %d', (tickSize, tickValue) => expect(tickedContractSpec('ESH5', { tickSize, tickValue })).toBeNull())
})
