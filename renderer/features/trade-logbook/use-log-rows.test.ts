import { expect, test } from 'vitest'
import { outlineOf } from './use-log-rows.ts'

const lines = (total: number, hidden: number[], open: [number, number][]): string[] => {
  const outline = outlineOf(total, new Set(hidden), new Map(open))
  return Array.from({ length: outline.count }, (_, line) => {
    const found = outline.at(line)
    return found.kind === 'row' ? String(found.index) : `${String(found.index)}.${String(found.part)}`
  })
}

test('a plain list has one line a row', () => {
  expect(lines(3, [], [])).toEqual(['0', '1', '2'])
})

test('an opened row is followed by its parts, and the rows behind it move down', () => {
  expect(lines(4, [], [[1, 2], [3, 1]])).toEqual(['0', '1', '1.0', '1.1', '2', '3', '3.0'])
})

test('hidden rows take no line, also at both ends and side by side', () => {
  expect(lines(5, [0, 2, 3], [])).toEqual(['1', '4'])
  expect(lines(3, [2], [])).toEqual(['0', '1'])
})

test('an opened row that is hidden takes its parts along', () => {
  expect(lines(3, [1], [[1, 4]])).toEqual(['0', '2'])
})

test('hidden and opened rows beside each other', () => {
  expect(lines(5, [1, 4], [[0, 1], [2, 2]])).toEqual(['0', '0.0', '2', '2.0', '2.1', '3'])
})

test('marks behind the end of a list that became shorter are left out', () => {
  expect(lines(2, [7], [[5, 3]])).toEqual(['0', '1'])
})

test('each row that is not hidden has one line', () => {
  expect(lines(6, [1], [[0, 2], [3, 1]])).toEqual(['0', '0.0', '0.1', '2', '3', '3.0', '4', '5'])
})
