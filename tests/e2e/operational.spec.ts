import { readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import { recordRoutes } from '#shared/api/journal.ts'
import type { Finance, NewFinance } from '#shared/api/records.ts'
import { expectAccessible, goTo, read, send, signUp, test } from './app-test.ts'

test.use({ begins: 'outside' })

const operational = '/dashboard/Operational'
const spent = (id: string, category: Finance['category'], amount: number, more: Partial<NewFinance> = {}): NewFinance => ({ id, type: 'expense', category, amount, name: '', balance: 0, platform: 'other', firm: 'Tradeify', ...more })
const earned = (id: string, category: Finance['category'], amount: number, more: Partial<NewFinance> = {}): NewFinance => ({ ...spent(id, category, amount, more), type: 'earning' })

/** A year of two firms, in two currencies. */
const year: NewFinance[] = [
  spent('1', 'evaluation', 147, { date: '2025-12-03', name: '50K' }),
  spent('2', 'reset', 80.1, { date: '2025-12-19', name: 'Reset', note: 'the Friday' }),
  spent('3', 'activation', 130, { date: '2026-01-08' }),
  earned('4', 'payout', 1_500, { date: '2026-02-13', name: 'First payout' }),
  spent('5', 'evaluation', 35.7, { date: '2026-02-14', firm: 'Apex Trader Funding', name: '=1+1' }),
  spent('6', 'data', 12, { date: '2026-02-20', firm: null, currency: 'EUR', name: 'CME data' }),
]

/** Puts entries into the journal, past the screen. */
const put = async (page: Page, entries: readonly NewFinance[]): Promise<void> => {
  for (const one of entries) {
    const response = await send(page, recordRoutes.addFinance.path, { userId: await userIdOf(page), finance: one })
    expect(response.status()).toBe(200)
  }
}
const userIdOf = async (page: Page): Promise<string> => ((await (await read(page, '/api/session')).json()) as { currentUser: { uid: string } }).currentUser.uid

const dialogOf = (page: Page) => page.getByRole('dialog')
const entries = (page: Page) => page.getByRole('region', { name: 'Entries' })
// Behind a dialog nothing has a role.
const lines = (page: Page) => page.locator('section[aria-label=Entries] tbody tr')
const addExpense = (page: Page) => page.getByRole('button', { name: 'Add expense' })
const strip = (page: Page, name: string) => page.locator('dl > div').filter({ has: page.getByText(name, { exact: true }) }).locator('dd')

/** Chooses from a select of the open dialog. */
const choose = async (page: Page, field: string, value: string): Promise<void> => {
  await dialogOf(page).getByLabel(field, { exact: true }).click()
  await page.getByRole('option', { name: value, exact: true }).click()
}

test('with no entry it says the next step; a form says what is wrong, and what is saved is summed up', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  await page.getByRole('link', { name: 'Operational' }).click()
  await expect(page).toHaveURL(/#\/dashboard\/Operational$/)
  await expect(page.getByText('No earnings or expenses yet')).toBeVisible()
  await expectAccessible(page)

  await addExpense(page).press('Enter')
  await expect(dialogOf(page).getByLabel('Amount')).toBeFocused()
  await dialogOf(page).getByLabel('Date').fill('')
  await page.keyboard.press('Enter')
  await expect(dialogOf(page).getByText('Enter an amount.')).toBeVisible()
  await expect(dialogOf(page).getByText('Choose a date between 1970 and 2099.')).toBeVisible()
  await expectAccessible(page)
  await dialogOf(page).getByLabel('Amount').fill('149.50')
  await dialogOf(page).getByLabel('Date').fill('2026-02-13')
  await choose(page, 'Category', 'Reset')
  await choose(page, 'Firm', 'Tradeify')
  await dialogOf(page).getByLabel('Description').fill('Second try')
  await page.keyboard.press('Enter')
  await expect(dialogOf(page)).toBeHidden()
  await expect(lines(page)).toHaveCount(1)
  await expect(lines(page).first()).toContainText(/Feb 13, 2026.*Reset.*Second try.*Tradeify.*−149\.50USD/)
  await expect(strip(page, 'Net')).toHaveText('−149.50USD')
  await expect(strip(page, 'Return')).toContainText('−100.0%')

  await page.getByRole('button', { name: 'Add earning' }).click()
  await dialogOf(page).getByLabel('Amount').fill('600')
  await page.keyboard.press('Enter')
  await expect(strip(page, 'Net')).toHaveText('+450.50USD')
  await expect(strip(page, 'Payouts')).toHaveText('600.00')
  await page.reload()
  await expect(strip(page, 'Net')).toHaveText('+450.50USD')
})

test('entries show only once the program has confirmed them, and a refusal is shown in place', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  await put(page, [year[0] ?? spent('1', 'reset', 1)])
  await goTo(page, operational)
  await expect(lines(page)).toHaveCount(1)

  const add = `**${recordRoutes.addFinance.path}`
  let confirm = (): void => undefined
  const asked = new Promise<void>((resolve) => {
    void page.route(add, async (route) => {
      await new Promise<void>((done) => {
        confirm = done
        resolve()
      })
      await route.continue()
    })
  })
  await addExpense(page).click()
  await dialogOf(page).getByLabel('Amount').fill('20')
  await page.keyboard.press('Enter')
  await asked
  await expect(dialogOf(page).getByRole('button', { name: 'Add expense' })).toBeDisabled()
  await expect(lines(page)).toHaveCount(1)
  confirm()
  await expect(lines(page)).toHaveCount(2)
  await page.unroute(add)

  await page.route(add, (route) => route.abort())
  await addExpense(page).click()
  await dialogOf(page).getByLabel('Amount').fill('30')
  await page.keyboard.press('Enter')
  await expect(dialogOf(page).getByRole('alert')).toContainText('Failed to save finance')
  // A button under the pointer is paler.
  await page.mouse.move(0, 0)
  await expectAccessible(page)
  await expect(lines(page)).toHaveCount(2)
  await page.unroute(add)
  await dialogOf(page).getByRole('button', { name: 'Add expense' }).click()
  await expect(lines(page)).toHaveCount(3)

  await page.route(`**${recordRoutes.removeFinance.path}`, (route) => route.abort())
  await page.getByRole('button', { name: 'Remove 50K of Dec 3, 2025' }).click()
  await expect(page.getByText('Failed to remove finance', { exact: true })).toBeVisible()
  await expect(lines(page)).toHaveCount(3)
})

