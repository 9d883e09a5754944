import { expect, test } from 'vitest'
import { readStops, stopChanges, stopRows, worthOf } from './stop-rows.ts'

const kept = [{ product: 'MES', distance: '12', unit: 'ticks' as const }, { product: 'NQ', distance: '10', unit: 'points' as const }]

test('a row is changed if its distance or unit differs from the saved one, and only that is sent', () => {
  const drafts = new Map([['MES', { distance: ' 12 ', unit: 'points' as const }], ['NQ', { distance: '', unit: 'points' as const }], ['CL', { distance: '8', unit: 'ticks' as const }], ['GC', { distance: '', unit: 'points' as const }]])
  const rows = stopRows(kept, drafts, ['CL', 'MES'])
  expect(rows.map(({ product, changed }) => [product, changed])).toEqual([['CL', true], ['MES', true], ['NQ', true], ['GC', false]])
  expect(stopChanges(rows)).toEqual([{ product: 'CL', distance: '8', unit: 'ticks' }, { product: 'MES', distance: '12', unit: 'points' }, { product: 'NQ', distance: null, unit: 'points' }])
  expect(stopChanges(stopRows(kept, new Map(), []))).toEqual([])
})

test.each(['0', '0.00', '-3', 'far', '1e3', '1,5'])('%s is no distance, and nothing is sent while it stands', (distance) => {
  const rows = stopRows(kept, new Map([['MES', { distance, unit: 'ticks' as const }]]), [])
  expect(rows[0]).toMatchObject({ product: 'MES', problem: 'not-a-distance' })
  expect(stopChanges(rows)).toBeNull()
})

test('a stop is worth its ticks or points of one contract, where the contract is known', () => {
  expect(worthOf('MES', { distance: '12', unit: 'ticks' })).toEqual({ amount: '15.00', currency: 'USD' })
  expect(worthOf('MES', { distance: '12', unit: 'points' })).toEqual({ amount: '60.00', currency: 'USD' })
  expect(worthOf('FDAX', { distance: '10.5', unit: 'points' })).toEqual({ amount: '262.50', currency: 'EUR' })
  expect(worthOf('MYSTERY', { distance: '12', unit: 'ticks' })).toBeNull()
  expect(worthOf('MES', { distance: '', unit: 'ticks' })).toBeNull()
})

test('several stops are read at once, in lines, lists and columns, with or without a unit', () => {
  const { stops, unread } = readStops('mes 12 ticks\nNQ\t10\tpoints\n6E: 8t; CL=0.25pt, M2K 20\nMES 14')
  expect([...stops]).toEqual([
    ['MES', { distance: '14', unit: 'ticks' }],
    ['NQ', { distance: '10', unit: 'points' }],
    ['6E', { distance: '8', unit: 'ticks' }],
    ['CL', { distance: '0.25', unit: 'points' }],
    ['M2K', { distance: '20', unit: 'ticks' }],
  ])
  expect(unread).toEqual([])
})

test('words that are no stop are reported, and the rest is read', () => {
  const { stops, unread } = readStops('MES twelve\nNQ 10\nES 0 ticks\nGC 5 lots')
  expect([...stops.keys()]).toEqual(['NQ', 'GC'])
  expect(unread).toEqual(['MES', 'twelve', 'ES', '0', 'ticks', 'lots'])
  expect(readStops('  \n')).toEqual({ stops: new Map(), unread: [] })
})
