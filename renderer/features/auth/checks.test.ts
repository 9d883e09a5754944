import { expect, test } from 'vitest'
import { accountPassword, email, pastedLink, profilePassword } from './checks.ts'

test('an address is judged as the program will judge it', () => {
  expect(['Trader@example.com', 'trader@example', ' trader@example.com ', ''].map((text) => email.safeParse(text).success)).toEqual([true, false, true, false])
})

test('a new password has at least six characters', () => {
  expect(['12345', '123456'].map((text) => profilePassword.safeParse(text).success)).toEqual([false, true])
})

test('a new password has everything that a policy asks for', () => {
  const password = accountPassword({ minLength: 4, maxLength: null, lowercase: false, uppercase: false, digit: true, symbol: false })
  expect(['abcd', 'ab1', 'abc1'].map((text) => password.safeParse(text).success)).toEqual([false, false, true])
})

test('a link is found in any surrounding text', () => {
  expect(['', '123456', ' https://example.com/?oobCode=1\n'].map((text) => pastedLink.safeParse(text).success)).toEqual([false, false, true])
})
