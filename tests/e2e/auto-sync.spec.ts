import { expect, type Locator, type Page } from '@playwright/test'
import type { Finance } from '#shared/api/records.ts'
import type { AccountRules } from '#shared/api/rules.ts'
import { expectAccessible, goTo, signUp } from './app-test.ts'
import { allow, financesOf, goToConsent, labelAccounts, labelDialog, labelOfAccount, labelsDialog, readApi, test } from './broker-test.ts'
import { bodyOf, connection, finance, state } from './stated/stated.ts'

test.use({ begins: 'outside' })

const waiting = (id: string) => finance(id, { type: 'Account', firm: null })

/** States accounts of one login, whose labels the program takes, but for those of `refused`; gives the finances as they were sent. */
const stateWaiting = async (page: Page, ids: readonly string[], refused: ReadonlySet<string> = new Set()): Promise<{ readonly sent: () => Pick<Finance, 'id' | 'type' | 'firm'>[] }> => {
  let known = ids.map(waiting)
  const { calls } = await state(page, { finances: () => known, accounts: () => known.map(({ id }) => connection(id, {}, { environment: /^\d+$/.test(id) ? 'live' : 'demo', loginId: /^\d+$/.test(id) ? 'own' : 'l' })) })
  await page.route('**/api/firestore-add-finance', (route) => {
    const saved = bodyOf(route.request())['finance'] as Finance
    if (refused.has(saved.id)) return route.fulfill({ status: 500, json: { success: false, error: 'Failed to save finance', code: 'internal' } })
    known = known.map((one) => (one.id === saved.id ? saved : one))
    return route.fulfill({ json: { success: true, finance: saved } })
  })
  await goTo(page, '/dashboard/AutoSync')
  await page.reload()
  return { sent: () => calls('/api/firestore-add-finance').map((call) => { const { id, type, firm } = bodyOf(call)['finance'] as Finance; return { id, type, firm } }) }
}

test('five accounts whose names tell type and firm are labeled by one click', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  const ids = ['APEX-123456-01', 'PA-APEX-88121-07', 'MFFUEVRPD122274045', 'FTDFYSLX50676373980', '7001251']
  // Two of them have a manual stage, set before they were labeled.
  const rules = (account: string, more: Partial<AccountRules> = {}): AccountRules => ({ account, stage: 'evaluation', stageByHand: false, set: null, presetId: null, since: null, resetDay: null, ...more })
  const stages: unknown[] = []
  await page.route('**/api/rules', (route) => route.fulfill({ json: { accounts: [rules(ids[0] ?? '', { stage: 'passed', stageByHand: true }), rules(ids[1] ?? '', { stage: 'passed', stageByHand: true }), rules(ids[2] ?? '', { stage: 'funded' })], standings: [] } }))
  await page.route('**/api/rules/stage', (route) => {
    stages.push(bodyOf(route.request()))
    return route.fulfill({ json: { rules: rules(ids[1] ?? '', { stage: 'funded' }) } })
  })
  const { sent } = await stateWaiting(page, ids)
  const dialog = labelsDialog(page)
  await expect(dialog.getByText('Suggested')).toHaveCount(9)
  await page.evaluate(() => {
    addEventListener('click', () => { document.body.dataset['clicks'] = String(Number(document.body.dataset['clicks'] ?? 0) + 1) }, true)
  })
  // A guess alone saves nothing.
  expect(sent()).toEqual([])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toHaveCount(0)
  expect(Number(await page.locator('body').getAttribute('data-clicks'))).toBeLessThanOrEqual(3)
  expect(sent().toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id))).toEqual([
    { id: 'APEX-123456-01', type: 'Evaluation Account', firm: 'Apex Trader Funding' },
    { id: 'PA-APEX-88121-07', type: 'Funded Account', firm: 'Apex Trader Funding' },
    { id: 'MFFUEVRPD122274045', type: 'Evaluation Account', firm: 'MyFundedFutures' },
    { id: 'FTDFYSLX50676373980', type: 'Funded Account', firm: 'Tradeify' },
    { id: '7001251', type: 'Funded Account', firm: null },
  ])
  await expect(rowOf(page, '7001251')).toContainText('Own account')
  // The type implies the stage, too: a contradicting manual stage goes back to automatic, and only that.
  await expect.poll(() => stages).toEqual([{ account: 'PA-APEX-88121-07', stage: null }])
})