test('an entry is changed, removed, and restored unchanged', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  await put(page, [{ id: 'tradovate:demo:1', type: 'Funded Account', amount: 0, name: 'PA-101', balance: 0, platform: 'Tradovate', firm: 'Apex Trader Funding' }, ...year])
  await goTo(page, operational)
  await page.getByText('Reset', { exact: true }).last().click()
  await expect(dialogOf(page).getByLabel('Amount')).toHaveValue('80.10')
  await expect(dialogOf(page).getByLabel('Note')).toHaveValue('the Friday')
  await dialogOf(page).getByLabel('Amount').fill('81')
  await choose(page, 'Account', 'PA-101')
  await expect(dialogOf(page).getByLabel('Firm')).toHaveText(/Apex Trader Funding/)
  await dialogOf(page).getByRole('button', { name: 'Save' }).click()
  await expect(dialogOf(page)).toBeHidden()
  const changed = lines(page).filter({ hasText: 'Dec 19, 2025' })
  await expect(changed).toContainText(/Reset.*Apex Trader Funding.*PA-101.*−81\.00/)
  const account = page.getByRole('region', { name: 'Accounts' }).locator('tbody tr')
  await expect(account).toHaveCount(1)
  await expect(account).toContainText(/PA-101.*Funded.*81\.00.*81\.00.*−81\.00/)

  await changed.getByRole('button', { name: 'Remove' }).click()
  await expect(lines(page)).toHaveCount(5)
  await expect(entries(page).getByRole('group')).toBeFocused()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(changed).toContainText(/Reset.*Apex Trader Funding.*PA-101.*−81\.00/)
  await page.reload()
  await expect(changed).toContainText(/Reset.*Apex Trader Funding.*PA-101.*−81\.00/)
  await expect(changed.getByText('the Friday')).toBeAttached()
})

