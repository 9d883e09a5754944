// @module-tag slow
import { everyTrade, type TradeFilter } from '#shared/stats/filter.ts'
import { expect, test } from 'vitest'
import { tradeSearches } from './use-trade-hits.tsx'

const account = (key: string, name: string, firm: 'Apex Trader Funding' | null = null) => ({ key, name, firm, copyOf: null })
const choices = { accounts: [account('a', 'APEX-50K-01', 'Apex Trader Funding'), account('b', 'APEX-150K-02', 'Apex Trader Funding'), account('c', 'Notebook')], symbols: ['ES', 'MES', 'NQ'], tags: ['retest', 'es plan'] }
const months = ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december']
const search = (typed: string) => tradeSearches(typed, choices, { months, presets: { today: 'today', 'last-week': 'last week', 'last-month': 'last month' }, sides: { long: 'long', short: 'short' } }, '2026-02-20')
const filter = (part: Partial<TradeFilter>): TradeFilter => ({ ...everyTrade, ...part })

test('a word means a contract, an account or its firm, or a tag, whichever has it', () => {
  expect(search('mes')).toEqual([filter({ symbols: ['MES'] })])
  expect(search('me')).toEqual([filter({ symbol: 'me' })])
  expect(search('MESH6')).toEqual([filter({ symbol: 'mesh6' })])
  expect(search('50k')).toEqual([filter({ accounts: ['a', 'b'] })])
  expect(search('funding')).toEqual([filter({ accounts: ['a', 'b'] })])
  expect(search('retest')).toEqual([filter({ tags: ['retest'] })])
  expect(search('es')).toEqual([filter({ symbols: ['ES'] }), filter({ tags: ['retest', 'es plan'] })])
})

test('several words are all meant', () => {
  expect(search('apex 150k nq short')).toEqual([filter({ accounts: ['b'], symbols: ['NQ'], sides: ['short'] })])
  expect(search('notebook apex')).toEqual([])
})

test('days are read as they are written on the screens', () => {
  const day = filter({ from: '2026-02-13', to: '2026-02-13' })
  for (const typed of ['2026-02-13', 'feb 13', '13 february', 'Feb 13 2026']) expect(search(typed), typed).toEqual([day])
  expect(search('2026-02')).toEqual([filter({ from: '2026-02-01', to: '2026-02-28' })])
  expect(search('march')).toEqual([filter({ from: '2025-03-01', to: '2025-03-31' })])
  expect(search('nq feb 21')).toEqual([filter({ symbols: ['NQ'], from: '2025-02-21', to: '2025-02-21' })])
  expect(search('feb 13 2025 mes')).toEqual([filter({ symbols: ['MES'], from: '2025-02-13', to: '2025-02-13' })])
})

test('stretches of days go by their names', () => {
  expect(search('today')).toEqual([filter({ from: '2026-02-20', to: '2026-02-20' })])
  expect(search('MES Last  week long')).toEqual([filter({ symbols: ['MES'], sides: ['long'], from: '2026-02-09', to: '2026-02-15' })])
  expect(search('last')).toEqual([filter({ symbol: 'last' })])
})

test('no day that the calendar does not have', () => {
  expect(search('2026-02-30')).toEqual([filter({ symbol: '2026-02-30' })])
})

test('nothing typed means nothing', () => {
  expect(search('  ')).toEqual([])
})
