import { expect, test } from 'vitest'
import type { PasswordPolicy } from '#shared/api/session.ts'
import { passwordNeeds, plainPolicy } from './password-needs.ts'

const strict: PasswordPolicy = { minLength: 8, maxLength: 12, lowercase: true, uppercase: true, digit: true, symbol: true }
const met = (policy: PasswordPolicy, text: string): string[] => passwordNeeds(policy, text).filter((one) => one.met).map(({ need }) => need)

test('six characters are needed where the provider names nothing', () => {
  expect(passwordNeeds(plainPolicy, '12345')).toEqual([{ need: 'min-length', met: false, count: 6 }])
  expect(passwordNeeds(plainPolicy, '123456')).toEqual([{ need: 'min-length', met: true, count: 6 }])
})

test('each requirement has a line of its own, in a fixed order, and an empty field meets none', () => {
  expect(passwordNeeds(strict, '').map(({ need }) => need)).toEqual(['min-length', 'max-length', 'lowercase', 'uppercase', 'digit', 'symbol'])
  expect(met(strict, '')).toEqual([])
})

test.each([
  ['abc', ['max-length', 'lowercase']],
  ['ABC', ['max-length', 'uppercase']],
  ['12', ['max-length', 'digit']],
  ['_', ['max-length', 'symbol']],
  ['aB3!aB3!', ['min-length', 'max-length', 'lowercase', 'uppercase', 'digit', 'symbol']],
  ['aB3!aB3!aB3!x', ['min-length', 'lowercase', 'uppercase', 'digit', 'symbol']],
])('%s meets %j', (text, needs) => {
  expect(met(strict, text)).toEqual(needs)
})

test('letters are those that the provider counts, and a space is no symbol', () => {
  expect(met(strict, 'äÖ é')).toEqual(['max-length'])
})
