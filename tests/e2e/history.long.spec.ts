import { expect, type Page } from '@playwright/test'
import { expectAccessible, goTo, signUp, test as appTest } from './app-test.ts'
import { allow, goToConsent, labelAll, labelsDialog, readApi, test as brokerTest } from './broker-test.ts'

const card = (page: Page) => page.getByRole('region', { name: 'Account history' })

type Counts = { imported: { fills: number; pairs: number; trades: number } }
const importedOf = async (page: Page): Promise<Counts['imported']> => {
  const { logins } = await readApi<{ logins: Counts[] }>(page, '/api/history')
  return logins[0]?.imported ?? { fills: 0, pairs: 0, trades: 0 }
}

appTest('in the demo, connect, take the offer, and the trades of past months are in the journal', { tag: '@nightly' }, async ({ page }) => {
  appTest.slow()
  await page.getByRole('button', { name: 'Try it with the demo brokerage' }).click()
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()
  await goToConsent(page)
  await allow(page)
  // The offer waits until the accounts have their types and firms.
  await expect(labelsDialog(page)).toBeVisible()
  await expect(card(page)).toHaveCount(0)
  await labelAll(page)
  await expect(card(page)).toBeVisible()
  await expect(card(page).getByText('3 accounts')).toBeVisible()
  await expectAccessible(page)

  await card(page).getByRole('button', { name: 'Start' }).click()
  await expect(card(page).getByText('The history is in the journal')).toBeVisible({ timeout: 120_000 })
  const imported = await importedOf(page)
  expect(imported.pairs).toBeGreaterThan(1_000)
  const shown = (count: number): string => count.toLocaleString('en')
  await expect(card(page).getByText(`${shown(imported.fills)} fills · ${shown(imported.pairs)} fill pairs · ${shown(imported.trades)} trades`)).toBeVisible()
  await expectAccessible(page)

  // The oldest trades of the logbook are months old.
  await goTo(page, '/dashboard/TradeLogbook')
  const { rows } = await readApi<{ rows: { exitTime: string }[] }>(page, '/api/fill-pairs?sort=exitTime&direction=asc&limit=1')
  const { rows: newest } = await readApi<{ rows: { exitTime: string }[] }>(page, '/api/fill-pairs?sort=exitTime&direction=desc&limit=1')
  const months = (Date.parse(newest[0]?.exitTime ?? '') - Date.parse(rows[0]?.exitTime ?? '')) / (30 * 86_400_000)
  expect(months).toBeGreaterThan(5)

  // Each part is an import that can be undone.
  await goTo(page, '/dashboard/Import')
  await expect(page.getByText('History from the broker').first()).toBeVisible()

  // Once settled it goes, and the button brings it back.
  await goTo(page, '/dashboard/AutoSync')
  await expect(page.getByRole('button', { name: 'History' })).toBeVisible()
  await expect(card(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'History' }).click()
  await expect(card(page).locator('..')).toBeFocused()
  // Nothing is missing, until an earlier beginning is wanted.
  await expect(card(page).getByText(/^The history is complete through /)).toBeVisible()
  await expect(card(page).getByRole('button', { name: 'Fetch missing parts' })).toBeDisabled()
  await card(page).getByLabel('From').fill('2024-01-02')
  await expect(card(page).getByRole('button', { name: 'Fetch missing parts' })).toBeEnabled()
  await expectAccessible(page)
})

brokerTest('an offer that is declined is not made again, and a broker that gives no history is said plainly', { tag: '@nightly' }, async ({ page, broker }) => {
  brokerTest.slow()
  await signUp(page)
  await goToConsent(page)
  await allow(page)
  await labelAll(page)
  await card(page).getByRole('button', { name: 'Not now' }).click()
  await expect(card(page)).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('button', { name: 'History' })).toBeVisible()
  await expect(card(page)).toHaveCount(0)

  broker.faults.set([{ kind: 'permission-missing', path: 'requestReport' }])
  await page.getByRole('button', { name: 'History' }).click()
  await card(page).getByRole('button', { name: 'Start' }).click()
  await expect(card(page).getByText('The broker does not give this login its history')).toBeVisible({ timeout: 60_000 })
  await expectAccessible(page)
  await card(page).getByRole('link', { name: 'Import files instead' }).click()
  await expect(page).toHaveURL(/#\/dashboard\/Import$/)
})
