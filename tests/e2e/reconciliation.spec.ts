import { expect, type Page } from '@playwright/test'
import { threeFiles } from '#tests/helpers/exports/three-files.ts'
import { expectAccessible, goTo, signUp, test } from './app-test.ts'
import { importFiles, withRedDay } from './import-files.ts'

test.use({ begins: 'outside' })

const fullDay = (day: string): string => new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' }).format(Date.parse(day))
const rowOf = (page: Page, day: string) => page.getByRole('row', { name: new RegExp(`^${fullDay(day)}`) })

test('with nothing to check it says what to do', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  await page.getByRole('link', { name: 'Reconciliation' }).click()
  await expect(page.getByText("Import your broker’s files to reconcile")).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Import files' }).click()
  await expect(page).toHaveURL(/#\/dashboard\/Import$/)
})

test('days are green to the cent, a cent makes one red, and each opens to its pairs', { tag: '@long' }, async ({ page }) => {
  const three = threeFiles()
  const { files, red, days } = withRedDay(three)
  await signUp(page)
  await importFiles(page, files)
  await goTo(page, '/dashboard/Reconciliation')
  // A payout moved the balance of the red day too; beside a difference of its P&L that needs no word.
  const summary = `${String(days.length - 1)} of ${String(days.length)} days reconciled, 1 differs, 0 not checked`
  await expect(page.getByText(summary).first()).toBeVisible()
  await expect(page.getByText(`${String(three.truth.pairs.length)} of ${String(three.truth.pairs.length)}`)).toBeVisible()
  for (const day of days) await expect(rowOf(page, day)).toContainText(day === red.date ? 'Differs' : 'Reconciled')
  await expect(rowOf(page, red.date)).toContainText('−0.01')

  const green = days.at(-1) ?? ''
  await rowOf(page, green).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('equals the change in the broker’s balance to the cent')
  const pairs = three.truth.pairs.filter(({ bookedOn }) => bookedOn === green).length
  await expect(dialog.getByRole('heading', { name: pairs === 1 ? '1 fill pair' : `${String(pairs)} fill pairs` })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()

  await rowOf(page, red.date).focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`day=${red.date}`))
  await expect(dialog).toContainText('−0.01')
  await page.reload()
  await expect(dialog).toContainText('−0.01')
  await page.goBack()
  await expect(dialog).toBeHidden()

  // Overview says the same, and is green only where nothing is left to check.
  const reconciled = page.locator('dl > div').filter({ hasText: /^Reconciled/ }).locator('dd')
  await goTo(page, '/dashboard')
  await expect(reconciled).toHaveText(`${String(days.length - 1)} of ${String(days.length)}1 differs, 0 not checked`)
  await expect(reconciled).toHaveClass(/text-loss/)
  // What is counted is what opens, here and on the screen itself.
  const shownDays = page.getByRole('grid', { name: 'Trading days' }).getByRole('row').filter({ hasText: /Differs|Reconciled/ }).filter({ has: page.getByRole('time').or(page.getByText(/, \d{4}$/)) })
  await reconciled.getByRole('link', { name: '1 differs' }).click()
  await expect(page).toHaveURL(/#\/dashboard\/Reconciliation\?state=differs$/)
  await expect(shownDays).toHaveCount(1)
  await expect(rowOf(page, red.date)).toBeVisible()
  await page.getByRole('radio', { name: 'All days' }).click()
  await expect(shownDays).toHaveCount(days.length)
  await page.locator('dl > div').filter({ hasText: /^Days that differ/ }).getByRole('link', { name: '1' }).click()
  await expect(shownDays).toHaveCount(1)
  await expectAccessible(page)
  await page.getByRole('radio', { name: 'Not checked' }).click()
  await expect(page.getByText('No trading day matches the filter')).toBeVisible()
  await goTo(page, `/dashboard?from=${green}&to=${green}`)
  await expect(reconciled).toHaveText('1 of 10 differ, 0 not checked')
  await expect(reconciled).toHaveClass(/text-gain/)
  await reconciled.getByRole('link', { name: '1 of 1' }).click()
  await expect(page).toHaveURL(new RegExp(`Reconciliation\\?from=${green}&to=${green}$`))
  await expect(shownDays).toHaveCount(1)
  await goTo(page, '/dashboard?side=long')
  await expect(reconciled).toHaveText('–date and account filters only')
})

test('a day without figures of the broker is grey and leads to the import, and dates stand in the address', { tag: '@nightly' }, async ({ page }) => {
  const three = threeFiles()
  const { days } = withRedDay(three)
  await signUp(page)
  await importFiles(page, [['Fills.csv', three.fills]])
  await goTo(page, `/dashboard/Reconciliation?from=${days[0] ?? ''}&to=${days[0] ?? ''}`)
  await expect(rowOf(page, days[0] ?? '')).toContainText('No broker figures')
  await expect(rowOf(page, days[1] ?? '')).toHaveCount(0)
  await rowOf(page, days[0] ?? '').getByRole('link', { name: 'Import' }).click()
  await expect(page).toHaveURL(/#\/dashboard\/Import$/)
})
