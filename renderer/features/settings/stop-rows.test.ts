import { expect, test } from 'vitest'
import { changedStops, readStops, stopFields, typedStops, withStops, worthOf, type StopChange, type TypedStop } from './stop-rows.ts'

const kept = [{ product: 'MES', distance: '12', unit: 'ticks' as const }, { product: 'NQ', distance: '10', unit: 'points' as const }]

const changesOf = (rows: readonly TypedStop[]): StopChange[] | null => {
  const { data } = stopFields.safeParse({ stops: rows })
  return data === undefined ? null : changedStops(kept, data.stops)
}

test('a row is changed if its distance or unit differs from the saved one, and only that is sent', () => {
  const rows = withStops(typedStops(kept, ['CL', 'MES']), [{ product: 'MES', distance: ' 12 ', unit: 'points' }, { product: 'NQ', distance: '', unit: 'points' }, { product: 'CL', distance: '8', unit: 'ticks' }, { product: 'GC', distance: '', unit: 'points' }])
  const changed = new Set(changedStops(kept, rows))
  expect(rows.map((row) => [row.product, changed.has(row)])).toEqual([['CL', true], ['MES', true], ['NQ', true], ['GC', false]])
  expect(changesOf(rows)).toEqual([{ product: 'CL', distance: '8', unit: 'ticks' }, { product: 'MES', distance: '12', unit: 'points' }, { product: 'NQ', distance: null, unit: 'points' }])
  expect(changesOf(typedStops(kept, []))).toEqual([])
})

test.each(['0', '0.00', '-3', 'far', '1e3', '1,5'])('%s is no distance, and nothing is sent while it stands', (distance) => {
  const rows = withStops(typedStops(kept, []), [{ product: 'MES', distance, unit: 'ticks' }])
  expect(rows[0]).toMatchObject({ product: 'MES' })
  expect(stopFields.safeParse({ stops: rows }).error?.issues[0]?.path).toEqual(['stops', 0, 'distance'])
  expect(changesOf(rows)).toBeNull()
})

test('a stop is worth its ticks or points of one contract, where the contract is known', () => {
  expect(worthOf({ product: 'MES', distance: '12', unit: 'ticks' })).toEqual({ amount: '15.00', currency: 'USD' })
  expect(worthOf({ product: 'MES', distance: '12', unit: 'points' })).toEqual({ amount: '60.00', currency: 'USD' })
  expect(worthOf({ product: 'FDAX', distance: '10.5', unit: 'points' })).toEqual({ amount: '262.50', currency: 'EUR' })
  expect(worthOf({ product: 'MYSTERY', distance: '12', unit: 'ticks' })).toBeNull()
  expect(worthOf({ product: 'MES', distance: '', unit: 'ticks' })).toBeNull()
})

test('several stops are read at once, in lines, lists and columns, with or without a unit', () => {
  const { stops, unread } = readStops('mes 12 ticks\nNQ\t10\tpoints\n6E: 8t; CL=0.25pt, M2K 20\nMES 14')
  expect(stops).toEqual([
    { product: 'MES', distance: '14', unit: 'ticks' },
    { product: 'NQ', distance: '10', unit: 'points' },
    { product: '6E', distance: '8', unit: 'ticks' },
    { product: 'CL', distance: '0.25', unit: 'points' },
    { product: 'M2K', distance: '20', unit: 'ticks' },
  ])
  expect(unread).toEqual([])
})

test('words that are no stop are reported, and the rest is read', () => {
  const { stops, unread } = readStops('MES twelve\nNQ 10\nES 0 ticks\nGC 5 lots')
  expect(stops.map(({ product }) => product)).toEqual(['NQ', 'GC'])
  expect(unread).toEqual(['MES', 'twelve', 'ES', '0', 'ticks', 'lots'])
  expect(readStops('  \n')).toEqual({ stops: [], unread: [] })
})
