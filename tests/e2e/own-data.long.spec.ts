import { expect, type Locator, type Page } from '@playwright/test'
import { readFile } from 'node:fs/promises'
import { expectAccessible, goTo, signUp } from './app-test.ts'
import { choose, connect, postApi, readApi, test } from './broker-test.ts'

test.use({ begins: 'outside' })

type Row = { id: string; symbol: string; accountId: string; account: string; commission: string; netPnl: string; feeSource: string; tradingDay: string; tags: string[] }

const quietDay = '2026-02-11'

const pairs = async (page: Page): Promise<Row[]> => (await readApi<{ rows: Row[] }>(page, '/api/fill-pairs?limit=500')).rows
const row = (page: Page, line: number): Locator => page.locator(`[data-line="${String(line)}"]`)
const source = (page: Page): Locator => page.getByRole('dialog').getByLabel('Sources of the figures')

const openSettings = async (page: Page, section: string): Promise<void> => {
  await goTo(page, `/dashboard/Settings?section=${section}`)
  await expect(page.getByRole('heading', { name: 'Settings', exact: true })).toBeVisible()
}

/** A long pair of two MES on a day without others, without reported fees; returns its account. */
const enterUnchargedPair = async (page: Page): Promise<{ id: string; name: string }> => {
  const { accounts } = await readApi<{ accounts: { id: string; name: string }[] }>(page, '/api/accounts')
  const { currentUser } = await readApi<{ currentUser: { uid: string } }>(page, '/api/session')
  const [account] = accounts
  if (account === undefined) throw new Error('No account is connected')
  const fill = { accountId: account.id, contractId: '901', contractSymbol: 'MESH6', qty: 2, platform: 'Tradovate' }
  await postApi(page, '/api/firestore-add-tradovate-fills', { userId: currentUser.uid, fill: { ...fill, id: 'in', action: 'buy', price: 6000, timestamp: `${quietDay}T15:00:00.000Z` } })
  await postApi(page, '/api/firestore-add-tradovate-fills', { userId: currentUser.uid, fill: { ...fill, id: 'out', action: 'sell', price: 6010, timestamp: `${quietDay}T15:20:00.000Z` } })
  return account
}

const openQuietDay = async (page: Page): Promise<void> => {
  await goTo(page, `/dashboard/TradeLogbook?from=${quietDay}&to=${quietDay}&unit=pairs`)
  await expect(row(page, 0)).toContainText('MESH6')
}

