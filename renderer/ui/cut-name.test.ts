// @module-tag slow
import { expect, test } from 'vitest'
import { roomOf, shownEnd } from './cut-name.tsx'

test('the end of a long name is kept whole, and nothing of it is lost', () => {
  expect(shownEnd('APEX-48213-0007')).toEqual(['APEX-4821', '3-0007'])
  expect(shownEnd('DEMO4920')).toEqual(['DEMO4920', ''])
  expect(shownEnd('')).toEqual(['', ''])
})

test('accounts that differ only at the end stay distinct when shortened', () => {
  const ends = Array.from({ length: 20 }, (_, at) => shownEnd(`PAAPEX48213000000${String(at + 1).padStart(2, '0')}`)[1])
  expect(new Set(ends).size).toBe(20)
})

test('a letter and its marks stay together', () => {
  expect(shownEnd('പുതിയ അക്കൗണ്ട് 1234')[1]).toBe('ണ്ട് 1234')
})

test('letters need more room than digits', () => {
  expect([roomOf('3-0007'), roomOf('EVAL50'), roomOf('')]).toEqual([3.72, 4.64, 0])
})