test('figures, months, firms, and the CSV follow the filter in the address, and currencies are never added', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  await put(page, year)
  await goTo(page, operational)
  await expect(strip(page, 'Net')).toHaveText(['+1,107.20USD', '−12.00EUR'])
  await expect(strip(page, 'Return')).toHaveText(['+281.9%of spent', '−100.0%of spent'])
  await expect(strip(page, 'Cost to fund')).toHaveText(['392.80fees', '0.00fees'])
  const firms = page.getByRole('region', { name: 'Firms' }).locator('tbody tr')
  await expect(firms).toHaveText([/^TfTradeifyUSD357\.101,500\.00\+1,142\.90\+320\.1%$/, /^ATApex Trader FundingUSD35\.700\.00−35\.70−100\.0%$/, /^No firmEUR12\.000\.00−12\.00−100\.0%$/])
  await expect(page.getByRole('img', { name: /by month, December 2025 – February 2026: earned 1,500\.00, spent 392\.80, net \+1,107\.20 USD/ })).toBeVisible()
  await expectAccessible(page)
  const months = page.getByRole('region', { name: 'Months' })
  await months.getByRole('radio', { name: 'Table' }).click()
  await expect(months.locator('tbody tr')).toHaveText([/^February 2026EUR0\.0012\.00−12\.00$/, /^February 2026USD1,500\.0035\.70\+1,464\.30$/, /^January 2026USD0\.00130\.00−130\.00$/, /^December 2025USD0\.00227\.10−227\.10$/])
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Show only Tradeify' }).click()
  await expect(page).toHaveURL(/firm=Tradeify/)
  await expect(lines(page)).toHaveCount(4)
  await page.getByRole('button', { name: 'Categories' }).click()
  await page.getByRole('checkbox', { name: 'Expenses' }).click()
  await page.keyboard.press('Escape')
  await expect(strip(page, 'Net')).toHaveText(['−357.10USD'])
  await expect(lines(page)).toHaveCount(3)
  await goTo(page, `${operational}?to=2025-12-31&kind=expense/reset`)
  await expect(lines(page)).toHaveText([/Dec 19, 2025/])
  await goTo(page, `${operational}?from=2027-01-01`)
  await expect(page.getByText('No entry matches the filter')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filter' }).click()
  await expect(lines(page)).toHaveCount(6)

  await page.getByRole('button', { name: 'Amount' }).click()
  await expect(lines(page).first()).toContainText('+1,500.00')
  await page.getByRole('button', { name: 'Amount' }).click()
  await expect(lines(page).nth(1)).toContainText('−147.00')

  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'CSV' }).click()
  const saved = await download
  expect(saved.suggestedFilename()).toBe('fillbook-books.csv')
  const text = readFileSync(await saved.path(), 'utf8')
  expect(text.split('\r\n')).toHaveLength(8)
  expect(text).toContain("2026-02-14,expense,evaluation,'=1+1,,35.70,-35.70,USD,Apex Trader Funding,")
})

test('a failed load is shown, and can be retried', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  await put(page, year)
  const get = '**/api/firestore-get-finances?*'
  await page.route(get, (route) => route.fulfill({ status: 400, json: { success: false, error: 'no', code: 'invalid-request' } }))
  await goTo(page, operational)
  await page.reload()
  await expect(page.getByRole('alert')).toBeVisible()
  await expectAccessible(page)
  await page.unroute(get)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(lines(page)).toHaveCount(6)
})

test('in a narrow window nothing is cut off', { tag: '@nightly' }, async ({ page }) => {
  await page.setViewportSize({ width: 1024, height: 768 })
  await signUp(page)
  await put(page, [{ id: 'tradovate:demo:1', type: 'Funded Account', amount: 0, name: 'APEX-248-FUNDED-01', balance: 0, platform: 'Tradovate', firm: 'Apex Trader Funding' }, ...year.map((one) => ({ ...one, account: 'tradovate:demo:1', amount: (one.amount ?? 0) * 10 }))])
  await goTo(page, operational)
  await expect(lines(page)).toHaveCount(6)
  const cut = await page.evaluate(() => [...document.querySelectorAll('[role=group]')].filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map((group) => group.getAttribute('aria-label')))
  expect(cut).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1024)
})