test('an own commission changes what the broker did not charge, says so, and is taken back to the cent', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  await connect(page)
  const account = await enterUnchargedPair(page)
  const before = await pairs(page)
  expect(before.filter(({ feeSource }) => feeSource === 'table').map(({ commission }) => commission)).toEqual(['3.80'])

  // The trade names the source of its fees, and links to where they can be changed.
  await openQuietDay(page)
  await row(page, 0).click()
  await expect(source(page)).toContainText('From Fillbook’s commission table.')
  await expectAccessible(page)
  await page.getByLabel('Notes').fill('Kept on the way.')
  await page.getByRole('link', { name: 'Set commission rate for MES' }).click()
  await expect(page.getByRole('combobox', { name: 'Rates for' })).toHaveText(account.name)
  await expect(page.getByLabel('Search products')).toHaveValue('MES')

  // Of hundreds of rates one is in the tab order; Up and Down move between them.
  const search = page.getByLabel('Search products')
  const rates = page.getByRole('textbox', { name: /^Commission rate for / })
  await search.fill('')
  await search.press('Tab')
  await expect(rates.first()).toBeFocused()
  await rates.first().press('ArrowDown')
  await expect(rates.nth(1)).toBeFocused()
  await expect(page.locator('tbody input[tabindex="0"]')).toHaveCount(1)
  await search.fill('MES')

  const rate = page.getByRole('textbox', { name: 'Commission rate for MES', exact: true })
  await rate.fill('0.12345')
  await expect(page.getByRole('alert')).toHaveText('Enter at most four decimals.')
  await rate.press('Escape')
  await expect(rate).toHaveValue('')
  await expect(page.getByRole('alert')).toHaveCount(0)

  // What could not be saved stays in its field.
  await page.route('**/api/commissions', (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()))
  await rate.fill('.37')
  await rate.press('Enter')
  await expect(page.getByRole('alert')).toContainText('Fillbook is not responding')
  await expect(rate).toHaveValue('.37')
  await expectAccessible(page)
  await page.unroute('**/api/commissions')
  await rate.press('Enter')
  await expect(page.getByRole('status').filter({ hasText: 'recomputed' })).toHaveText(`Commission rate of MES for ${account.name} saved. 1 fill pair recomputed.`)
  await expect(rate).toHaveValue('0.37')

  const rated = await pairs(page)
  expect(rated.filter(({ feeSource }) => feeSource === 'setting')).toMatchObject([{ commission: '1.48', netPnl: '98.52', tradingDay: quietDay }])
  expect(rated.filter(({ feeSource }) => feeSource !== 'setting')).toEqual(before.filter(({ feeSource }) => feeSource !== 'table'))
  await openQuietDay(page)
  await expect(row(page, 0)).toContainText('1.48')
  await row(page, 0).click()
  await expect(source(page)).toContainText('From your commission rate.')
  await expect(page.getByLabel('Notes')).toHaveValue('Kept on the way.')
  await page.getByRole('link', { name: 'Change commission rate for MES' }).click()

  await page.getByRole('button', { name: 'Reset MES to default' }).press('Enter')
  await expect(page.getByRole('status').filter({ hasText: 'recomputed' })).toHaveText(`MES for ${account.name} reset to default. 1 fill pair recomputed.`)
  await expect(page.getByRole('button', { name: 'Reset MES to default' })).toBeHidden()
  await expect(rate).toBeFocused()
  const unnoted = (rows: readonly Row[]): object[] => rows.map((one) => ({ ...one, notes: '' }))
  expect(unnoted(await pairs(page))).toEqual(unnoted(before))

  // The firm's rate applies to its accounts, and is shown beside the account's own.
  await choose(page, 'Rates for', 'All Other accounts')
  await page.getByLabel('Search products').fill('nothing')
  await expect(page.getByText('No product starts with “nothing”')).toBeVisible()
  await page.getByLabel('Search products').fill('')
  await rate.fill('0.5')
  await page.getByLabel('Search products').focus()
  await expect(page.getByRole('status').filter({ hasText: 'recomputed' })).toContainText('MES for Other saved.')
  await page.getByLabel('Another product').fill('xyz')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByRole('alert')).toHaveText('This field is required.')
  await page.getByRole('textbox', { name: 'Commission rate', exact: true }).fill('1.25')
  await page.getByRole('textbox', { name: 'Commission rate', exact: true }).press('Enter')
  await expect(page.getByRole('textbox', { name: 'Commission rate for XYZ' })).toHaveValue('1.25')
  await choose(page, 'Rates for', account.name)
  await expect(page.getByRole('row').filter({ has: page.getByText('MES', { exact: true }) })).toContainText('0.50')
})

