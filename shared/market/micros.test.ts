import { describe, expect, it } from 'vitest'
import { contractTable } from './contract-table.ts'
import { isMicro, marketOf, microsOf } from './micros.ts'

describe('micros', () => {
  it.each([
    ['ES', 'ES', 10], ['MES', 'ES', 1], ['NQ', 'NQ', 10], ['MNQ', 'NQ', 1], ['YM', 'YM', 10], ['MYM', 'YM', 1], ['RTY', 'RTY', 10], ['M2K', 'RTY', 1],
    ['FDAX', 'FDAX', 25], ['FDXM', 'FDAX', 5], ['FDXS', 'FDAX', 1], ['FESX', 'FESX', 10], ['CL', 'CL', 10], ['QM', 'CL', 5], ['MCL', 'CL', 1],
    ['GC', 'GC', 10], ['QO', 'GC', 5], ['MGC', 'GC', 1], ['SI', 'SI', 5], ['SIL', 'SI', 1], ['QI', 'SI', 2.5], ['HG', 'HG', 10], ['MHG', 'HG', 1],
    ['6E', '6E', 10], ['M6E', '6E', 1], ['6B', '6B', 10], ['6A', '6A', 10], ['BTC', 'BTC', 50], ['MBT', 'BTC', 1], ['ETH', 'ETH', 500], ['MET', 'ETH', 1],
    ['NG', 'NG', 10], ['QG', 'NG', 2.5], ['MNG', 'NG', 1], ['ZB', 'ZB', 10], ['NEW', 'NEW', 10],
    ['MCD', '6C', 1], ['J7', '6J', 5], ['XW', 'ZW', 2], ['MZW', 'ZW', 1], ['QC', 'HG', 5], ['1OZ', 'GC', 0.1], ['NKD', 'NKD', 10], ['PL', 'PL', 5], ['PLM', 'PL', 1], ['MRB', 'RB', 1], ['ENY', 'NIY', 2],
  ])('%s is of the market %s and counts as %d', (product, market, micros) => {
    expect([marketOf(product), microsOf(product), isMicro(product)]).toEqual([market, micros, micros <= 1])
  })

  it('counts each micro of the table as one, and no product that is the largest of its market as less than two', () => {
    for (const { root, name, smallerOf } of contractTable) expect(name.startsWith('Micro') ? microsOf(root) === 1 : microsOf(root) >= (smallerOf === null ? 2 : 0.01), root).toBe(true)
  })
})
