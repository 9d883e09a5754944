import { beforeEach, expect, test } from 'vitest'
import type { Trade } from '#shared/api/records.ts'
import { addedSettled, addingFailed, editFailed, editSaved, edited, noteAdded, noteEdit, noteRemoved, removalUndone, useLocalChanges } from './local-changes.ts'

const trade = { id: 't1', notes: 'before', tags: [] as string[], netPnl: '1.00' } as unknown as Trade
const shown = (): Trade => edited(trade, useLocalChanges.getState().edits)

beforeEach(() => {
  useLocalChanges.setState({ edits: new Map(), added: [], removed: new Set() })
})

test('an edit shows at once and is forgotten when it is saved', () => {
  const sent = noteEdit('t1', { notes: 'after' }, { notes: 'after' })
  expect(shown().notes).toBe('after')
  editSaved('t1', sent)
  expect(shown()).toBe(trade)
})

test('an edit that could not be saved stays and is sent along with the next one', () => {
  const first = noteEdit('t1', { notes: 'after' }, { notes: 'after' })
  editFailed('t1', first)
  expect(useLocalChanges.getState().edits.get('t1')?.failed).toBe(true)
  expect(noteEdit('t1', { tags: ['late'] }, { tags: ['late'] })).toEqual({ notes: 'after', tags: ['late'] })
  expect(shown()).toMatchObject({ notes: 'after', tags: ['late'] })
  expect(useLocalChanges.getState().edits.get('t1')?.failed).toBe(false)
})

test('the answer to an earlier edit does not take a later one back', () => {
  const first = noteEdit('t1', { notes: 'one' }, { notes: 'one' })
  noteEdit('t1', { notes: 'two' }, { notes: 'two' })
  editSaved('t1', first)
  editFailed('t1', first)
  expect(shown().notes).toBe('two')
  expect(useLocalChanges.getState().edits.get('t1')?.failed).toBe(false)
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
