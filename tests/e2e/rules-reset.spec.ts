import { expect } from '@playwright/test'
import { expectAccessible, goTo, signUp, test } from './app-test.ts'
import { copierAccounts } from './stated/stated-copier.ts'
import { rulesReading, tellRules } from './stated/stated-rules.ts'

const account = copierAccounts[0]?.id ?? ''

test('after a reset the form offers the day from which to count, once', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  const reading = rulesReading()
  const kept = await tellRules(page, { ...reading, accounts: reading.accounts.map((one) => (one.account === account ? { ...one, since: '2026-02-02', resetDay: '2026-02-10' } : one)) })
  await goTo(page, `/dashboard/PositionScanner?tab=rules&account=${account}`)
  await page.getByRole('radio', { name: 'Rules', exact: true }).click()
  const form = page.getByRole('form', { name: 'Rules' })
  await expect(form.getByLabel('Count from')).toHaveValue('2026-02-02')
  await expect(form.getByText('This account was reset.')).toBeVisible()
  await page.mouse.move(0, 0)
  await expectAccessible(page)
  await form.getByRole('button', { name: /^Count from .*10/ }).click()
  await expect(form.getByLabel('Count from')).toHaveValue('2026-02-10')
  await expect(form.getByText('This account was reset.')).toHaveCount(0)
  await form.getByRole('button', { name: 'Save rules' }).click()
  await expect(form.getByText('Rules saved.')).toBeVisible()
  expect(kept.asked.filter(({ path }) => path.endsWith('/rules')).map(({ body }) => body)).toMatchObject([{ account, since: '2026-02-10' }])
})
