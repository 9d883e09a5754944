import { beforeEach, expect, test } from 'vitest'
import type { ListedTrip, Trade } from '#shared/api/records.ts'
import { addedSettled, addingFailed, edited, editedTrip, noteAdded, noteRemoved, removalUndone, showEdits, useLocalChanges } from './local-changes.ts'

const trade = { id: 't1', tripId: 'trip', notes: 'before', tags: [] as string[], netPnl: '1.00' } as unknown as Trade
const shown = (): Trade => edited(trade, useLocalChanges.getState().edits)

beforeEach(() => {
  useLocalChanges.setState({ edits: new Map(), added: [], removed: new Set() })
})

const edit = (id: string, tripId: string, shown: Partial<Trade>, failed = false): void => { showEdits([id], new Map([[id, { shown, failed, tripId }]])) }

test('an edit shows at once, and the trade itself again once the journal has it', () => {
  edit('t1', 'trip', { notes: 'after' })
  expect(shown().notes).toBe('after')
  edit('t2', 'trip', { notes: 'another' })
  showEdits(['t1'], new Map())
  expect(shown()).toBe(trade)
  expect([...useLocalChanges.getState().edits.keys()]).toEqual(['t2'])
})

test('a trip shows the edits of its pairs, and that one of them was not saved', () => {
  const trip = { id: 'trip', pairs: 2, origin: 'synced', tags: ['news', 'late'], notes: 'before' } as unknown as ListedTrip
  const now = () => editedTrip(trip, useLocalChanges.getState().edits)
  expect(now().trip).toBe(trip)
  edit('t1', 'trip', { notes: 'after', tags: ['late'] })
  expect(now()).toMatchObject({ trip: { notes: 'after', tags: ['news', 'late'] }, failed: false })
  edit('t2', 'trip', { tags: ['late'] })
  edit('t3', 'another', { tags: ['open'] })
  expect(now().trip.tags).toEqual(['late'])
  edit('t1', 'trip', { notes: 'after', tags: ['late'] }, true)
  expect(now().failed).toBe(true)
  const byHand = { ...trip, id: 't4', origin: 'manual', pairs: 1, netPnl: '1.00' } as unknown as ListedTrip
  edit('t4', 't4', { netPnl: '2.00' })
  expect(editedTrip(byHand, useLocalChanges.getState().edits).trip.netPnl).toBe('2.00')
})

test('an added trade shows until the journal has it, and says when saving failed', () => {
  noteAdded(trade)
  addingFailed('t1')
  expect(useLocalChanges.getState().added).toEqual([{ trade, failed: true }])
  addedSettled('t1')
  expect(useLocalChanges.getState().added).toEqual([])
})

test('a removal can be undone', () => {
  noteRemoved('t1')
  noteRemoved('t2')
  removalUndone('t1')
  expect([...useLocalChanges.getState().removed]).toEqual(['t2'])
})
