import { expect, test } from 'vitest'
import { fitToShow } from './fit-to-show.ts'

test('what the broker says is shown in one short line without a token in it', () => {
  expect(fitToShow('Token tok-1 is\nold', ['tok-1'])).toBe('Token … is old')
  expect(fitToShow(`bad eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI5MDAxIn0.c2lnbmF0dXJl end`)).toBe('bad … end')
  expect(fitToShow('word '.repeat(100))).toHaveLength(200)
})
