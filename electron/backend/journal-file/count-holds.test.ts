import { expect, test } from 'vitest'
import { countHolds } from './count-holds.ts'
import type { JournalLine } from './journal-lines.ts'

type Stamp = NonNullable<Edit['notes']>['stamp']
type Edit = Extract<JournalLine, { entity: 'edit' }>['content']
const stamp = '2026-11-28T10:00:00.000Z-0-a' as Stamp
const edit = (id: string, content: Partial<Edit>): JournalLine => ({ entity: 'edit', id, content: content as Edit })
const pair = (id: string, tripId: string | null): JournalLine => ({ entity: 'pair', id, content: { tripId } } as JournalLine)

test('a trade with notes on two of its fill pairs counts as one annotated trade', () => {
  const { holds, add } = countHolds()
  for (const id of ['p1', 'p2', 'p3']) add(edit(id, { notes: { value: 'late', stamp } }))
  for (const line of [pair('p1', 't1'), pair('p2', 't1'), pair('p3', 't2'), pair('p4', 't2')]) add(line)
  expect(holds).toMatchObject({ annotated: 2, pairs: 4 })
})

test('notes on a trade without fill pairs in the file count once', () => {
  const { holds, add } = countHolds()
  add(edit('by-hand', { tags: { value: ['open'], stamp } }))
  add(pair('p1', null))
  expect(holds).toMatchObject({ annotated: 1 })
})

test('cleared notes and those of a removed trade do not count', () => {
  const { holds, add } = countHolds()
  add(edit('p1', { notes: { value: '', stamp }, tags: { value: [], stamp }, stop: { value: null, stamp } }))
  add(edit('p2', { notes: { value: 'late', stamp }, removedAt: { value: 1, stamp } }))
  add(edit('p3', { stop: { value: '4.25', stamp } }))
  expect(holds).toMatchObject({ annotated: 1 })
})
