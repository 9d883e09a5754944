import { expect, type Page } from '@playwright/test'
import { expectAccessible, goTo, signUp } from './app-test.ts'
import { allow, choose, financesOf, goToConsent, labelAccount, labelDialog, readApi, test } from './broker-test.ts'

test.use({ begins: 'outside' })

const rowOf = (page: Page, account: string) => page.getByRole('row').filter({ hasText: account })
const card = (page: Page, name: string) => page.locator('dl > div').filter({ hasText: name }).locator('dd')
const idle = (page: Page): Promise<void> => expect.poll(async () => (await readApi<{ running: unknown }>(page, '/api/sync')).running, { timeout: 60_000 }).toBeNull()

const labels = [
  { type: 'Evaluation Account', firm: 'Apex Trader Funding' },
  { type: 'Funded Account', firm: 'Take Profit Trader' },
  { type: 'Evaluation Account', firm: 'Funded Next Futures' },
  { type: 'Funded Account', firm: 'Other' },
] as const
const labelOf = (index: number) => labels[index % labels.length] ?? labels[0]

/** Connects a login that is not the remembered one. */
const connectLogin = async (page: Page, login: string): Promise<void> => {
  await goTo(page, '/dashboard/AutoSync')
  await page.getByRole('button', { name: 'Add Account' }).first().click()
  await page.getByRole('button', { name: 'Connect another login' }).click()
  await allow(page, login)
}

