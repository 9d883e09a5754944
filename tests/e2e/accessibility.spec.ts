import { expect, type Page } from '@playwright/test'
import { recordRoutes } from '#shared/api/journal.ts'
import { threeFiles } from '#tests/helpers/exports/three-files.ts'
import { button, goTo, password, signUp, test } from './app-test.ts'
import { choose, labelDialog, labelsDialog, postApi, readApi } from './broker-test.ts'
import { offerDesktop } from './desktop-bridge.ts'
import { expectForEverybody, expectMagnified } from './for-everybody.ts'
import { importFiles, strangeFills, withRedDay } from './import-files.ts'
import { copierAccounts, copierReading, stubCopier } from './stated/stated-copier.ts'
import { scannerReading, stubPositions } from './stated/stated-positions.ts'
import { statedModel, statedNarrative, statedReport, statedSettings, stubReports } from './stated/stated-reports.ts'
import { tellRules } from './stated/stated-rules.ts'
import { connection, finance, state, type Stated } from './stated/stated.ts'

test.use({ begins: 'outside' })
// Many screens each, on a busy machine.
test.setTimeout(480_000)

type Step = () => Promise<unknown>

/** Opens a page, waits for its content, and checks its accessibility, magnified too. */
const show = async (page: Page, path: string, shown: Step): Promise<void> => {
  await goTo(page, path)
  const [, name] = /^\/dashboard\/?(\w*)/.exec(path) ?? []
  // What is waited for may stand on the page before, too.
  if (name !== undefined) await heading(page, name === '' ? 'Overview' : name.replace('eS', 'e S'))()
  await shown()
  await expectForEverybody(page)
  await expectMagnified(page)
}
/** Opens something over the page, holds it to the same, and ends it by Escape. */
const over = async (page: Page, open: Step, role: 'dialog' | 'menu' = 'dialog'): Promise<void> => {
  await open()
  await expect(page.getByRole(role)).toBeVisible()
  // What is behind a menu can be neither reached nor read meanwhile, which axe knows of dialogs only.
  await expectForEverybody(page, role === 'menu' ? '[role=menu]' : undefined)
  await page.keyboard.press('Escape')
  await expect(page.getByRole(role)).toHaveCount(0)
}
const press = (page: Page, name: string | RegExp): Step => () => button(page, name).click()
const heading = (page: Page, name: string): Step => () => expect(page.getByRole('heading', { name, exact: true })).toBeVisible()

test('what shows of trades, and what opens over it, is for everybody', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  await importFiles(page, withRedDay(threeFiles()).files)
  await page.reload()
  for (const view of ['calendar', 'breakdown', 'risk', 'summary']) await show(page, `/dashboard?view=${view}&side=long`, () => expect(page.getByRole('tabpanel').getByText(/\d/).first()).toBeVisible())
  await show(page, '/dashboard?view=compare&compare=products&with=MES&with=MNQ&with=M2K', () => expect(page.getByRole('img', { name: /^Equity curves/ })).toBeVisible())
  await over(page, press(page, 'Add products'))
  await goTo(page, '/dashboard')
  await page.getByRole('region', { name: 'Equity' }).getByRole('radio', { name: 'Table' }).click()
  await expect(page.getByRole('region', { name: 'Equity' }).locator('tbody tr').first()).toBeVisible()
  await expectForEverybody(page)
  for (const panel of ['Dates', 'More']) await over(page, press(page, new RegExp(`^${panel}`)))

  await show(page, '/dashboard/TradeLogbook', () => expect(page.locator('[data-line="0"]')).toBeVisible())
  await over(page, () => page.locator('[data-line="0"]').click())
  await over(page, press(page, 'Add trade'))
  await show(page, '/dashboard/Reconciliation', () => expect(page.getByText('Differs', { exact: true }).first()).toBeVisible())
  await over(page, () => page.getByRole('row').filter({ hasText: 'Differs' }).last().click())
})

