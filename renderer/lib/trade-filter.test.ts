import { everyTrade, readFilter } from '#shared/stats/filter.ts'
import { expect, test } from 'vitest'
import { carriedSearch, isFiltering, searchOf, unitOf, withFilter } from './trade-filter.ts'

test('another filter leaves the rest of an address alone', () => {
  const before = new URLSearchParams('view=risk&symbols=MES&symbols=MNQ&unit=pairs')
  const after = withFilter(before, { ...everyTrade, tags: ['news & data'], from: '2026-02-09' })
  expect([after.get('view'), after.get('unit'), after.getAll('symbols')]).toEqual(['risk', 'pairs', []])
  expect(readFilter(new URLSearchParams(after.toString()))).toEqual({ ...everyTrade, tags: ['news & data'], from: '2026-02-09' })
})

test('from one screen to the other go the filter and what is counted, not how a screen shows it', () => {
  expect(carriedSearch(new URLSearchParams('view=risk&sort=qty&symbols=MES&unit=pairs'))).toBe('?symbols=MES&unit=pairs')
  expect(carriedSearch(new URLSearchParams('view=risk'))).toBe('')
})

test('a link to trades says what is counted, whatever the screen usually counts', () => {
  expect(searchOf({ ...everyTrade, sides: ['short'] }, 'trades')).toBe('?side=short&unit=trades')
  expect([unitOf(new URLSearchParams('unit=lots'), 'trades'), unitOf(new URLSearchParams(''), 'pairs'), unitOf(new URLSearchParams('unit=trades'), 'pairs')]).toEqual(['trades', 'pairs', 'trades'])
})

test('an address that was saved when trades were trips there counts trades, also on screens that usually count fill pairs', () => {
  expect(unitOf(new URLSearchParams('unit=trips'), 'pairs')).toBe('trades')
})

test('a filter of conditions that say nothing leaves nothing out', () => {
  expect([isFiltering(everyTrade), isFiltering({ ...everyTrade, leaderOnly: true })]).toEqual([false, true])
})
