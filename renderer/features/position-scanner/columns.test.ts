import { expect, test } from 'vitest'
import { columnsOf, tracksOf } from './columns.ts'
import { groupings } from './grouping.ts'

test('whatever the columns, they fill the line, and so do the places of its figures', () => {
  for (const by of groupings) {
    for (const narrow of [false, true]) {
      const columns = columnsOf(by, narrow)
      expect(columns.reduce((sum, [, width]) => sum + width, 0)).toBe(100)
      expect(columns[columns.findIndex(([column]) => column === 'open') - 1]?.[0]).toBe('last')
    }
  }
  expect(tracksOf([['account', 40], ['last', 10], ['open', 20], ['close', 30]])).toEqual({ tracks: '50% 20% 30%', lastShare: 0.2 })
})
