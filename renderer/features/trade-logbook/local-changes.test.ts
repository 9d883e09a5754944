import { beforeEach, expect, test } from 'vitest'
import type { FillPairRecord, ListedTrade } from '#shared/api/records.ts'
import { addedSettled, addingFailed, editedPair, editedTrade, noteAdded, noteRemoved, removalUndone, showEdits, useLocalChanges } from './local-changes.ts'

const pair = { id: 't1', tradeId: 'trade', notes: 'before', tags: [] as string[], netPnl: '1.00' } as unknown as FillPairRecord
const shown = (): FillPairRecord => editedPair(pair, useLocalChanges.getState().edits)

beforeEach(() => {
  useLocalChanges.setState({ edits: new Map(), added: [], removed: new Set() })
})

const edit = (id: string, tradeId: string, shown: Partial<FillPairRecord>, failed = false): void => { showEdits([id], new Map([[id, { shown, failed, tradeId }]])) }

test('an edit shows at once, and the fill pair itself again once the journal has it', () => {
  edit('t1', 'trade', { notes: 'after' })
  expect(shown().notes).toBe('after')
  edit('t2', 'trade', { notes: 'another' })
  showEdits(['t1'], new Map())
  expect(shown()).toBe(pair)
  expect([...useLocalChanges.getState().edits.keys()]).toEqual(['t2'])
})

test('a trade shows the edits of its pairs, and that one of them was not saved', () => {
  const trade = { id: 'trade', pairs: 2, origin: 'synced', tags: ['news', 'late'], notes: 'before' } as unknown as ListedTrade
  const now = () => editedTrade(trade, useLocalChanges.getState().edits)
  expect(now().trade).toBe(trade)
  edit('t1', 'trade', { notes: 'after', tags: ['late'] })
  expect(now()).toMatchObject({ trade: { notes: 'after', tags: ['news', 'late'] }, failed: false })
  edit('t2', 'trade', { tags: ['late'] })
  edit('t3', 'another', { tags: ['open'] })
  expect(now().trade.tags).toEqual(['late'])
  edit('t1', 'trade', { notes: 'after', tags: ['late'] }, true)
  expect(now().failed).toBe(true)
  const byHand = { ...trade, id: 't4', origin: 'manual', pairs: 1, netPnl: '1.00' } as unknown as ListedTrade
  edit('t4', 't4', { netPnl: '2.00' })
  expect(editedTrade(byHand, useLocalChanges.getState().edits).trade.netPnl).toBe('2.00')
})

test('an added trade shows until the journal has it, and says when saving failed', () => {
  noteAdded(pair)
  addingFailed('t1')
  expect(useLocalChanges.getState().added).toEqual([{ pair, failed: true }])
  addedSettled('t1')
  expect(useLocalChanges.getState().added).toEqual([])
})

test('a removal can be undone', () => {
  noteRemoved('t1')
  noteRemoved('t2')
  removalUndone('t1')
  expect([...useLocalChanges.getState().removed]).toEqual(['t2'])
})
