import { ownDataRoutes } from '#shared/api/own-data.ts'
import { recordRoutes } from '#shared/api/journal.ts'
import { reconciliationRoutes } from '#shared/api/reconciliation.ts'
import type { LoginHistory } from '#shared/api/history.ts'
import { plainBytes, threeFiles } from '#tests/helpers/exports/three-files.ts'
import { ordersTable } from '#tests/helpers/exports/tradovate-files.ts'
import { expect, type Locator, type Page, type Route } from '@playwright/test'
import { button, goTo, signUp, test } from '../e2e/app-test.ts'
import { financesOf, postApi, readApi } from '../e2e/broker-test.ts'
import { dropOn, importFiles, threeOf, withRedDay } from '../e2e/import-files.ts'
import { connectDemo, dismiss, loaded, open, picture } from './picture.ts'
import { connection, finance, state } from '../e2e/stated/stated.ts'

const row = (page: Page, line: number): Locator => page.locator(`[data-line="${String(line)}"]`)

/** Scrolls the page, or the dialog over it, to its end. */
const toEnd = (page: Page) => async (): Promise<void> => {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  await page.mouse.move(width * 0.6, height * 0.6)
  await page.mouse.wheel(0, 9_000)
  await page.mouse.move(0, 0)
}

type Choices = { accounts: { key: string; name: string }[]; symbols: string[] }

/** Brings the past of every login that is offered. */
const takeHistory = async (page: Page): Promise<void> => {
  await open(page, '/dashboard/AutoSync', 'AutoSync')
  const card = page.getByRole('region', { name: 'Account history' })
  await expect(card.getByRole('button', { name: 'Start' })).toHaveCount(2)
  for (const left of [1, 0]) {
    await card.getByRole('button', { name: 'Start' }).first().click()
    await expect(card.getByRole('button', { name: 'Start' })).toHaveCount(left)
  }
  await expect(card.getByText('The history is in the journal')).toHaveCount(2, { timeout: 240_000 })
}

/** Two firms, one account that copies another, own rates and stops, notes of days, tags. */
const sayOwnData = async (page: Page): Promise<Choices> => {
  for (const [index, one] of (await financesOf(page)).entries()) {
    await postApi(page, recordRoutes.addFinance.path, { userId: one.userId, finance: { ...one, type: index % 2 === 0 ? 'Evaluation Account' : 'Funded Account', firm: index < 3 ? 'Apex Trader Funding' : 'MyFundedFutures' } })
  }
  const { accounts } = await readApi<{ accounts: { id: string }[] }>(page, '/api/accounts')
  await postApi(page, ownDataRoutes.setCopyOf.path, { accountId: accounts[1]?.id, leaderId: accounts[0]?.id })
  await postApi(page, ownDataRoutes.setCommission.path, { of: { scope: 'firm', firm: 'Apex Trader Funding' }, product: 'MES', perSide: '0.51' })
  await postApi(page, ownDataRoutes.setCommission.path, { of: { scope: 'account', accountId: accounts[0]?.id }, product: 'MNQ', perSide: '0.37' })
  await postApi(page, ownDataRoutes.setDefaultStops.path, { stops: [{ product: 'MES', distance: '20', unit: 'ticks' }, { product: 'MNQ', distance: '12.5', unit: 'points' }, { product: 'MCL', distance: '15', unit: 'ticks' }] })
  const { rows } = await readApi<{ rows: { id: string; userId: string; tradingDay: string }[] }>(page, '/api/fill-pairs?limit=60')
  for (const [index, { id, userId, tradingDay }] of rows.entries()) {
    if (index % 7 === 0) await postApi(page, recordRoutes.updateTrade.path, { userId, id, updates: { notes: 'Waited for the second push, then took it.', tags: ['breakout', 'A+ setup'].slice(0, 1 + (index % 2)) } })
    if (index % 20 === 0) await postApi(page, ownDataRoutes.setDayNote.path, { tradingDay, notes: 'Calm morning, no chase.', tags: ['patient'] })
  }
  return readApi<Choices>(page, '/api/filter-choices')
}

