import { backupRoutes } from '#shared/api/backups.ts'
import { brokerageRoutes } from '#shared/api/brokerage.ts'
import { recordRoutes } from '#shared/api/journal.ts'
import { ruleRoutes } from '#shared/api/rules.ts'
import type { AnswerOf } from '#shared/api/route.ts'
import { expect, type Page } from '@playwright/test'
import { stat, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { button, goTo, test } from '../e2e/app-test.ts'
import { askApi, connect, financesOf, postApi, readApi } from '../e2e/broker-test.ts'
import { beginGroup, followerOf, groupCard, openCopier, saveGroup } from '../e2e/copier-test.ts'
import { pictureSeals, sealsFile } from '../../build/picture-seals.ts'
import { closeToasts, loaded, open } from './picture.ts'
import { statedSet } from '../e2e/stated/stated-rules.ts'

const folder = fileURLToPath(new URL('../../docs/', import.meta.url))
const mostBytes = 150_000
/** The sizes of the window, all 16 to 10: no wider than a screen needs, so that its letters are large. */
const [wide, middle, narrow] = [{ width: 1440, height: 900 }, { width: 1280, height: 800 }, { width: 1200, height: 750 }]

/** Takes the screen of the moment in both themes as WebP, which the browser itself can write. */
const keep = async (page: Page, name: string): Promise<void> => {
  await closeToasts(page)
  await loaded(page)
  await page.mouse.move(0, 0)
  const browser = await page.context().newCDPSession(page)
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expect(page.locator('html')).toHaveClass(colorScheme === 'dark' ? /\bdark\b/ : /^(?!.*\bdark\b)/)
    const { data } = await browser.send('Page.captureScreenshot', { format: 'webp', quality: 80 })
    const path = `${folder}${name}-${colorScheme}.webp`
    await writeFile(path, Buffer.from(data, 'base64'))
    expect((await stat(path)).size, path).toBeLessThan(mostBytes)
  }
  await browser.detach()
}

/** Brings the past of every login that is offered. */
const takeHistory = async (page: Page): Promise<void> => {
  await open(page, '/dashboard/AutoSync', 'AutoSync')
  const card = page.getByRole('region', { name: 'Account history' })
  const starts = card.getByRole('button', { name: 'Start' })
  const logins = await starts.count()
  for (let left = logins; left > 0; left -= 1) {
    await starts.first().click()
    await expect(starts).toHaveCount(left - 1)
  }
  await expect(card.getByText('The history is in the journal')).toHaveCount(logins, { timeout: 240_000 })
}