test('default stops set at once by the keyboard alone bring R to the Overview and to each trade', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  await connect(page)
  await enterUnchargedPair(page)
  await openSettings(page, 'stops')
  await expect(page.getByLabel('Stop distance for MES')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled()

  await page.getByRole('button', { name: 'Set several' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Set several stops' })
  await expect(dialog.getByLabel('Product, distance, unit')).toBeFocused()
  await page.keyboard.type('MES 20 ticks\nMNQ twelve')
  await expect(dialog.getByRole('alert')).toContainText('MNQ twelve')
  await expect(dialog.getByRole('button', { name: 'Add to table' })).toBeDisabled()
  await expectAccessible(page)
  await page.keyboard.press('ControlOrMeta+Backspace')
  await page.keyboard.type('12.5p\nNG 8')
  await expect(dialog.getByRole('status')).toHaveText('3 stops recognized.')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Set several' })).toBeFocused()

  await expect(page.getByRole('row').filter({ hasText: 'MES' })).toContainText('25.00 USD per contract')
  await expect(page.getByRole('status')).toHaveText('3 products changed.')
  expect(await readApi(page, '/api/default-stops')).toEqual({ stops: [] })
  await expectAccessible(page)
  await page.getByLabel('Stop distance for MES').fill('0')
  await expect(page.getByRole('alert')).toHaveText('Enter a number above zero, like 12.')
  await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled()
  await page.getByLabel('Stop distance for MES').fill('20')
  await page.getByLabel('Stop distance for MES').press('Enter')
  await expect(page.getByRole('status')).toHaveText('3 products saved.')
  const stops = await readApi<{ stops: { product: string }[] }>(page, '/api/default-stops')
  expect(stops.stops.toSorted((one, other) => (one.product < other.product ? -1 : 1))).toEqual([
    { product: 'MES', distance: '20', unit: 'ticks' },
    { product: 'MNQ', distance: '12.5', unit: 'points' },
    { product: 'NG', distance: '8', unit: 'ticks' },
  ])

  // 20 ticks of two contracts are 50.00, and 96.20 net were made of it.
  await openQuietDay(page)
  await row(page, 0).click()
  await expect(source(page)).toContainText('+1.92 R from your default stop for MES, 20 ticks.')
  await page.getByLabel('Stop').fill('5990')
  await expect(source(page)).toContainText('+0.96 R from this trade’s stop at 5,990.00.')
  await page.getByLabel('Stop').fill('')
  await expect(source(page)).toContainText('+1.92 R')
  await page.keyboard.press('Escape')
  const { all } = await readApi<{ all: { count: number; r: { count: number } } }>(page, '/api/statistics?unit=pairs')
  expect(all.r.count).toBeGreaterThan(0)
  expect(all.r.count).toBeLessThan(all.count)
  await goTo(page, `/dashboard?view=risk&unit=pairs&from=${quietDay}&to=${quietDay}`)
  await expect(page.getByText('+1.92').first()).toBeVisible()

  // An empty distance takes a stop back.
  await openSettings(page, 'stops')
  await page.getByLabel('Stop distance for MES').fill('')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('main').getByRole('status')).toHaveText('1 product saved.')
  expect(JSON.stringify(await readApi(page, '/api/default-stops'))).not.toContain('MES')
})

test('the note of a day is saved when its field is left, is kept where that fails, and survives a reload', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  await connect(page)
  const day = 'Feb 13, 2026'
  await goTo(page, '/dashboard/TradeLogbook')
  await row(page, 0).hover()
  await row(page, 0).getByRole('button', { name: `Write a note for ${day}` }).click()
  const dialog = page.getByRole('dialog', { name: `Note for ${day}` })
  await expect(dialog.getByLabel('Notes for the day')).toBeFocused()
  await page.keyboard.type('Waited for the open.')
  await page.keyboard.press('Tab')
  await expect(dialog.getByRole('status')).toHaveText('Saved')
  await expect.poll(() => readApi(page, '/api/day-notes')).toEqual({ days: [{ tradingDay: '2026-02-13', notes: 'Waited for the open.', tags: [] }] })

  await page.keyboard.type('patient')
  await page.keyboard.press('Enter')
  await page.keyboard.type('fomc, calm')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect.poll(() => readApi(page, '/api/day-notes')).toMatchObject({ days: [{ tags: ['patient', 'fomc', 'calm'] }] })
  await page.reload()
  const mark = row(page, 0).getByRole('button', { name: `Open the note for ${day}` })
  await expect(mark).toBeVisible()
  await expectAccessible(page)

  // A note that cannot be saved stays on the screen, says so, and goes along with the next try.
  await page.route('**/api/day-notes', (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()))
  await mark.click()
  await dialog.getByLabel('Notes for the day').fill('Second thoughts.')
  await page.keyboard.press('Tab')
  await expect(dialog.getByRole('alert')).toContainText('This note is not saved yet')
  await dialog.getByRole('button', { name: 'Remove tag fomc' }).press('Enter')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await row(page, 0).getByRole('button', { name: `Open the unsaved note for ${day}` }).click()
  await expect(dialog.getByLabel('Notes for the day')).toHaveValue('Second thoughts.')
  await page.unroute('**/api/day-notes')
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await expect(dialog.getByRole('alert')).toHaveCount(0)
  await expect.poll(() => readApi(page, '/api/day-notes')).toEqual({ days: [{ tradingDay: '2026-02-13', notes: 'Second thoughts.', tags: ['patient', 'calm'] }] })
  await page.keyboard.press('Escape')

  // The days of the Overview lead to the same note, by the keyboard too, and so does each trade.
  await goTo(page, '/dashboard')
  await page.getByRole('radio', { name: 'Table' }).click()
  const ofDay = page.getByRole('group', { name: 'By trading day' }).getByRole('button', { name: `Open the note for ${day}` })
  await ofDay.focus()
  await page.keyboard.press('Enter')
  await expect(dialog.getByLabel('Notes for the day')).toHaveValue('Second thoughts.')
  await page.keyboard.press('Escape')
  await expect(ofDay).toBeFocused()
  await goTo(page, '/dashboard/TradeLogbook')
  await row(page, 0).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Day note' }).press('Enter')
  await expect(dialog.getByLabel('Notes for the day')).toHaveValue('Second thoughts.')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('dialog')).toBeVisible()
})

