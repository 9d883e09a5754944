import { expect } from '@playwright/test'
import { expectAccessible, goTo, signUp, test } from './app-test.ts'

test.use({ begins: 'outside' })

test('the sample form says what is wrong with each field, and only logs what is right', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  await goTo(page, '/dashboard/form')
  await expect(page.getByRole('heading', { name: 'Profile form' })).toBeVisible()
  const [name, email, birth] = [page.getByLabel('Username'), page.getByLabel('Email'), page.getByLabel('Date of birth')]
  const submit = page.getByRole('button', { name: 'Submit' })
  const logged: string[] = []
  page.on('console', (message) => logged.push(message.text()))
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(request.url())
  })

  await name.fill('A')
  await email.fill('al@')
  await birth.fill('1990-05-01')
  await submit.click()
  await expect(page.getByRole('alert')).toHaveText(['Username must be at least 2 characters.', 'Invalid email address.', 'Date of birth must be in the future.'])
  await expect(name).toBeFocused()
  await expectAccessible(page)
  expect(logged).toEqual([])

  await name.fill('Al')
  await email.fill('al@example.com')
  await birth.fill('2999-05-01')
  await submit.click()
  await expect(page.getByRole('status').filter({ hasText: 'Logged to the console.' })).toBeVisible()
  await birth.fill('')
  await name.press('Enter')
  await expect.poll(() => logged).toEqual([expect.stringMatching(/^{name: Al, email: al@example\.com, dob: .*2999.*}$/), '{name: Al, email: al@example.com, dob: undefined}'])
  expect(sent).toEqual([])
  await expect(page.getByRole('complementary').getByRole('link', { name: /form/i })).toHaveCount(0)
})