test('the pictures of README, guide and landing page', async ({ page }) => {
  await button(page, 'Try it with the demo brokerage').click()
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()
  await connect(page, 'ava.morgan', 'ben.keller')
  const { accounts } = await readApi<AnswerOf<typeof brokerageRoutes.connectedAccounts>>(page, brokerageRoutes.connectedAccounts.path)
  await takeHistory(page)
  // The accounts that no firm is behind are the trader's own.
  for (const finance of await financesOf(page)) {
    await postApi(page, recordRoutes.addFinance.path, { userId: finance.userId, finance: { ...finance, type: finance.name.includes('EVAL') ? 'Evaluation Account' : 'Funded Account', firm: finance.name.startsWith('NGF') ? 'Apex Trader Funding' : null } })
  }

  await page.setViewportSize(wide)
  await open(page, '/dashboard', 'Overview')
  await page.reload()
  await expect(page.getByRole('img', { name: /^Equity curve/ })).toBeVisible()
  await expect(button(page, 'Demo cloud, local')).toBeVisible({ timeout: 120_000 })
  await keep(page, 'overview')
  await page.setViewportSize(narrow)
  await open(page, '/dashboard/AutoSync', 'AutoSync')
  await keep(page, 'auto-sync')
  await open(page, '/dashboard/Import', 'Import')
  await expect(button(page, /^Undo the import/).first()).toBeVisible()
  await keep(page, 'import')
  // The folder of a user, in place of that of this run.
  await page.route(`**${backupRoutes.backups.path}`, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...((await response.json()) as object), folder: '/home/ava/.local/share/Fillbook/backups' } })
  })
  await goTo(page, '/dashboard/Settings?section=backups')
  await button(page, 'Back up now').click()
  await expect(button(page, /^Restore the backup of/)).toBeVisible()
  // The toast may come after the row, between the two themes.
  await expect(page.getByText('Backup created.', { exact: true }).first()).toBeVisible()
  await keep(page, 'backups')
  await open(page, '/dashboard/Reconciliation', 'Reconciliation')
  await expect(page.getByText('Reconciled', { exact: true }).first()).toBeVisible()
  await keep(page, 'reconciliation')

  const [leader, ...followers] = accounts.filter(({ environment, name }) => environment === 'demo' && name.startsWith('NGF'))
  if (leader === undefined) throw new Error('The demo brokerage has accounts of simulated money')
  // Rules that began a fortnight ago, as those of an account that was bought then.
  const since = new Date(Date.now() - 14 * 86_400_000).toISOString().slice(0, 10)
  for (const { id, name } of [leader, ...followers]) {
    const startingBalance = name.includes('150K') ? '150000.00' : '50000.00'
    await askApi(page, ruleRoutes.saveRules.path, { account: id, set: statedSet({ startingBalance, contracts: { all: 5, micros: 'tenth', byProduct: [], scaling: [] } }), presetId: null, since })
  }
  await openCopier(page)
  await saveGroup(await beginGroup(page, 'Morning NQ', leader.name, followers.map(({ name }) => name)))
  await button(page, 'Start dry run of Morning NQ').click()
  // At some hours a follower of the demo holds something overnight, and its user is asked.
  for (const { name } of followers) {
    const leave = groupCard(page, 'Morning NQ').getByRole('button', { name: `Leave ${name}` })
    const inSync = followerOf(page, name).getByText('In sync')
    await expect(leave.or(inSync)).toBeVisible()
    if (await leave.isVisible()) await leave.click()
    await expect(inSync).toBeVisible()
  }
  const market = groupCard(page, 'Morning NQ').getByRole('group', { name: 'Trade on the demo brokerage' })
  for (const held of ['+1', '+2']) {
    await market.getByRole('button', { name: 'Buy 1 MNQ' }).click()
    for (const { name } of followers) await expect(followerOf(page, name).getByText(`${held} simulated`)).toBeVisible()
  }
  await page.setViewportSize(middle)
  await keep(page, 'trade-copier')
  await page.setViewportSize(wide)
  await open(page, '/dashboard/PositionScanner', 'PositionScanner')
  await expect(page.getByRole('row').nth(3)).toBeVisible()
  await expect(page.getByRole('meter').nth(3)).toBeVisible()
  await keep(page, 'position-scanner')
  await page.setViewportSize(narrow)
  await goTo(page, `/dashboard/PositionScanner?tab=rules&account=${leader.id}&part=history`)
  await expect(page.getByRole('table', { name: 'Day by day' }).getByRole('row').nth(3)).toBeVisible()
  await keep(page, 'rules')

  await page.setViewportSize(wide)
  await open(page, '/dashboard/AIreport', 'AIreport')
  await page.getByRole('radio', { name: 'Month' }).click()
  await button(page, 'Create report').click()
  // The demo trades at random: what stands out there is what chance does.
  await page.locator('summary').filter({ hasText: 'not significant' }).click()
  await expect(page.getByRole('article').first()).toBeVisible({ timeout: 60_000 })
  await keep(page, 'ai-report')

  await page.setViewportSize(narrow)
  await open(page, '/dashboard', 'Overview')
  await button(page, 'Demo cloud, local').click()
  await expect(page.getByText('Brokerage tokens')).toBeVisible()
  await keep(page, 'cloud')
  await writeFile(sealsFile, `${JSON.stringify(pictureSeals(), null, 2)}\n`)
})
