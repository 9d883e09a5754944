import { draw } from '#tests/helpers/drawn.tsx'
import { expect, test, vi } from 'vitest'
import { SampleFormPage } from './sample-form-page.tsx'

const sample = async () => {
  const logged = vi.spyOn(console, 'log').mockReturnValue(undefined)
  const drawn = await draw(<SampleFormPage />, { namespaces: ['sample-form'] })
  const fields = { name: drawn.getByLabelText('Username'), email: drawn.getByLabelText('Email'), dob: drawn.getByLabelText('Date of birth') }
  return { ...drawn, ...fields, logged, submit: () => drawn.user.click(drawn.getByRole('button', { name: 'Submit' })), alerts: () => drawn.queryAllByRole('alert').map(({ textContent }) => textContent) }
}

test('every wrong field says so, in the order of the fields, the first has the focus, and each is judged again while it is typed', async () => {
  const { user, name, email, dob, submit, alerts, logged } = await sample()
  await user.type(name, 'A')
  await user.type(email, 'al@')
  await user.type(dob, '1990-05-01')
  expect(alerts()).toEqual([])
  await submit()
  expect(alerts()).toEqual(['Username must be at least 2 characters.', 'Invalid email address.', 'Date of birth must be in the future.'])
  expect(document.activeElement).toBe(name)
  expect(name.getAttribute('aria-invalid')).toBe('true')
  await user.type(name, 'l')
  await user.type(email, 'example.com')
  expect(alerts()).toEqual(['Date of birth must be in the future.'])
  await submit()
  expect(document.activeElement).toBe(dob)
  expect(logged).not.toHaveBeenCalled()
})

test('a day of birth is the midnight at its beginning, may be missing, and is not earlier than now', async () => {
  vi.useFakeTimers({ now: new Date(2026, 10, 22, 12), toFake: ['Date'] })
  try {
    const { user, name, email, dob, submit, alerts, logged, getByText, queryByText } = await sample()
    await user.type(name, 'Al')
    await user.type(email, 'al@example.com')
    await user.type(dob, '2026-11-22')
    await submit()
    expect(alerts()).toEqual(['Date of birth must be in the future.'])
    await user.clear(dob)
    await user.type(dob, '2026-11-23')
    await submit()
    expect(logged.mock.lastCall).toEqual([{ name: 'Al', email: 'al@example.com', dob: new Date(2026, 10, 23) }])
    expect(getByText('Logged to the console.')).toBeDefined()
    await user.clear(dob)
    expect(queryByText('Logged to the console.')).toBeNull()
    await submit()
    expect(logged.mock.lastCall).toEqual([{ name: 'Al', email: 'al@example.com', dob: undefined }])
  } finally {
    vi.useRealTimers()
  }
})
