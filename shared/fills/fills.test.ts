import { describe, expect, it } from 'vitest'
import { contractSymbolOf } from './contract-symbol.ts'
import type { Fill } from './fill.ts'
import { mergeFills } from '#tests/helpers/merge-fills.ts'
import { mergeFill } from './merge.ts'
import { compareFillIds, compareFills } from './order.ts'
import type { FillSource } from './source.ts'

const fill = (id: string, change: Partial<Fill> = {}): Fill =>
  ({ id, account: 'tradovate:demo:1', contract: 'MESM6', time: 1000, side: 'buy', qty: 1, price: 27_000, fee: null, active: true, source: 'api', ...change }) as Fill

describe('the order of fills', () => {
  it('compares ids as numbers, whatever their length', () => {
    const ids = ['600000000105', '99', '4294967297', '600000000104', '123456789012345678901', '4294967296', '100']
    expect(ids.toSorted(compareFillIds)).toEqual(['99', '100', '4294967296', '4294967297', '600000000104', '600000000105', '123456789012345678901'])
  })

  it('puts the parts of an id by their count where that id would be', () => {
    expect(['303363433426_10', '303363433427', '303363433426_2', '303363433425'].toSorted(compareFillIds)).toEqual(['303363433425', '303363433426_2', '303363433426_10', '303363433427'])
  })

  it('puts ids that are no numbers behind, by their characters', () => {
    expect(['b-2', '10', 'a-10', '9'].toSorted(compareFillIds)).toEqual(['9', '10', 'a-10', 'b-2'])
    expect(compareFillIds('007', '7')).not.toBe(0)
  })

  it('goes by time first, and by id within a millisecond', () => {
    const fills = [fill('10', { time: 5 }), fill('9', { time: 5 }), fill('11', { time: 4 })]
    expect(fills.toSorted(compareFills).map(({ id }) => id)).toEqual(['11', '9', '10'])
  })
})

describe('a fill that is read twice', () => {
  it('changes nothing when it says the same', () => {
    const known = fill('1')
    expect(mergeFill(known, { ...known, source: 'fills-file' })).toEqual({ fill: known, change: 'none' })
  })

  it('is corrected by a reading of the same rank', () => {
    expect(mergeFill(fill('1'), fill('1', { active: false }))).toMatchObject({ change: 'changed', fill: { active: false } })
    expect(mergeFill(fill('1'), fill('1', { fee: 5200 as never }))).toMatchObject({ change: 'changed', fill: { fee: 5200 } })
  })

  it.each<FillSource>(['api', 'fills-file'])('stays busted, though %s goes on telling it as if it counted', (source) => {
    const busted = fill('1', { active: false })
    expect(mergeFill(busted, fill('1', { source })).fill.active).toBe(false)
    expect(mergeFill(busted, fill('1', { source, fee: 5200 as never }))).toMatchObject({ change: 'changed', fill: { active: false, fee: 5200 } })
  })

  it('keeps a known fee when the next reading has none', () => {
    expect(mergeFill(fill('1', { fee: 5200 as never }), fill('1', { source: 'fills-file' }))).toMatchObject({ change: 'none', fill: { fee: 5200 } })
  })

  it.each<[FillSource, FillSource]>([['orders-file', 'api'], ['orders-file', 'pairs-file'], ['pairs-file', 'fills-file']])(
    'from %s gives way to %s, whichever comes first',
    (worse, better) => {
      const [poor, good] = [fill('1', { source: worse, qty: 1 }), fill('1', { source: better, qty: 3 })]
      expect(mergeFill(poor, good)).toEqual({ fill: good, change: 'changed' })
      expect(mergeFill(good, poor)).toEqual({ fill: good, change: 'none' })
    },
  )

  it('remembers that a better source confirmed it, so that a worse one cannot correct it later', () => {
    const { fill: better, change } = mergeFill(fill('1', { source: 'pairs-file' }), fill('1'))
    expect(change).toBe('changed')
    expect(mergeFill(better, fill('1', { source: 'orders-file', qty: 9 }))).toEqual({ fill: better, change: 'none' })
  })

  it('never meets the same id of another account', () => {
    expect(mergeFills([fill('1')], [fill('1', { account: 'tradovate:demo:2' as never }), fill('1')])).toHaveLength(2)
  })
})

describe('the symbol of a fill', () => {
  it('is the contract, else the underlying, else the product, else the display name, else null', () => {
    const names = { symbol: 'MESM6', underlyingSymbol: 'ES', productSymbol: 'MES', displayName: 'Micro E-mini' }
    expect(contractSymbolOf(names)).toBe('MESM6')
    expect(contractSymbolOf({ ...names, symbol: '' })).toBe('ES')
    expect(contractSymbolOf({ ...names, symbol: null, underlyingSymbol: null })).toBe('MES')
    expect(contractSymbolOf({ displayName: 'Micro E-mini' })).toBe('Micro E-mini')
    expect(contractSymbolOf({})).toBeNull()
  })
})