/** What the accounts cost in a year, and what they paid out. */
const sayBooks = async (page: Page): Promise<void> => {
  const accounts = await financesOf(page)
  for (let month = 1; month <= 12; month += 1) {
    for (const [index, { id: account, userId, firm }] of accounts.entries()) {
      const category = (month + index) % 4 === 0 ? 'reset' : (month + index) % 5 === 0 ? 'activation' : 'evaluation'
      const day = (of: number) => `2025-${String(month).padStart(2, '0')}-${String(of).padStart(2, '0')}`
      const add = (finance: object) => postApi(page, recordRoutes.addFinance.path, { userId, finance: { balance: 0, platform: 'Tradovate', firm, account, ...finance } })
      if ((month * 7 + index) % 3 === 0) await add({ id: `fee-${String(month)}-${String(index)}`, type: 'expense', category, amount: 130 + index * 17, date: day(4 + index), name: '50K' })
      if ((month * 5 + index) % 6 === 0) await add({ id: `payout-${String(month)}-${String(index)}`, type: 'earning', category: 'payout', amount: 812.5 + month * 61, date: day(24), name: 'Payout' })
    }
  }
}

test('statistics, filters, days and what the trader says of them', async ({ page }) => {
  test.setTimeout(900_000)
  await button(page, 'Try it with the demo brokerage').click()
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible()
  await connectDemo(page, 'ava.morgan')
  await connectDemo(page, 'ben.keller')
  await takeHistory(page)
  await importFiles(page, withRedDay(threeFiles()).files)
  const { accounts, symbols } = await sayOwnData(page)

  for (const view of ['summary', 'calendar', 'breakdown', 'risk']) {
    await open(page, `/dashboard?view=${view}`, 'Overview')
    await page.reload()
    await expect(page.getByRole('tabpanel').getByText(/[+−]\d/).first()).toBeVisible()
    if (view === 'summary') await expect(page.getByRole('img', { name: /^Equity curve/ })).toBeVisible()
    await page.mouse.move(0, 0)
    await picture(page, `statistics-${view}`)
    await picture(page, `statistics-${view}-end`, toEnd(page))
  }
  for (const by of ['hour', 'account', 'session']) {
    await open(page, `/dashboard?view=breakdown&by=${by}&unit=pairs`, 'Overview')
    await expect(page.getByRole('tabpanel').locator('tbody tr').first()).toBeVisible()
    await picture(page, `statistics-by-${by}`)
  }
  await button(page, /^Time zone for weekdays/).click()
  await picture(page, 'statistics-zone')
  await dismiss(page)

  await open(page, '/dashboard', 'Overview')
  for (const panel of ['Dates', 'Accounts', 'Symbols', 'More']) {
    await picture(page, `filter-${panel.toLowerCase()}`, async () => {
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await button(page, new RegExp(`^${panel}`)).click()
    })
    await dismiss(page)
  }
  const several = [...accounts.slice(0, 2).map(({ key }) => ['accounts', key]), ...symbols.map((symbol) => ['symbols', symbol]), ['side', 'long'], ['side', 'short'], ['tags', 'breakout'], ['tags', 'patient'], ['leader', 'only'], ['from', '2026-01-05'], ['to', '2026-11-20'], ['symbol', 'M'], ['account', '1']]
  const search = new URLSearchParams(several).toString()
  await open(page, `/dashboard?${search}`, 'Overview')
  await expect(page.getByRole('list', { name: 'Active filters' })).toBeVisible()
  await picture(page, 'filter-chips')
  await open(page, `/dashboard/TradeLogbook?${search}&unit=pairs`, 'TradeLogbook')
  await picture(page, 'filter-chips-logbook')

  await open(page, '/dashboard/TradeLogbook?unit=pairs', 'TradeLogbook')
  await expect(row(page, 4)).toContainText(/Long|Short/)
  for (const line of [1, 2, 4]) await row(page, line).click({ modifiers: ['ControlOrMeta'] })
  await picture(page, 'selection')
  await button(page, 'Clear selection').click()
  await row(page, 0).click()
  await picture(page, 'trade-sources')
  await picture(page, 'trade-sources-end', toEnd(page))
  await page.getByRole('dialog').getByRole('button', { name: 'Day note' }).click()
  await expect(page.getByLabel('Notes for the day')).toBeVisible()
  await picture(page, 'day-note')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')

  await open(page, '/dashboard/Reconciliation', 'Reconciliation')
  await expect(page.getByText('Reconciled', { exact: true }).first()).toBeVisible()
  await picture(page, 'reconciliation-days')
  const { days } = reconciliationRoutes.reconciliation.answer.parse(await readApi(page, '/api/reconciliation'))
  for (const name of ['differs', 'equal', 'unchecked'] as const) {
    const day = days.find((one) => one.state === name)
    if (day === undefined) throw new Error(`No day is ${name}`)
    await goTo(page, `/dashboard/Reconciliation?${new URLSearchParams({ day: day.tradingDay, of: day.account }).toString()}`)
    await expect(page.getByRole('dialog').getByRole('heading', { name: /pairs?$/ })).toBeVisible()
    await picture(page, `reconciliation-${name}`)
    await page.keyboard.press('Escape')
  }
  await sayBooks(page)
  await open(page, '/dashboard/Operational', 'Operational')
  await expect(page.getByRole('img', { name: /by month/ })).toBeVisible()
  await picture(page, 'operational')
  await picture(page, 'operational-end', toEnd(page))
  await button(page, 'Add expense').click()
  await expect(page.getByRole('dialog').getByLabel('Amount')).toBeFocused()
  await picture(page, 'operational-entry')
  await page.keyboard.press('Escape')

  for (const section of ['commissions', 'points', 'stops', 'copies', 'journal']) {
    await open(page, `/dashboard/Settings?section=${section}`, 'Settings')
    await expect(page.getByRole('tabpanel')).toContainText(/\w/)
    await loaded(page)
    await picture(page, `settings-${section}`)
    await picture(page, `settings-${section}-end`, toEnd(page))
  }
  await open(page, '/dashboard/Settings?section=stops', 'Settings')
  await button(page, 'Set several').click()
  await page.getByLabel('Product, distance, unit').fill('MES 20 ticks\nMNQ twelve')
  await picture(page, 'settings-several-stops')
  await page.keyboard.press('Escape')
  const download = page.waitForEvent('download')
  await goTo(page, '/dashboard/Settings?section=journal')
  await page.getByRole('link', { name: 'Export everything' }).click()
  const chooser = page.waitForEvent('filechooser')
  await button(page, 'Choose file').click()
  await (await chooser).setFiles(await (await download).path())
  await expect(page.getByText('This file is intact. It holds:')).toBeVisible({ timeout: 120_000 })
  await picture(page, 'settings-journal-holds', toEnd(page))
  await open(page, '/dashboard/Import', 'Import')
  await expect(page.getByText('History from the broker').first()).toBeVisible()
  await picture(page, 'import-list')
})

