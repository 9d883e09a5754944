import { expect, type Locator, type Page } from '@playwright/test'
import { performanceTable } from '#tests/helpers/exports/tradovate-files.ts'
import { plainBytes, threeFiles } from '#tests/helpers/exports/three-files.ts'
import { expectAccessible, goTo, signUp, test } from './app-test.ts'
import { dropOn, threeOf, type Named } from './import-files.ts'

test.use({ begins: 'outside' })

const rowOf = (page: Page, text: string): Locator => page.getByRole('row').filter({ hasText: text })
const importButton = (page: Page): Locator => page.getByRole('button', { name: /^Import( \d|$)/ })
const choose = (page: Page, files: readonly Named[]): Promise<void> => page.locator('input[type=file]').setInputFiles(files.map(({ name, content }) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(content) })))
const open = async (page: Page): Promise<void> => {
  await goTo(page, '/dashboard/Import')
  await expect(page.getByRole('heading', { name: 'Import', exact: true })).toBeVisible()
}

test('three files dropped on the Overview are looked at, imported, checked to the cent, and taken back', async ({ page }) => {
  const three = threeFiles()
  const { truth, world, account } = three
  await signUp(page)
  await dropOn(page, threeOf(three), async () => { await expect(page.getByText('Drop to import')).toBeVisible() })
  await expect(page).toHaveURL(/#\/dashboard\/Import$/)
  await expect(rowOf(page, 'Fills.csv').getByRole('cell')).toHaveText(['Fills.csv', 'Fills', String(world.fills.length), String(world.fills.length), '0', ''])
  await expect(rowOf(page, 'Performance.csv').getByRole('cell').nth(1)).toHaveText('Performance')
  await expect(rowOf(page, 'Account Balance History.csv').getByRole('cell').nth(1)).toHaveText('Account Balance History')
  await expect(page.getByText(`${String(truth.pairs.length)} of ${String(truth.pairs.length)} fill pairs reconciled`)).toBeVisible()
  await expect(page.getByText(/^\d+ of \d+ days reconciled, 0 differ, 1 not checked$/)).toBeVisible()
  await expect(page.getByText(`${String(world.fills.length)} new fills · ${String(truth.pairs.length)} new fill pairs · ${String(truth.trades)} new trades`)).toBeVisible()
  await expect(page.getByText('No imports yet')).toBeVisible()
  await expectAccessible(page)

  await importButton(page).click()
  await expect(page.getByText(`Imported. ${String(world.fills.length)} new fills · ${String(truth.pairs.length)} new fill pairs · ${String(truth.trades)} new trades.`)).toBeVisible()
  const undo = page.getByRole('button', { name: /^Undo the import of/ })
  await expect(rowOf(page, 'Performance.csv').getByRole('cell').nth(2)).toHaveText(account)

  await goTo(page, '/dashboard/TradeLogbook')
  await expect(page.getByText(account).first()).toBeVisible()
  await goTo(page, '/dashboard/Reconciliation')
  for (const day of new Set(truth.pairs.map(({ bookedOn }) => bookedOn))) {
    const shown = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' }).format(Date.parse(day))
    // A payout moved the balance of one day, and none of these files names it.
    const paidOut = truth.cash.find(({ type }) => type === 'Challenge Payout')?.bookedOn
    await expect(rowOf(page, shown).getByText(day === paidOut ? 'Unexplained balance change' : 'Reconciled')).toBeVisible()
  }

  await open(page)
  await choose(page, threeOf(three))
  await expect(page.getByText('Everything in these files is already in the journal.')).toBeVisible()
  await expect(importButton(page)).toBeDisabled()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await undo.click()
  await page.getByRole('dialog', { name: 'Undo this import?' }).getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText(/^Undone/)).toBeVisible()
  await goTo(page, '/dashboard/TradeLogbook')
  await expect(page.getByText(account)).toHaveCount(0)
  await goTo(page, '/dashboard/AutoSync')
  await expect(page.getByText('No account is connected')).toBeVisible()
})