test('what shows of books, files and settings, and what opens over it, is for everybody', { tag: '@nightly' }, async ({ page }) => {
  const { files } = withRedDay(threeFiles())
  await signUp(page)
  await importFiles(page, [...files, strangeFills])
  await offerDesktop(page)
  const { currentUser } = await readApi<{ currentUser: { uid: string } }>(page, '/api/session')
  const userId = currentUser.uid
  const entries = [{ id: 'one', type: 'expense', category: 'evaluation', amount: 147 }, { id: 'two', type: 'earning', category: 'payout', amount: 1_500 }]
  for (const entry of entries) await postApi(page, recordRoutes.addFinance.path, { userId, finance: { ...entry, date: '2026-02-13', name: '50K', balance: 0, platform: 'other', firm: 'Tradeify' } })
  await page.reload()

  await over(page, press(page, 'This computer only'))
  await over(page, press(page, /^Account of/), 'menu')
  await show(page, '/dashboard/Operational', () => expect(page.getByRole('img', { name: /by month/ })).toBeVisible())
  await over(page, press(page, 'Add expense'))
  await show(page, '/dashboard/Import', () => expect(button(page, /^Undo the import of/)).toBeVisible())
  await over(page, press(page, /^Undo the import of/))
  await page.locator('input[type=file]').setInputFiles(files.slice(0, 1).map(([name, bytes]) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(bytes) })))
  await show(page, '/dashboard/Import', () => expect(page.getByText('Everything in these files is already in the journal.')).toBeVisible())

  for (const section of ['copies', 'journal', 'commissions']) await show(page, `/dashboard/Settings?section=${section}`, () => expect(page.getByRole('tabpanel')).toContainText(/\w/))
  await show(page, '/dashboard/Settings?section=points', () => expect(page.getByRole('form', { name: 'XQZ' })).toBeVisible())
  await show(page, '/dashboard/Settings?section=computer', () => expect(page.getByRole('switch').first()).toBeVisible())
  await show(page, '/dashboard/Settings?section=stops', () => expect(button(page, 'Set several')).toBeVisible())
  await over(page, press(page, 'Set several'))
  await show(page, '/dashboard/Settings?section=account', () => expect(button(page, 'Delete account…')).toBeVisible())
  await over(page, press(page, 'Delete account…'))
  await show(page, '/dashboard/ManageSubscription', () => expect(page.getByText('there is nothing to buy')).toBeVisible())
})

test('what shows of accounts, copier, scanner and rules, and what opens over it, is for everybody', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  await tellRules(page)
  await stubPositions(page, () => scannerReading(Date.now()))
  const reading = copierReading()
  await stubCopier(page, () => reading)
  await page.reload()
  await show(page, '/dashboard/TradeCopier', () => expect(page.getByRole('region', { name: 'Morning NQ' })).toBeVisible())
  await over(page, () => page.keyboard.press('Shift+F'))
  await over(page, press(page, 'New group'))
  await over(page, press(page, 'More for Morning NQ'), 'menu')
  await button(page, 'More for Gold, to try').click()
  await over(page, () => page.getByRole('menuitem', { name: 'Remove group' }).click())
  await show(page, '/dashboard/TradeCopier?view=ledger', press(page, /^Copies of NQZ6/))
  await show(page, '/dashboard/TradeCopier?view=figures', () => expect(page.getByRole('table').nth(1)).toBeVisible())

  await show(page, '/dashboard/PositionScanner', () => expect(page.getByRole('row').nth(3)).toBeVisible())
  await over(page, press(page, 'Flatten NGF-EVAL150K-104871'))
  const [whole = '', bare = ''] = [copierAccounts[0]?.id, copierAccounts[6]?.id]
  const rules = '/dashboard/PositionScanner?tab=rules'
  await show(page, rules, () => expect(page.getByRole('meter').first()).toBeVisible())
  await show(page, `${rules}&account=${whole}`, () => expect(page.getByRole('meter').nth(9)).toBeVisible())
  await show(page, `${rules}&account=${bare}&part=set`, async () => {
    await choose(page, 'Firm', 'MyFundedFutures')
    await choose(page, 'Size', '$50,000')
    await choose(page, 'Phase', 'Evaluation')
    await button(page, 'Use these rules').click()
  })
  await show(page, `${rules}&account=${whole}&part=history`, () => expect(page.getByRole('img').first()).toBeVisible())
  await show(page, `${rules}&account=${whole}&part=odds`, async () => {
    await button(page, 'Run simulation').click()
    await expect(page.getByText('Assumptions')).toBeVisible()
  })
  await show(page, '/dashboard/PositionScanner?tab=alerts', () => expect(page.getByText('2 new')).toBeVisible())
})

