import type { Passage } from '#shared/api/reports.ts'
import { expect, test } from 'vitest'
import { blocksOf, namesShown } from './pseudonyms.ts'

const named = (name: string, pseudonym: string) => ({ account: `tradovate:demo:${name}`, name, pseudonym, firm: null })

test('pseudonyms become names, whole words only, the longest first', () => {
  const show = namesShown([named('PA-101', 'Account A'), named('$& and $1', 'Account AB')])
  expect(show('Account A lost, Account AB made more than account a did.')).toBe('PA-101 lost, $& and $1 made more than PA-101 did.')
  expect(show('Account Ax, SubAccount A, Account A1 and Account B stay; Account A.')).toBe('Account Ax, SubAccount A, Account A1 and Account B stay; PA-101.')
})

test('what a name contains is not replaced again, and without accounts nothing is', () => {
  expect(namesShown([named('Account B', 'Account A'), named('Account A', 'Account B')])('Account A, Account B')).toBe('Account B, Account A')
  expect(namesShown([])('Account A')).toBe('Account A')
})

test('items that follow one another are one list', () => {
  const of = (kind: Passage['kind'], text: string): Passage => ({ kind, segments: [{ text, check: 'plain', fact: null }] })
  const passages = [of('heading', 'One'), of('item', 'a'), of('item', 'b'), of('paragraph', 'Two'), of('item', 'c')]
  expect(blocksOf(passages).map((block) => (block.kind === 'list' ? block.passages.length : block.kind))).toEqual(['heading', 2, 'paragraph', 1])
})