test('a name that is typed is the account; Back finds files and choices as they were; the notice of an import undoes it', { tag: '@nightly' }, async ({ page }) => {
  const { truth } = threeFiles(22, 2)
  const pairs = String(truth.pairs.length)
  const file = { name: 'Performance.csv', content: plainBytes(performanceTable(truth.pairs, { zone: 'Europe/Berlin', money: 'dollars', year2026: true })) }
  await signUp(page)
  await open(page)
  await choose(page, [file])
  const into = page.getByRole('combobox', { name: 'Import Performance.csv into' })
  await expect(page.getByText(/^Fees estimated for \d+ fills, at the contract table’s rates: Performance\.csv lines/)).toBeVisible()
  await expect(importButton(page)).toBeDisabled()
  await page.getByRole('button', { name: 'Time zone of the files' }).click()
  await page.getByRole('combobox', { name: 'Search time zones' }).fill('berlin')
  await page.keyboard.press('Enter')
  await into.pressSequentially('My evaluation')
  await expect(importButton(page)).toBeEnabled()
  await expect(page.getByText(`${pairs} rows go to this new account.`)).toBeVisible()

  await page.getByRole('link', { name: 'TradeLogbook' }).click()
  await expect(page.getByRole('heading', { name: 'TradeLogbook', level: 1 })).toBeVisible()
  await page.goBack()
  await expect(rowOf(page, 'Performance.csv').getByRole('cell').nth(3)).toHaveText(pairs)
  await expect(into).toHaveValue('My evaluation')
  await expect(page.getByRole('button', { name: 'Time zone of the files' })).toHaveText('Europe/Berlin')

  await importButton(page).click()
  await expect(page.getByText(/^Imported\./)).toBeVisible()
  await page.getByRole('button', { name: 'Undo import', exact: true }).click()
  await expect(page.getByText(/^Import undone\. Removed from the journal: \d+ fills · \d+ fill pairs · \d+ trades\.$/)).toBeVisible()
  await expect(page.getByText(/^Undone/)).toBeVisible()

  // Once an account is known it is offered, and another name is still just typed.
  await choose(page, [file])
  await into.fill('My evaluation')
  await importButton(page).click()
  await expect(page.getByText(/^Imported\./)).toBeVisible()
  await choose(page, [{ ...file, content: plainBytes(performanceTable(threeFiles(24, 2).truth.pairs, { zone: 'Europe/Berlin', money: 'dollars', year2026: true })) }])
  await into.click()
  await expect(page.getByRole('option')).toHaveText(['My evaluation'])
  await expectAccessible(page)
  await page.getByRole('option', { name: 'My evaluation' }).click()
  await expect(page.getByText(/rows go to this account\.$/)).toBeVisible()
  await into.fill('Second')
  await expect(page.getByText(/rows go to this new account\.$/)).toBeVisible()
  await expect(importButton(page)).toBeEnabled()
})

test('rows that are refused tell line and reason, and a file that is none of ours is refused whole', { tag: '@nightly' }, async ({ page }) => {
  const three = threeFiles(21, 2)
  const [header = '', first = '', ...rows] = new TextDecoder().decode(three.fills).split('\r\n')
  const broken = [header, first.replace(/,\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}Z,/, ',yesterday,'), ...rows].join('\r\n')
  await signUp(page)
  await open(page)
  await expectAccessible(page)
  await choose(page, [{ name: 'Fills.csv', content: broken }, { name: 'page.html', content: '<!doctype html>' }, { name: 'failed.csv', content: 'undefined' }])
  await page.getByRole('button', { name: '1 rejected row in Fills.csv' }).click()
  await expect(page.getByRole('list', { name: 'Rejected rows in Fills.csv' })).toContainText('Line 2_timestamp is not a time.yesterday')
  await expect(rowOf(page, 'page.html')).toContainText('Its columns match no report that Fillbook knows.')
  await expect(page.getByText('This file has no columns. It may not be a table.')).toBeVisible()
  await expect(rowOf(page, 'failed.csv')).toContainText('The export failed at the broker')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Remove Fills.csv' }).click()
  await expect(page.getByText('Nothing in these files can be imported.')).toBeVisible()
  await expect(importButton(page)).toBeDisabled()
})

test('zone and account are asked where the files do not tell them, and by the keyboard too', { tag: '@nightly' }, async ({ page }) => {
  const three = threeFiles(22, 2)
  const berlin = plainBytes(performanceTable(three.truth.pairs, { zone: 'Europe/Berlin', money: 'dollars', year2026: true }))
  await signUp(page)
  await open(page)
  await choose(page, [{ name: 'Performance.csv', content: berlin }, { name: 'Fills.csv', content: three.fills }])
  const pairs = three.truth.pairs.length
  await expect(page.getByText(`${String(pairs)} rows assigned to ${three.account}, by their fills`)).toBeVisible()
  // The profile's zone is not the one that the file was exported in, and that shows.
  await expect(page.getByRole('list', { name: 'Warnings' })).toContainText('The matching time zone is Europe/Berlin;')
  await page.getByRole('button', { name: 'Time zone of the files' }).press('Enter')
  await page.getByRole('combobox', { name: 'Search time zones' }).pressSequentially('berlin')
  await expect(page.getByRole('option')).toHaveText(['Europe/Berlin'])
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('list', { name: 'Warnings' })).toHaveCount(0)

  await page.getByRole('button', { name: 'Remove Fills.csv' }).click()
  await expect(page.getByText('Choose or name an account above for each file that names none.')).toBeVisible()
  await expect(importButton(page)).toBeDisabled()
  await page.getByLabel('Import Performance.csv into').fill('My evaluation')
  await importButton(page).click()
  await expect(page.getByText(/^Imported\./)).toBeVisible()

  await goTo(page, '/dashboard/AutoSync')
  const dialog = page.getByRole('dialog', { name: 'Set Tradovate Account Type & Firm' })
  await dialog.getByRole('combobox', { name: 'Account Type' }).click()
  await page.getByRole('option', { name: 'Evaluation Account' }).click()
  await dialog.getByRole('combobox', { name: 'Firm' }).click()
  await page.getByRole('option', { name: 'Tradeify' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  const row = rowOf(page, 'My evaluation')
  await expect(row).toContainText('From files')
  await expect(row).toContainText('Unknown')
  await row.getByRole('link', { name: 'Import more files of My evaluation' }).click()
  await expect(page.getByRole('heading', { name: 'Import', exact: true })).toBeVisible()
  await goTo(page, '/dashboard/AutoSync')
  await page.getByRole('button', { name: 'Delete Account My evaluation' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('No account is connected')).toBeVisible()
})

test('what cannot be read of the imports says so and is tried again; a failed import leaves the files to try again', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  let broken = true
  await page.route('**/api/imports', (route) => (broken ? route.fulfill({ status: 500, json: { success: false, error: 'internal', code: 'internal' } }) : route.continue()))
  await open(page)
  await choose(page, threeOf(threeFiles(23, 2)).slice(0, 1))
  await importButton(page).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Nothing was imported.' })).toBeVisible()
  await expect(page.getByText('Could not load this').or(page.getByRole('button', { name: 'Try again' })).first()).toBeVisible({ timeout: 60_000 })
  broken = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('No imports yet')).toBeVisible()
  await importButton(page).click()
  await expect(page.getByText(/^Imported\./)).toBeVisible()
})