test('what shows outside, of reports and of accounts, and what opens over it, is for everybody', { tag: '@nightly' }, async ({ page }) => {
  for (const [path, name] of [['/404', '404'], ['/auth/signin', 'Sign in'], ['/auth/forgot-password', 'Set a new password'], ['/auth/signup', 'Create a profile']] as const) await show(page, path, heading(page, name))
  await page.getByLabel('Email').fill('nina@example.com')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await button(page, 'Create profile').click()
  await expect(page.getByTestId('recovery-code')).toBeVisible()
  await expectForEverybody(page)
  await button(page, 'I saved it').click()
  await heading(page, 'Overview')()

  const week = statedReport({ id: 'r2', period: { kind: 'week', from: '2026-11-09', to: '2026-11-13' } })
  await stubReports(page, { reports: [statedReport({ narrative: statedNarrative() }), week], settings: statedSettings({ model: statedModel }), gone: 2, total: 64 })
  await show(page, '/dashboard/AIreport', async () => {
    await page.locator('summary').filter({ hasText: 'not significant' }).click()
    await expect(page.getByText('not proved', { exact: true })).toBeVisible()
  })
  await over(page, () => page.getByRole('article').first().getByRole('link').first().click())
  for (const name of ['Write again', 'Model settings', 'Schedule', /^Remove/]) await over(page, press(page, name))
  await show(page, '/dashboard/AIreport?report=r1&with=r2', () => expect(page.getByText('End comparison')).toBeVisible())

  let finances = [finance('A-1'), finance('B-2', { type: 'Funded Account' })]
  let expired: ReturnType<NonNullable<Stated['expired']>> = []
  await state(page, { finances: () => finances, accounts: () => finances.map(({ id }) => connection(id)), expired: () => expired })
  await page.route('**/api/firestore-remove-*', (route) => route.fulfill({ json: { success: true } }))
  // What was read before is known for a while.
  await page.reload()
  await show(page, '/dashboard/AutoSync', () => expect(page.getByRole('row').nth(2)).toBeVisible())
  await over(page, press(page, 'Add Account'))
  await button(page, 'Delete Account A-1').click()
  await expect(page.getByRole('dialog', { name: 'Disconnecting Account' })).toBeVisible()
  await expectForEverybody(page)
  await button(page, 'Continue').click()

  finances = [finance('C-3', { type: 'Account', firm: null })]
  await page.reload()
  await expect(labelDialog(page)).toBeVisible()
  await expectForEverybody(page)
  finances = [finance('PA-APEX-88121-07', { type: 'Account', firm: null }), finance('NGF-EVAL150K-104871', { type: 'Account', firm: null }), finance('DEMO7001250', { type: 'Account', firm: null })]
  await page.reload()
  await expect(labelsDialog(page)).toBeVisible()
  await expectForEverybody(page)
  await expectMagnified(page)
  finances = []
  expired = [{ accountId: 'A-1', accountName: 'A-1', lastError: 'invalid_grant', tokenDocId: 'a' }, { accountId: 'B-2', accountName: null, lastError: null, tokenDocId: 'b' }]
  await page.reload()
  await expect(page.getByRole('dialog', { name: 'Account Access Expired' })).toBeVisible()
  await expectForEverybody(page)
  await button(page, 'Acknowledge & Remove').click()

  await page.route('**/assets/settings-page-*.js', (route) => route.abort())
  await goTo(page, '/dashboard/Settings')
  await heading(page, 'Ooops, something went wrong :(')()
  await expectForEverybody(page)
  await expectMagnified(page)
})