test('two logins connected, their accounts labelled one after another, one disconnected, and connected again with all it had', { tag: '@long' }, async ({ page, broker }) => {
  test.slow()
  const [ava, ben] = broker.logins.map(({ name, accounts }) => ({ name, accounts: accounts.map((account) => account.name) }))
  if (ava === undefined || ben === undefined) throw new Error('The brokerage has two logins')
  await signUp(page)

  // The first account asks by itself, for both answers, and cannot be put off.
  await goToConsent(page)
  const asked = new URL(page.url()).searchParams
  expect([asked.get('response_type'), asked.get('client_id')]).toEqual(['code', broker.clientId])
  expect(asked.get('redirect_uri')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/oauth\/callback$/)
  await allow(page)
  const dialog = labelDialog(page)
  await expect(dialog).toBeVisible()
  await expect(dialog.getByText('2 more accounts after this')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  await expect(dialog).toBeVisible()
  await expect(dialog.getByRole('button')).toHaveText(['Save'])
  const save = dialog.getByRole('button', { name: 'Save' })
  await expect(dialog.getByRole('combobox', { name: 'Account Type' })).toHaveText('Select Type')
  await expect(dialog.getByRole('combobox', { name: 'Firm' })).toHaveText('Select Firm')
  await expect(save).toBeDisabled()
  await choose(page, 'Account Type', 'Evaluation Account')
  await expect(save).toBeDisabled()
  await choose(page, 'Firm', 'Apex Trader Funding')
  await expect(dialog.getByRole('combobox', { name: 'Firm' })).toHaveText('ATApex Trader Funding')
  await expect(save).toBeEnabled()

  const first = (await financesOf(page)).filter(({ type }) => type === 'Account').map(({ name }) => name)
  for (const [index, name] of first.entries()) await labelAccount(page, name, labelOf(index))
  await expect(dialog).toHaveCount(0)
  await idle(page)
  await connectLogin(page, ben.name)
  await expect(dialog).toBeVisible()
  const second = (await financesOf(page)).filter(({ type }) => type === 'Account').map(({ name }) => name)
  for (const [index, name] of second.entries()) await labelAccount(page, name, labelOf(first.length + index))
  await expect(dialog).toHaveCount(0)
  const names = [...first, ...second]
  expect(new Set(names)).toEqual(new Set([...ava.accounts, ...ben.accounts]))
  expect(names.length).toBeGreaterThanOrEqual(4)
  await idle(page)

  for (const [index, name] of names.entries()) {
    await expect(rowOf(page, name)).toContainText(labelOf(index).type)
    await expect(rowOf(page, name)).toContainText(labelOf(index).firm)
    await expect(rowOf(page, name)).toContainText('Tradovate')
    await expect(rowOf(page, name)).toContainText('Synced')
  }
  await expect(page.getByRole('columnheader')).toHaveText(['POS', 'Account', 'Balance', 'Type', 'Platform', 'Firm', 'Stage', 'Sync', 'Delete Account'])
  const finances = await financesOf(page)
  for (const [type, count, worth] of [['Evaluation Account', 'Evaluation Accounts Connected', 'Portfolio Value Evaluation'], ['Funded Account', 'Funded Accounts Connected', 'Portfolio Value Funded']] as const) {
    const ofType = finances.filter((finance) => finance.type === type)
    await expect(card(page, count)).toHaveText(String(ofType.length))
    const sums = Map.groupBy(ofType, ({ currency }) => currency)
    for (const [currency, ofCurrency] of sums) {
      const sum = ofCurrency.reduce((total, { balance }) => total + balance, 0)
      await expect(card(page, worth)).toContainText(sum.toLocaleString('en', { style: 'currency', currency, maximumFractionDigits: 0, currencyDisplay: 'narrowSymbol' }))
    }
  }

  // One account is disconnected: it leaves at once, and its trades with it.
  const leaving = names[0] ?? ''
  const id = finances.find(({ name }) => name === leaving)?.id ?? ''
  const tradesOf = async (): Promise<{ id: string; notes: string }[]> => (await readApi<{ rows: { id: string; notes: string; accountId: string }[] }>(page, '/api/trades?limit=500')).rows.filter(({ accountId }) => accountId === id)
  await goTo(page, `/dashboard/TradeLogbook?account=${leaving}`)
  await page.locator('[data-line="0"]').filter({ hasText: 'Broker' }).click()
  await page.getByLabel('Notes').fill('Waited for the retest.')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(async () => (await tradesOf()).some(({ notes }) => notes !== '')).toBe(true)
  const before = await tradesOf()

  await page.getByRole('link', { name: 'AutoSync' }).click()
  await page.getByRole('button', { name: `Delete Account ${leaving}` }).click()
  await expect(page.getByRole('dialog', { name: 'Disconnecting Account' })).toBeVisible()
  await expect(page.getByText(leaving, { exact: true })).toHaveCount(1)
  const done = page.getByRole('dialog', { name: 'Connection removed successfully' })
  await expect(done.getByText(`Account ${leaving} has been disconnected`, { exact: true })).toBeVisible()
  await expectAccessible(page)
  await done.getByRole('button', { name: 'Continue' }).click()
  await expect(done).toHaveCount(0)
  await expect(rowOf(page, leaving)).toHaveCount(0)
  await expect.poll(tradesOf).toEqual([])
  expect((await financesOf(page)).map(({ name }) => name)).not.toContain(leaving)
  await expect(card(page, 'Evaluation Accounts Connected')).toHaveText(String(finances.filter(({ type }) => type === 'Evaluation Account').length - 1))
  await page.reload()
  await expect(rowOf(page, names[1] ?? '')).toBeVisible()
  await expect(rowOf(page, leaving)).toHaveCount(0)

  // Its login is connected again: label, trades and notes are back, and nothing is asked.
  const owner = ava.accounts.includes(leaving) ? ava.name : ben.name
  await connectLogin(page, owner)
  await expect(rowOf(page, leaving)).toContainText(labels[0].type)
  await expect(rowOf(page, leaving)).toContainText(labels[0].firm)
  await idle(page)
  await expect(labelDialog(page)).toHaveCount(0)
  expect(await tradesOf()).toEqual(before)
})

test('an access that ended is told on every screen, and connecting again brings the accounts back', { tag: '@long' }, async ({ page, broker }) => {
  // A refresh is tried twice, with a pause between, before an access counts as ended.
  test.slow()
  await signUp(page)
  await goToConsent(page)
  await allow(page)
  const names = (await financesOf(page)).map(({ name }) => name)
  for (const [index, name] of names.entries()) await labelAccount(page, name, labelOf(index))
  await idle(page)
  broker.sessions.revoke(broker.logins[0]?.name ?? '')
  await page.getByRole('button', { name: 'Sync Trades' }).click()
  await expect(rowOf(page, names[0] ?? '').getByText('Login needed')).toBeVisible({ timeout: 45_000 })
  await idle(page)

  await goTo(page, '/dashboard/TradeLogbook')
  await page.reload()
  const dialog = page.getByRole('dialog', { name: 'Account Access Expired' })
  await expect(dialog).toBeVisible({ timeout: 45_000 })
  for (const name of names) await expect(dialog.getByText(name, { exact: true })).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Acknowledge & Remove' }).click()
  await expect(dialog).toHaveCount(0)
  await expect.poll(() => financesOf(page)).toEqual([])
  await expect(page.locator('[data-line="0"]')).toHaveCount(0)

  await goToConsent(page)
  await allow(page, broker.logins[0]?.name)
  for (const [index, name] of names.entries()) await expect(rowOf(page, name)).toContainText(labelOf(index).firm)
  await expect(labelDialog(page)).toHaveCount(0)
})