test('an account that cannot be saved stays with what was chosen and why, and the others are saved', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  const refused = new Set(['NGF-B-2'])
  const { sent } = await stateWaiting(page, ['NGF-EVAL50K-1', 'NGF-B-2', 'NGF-OWN-3'], refused)
  const dialog = labelsDialog(page)
  const save = dialog.getByRole('button', { name: 'Save' })
  const second = labelOfAccount(page, 'NGF-B-2')
  await expect(second.type).toHaveText('Select Type')
  const choose = async (select: Locator, option: string): Promise<void> => {
    await select.click()
    await page.getByRole('option', { name: option, exact: true }).click()
  }
  await choose(second.type, 'Funded Account')
  await choose(labelOfAccount(page, 'NGF-OWN-3').type, 'Own account')
  await expect(dialog.getByText('2 accounts need a type or firm')).toBeVisible()
  await expect(save).toBeDisabled()
  await choose(second.firm, 'Tradeify')
  await choose(dialog.getByRole('combobox', { name: 'Firm for all accounts' }), 'Tradeify')
  await expect(labelOfAccount(page, 'NGF-EVAL50K-1').firm).toHaveText('TfTradeify')
  await expect(dialog.getByText('No firm')).toBeVisible()
  await save.click()

  await expect(dialog.getByRole('alert')).toContainText('1 account was not saved')
  await expect(dialog.getByRole('row')).toHaveCount(2)
  await expect(dialog.getByRole('row').nth(1)).toContainText('NGF-B-2Failed to save finance')
  await expect(second.type).toBeFocused()
  await expect(second.type).toHaveText('Funded Account')
  await expect(second.firm).toHaveText('TfTradeify')
  await expect(second.type).toHaveAccessibleDescription(/^Failed to save finance/)
  await page.mouse.move(0, 0)
  await expectAccessible(page)

  refused.clear()
  await save.click()
  await expect(dialog).toHaveCount(0)
  expect(sent().map(({ id, type, firm }) => [id, type, firm]).toSorted()).toEqual([
    ['NGF-B-2', 'Funded Account', 'Tradeify'],
    ['NGF-B-2', 'Funded Account', 'Tradeify'],
    ['NGF-EVAL50K-1', 'Evaluation Account', 'Tradeify'],
    ['NGF-OWN-3', 'Funded Account', null],
  ])
})

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

test('two logins connected, the accounts of each labeled in one table, one disconnected, and connected again with all it had', { tag: '@nightly' }, async ({ page, broker }) => {
  test.slow()
  const [ava, ben] = broker.logins.map(({ name, accounts }) => ({ name, accounts: accounts.map((account) => account.name) }))
  if (ava === undefined || ben === undefined) throw new Error('The brokerage has two logins')
  await signUp(page)

  // The accounts ask on their own, and can be put off.
  await goToConsent(page)
  const asked = new URL(page.url()).searchParams
  expect([asked.get('response_type'), asked.get('client_id')]).toEqual(['code', broker.clientId])
  expect(asked.get('redirect_uri')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/oauth\/callback$/)
  await allow(page)
  const dialog = labelsDialog(page)
  await expect(dialog).toBeVisible()
  await page.mouse.click(5, 5)
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await page.getByRole('button', { name: 'Label your accounts' }).click()
  const save = dialog.getByRole('button', { name: 'Save' })
  // The names show the phase and not the firm, which has to be chosen.
  const first = (await financesOf(page)).filter(({ type }) => type === 'Account').map(({ name }) => name)
  expect(first).toEqual(ava.accounts)
  for (const name of first) {
    await expect(labelOfAccount(page, name).type).toHaveText(name.includes('FUNDED') ? 'Funded Account' : 'Evaluation Account')
    await expect(labelOfAccount(page, name).type).toHaveAccessibleDescription('Suggested')
    await expect(labelOfAccount(page, name).firm).toHaveText('Select Firm')
  }
  await expect(dialog.getByText('3 accounts need a type or firm')).toBeVisible()
  await expect(save).toBeDisabled()
  await expectAccessible(page)
  await labelAccounts(page, first.map((account, index) => ({ account, ...labelOf(index) })))
  await idle(page)
  await connectLogin(page, ben.name)
  await expect(dialog).toBeVisible()
  const second = (await financesOf(page)).filter(({ type }) => type === 'Account').map(({ name }) => name)
  await labelAccounts(page, second.map((account, index) => ({ account, ...labelOf(first.length + index) })))
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
  await expect(page.getByRole('columnheader')).toHaveText(['POS', 'Account', 'Balance', 'Type', 'Platform', 'Firm', 'Stage', 'Sync', 'Actions'])
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
  const tradesOf = async (): Promise<{ id: string; notes: string }[]> => (await readApi<{ rows: { id: string; notes: string; accountId: string }[] }>(page, '/api/fill-pairs?limit=500')).rows.filter(({ accountId }) => accountId === id)
  await goTo(page, `/dashboard/TradeLogbook?account=${leaving}`)
  await page.locator('[data-line="0"]').filter({ hasText: 'Broker' }).click()
  await page.getByLabel('Notes').fill('Waited for the retest.')
  await page.getByRole('button', { name: 'Done' }).click()
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
  await expect(labelDialog(page).or(dialog)).toHaveCount(0)
  // A session before this one may have come meanwhile.
  expect(await tradesOf()).toEqual(expect.arrayContaining(before))
})

test('ended access shows on every screen, and connecting again brings the accounts back', { tag: '@nightly' }, async ({ page, broker }) => {
  // A refresh is tried twice, with a pause between, before an access counts as ended.
  test.slow()
  await signUp(page)
  await goToConsent(page)
  await allow(page)
  const names = (await financesOf(page)).map(({ name }) => name)
  await labelAccounts(page, names.map((account, index) => ({ account, ...labelOf(index) })))
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
  await expect(labelDialog(page).or(labelsDialog(page))).toHaveCount(0)
})
