import { expect, test } from 'vitest'
import { codeFault, emailFault, linkFault, newPasswordFault, passwordFault, policyFault } from './checks.ts'

test('an address is judged as the program will judge it', () => {
  expect(emailFault('Trader@example.com')).toBeNull()
  expect(emailFault('trader@example')).toBe('email-invalid')
  expect(emailFault(' trader@example.com ')).toBeNull()
  expect(emailFault('')).toBe('email-invalid')
})

test('a new password has at least six characters', () => {
  expect(newPasswordFault('12345')).toBe('password-short')
  expect(newPasswordFault('123456')).toBeNull()
})

test('an old password and a recovery code only have to be there', () => {
  expect([passwordFault(''), passwordFault('x')]).toEqual(['password-missing', null])
  expect([codeFault('  '), codeFault('AAAA')]).toEqual(['code-missing', null])
})

test('a new password has everything that a policy asks for', () => {
  const fault = policyFault({ minLength: 4, maxLength: null, lowercase: false, uppercase: false, digit: true, symbol: false })
  expect([fault('abcd'), fault('ab1'), fault('abc1')]).toEqual(['password-unfit', 'password-unfit', null])
})

test('a link is an address, whatever stands around it', () => {
  expect([linkFault(''), linkFault('123456'), linkFault(' https://example.com/?oobCode=1\n')]).toEqual(['link-invalid', 'link-invalid', null])
})
