import { expect, type Page } from '@playwright/test'
import { goTo, signUp, test } from '../e2e/app-test.ts'
import { choose } from '../e2e/broker-test.ts'
import { picture } from './picture.ts'
import { copierAccounts } from '../e2e/stated/stated-copier.ts'
import { rulesReading, tellRules } from '../e2e/stated/stated-rules.ts'

const [whole = '', bare = ''] = [copierAccounts[0]?.id, copierAccounts[6]?.id]

const show = async (page: Page, search: string): Promise<void> => {
  await goTo(page, `/dashboard/PositionScanner?${search}`)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'PositionScanner' })).toBeVisible()
}

test('rules of accounts: the list, one account in all its parts, alerts', async ({ page }) => {
  await signUp(page)
  await tellRules(page)
  await show(page, 'tab=rules')
  await expect(page.getByRole('meter').first()).toBeVisible()
  await picture(page, 'rules-list')
  await show(page, `tab=rules&account=${whole}`)
  await expect(page.getByRole('meter').nth(9)).toBeVisible()
  await picture(page, 'rules-now')
  await show(page, `tab=rules&account=${bare}&part=set`)
  await choose(page, 'Firm', 'MyFundedFutures')
  await choose(page, 'Size', '$50,000')
  await choose(page, 'Phase', 'Evaluation')
  await picture(page, 'rules-preset')
  await page.getByRole('button', { name: 'Use these rules' }).click()
  await page.getByLabel('Max contracts of product 1').fill('0')
  await page.getByRole('button', { name: 'Save rules' }).click()
  await picture(page, 'rules-wrong')
  await page.getByRole('switch', { name: 'Drawdown limit' }).scrollIntoViewIfNeeded()
  await picture(page, 'rules-form')
  await page.getByRole('switch', { name: 'Payout' }).click()
  await picture(page, 'rules-form-end')
  await show(page, `tab=rules&account=${whole}&part=history`)
  await expect(page.getByRole('img').first()).toBeVisible()
  await picture(page, 'rules-history')
  await page.getByRole('button', { name: 'Try a firm' }).click()
  await choose(page, 'Firm', 'Apex Trader Funding')
  await expect(page.getByRole('table', { name: 'Outcomes compared' })).toBeVisible()
  await picture(page, 'rules-what-if')
  await show(page, `tab=rules&account=${whole}&part=odds`)
  await page.getByRole('button', { name: 'Run simulation' }).click()
  await expect(page.getByText('Assumptions')).toBeVisible()
  await picture(page, 'rules-odds')
  await show(page, 'tab=alerts')
  await expect(page.getByText('2 new')).toBeVisible()
  await picture(page, 'alerts')
})

test('rules where there are none, and beside other screens', async ({ page }) => {
  await signUp(page)
  await tellRules(page)
  await show(page, `tab=rules&account=${bare}`)
  await picture(page, 'rules-none')
  await goTo(page, '/dashboard')
  await page.reload()
  await expect(page.getByRole('meter').first()).toBeVisible()
  await picture(page, 'health')
  await goTo(page, '/dashboard/AutoSync')
  await page.reload()
  await expect(page.getByRole('columnheader', { name: 'Stage' })).toBeVisible()
  await picture(page, 'auto-sync-stage')
  const { accounts, standings } = rulesReading()
  await tellRules(page, { accounts, standings: standings.map((one) => ({ ...one, states: null, nearest: null })) }, [])
  await goTo(page, '/dashboard')
  await page.reload()
  await expect(page.getByText('Set rules').first()).toBeVisible()
  await picture(page, 'health-offer')
  await show(page, 'tab=alerts')
  await expect(page.getByText('No alerts yet')).toBeVisible()
  await picture(page, 'alerts-none')
})
