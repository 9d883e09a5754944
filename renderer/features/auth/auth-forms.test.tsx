import problems from '#renderer/i18n/locales/en/problems.json' with { type: 'json' }
import { identityCodes } from '#shared/api/problems.ts'
import { sessionRoutes, type PasswordPolicy } from '#shared/api/session.ts'
import { draw, nobody, somebody, type Answer } from '#tests/helpers/drawn.tsx'
import { waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import { ForgotPasswordPage } from './forgot-password-page.tsx'
import { LinkForm } from './link-form.tsx'
import { SignInPage } from './sign-in-page.tsx'
import { SignUpPage } from './sign-up-page.tsx'

const { signIn, signUp, resetPassword, confirmRecoveryCode, mailSignInLink, mailPasswordReset, signInByLink, passwordPolicy } = sessionRoutes
const strict: PasswordPolicy = { minLength: 8, maxLength: null, lowercase: false, uppercase: false, digit: true, symbol: false }
const badEmail = 'Enter an email address, like name@example.com.'

const open = async (page: ReactNode, answers: Record<string, () => Answer | Promise<Answer>> = {}, identity: 'local' | 'firebase' = 'local') => {
  const drawn = await draw(page, { namespaces: ['auth', 'recovery'], session: { ...nobody, identity }, answers: { [passwordPolicy.path]: () => ({ json: strict }), ...answers } })
  const { user, getByLabelText, getByRole, asked, queryAllByRole } = drawn
  const field = (name: string) => getByLabelText(name, { selector: 'input' }) as HTMLInputElement
  return {
    ...drawn,
    field,
    type: (name: string, text: string) => user.type(field(name), text),
    press: (name: string) => user.click(getByRole('button', { name })),
    alerts: () => queryAllByRole('alert').map(({ textContent }) => textContent),
    invalid: () => [...document.querySelectorAll<HTMLInputElement>('input[aria-invalid]')].map(({ name }) => name),
    sent: () => asked.filter(({ path }) => path !== passwordPolicy.path),
  }
}
const refused = (code: string, status = 409) => (): Answer => ({ status, json: { success: false, error: code, code } })

test('signing in judges both fields once it was tried, has the focus on the first wrong one, and sends nothing before', async () => {
  const { type, press, alerts, field, invalid, sent } = await open(<SignInPage />)
  expect(document.activeElement).toBe(field('Email'))
  await type('Email', 'nina@')
  expect(alerts()).toEqual([])
  await press('Sign in')
  expect(alerts()).toEqual([badEmail, 'Enter your password.'])
  expect([document.activeElement, invalid()]).toEqual([field('Email'), ['email', 'password']])
  await type('Email', 'example.com')
  expect(alerts()).toEqual(['Enter your password.'])
  await press('Sign in')
  expect(document.activeElement).toBe(field('Password'))
  expect(sent()).toEqual([])
})

test('a wrong password is said below the form, goes with the next change, and the button is off while the program answers', async () => {
  let answer: (given: Answer) => void = () => undefined
  const { type, alerts, getByRole, sent } = await open(<SignInPage />, { [signIn.path]: () => new Promise<Answer>((resolve) => { answer = resolve }) })
  await type('Email', 'nina@example.com')
  await type('Password', 'wrong{Enter}')
  const button = getByRole('button', { name: 'Sign in' }) as HTMLButtonElement
  expect([button.disabled, alerts()]).toEqual([true, []])
  answer(refused('wrong-credentials', 401)())
  await waitFor(() => { expect(alerts()).toEqual(['Email or password is wrong. Check both, or set a new password with your recovery code.']) })
  expect(button.disabled).toBe(false)
  await type('Password', '!')
  expect(alerts()).toEqual([])
  expect(sent()).toEqual([{ path: signIn.path, body: { email: 'nina@example.com', password: 'wrong' } }])
})

test('every refusal of the provider is a sentence with what to do, said once', async () => {
  let code = 'wrong-credentials'
  const { type, press, alerts } = await open(<SignInPage />, { [signIn.path]: () => refused(code, code === 'user-disabled' ? 401 : 409)() }, 'firebase')
  await type('Email', 'nina@example.com')
  await type('Password', 'wrong')
  await press('Sign in')
  await waitFor(() => { expect(alerts()).toEqual(['Email or password is wrong. Check both, or set a new password with “Forgot password?”.']) })
  for (code of identityCodes) {
    await press('Sign in')
    await waitFor(() => { expect(alerts()).toEqual([problems.code[code as (typeof identityCodes)[number]]]) })
  }
})

test('a link is mailed to the address alone: it is judged from then on, the password is not', async () => {
  const { type, press, alerts, field, user, findByText, sent } = await open(<SignInPage />, { [mailSignInLink.path]: () => ({ json: { success: true } }) }, 'firebase')
  await press('Email me a sign-in link')
  expect([alerts(), document.activeElement]).toEqual([[badEmail], field('Email')])
  await type('Email', 'Nina@example.com')
  expect(alerts()).toEqual([])
  await user.clear(field('Email'))
  expect(alerts()).toEqual([badEmail])
  await type('Password', 'x')
  await user.clear(field('Password'))
  expect(alerts()).toEqual([badEmail])
  await type('Email', 'Nina@example.com')
  await press('Email me a sign-in link')
  await findByText('A sign-in link is on its way to Nina@example.com.', { exact: false })
  expect(sent()).toEqual([{ path: mailSignInLink.path, body: { email: 'Nina@example.com' } }])
})

test('a refusal’s text shows at its field, with everything typed still there', async () => {
  const { type, press, alerts, invalid, field } = await open(<SignUpPage />, { [signUp.path]: refused('email-taken') })
  await type('Email', 'nina@example.com')
  await type('Password', '12345')
  await press('Create profile')
  expect([alerts(), document.activeElement]).toEqual([['Use at least 6 characters.'], field('Password')])
  await type('Password', '6')
  await press('Create profile')
  await waitFor(() => { expect(alerts()).toEqual(['A profile with this email already exists. Sign in, or use another email.']) })
  expect([invalid(), field('Email').value, field('Password').value]).toEqual([['email'], 'nina@example.com', '123456'])
  await type('Name', 'N')
  expect([alerts(), invalid()]).toEqual([[], []])
})

test('an account’s password ticks off what the provider asks for, and goes to it only with all of that', async () => {
  const { type, press, alerts, field, getAllByRole, sent } = await open(<SignUpPage />, { [signUp.path]: refused('password-does-not-meet-requirements', 400) }, 'firebase')
  await type('Email', 'nina@example.com')
  await type('Password', 'secret')
  await press('Create account')
  expect([alerts(), document.activeElement]).toEqual([['The password does not meet every requirement below yet.'], field('Password')])
  await type('Password', '-1')
  expect(getAllByRole('listitem').every(({ textContent }) => textContent.includes('met'))).toBe(true)
  expect([alerts(), sent()]).toEqual([[], []])
  await press('Create account')
  await waitFor(() => { expect(alerts()).toEqual([problems.code['password-does-not-meet-requirements']]) })
  expect(sent()).toEqual([{ path: signUp.path, body: { displayName: '', email: 'nina@example.com', password: 'secret-1' } }])
})

test('six characters are asked for while the policy cannot be had, and the provider has the last word', async () => {
  const { type, press, alerts, invalid, getAllByRole } = await open(<SignUpPage />, { [passwordPolicy.path]: refused('network-request-failed'), [signUp.path]: refused('password-does-not-meet-requirements', 400) }, 'firebase')
  expect(getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['At least 6 characters'])
  await type('Email', 'nina@example.com')
  await type('Password', 'secret')
  await press('Create account')
  await waitFor(() => { expect([alerts(), invalid()]).toEqual([[problems.code['password-does-not-meet-requirements']], ['password']]) })
})

test('a journal that waits is left aside only by the button that says so', async () => {
  const { type, press, findByRole, sent } = await open(<SignUpPage />, { [signUp.path]: refused('journal-waits') }, 'firebase')
  await type('Email', 'nina@example.com')
  await type('Password', 'secret-1')
  await press('Create account')
  await findByRole('button', { name: 'Start with an empty journal' })
  await press('Start with an empty journal')
  await waitFor(() => { expect(sent()).toHaveLength(2) })
  await press('Create account')
  await waitFor(() => { expect(sent().map(({ body }) => (body as { beginsEmpty?: boolean }).beginsEmpty ?? false)).toEqual([false, true, false]) })
})

test('a recovery code sets a new password, and every field that is wrong says so before', async () => {
  const confirmed: Answer[] = [refused('too-many-attempts', 429)(), { json: { success: true } }]
  const { type, press, alerts, field, findByTestId, sent, getByRole } = await open(<ForgotPasswordPage />, { [resetPassword.path]: () => ({ json: { recoveryCode: 'NEXT' } }), [confirmRecoveryCode.path]: () => confirmed.shift() ?? {} as never })
  await type('Recovery code', ' ')
  await press('Set new password')
  expect([alerts(), document.activeElement]).toEqual([[badEmail, 'Enter your recovery code.', 'Use at least 6 characters.'], field('Email')])
  await type('Email', 'nina@example.com')
  await type('Recovery code', 'AAAA')
  await type('New password', 'another horse')
  await press('Set new password')
  expect((await findByTestId('recovery-code')).textContent).toBe('NEXT')
  expect(sent()).toEqual([{ path: resetPassword.path, body: { email: 'nina@example.com', recoveryCode: 'AAAA', newPassword: 'another horse' } }])
  // The new code counts from its confirming on; where that fails it stays on the screen.
  expect(document.activeElement).toBe(getByRole('heading', { name: 'Your recovery code' }))
  await press('I saved it')
  await waitFor(() => { expect(alerts()).toHaveLength(1) })
  await press('I saved it')
  await waitFor(() => { expect(sent().slice(1)).toEqual([1, 2].map(() => ({ path: confirmRecoveryCode.path, body: { email: 'nina@example.com', recoveryCode: 'NEXT' } }))) })
})

test('a new profile’s recovery code is confirmed before the page goes on', async () => {
  const answers = { [signUp.path]: () => ({ json: { currentUser: somebody.currentUser, recoveryCode: 'FIRST' } }), [confirmRecoveryCode.path]: () => ({ json: { success: true } }) }
  const { type, press, findByTestId, sent } = await open(<SignUpPage />, answers)
  await type('Email', 'Nina@example.com')
  await type('Password', 'secret-1')
  await press('Create profile')
  expect((await findByTestId('recovery-code')).textContent).toBe('FIRST')
  await press('I saved it')
  await waitFor(() => { expect(sent().slice(1)).toEqual([{ path: confirmRecoveryCode.path, body: { email: 'nina@example.com', recoveryCode: 'FIRST' } }]) })
})

test('an account’s password is set by a mailed link, which is said as it was typed', async () => {
  const { type, press, alerts, findByText } = await open(<ForgotPasswordPage />, { [mailPasswordReset.path]: () => ({ json: { success: true } }) }, 'firebase')
  await press('Email me the link')
  expect(alerts()).toEqual([badEmail])
  await type('Email', ' Nina@example.com ')
  await press('Email me the link')
  await findByText('If Nina@example.com has an account', { exact: false })
})

test('a pasted link is judged alone until its address is asked for', async () => {
  const needsEmail = (): Answer => ({ status: 400, json: { success: false, error: 'no', code: 'invalid-request', fields: [{ path: 'email', message: 'Required' }] } })
  const { type, press, alerts, field, findByLabelText, sent, user } = await open(<LinkForm />, { [signInByLink.path]: needsEmail }, 'firebase')
  await type('Link from the email', 'C0DE')
  await press('Sign in')
  expect(alerts()).toEqual(['Paste the whole link, from https to its end.'])
  await user.clear(field('Link from the email'))
  await type('Link from the email', ' https://example.com/?oobCode=1 ')
  await press('Sign in')
  await findByLabelText('Email')
  expect(document.activeElement).toBe(field('Email'))
  await press('Sign in')
  expect(alerts()).toEqual([badEmail])
  await type('Email', 'nina@example.com')
  await press('Sign in')
  await waitFor(() => { expect(sent().map(({ body }) => body)).toEqual([{ link: 'https://example.com/?oobCode=1' }, { link: 'https://example.com/?oobCode=1', email: 'nina@example.com' }]) })
})
