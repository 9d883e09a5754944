import { sessionRoutes } from '#shared/api/session.ts'
import { draw, somebody } from '#tests/helpers/drawn.tsx'
import { waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { RecoveryCard } from './recovery-card.tsx'

const { renewRecoveryCode, confirmRecoveryCode } = sessionRoutes
const email = 'nina@example.com'

test('a code is renewed with the password, saved as a text, confirmed separately, and leaves the page with the dialog', async () => {
  const saved: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => (saved.push(blob as Blob), 'blob:x'))
  let right = false
  const answers = {
    [renewRecoveryCode.path]: () => (right ? { json: { recoveryCode: '7K2M-NEXT' } } : { status: 401, json: { success: false, error: 'no', code: 'wrong-credentials' } }),
    [confirmRecoveryCode.path]: () => ({ json: { success: true } }),
  }
  const { user, getByRole, findByRole, findByTestId, getByLabelText, asked, container } = await draw(<RecoveryCard email={email} unsaved={false} />, { namespaces: ['recovery'], session: somebody, answers })
  await user.click(getByRole('button', { name: 'Renew…' }))
  expect((getByRole('button', { name: 'Make new code' }) as HTMLButtonElement).disabled).toBe(true)
  await user.type(getByLabelText('Your password', { selector: 'input' }), 'wrong horse')
  await user.click(getByRole('button', { name: 'Make new code' }))
  expect((await findByRole('alert')).textContent).toBe('The password is wrong.')
  right = true
  await user.type(getByLabelText('Your password', { selector: 'input' }), '!')
  await user.click(getByRole('button', { name: 'Make new code' }))
  expect((await findByTestId('recovery-code')).textContent).toBe('7K2M-NEXT')
  await user.click(getByRole('button', { name: 'Download' }))
  expect(await saved[0]?.text()).toBe('Fillbook recovery code\n\nProfile: nina@example.com\nCode: 7K2M-NEXT\n\nIf you forget your password, this code sets a new one.\n')
  await user.click(getByRole('button', { name: 'I saved it' }))
  await waitFor(() => { expect(document.querySelector('[role=dialog]')).toBeNull() })
  expect(asked.map(({ path }) => path)).toEqual([renewRecoveryCode.path, renewRecoveryCode.path, confirmRecoveryCode.path])
  expect(asked.at(-1)?.body).toEqual({ email, recoveryCode: '7K2M-NEXT' })
  expect([container.innerHTML, JSON.stringify({ ...localStorage, ...sessionStorage }), location.href].join()).not.toContain('7K2M')
})

test('a code that waits is shown again after the password, which a stranger at the open page does not have', async () => {
  const { user, getByRole, queryByTestId, asked } = await draw(<RecoveryCard email={email} unsaved />, { namespaces: ['recovery'], session: { ...somebody, recoveryCodeUnsaved: true } })
  await user.click(getByRole('button', { name: 'Show code…' }))
  expect([(getByRole('button', { name: 'Show code' }) as HTMLButtonElement).disabled, queryByTestId('recovery-code'), asked]).toEqual([true, null, []])
})