test('files from the drop to the list of imports, and back', async ({ page }) => {
  const three = threeFiles()
  const [header = '', first = '', ...rows] = new TextDecoder().decode(three.fills).split('\r\n')
  const broken = [header, first.replace(/,\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}Z,/, ',yesterday,'), ...rows].join('\r\n')
  const choose = (files: readonly { name: string; content: Uint8Array | string }[]): Promise<void> => page.locator('input[type=file]').setInputFiles(files.map(({ name, content }) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(content) })))
  await signUp(page)
  for (const section of ['commissions', 'points', 'stops', 'copies']) {
    await open(page, `/dashboard/Settings?section=${section}`, 'Settings')
    await loaded(page)
    await picture(page, `settings-${section}-empty`)
  }
  await open(page, '/dashboard', 'Overview')
  await dropOn(page, [{ name: 'page.html', content: '<!doctype html>' }], () => picture(page, 'drop-anywhere'))
  await expect(page.getByText('Its columns match no report that Fillbook knows.', { exact: false })).toBeVisible()
  await picture(page, 'import-nothing-readable')
  await choose([{ name: 'Fills.csv', content: broken }, { name: 'failed.csv', content: 'undefined' }])
  await button(page, '1 rejected row in Fills.csv').click()
  await expect(page.getByText('yesterday')).toBeVisible()
  await picture(page, 'import-refused')
  await button(page, 'Cancel').click()

  await choose([{ name: 'Performance.csv', content: three.performance }])
  await expect(page.getByText('Choose or name an account above for each file that names none.')).toBeVisible()
  await picture(page, 'import-account')
  await choose([{ name: 'Performance (1).csv', content: threeFiles(12).performance }, { name: 'Orders.csv', content: plainBytes(ordersTable(threeFiles(12).world.orders, { zone: 'America/Chicago', money: 'plain', year2026: true })) }])
  await expect(page.getByLabel('Import Performance (1).csv into')).toBeVisible()
  await picture(page, 'import-accounts')
  for (const name of ['Performance (1).csv', 'Orders.csv']) await button(page, `Remove ${name}`).click()
  await picture(page, 'import-zone', async () => {
    await page.keyboard.press('Escape')
    await button(page, 'Time zone of the files').click()
  })
  await page.keyboard.press('Escape')
  await choose(threeOf(three).filter(({ name }) => name !== 'Performance.csv'))
  await expect(page.getByText(/days reconciled, 0 differ, \d+ not checked$/)).toBeVisible()
  await picture(page, 'import-preview')
  await page.locator('main').dispatchEvent('dragover', { dataTransfer: await page.evaluateHandle(() => {
    const transfer = new DataTransfer()
    transfer.items.add(new File(['a'], 'Orders.csv'))
    return transfer
  }) })
  await picture(page, 'import-dragging')
  await page.locator('main').dispatchEvent('dragleave')
  const held: Route[] = []
  await page.route('**/api/imports', (route) => (route.request().method() === 'POST' ? void held.push(route) : route.continue()))
  await button(page, /^Import \d/).click()
  await expect(page.getByRole('progressbar')).toBeVisible()
  await picture(page, 'import-progress')
  await held[0]?.abort()
  await expect(page.getByText('Nothing was imported.')).toBeVisible()
  await picture(page, 'import-failed-to-import')
  await page.unrouteAll()
  await button(page, /^Import \d/).click()
  await expect(page.getByText(/^Imported\./)).toBeVisible()
  await picture(page, 'import-done')
  await button(page, /^Undo the import of/).click()
  await picture(page, 'import-undo')
})

