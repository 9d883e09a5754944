import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { brokerContractSpec, contractSpecOf } from './contract-spec.ts'
import { contractTable } from './contract-table.ts'

const rows = readFileSync(new URL('../../tests/fixtures/contract-table.md', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| **') && !line.startsWith('| Root'))
  .map((line) => line.split('|').slice(1, -1).map((cell) => cell.trim()))

describe('the contract table', () => {
  it('has exactly the reference rows', () => {
    expect(rows.length).toBe(76)
    expect(contractTable.map(({ root }) => root)).toEqual(rows.map(([root]) => root))
  })

  it.each(rows)('%s is as the reference has it', (root, name, exchange, currency, multiplier, tickSize, tickValue, commission, origin, _sources, note = '') => {
    const adopted = origin === '–' ? /\[([\d.]+)\]/.exec(note)?.[1] : commission
    expect(contractTable.find((row) => row.root === root)).toEqual({
      root, name, exchange, currency, multiplier, tickSize, tickValue, commission: adopted,
    })
    const spec = contractSpecOf(`${String(root)}Z5`)
    expect(spec).toEqual({
      contract: `${String(root)}Z5`, root, rootIsWhole: true, currency, tickSize, rounding: null, source: 'table',
      tickValue: { num: Math.round(Number(multiplier) * Number(tickSize) * 10_000), den: 1 },
      feePerSide: Math.round(Number(adopted) * 10_000),
    })
    expect(spec.tickValue.num).toBe(Math.round(Number(tickValue) * 10_000))
    expect(spec.feePerSide).toBeGreaterThan(0)
  })
})

describe('finding a contract by its name', () => {
  it.each([
    ['MESZ5', 'MES'], ['ESM6', 'ES'], ['M6EH6', 'M6E'], ['6EH6', '6E'], ['SILN6', 'SIL'], ['SIN6', 'SI'], ['MNQ MAR25', 'MNQ'],
    ['NQ JUN25', 'NQ'], ['M2KU25', 'M2K'], ['FESXZ5', 'FESX'], ['mesz5', 'MES'], ['MBTK6', 'MBT'], ['GC', 'GC'],
  ])('%s is %s, the whole of it', (name, root) => expect(contractSpecOf(name)).toMatchObject({ root, rootIsWhole: true, source: 'table' }))

  it('says where the code is only a part of the name', () => {
    expect(contractSpecOf('MNGH6')).toMatchObject({ root: 'NG', rootIsWhole: false, tickValue: { num: 100_000, den: 1 } })
    expect(contractSpecOf('XMESZ5')).toMatchObject({ root: 'MES', rootIsWhole: false })
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
