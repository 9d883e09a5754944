import { expect, test } from 'vitest'
import { remembering, rememberingLast } from './remembering.ts'

const counting = () => {
  const asked: string[] = []
  return { asked, answerTo: (text: string) => (asked.push(text), text === '' ? null : text.length) }
}

test('a text is answered as ever, and worked out once', () => {
  const { asked, answerTo } = counting()
  const length = remembering(answerTo)
  expect(['one', 'three', '', 'one', '', 'three'].map(length)).toEqual([3, 5, null, 3, null, 5])
  expect(asked).toEqual(['one', 'three', ''])
})

test('it never holds more texts than it may', () => {
  const { asked, answerTo } = counting()
  const length = remembering(answerTo, 2)
  for (const text of ['a', 'b', 'c', 'b', 'c']) length(text)
  expect(asked).toEqual(['a', 'b', 'c', 'b'])
})

test('a text too long for a cell is answered, and not kept', () => {
  const { asked, answerTo } = counting()
  const length = remembering(answerTo)
  const long = 'x'.repeat(101)
  expect([long, long].map(length)).toEqual([101, 101])
  expect(asked).toEqual([long, long])
})

test('the last answer is remembered alone', () => {
  const { asked, answerTo } = counting()
  const length = rememberingLast(answerTo)
  expect(['', '', 'a', 'a', ''].map(length)).toEqual([null, null, 1, 1, null])
  expect(asked).toEqual(['', 'a', ''])
})
