import { expect, test } from 'vitest'
import { dropUnsentOf, unsentDaysPrefix, unsentIn, unsentPrefix } from './unsent-prefix.ts'

test('what a deleted user left is gone from every page’s place, and what others left stays', () => {
  const [first, second, broken] = [`${unsentPrefix}one`, `${unsentDaysPrefix}two`, `${unsentPrefix}three`] as [string, string, string]
  localStorage.setItem(first, JSON.stringify([{ userId: 'gone', id: 'a' }, { userId: 'stays', id: 'b' }]))
  localStorage.setItem(second, JSON.stringify([{ userId: 'gone', id: 'c' }]))
  localStorage.setItem(broken, '{"half')
  expect(unsentIn(broken)).toEqual([])
  dropUnsentOf('gone')
  expect(unsentIn(first)).toEqual([{ userId: 'stays', id: 'b' }])
  expect([localStorage.getItem(second), localStorage.getItem(broken)]).toEqual([null, null])
  localStorage.clear()
})
