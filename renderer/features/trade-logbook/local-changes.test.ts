import { beforeEach, expect, test } from 'vitest'
import type { ListedTrip, Trade } from '#shared/api/records.ts'
import { addedSettled, addingFailed, editFailed, editSaved, edited, editedTrip, noteAdded, noteEdit, noteRemoved, removalUndone, useLocalChanges } from './local-changes.ts'

const trade = { id: 't1', tripId: 'trip', notes: 'before', tags: [] as string[], netPnl: '1.00' } as unknown as Trade
const shown = (): Trade => edited(trade, useLocalChanges.getState().edits)

beforeEach(() => {
  useLocalChanges.setState({ edits: new Map(), added: [], removed: new Set() })
})

test('an edit shows at once and is forgotten when it is saved', () => {
  const sent = noteEdit(trade, { notes: 'after' }, { notes: 'after' })
  expect(shown().notes).toBe('after')
  editSaved('t1', sent)
  expect(shown()).toBe(trade)
})

test('an edit that could not be saved stays and is sent along with the next one', () => {
  const first = noteEdit(trade, { notes: 'after' }, { notes: 'after' })
  editFailed('t1', first)
  expect(useLocalChanges.getState().edits.get('t1')?.failed).toBe(true)
  expect(noteEdit(trade, { tags: ['late'] }, { tags: ['late'] })).toEqual({ notes: 'after', tags: ['late'] })
  expect(shown()).toMatchObject({ notes: 'after', tags: ['late'] })
  expect(useLocalChanges.getState().edits.get('t1')?.failed).toBe(false)
})

test('the answer to an earlier edit does not take a later one back', () => {
  const first = noteEdit(trade, { notes: 'one' }, { notes: 'one' })
  noteEdit(trade, { notes: 'two' }, { notes: 'two' })
  editSaved('t1', first)
  editFailed('t1', first)
  expect(shown().notes).toBe('two')
  expect(useLocalChanges.getState().edits.get('t1')?.failed).toBe(false)
})

test('a trip shows the edits of its pairs, and that one of them was not saved', () => {
  const trip = { id: 'trip', pairs: 2, origin: 'synced', tags: ['news', 'late'], notes: 'before' } as unknown as ListedTrip
  const now = () => editedTrip(trip, useLocalChanges.getState().edits)
  expect(now().trip).toBe(trip)
  const sent = noteEdit(trade, { notes: 'after', tags: ['late'] }, { notes: 'after', tags: ['late'] })
  expect(now()).toMatchObject({ trip: { notes: 'after', tags: ['news', 'late'] }, failed: false })
  noteEdit({ id: 't2', tripId: 'trip' }, { tags: ['late'] }, { tags: ['late'] })
  noteEdit({ id: 't3', tripId: 'another' }, { tags: ['open'] }, { tags: ['open'] })
  expect(now().trip.tags).toEqual(['late'])
  editFailed('t1', sent)
  expect(now().failed).toBe(true)
  const byHand = { ...trip, id: 't4', origin: 'manual', pairs: 1, netPnl: '1.00' } as unknown as ListedTrip
  noteEdit({ id: 't4', tripId: null }, { qty: 2 }, { netPnl: '2.00' })
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
