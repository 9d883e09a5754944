import { expect } from '@playwright/test'
import { sessionRoutes } from '#shared/api/session.ts'
import { expectAccessible, goTo, password, send, signUp, test } from './app-test.ts'
import { beginInside, email, said } from './identity-test.ts'

test('an unverified email is shown quietly, and can be verified without blocking anything', { tag: '@nightly' }, async ({ page }) => {
  const stated = await beginInside(page)
  const user = stated.session.currentUser
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitem', { name: 'Verify your email' }).click()
  await expect(page.getByRole('heading', { name: 'Verify your email' })).toBeVisible()
  await expect(page.getByText('Not verified', { exact: true })).toBeVisible()
  await expectAccessible(page)

  stated.answers.mailVerification = () => ({ success: true })
  await page.getByRole('button', { name: 'Send again' }).click()
  await expect(page.getByText(`We sent a link to ${email}.`)).toBeVisible()
  stated.answers.mailVerification = () => ({ refused: 'too-many-attempts', status: 429 })
  await page.getByRole('button', { name: 'Send again' }).click()
  await expect(page.getByRole('alert')).toHaveText(said['too-many-attempts'])
  stated.answers.reloadUser = () => ({ currentUser: user ?? null })
  await page.getByRole('button', { name: 'I verified it' }).click()
  await expect(page.getByText('Not verified yet.')).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
  stated.answers.reloadUser = () => ({ currentUser: { ...user, emailVerified: true } })
  await page.getByRole('button', { name: 'I verified it' }).click()
  await expect(page.getByText('Verified', { exact: true })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Verify your email' })).toHaveCount(0)
})

test('deleting lists exactly what is deleted, needs password and email, and ends at sign-up with one sentence', async ({ page }) => {
  const stated = await beginInside(page)
  stated.session.cloud = 'mirrored'
  await goTo(page, '/dashboard/Settings?section=account')
  await page.reload()
  await page.getByRole('button', { name: 'Delete account…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete account' })
  await expect(dialog.getByRole('listitem')).toHaveText([
    `Your account ${email}. It can no longer be used to sign in, on any computer.`,
    'Your journal on this computer: trades, notes, pictures, imports and access to connected accounts.',
    'The copy of your journal in the cloud.',
  ])
  const confirm = dialog.getByRole('button', { name: 'Delete permanently' })
  await expect(confirm).toBeDisabled()
  await expectAccessible(page)
  await dialog.getByLabel('Your password').fill('wrong')
  await dialog.getByLabel(`To confirm, type ${email}`).fill('nina@example')
  await expect(confirm).toBeDisabled()
  await dialog.getByLabel(`To confirm, type ${email}`).fill('Nina@Example.com')
  stated.answers.deleteAccount = () => ({ refused: 'wrong-credentials', status: 401 })
  await confirm.click()
  await expect(dialog.getByRole('alert')).toHaveText('The password is wrong.')
  for (const code of ['subscription-runs', 'recent-login-needed', 'cloud-unreachable'] as const) {
    stated.answers.deleteAccount = () => ({ refused: code })
    await confirm.click()
    await expect(dialog.getByRole('alert')).toHaveText(said[code])
  }
  await dialog.getByLabel('Your password').fill(password)
  stated.answers.deleteAccount = async () => {
    await send(page, sessionRoutes.signOut.path)
    stated.session.currentUser = null
    return { success: true }
  }
  await confirm.click()
  await expect(page.getByText('Your account and its journal are deleted.')).toBeVisible()
  await expect(page).toHaveURL(/#\/auth\/signup$/)
  await expectAccessible(page)
  expect(stated.made.at(-1)).toEqual({ call: 'deleteAccount', body: { password } })
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Create an account' })).toBeVisible()
  await expect(page.getByText('are deleted')).toHaveCount(0)
})

test('a user without a password is not asked for one', { tag: '@nightly' }, async ({ page }) => {
  const stated = await beginInside(page)
  const user = stated.session.currentUser
  if (user) stated.session.currentUser = { ...user, providerData: [{ providerId: 'google.com', uid: '1' }] }
  stated.answers.deleteAccount = () => ({ refused: 'recent-login-needed' })
  await goTo(page, '/dashboard/Settings?section=account')
  await page.reload()
  await page.getByRole('button', { name: 'Delete account…' }).click()
  await expect(page.getByLabel('Your password')).toHaveCount(0)
  await page.getByLabel(`To confirm, type ${email}`).fill(email)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog').getByRole('alert')).toHaveText(said['recent-login-needed'])
  expect(stated.made).toEqual([{ call: 'deleteAccount', body: {} }])
})

test('a user of mailed links says that there is no password', { tag: '@nightly' }, async ({ page }) => {
  const stated = await beginInside(page)
  await goTo(page, '/dashboard/Settings?section=account')
  await page.reload()
  await page.getByRole('button', { name: 'Delete account…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete account' })
  const confirm = dialog.getByRole('button', { name: 'Delete permanently' })
  await dialog.getByLabel(`To confirm, type ${email}`).fill(email)
  await dialog.getByLabel('Your password').fill('a guess')
  stated.answers.deleteAccount = () => ({ refused: 'wrong-credentials', status: 401 })
  await confirm.click()
  await expect(dialog.getByRole('alert')).toHaveText('The password is wrong.')
  await dialog.getByRole('checkbox', { name: 'I have no password' }).click()
  await expect(dialog.getByLabel('Your password')).toHaveCount(0)
  await expect(dialog.getByRole('alert')).toHaveCount(0)
  await expect(dialog.getByText('signed in within the last four minutes')).toBeVisible()
  await expectAccessible(page)
  stated.answers.deleteAccount = () => ({ refused: 'recent-login-needed', status: 401 })
  await confirm.click()
  await expect(dialog.getByRole('alert')).toHaveText(said['recent-login-needed'])
  expect(stated.made.map(({ body }) => body)).toEqual([{ password: 'a guess' }, {}])
  await dialog.getByRole('checkbox', { name: 'I have no password' }).click()
  await expect(dialog.getByLabel('Your password')).toHaveValue('a guess')
})

test('a profile on this computer is deleted with its journal, and only with its password', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  await goTo(page, '/dashboard/Settings?section=account')
  await page.getByRole('button', { name: 'Delete account…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete account' })
  await expect(dialog.getByRole('listitem').first()).toHaveText(`The profile ${email}, its password and its recovery code.`)
  await expect(dialog.getByRole('listitem')).toHaveCount(2)
  const confirm = dialog.getByRole('button', { name: 'Delete permanently' })
  await dialog.getByLabel(`To confirm, type ${email}`).fill(email)
  await expect(confirm).toBeDisabled()
  await dialog.getByLabel('Your password').fill('wrong horse')
  await confirm.click()
  await expect(dialog.getByRole('alert')).toHaveText('The password is wrong.')
  await dialog.getByLabel('Your password').fill(password)
  await page.keyboard.press('Enter')
  await expect(page.getByText('The profile and its journal are deleted.')).toBeVisible()
  await expect(page).toHaveURL(/#\/auth\/signup$/)

  await page.getByRole('link', { name: 'Sign in' }).click()
  // The other form has the same fields.
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('Email or password is wrong.')
})