test('a file of an unknown program is mapped, imported, and known by its format the next time', { tag: '@nightly' }, async ({ page }) => {
  const fills = (day: string, symbol: string, account = 'Depot 7'): Named => ({ name: `Broker ${day}.csv`, content: ['Datum;Uhrzeit;Kontrakt;Typ;Menge;Kurs;Gebühr;Konto;Notiz', `${day};09:31:00;${symbol};Kauf;1;6.000,25;-0,62;${account};a`, `${day};09:40:00;${symbol};Verkauf;1;6.002,50;-0,62;${account};b`].join('\r\n') })
  await signUp(page)
  await open(page)
  await choose(page, [fills('15.06.2026', 'US 500')])
  const mapping = page.getByRole('region', { name: 'Columns of Broker 15.06.2026.csv' })
  await expect(mapping.getByRole('combobox', { name: /^What .* holds$/ })).toHaveText(['Date', 'Time of day', 'Symbol', 'Side', 'Quantity', 'Price', 'Fees, below zero', 'Account', 'Not read'])
  await expect(mapping.getByText('0 rows can be read. 2 rows cannot.')).toBeVisible()
  await mapping.getByRole('textbox', { name: 'US 500' }).fill('MESU6')
  await mapping.getByRole('textbox', { name: 'Format name' }).fill('My broker')
  await expect(mapping.getByText('2 rows can be read.')).toBeVisible()
  await expect(mapping.getByRole('cell', { name: '6,002.50', exact: true })).toBeVisible()
  await expectAccessible(page)
  await mapping.getByRole('button', { name: 'Save format and read file' }).click()

  await expect(rowOf(page, 'Broker 15.06.2026.csv').getByRole('cell').nth(1)).toContainText('My broker · Fills, mapped')
  await expect(page.getByText('0 of 1 day reconciled, 0 differ, 1 not checked')).toBeVisible()
  await importButton(page).click()
  await expect(page.getByText('Imported. 2 new fills · 1 new fill pair · 1 new trade.')).toBeVisible()

  // The same hour of the account under another contract: most likely the file as it was corrected since.
  await choose(page, [fills('15.06.2026', 'MESZ6')])
  await expect(page.getByRole('list', { name: 'Warnings' })).toContainText('cover the same time of Depot 7')
  await expect(importButton(page)).toBeDisabled()
  await page.getByRole('button', { name: 'Remove Broker 15.06.2026.csv' }).click()

  await choose(page, [fills('16.06.2026', 'MESU6', 'DEPOT-7')])
  await expect(rowOf(page, 'Broker 16.06.2026.csv').getByRole('cell').nth(1)).toContainText('My broker · Fills, mapped')
  await expect(page.getByText('2 new fills · 1 new fill pair · 1 new trade')).toBeVisible()
  // It may be the account that is there already.
  await expect(page.getByRole('list', { name: 'Warnings' })).toContainText('DEPOT-7, Depot 7 differ in spelling only')
  await expect(importButton(page)).toBeDisabled()
  await page.getByRole('checkbox', { name: 'Import anyway. I checked that no trade is counted twice.' }).click()
  await expect(importButton(page)).toBeEnabled()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Remove My broker' }).click()
  await page.getByRole('dialog', { name: 'Remove My broker?' }).getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByRole('region', { name: 'Columns of Broker 16.06.2026.csv' })).toBeVisible()
})
