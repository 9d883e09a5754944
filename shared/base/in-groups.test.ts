import { expect, test } from 'vitest'
import { inGroups } from './in-groups.ts'

const grouped = (...sizes: readonly number[]): number[][] => [...inGroups(sizes, (size) => size, 5)]

test('a group has at most the given size, in the order of its items', () => {
  expect(grouped(2, 3, 1, 4, 2)).toEqual([[2, 3], [1, 4], [2]])
})

test('an item that is larger is a group of its own', () => {
  expect(grouped(1, 9, 1)).toEqual([[1], [9], [1]])
})

test('nothing makes no group', () => {
  expect(grouped()).toEqual([])
})