test('a copied account is marked, named beside its leader, and left out where leaders only count', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  await connect(page)
  const { accounts } = await readApi<{ accounts: { key: string; name: string }[] }>(page, '/api/filter-choices')
  const [leader, copy] = accounts
  if (leader === undefined || copy === undefined) throw new Error('Two accounts are connected')
  const counted = async (query: string): Promise<number> => (await readApi<{ all: { count: number } }>(page, `/api/statistics?unit=pairs&${query}`)).all.count
  const [all, copied] = [await counted(''), await counted(`accounts=${encodeURIComponent(copy.key)}`)]
  expect(copied).toBeGreaterThan(0)

  await openSettings(page, 'copies')
  await choose(page, `${copy.name} is a copy of`, `Copy of ${leader.name}`)
  await expect(page.getByRole('row').filter({ hasText: leader.name }).first()).toContainText('Leader of 1 account')
  await expectAccessible(page)
  expect(await counted('leader=only')).toBe(all - copied)
  await goTo(page, '/dashboard/AutoSync')
  await expect(page.getByText(`Copy of ${leader.name}`, { exact: true })).toBeVisible()

  await openSettings(page, 'copies')
  await choose(page, `${copy.name} is a copy of`, 'Not a copy')
  await expect(page.getByRole('combobox', { name: `${leader.name} is a copy of` })).toBeVisible()
  expect(await counted('leader=only')).toBe(all)
})

test('tags complete from those in use, show in the list, and the pairs of the filter leave as CSV', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  await connect(page)
  await enterUnchargedPair(page)
  await openQuietDay(page)
  await row(page, 0).click()
  await page.getByLabel('Tags').fill('breakout')
  await page.getByLabel('Tags').press('Enter')
  await page.getByLabel('Tags').fill('news')
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(row(page, 0)).toContainText('breakout')
  await expect(row(page, 0)).toContainText('+1')
  await expect.poll(async () => (await pairs(page)).find(({ tradingDay }) => tradingDay === quietDay)?.tags).toEqual(['breakout', 'news'])

  await row(page, 0).click()
  await page.getByLabel('Tags').press('Backspace')
  await expect(page.getByRole('button', { name: 'Remove tag news' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Remove tag breakout' })).toBeVisible()
  await expect.poll(() => page.locator('datalist option[value="news"]').count()).toBe(1)
  await page.getByRole('button', { name: 'Done' }).click()
  await expect.poll(async () => (await pairs(page)).find(({ tradingDay }) => tradingDay === quietDay)?.tags).toEqual(['breakout'])

  const saving = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export CSV' }).click()
  const file = await saving
  expect(file.suggestedFilename()).toMatch(/\.csv$/)
  const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n')
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain('MESH6')
  expect(lines[1]).toContain('breakout')
})

test('several pairs are tagged at once, by keyboard and by pointer, and lose the tag again', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  await connect(page)
  await goTo(page, '/dashboard/TradeLogbook?unit=pairs')
  await expect(row(page, 4)).toContainText(/Long|Short/)
  await row(page, 1).focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Shift+Space')
  const bar = page.getByRole('group', { name: 'Selected rows' })
  await expect(bar.getByRole('status')).toHaveText('3 fill pairs selected')
  await row(page, 5).click({ modifiers: ['ControlOrMeta'] })
  await expect(bar.getByRole('status')).toHaveText('4 fill pairs selected')
  await row(page, 2).click({ modifiers: ['ControlOrMeta'] })
  await expect(bar.getByRole('status')).toHaveText('3 fill pairs selected')
  await expect(row(page, 2)).toHaveAttribute('aria-selected', 'false')
  await expectAccessible(page)

  await bar.getByLabel('Tag').fill('reviewed')
  await bar.getByLabel('Tag').press('Enter')
  const tagged = async (): Promise<number[]> => (await pairs(page)).flatMap(({ tags }, line) => (tags.includes('reviewed') ? [line] : []))
  await expect.poll(tagged).toEqual([1, 3, 5])
  await expect(row(page, 3)).toContainText('reviewed')
  await bar.getByRole('button', { name: 'Remove tag' }).click()
  await page.getByRole('menuitem', { name: 'reviewed' }).click()
  await expect.poll(tagged).toEqual([])
  await expect(bar.getByRole('button', { name: 'Remove tag' })).toHaveCount(0)
  await bar.getByRole('button', { name: 'Clear selection' }).press('Enter')
  await expect(bar).toHaveCount(0)
  await expect(page.getByRole('dialog')).toHaveCount(0)
})
