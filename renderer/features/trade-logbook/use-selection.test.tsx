import type { FillPairRecord } from '#shared/api/records.ts'
import { act, renderHook } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { LogRow } from './use-log-rows.ts'
import { useSelection } from './use-selection.ts'

vi.mock('./use-trade-pairs.ts', () => ({ useTradePairs: () => async (trade: string) => Promise.resolve([`${trade}a`, `${trade}b`].map((id) => ({ id, tradeId: trade }) as FillPairRecord)) }))

const pair = (line: number): LogRow => ({ pair: { id: String(line) }, trade: null, level: 1 }) as LogRow
const trade = (line: number): LogRow => ({ pair: null, trade: { id: String(line) }, level: 1 }) as LogRow

const selecting = (rowAt: (line: number) => LogRow) => {
  const { result } = renderHook(() => useSelection(rowAt))
  const does = async (what: (selection: typeof result.current) => void): Promise<void> => { await act(async () => { what(result.current); await Promise.resolve() }) }
  return { pick: async (line: number, range = false) => does(({ pick }) => { pick(line, range) }), pickAll: async () => does(({ pickAll }) => { pickAll() }), lines: () => Array.from({ length: 10 }, (_, line) => line).filter((line) => result.current.has(rowAt(line))) }
}

test.each([['fill pairs', pair], ['trades', trade]])('a range of %s is from the row picked last without Shift, and what it no longer covers is selected no longer', async (_, rowAt) => {
  const { pick, lines } = selecting(rowAt)
  await pick(8)
  await pick(3)
  await pick(9, true)
  expect(lines()).toEqual([3, 4, 5, 6, 7, 8, 9])
  await pick(5, true)
  expect(lines()).toEqual([3, 4, 5, 8])
  await pick(1, true)
  expect(lines()).toEqual([1, 2, 3, 8])
  await pick(6)
  await pick(7, true)
  expect(lines()).toEqual([1, 2, 3, 6, 7, 8])
})

test('of all rows, a range takes out what the row picked last was, and gives back what it no longer covers', async () => {
  const { pick, pickAll, lines } = selecting(pair)
  await pickAll()
  await pick(2)
  await pick(6, true)
  expect(lines()).toEqual([0, 1, 7, 8, 9])
  await pick(4, true)
  expect(lines()).toEqual([0, 1, 5, 6, 7, 8, 9])
})
