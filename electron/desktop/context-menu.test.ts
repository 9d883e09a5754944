import { expect, test } from 'vitest'
import { contextMenu, type PointedAt } from './context-menu.ts'
import { createWords } from './words.ts'

const words = createWords('en')
const editFlags = { canCopy: true, canCut: true, canPaste: false, canSelectAll: true } as PointedAt['editFlags']
const nowhere: PointedAt = { isEditable: false, selectionText: '', misspelledWord: '', dictionarySuggestions: [], editFlags }
const done: string[] = []
const actions = { replace: (word: string) => void done.push(`replace ${word}`), learn: (word: string) => void done.push(`learn ${word}`) }
const labels = (pointedAt: Partial<PointedAt>): (string | undefined)[] => contextMenu({ ...nowhere, ...pointedAt }, words, actions).map(({ label }) => label)

test('without a text field or a selection there is no menu', () => {
  expect(labels({})).toEqual([])
  expect(labels({ selectionText: ' \n' })).toEqual([])
})

test('selected text can be copied', () => {
  expect(labels({ selectionText: 'MNQ' })).toEqual(['Copy'])
})

test('a text field offers what it allows', () => {
  const items = contextMenu({ ...nowhere, isEditable: true }, words, actions)
  expect(items.map(({ role, enabled }) => [role, enabled])).toEqual([['cut', true], ['copy', true], ['paste', false], ['selectAll', true]])
})

test('a misspelled word can be replaced or added to the dictionary', () => {
  const items = contextMenu({ ...nowhere, isEditable: true, misspelledWord: 'stopp', dictionarySuggestions: ['stop', 'stops', 'a', 'b', 'c', 'd'] }, words, actions)
  expect(items.slice(0, 6).map(({ label }) => label)).toEqual(['stop', 'stops', 'a', 'b', 'c', 'Add to Dictionary'])
  for (const item of [items[1], items[5]]) item?.click?.({} as never, undefined, {} as never)
  expect(done).toEqual(['replace stops', 'learn stopp'])
})

test('a word without suggestions says so', () => {
  expect(labels({ isEditable: true, misspelledWord: 'xq' }).slice(0, 2)).toEqual(['No suggestions', 'Add to Dictionary'])
})