test('the history of a login in every state', async ({ page }) => {
  await signUp(page)
  const accounts = [connection('NGF-EVAL50K-104233'), connection('NGF-EVAL150K-104871')]
  await state(page, { accounts: () => accounts, finances: () => accounts.map(({ id }) => finance(id)) })
  const plain: LoginHistory = { loginId: 'a', loginName: 'ava.morgan', accounts: ['NGF-EVAL50K-104233', 'NGF-EVAL150K-104871'], state: 'offered', since: '2025-11-20', wholeThrough: null, progress: null, trouble: null, notGiven: [], imported: { fills: 0, pairs: 0, trades: 0 } }
  const imported = { fills: 4_210, pairs: 2_377, trades: 1_204 }
  let logins: LoginHistory[] = []
  await page.route('**/api/history', (route) => route.fulfill({ json: { logins, suggestedSince: '2025-11-20' } }))
  const states: readonly (readonly [string, LoginHistory[]])[] = [
    ['offered', [plain, { ...plain, loginId: 'b', loginName: 'ben.keller', accounts: ['KELLER-LIVE-2'] }]],
    ['running', [{ ...plain, state: 'running', imported, progress: { account: 'NGF-EVAL150K-104871', from: '2026-02-01', to: '2026-03-01', done: 7, total: 24 } }]],
    ['waiting', [{ ...plain, state: 'waiting', imported, trouble: 'rate-limited' }]],
    ['stopped', [{ ...plain, state: 'stopped', imported, trouble: 'stopped' }]],
    ['done', [{ ...plain, state: 'done', imported, notGiven: ['NGF-EVAL50K-104233'] }]],
    ['whole', [{ ...plain, state: 'done', imported, wholeThrough: '2026-11-19' }]],
    ['refused', [{ ...plain, state: 'refused' }]],
    ['declined', [{ ...plain, state: 'declined' }]],
  ]
  for (const [name, stated] of states) {
    logins = stated
    await goTo(page, '/dashboard/AutoSync')
    await page.reload()
    const card = page.getByRole('region', { name: 'Account history' })
    await expect(card.or(button(page, 'History'))).not.toHaveCount(0)
    if (!(await card.isVisible())) await button(page, 'History').click()
    await expect(card).toBeVisible()
    await picture(page, `history-${name}`)
  }
})
