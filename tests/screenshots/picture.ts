import { expect, test, type Page } from '@playwright/test'
import { fileURLToPath } from 'node:url'
import { button, goTo } from '../e2e/app-test.ts'
import { allow, labelAll, readApi } from '../e2e/broker-test.ts'

const folder = fileURLToPath(new URL('../../screenshots/', import.meta.url))
const sizes = [{ width: 1440, height: 900 }, { width: 1024, height: 768 }]

/** Takes one screen in every size and theme; `show` brings up what another size would close. In a run of the tests it is brought up once, in the smaller size, and no picture is kept. */
export const picture = async (page: Page, name: string, show: () => Promise<void> = async () => undefined): Promise<void> => {
  const keeps = test.info().project.name !== 'shown'
  for (const size of keeps ? sizes : sizes.slice(-1)) {
    await page.setViewportSize(size)
    await show()
    if (!keeps) return
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await expect(page.locator('html')).toHaveClass(colorScheme === 'dark' ? /\bdark\b/ : /^(?!.*\bdark\b)/)
      await page.screenshot({ path: `${folder}${name}-${String(size.width)}-${colorScheme}.png`, animations: 'disabled' })
    }
  }
}

/** Closes what was opened last, once it is there: an Escape that comes before it leaves it open. */
export const dismiss = async (page: Page): Promise<void> => {
  await expect(page.locator('[role=dialog], [role=menu], [role=listbox]').last()).toBeVisible()
  await page.keyboard.press('Escape')
}

/** Every page of the dashboard: its path, its heading, and the name of its pictures. */
export const dashboard = [
  ['/dashboard', 'Overview', 'overview'],
  ['/dashboard/TradeLogbook', 'TradeLogbook', 'trade-logbook'],
  ['/dashboard/Reconciliation', 'Reconciliation', 'reconciliation'],
  ['/dashboard/AutoSync', 'AutoSync', 'auto-sync'],
  ['/dashboard/Import', 'Import', 'import'],
  ['/dashboard/Settings', 'Settings', 'settings'],
] as const

/** Every reading of the pages; not those of the session and of the events. */
export const readings = /\/api\/(statistics|filter-choices|trades|trades|sync|accounts|firestore-get-finances|reconciliation|imports|commissions)\b/

/** Opens a page and waits for its heading. */
export const open = async (page: Page, path: string, heading: string): Promise<void> => {
  await goTo(page, path)
  await expect(page.getByRole('heading', { name: heading, exact: true })).toBeVisible()
}

/** Waits until nothing of the screen is on its way. */
export const loaded = (page: Page): Promise<void> => expect(page.locator('.animate-pulse')).toHaveCount(0, { timeout: 120_000 })

/** Connects a login of the demo and waits until all its sessions are synced. */
export const connectDemo = async (page: Page, login: string): Promise<void> => {
  await open(page, '/dashboard/AutoSync', 'AutoSync')
  await button(page, 'Add Account').click()
  await page.getByRole('checkbox', { name: 'Also import the past year' }).uncheck()
  await button(page, '+ Add Account here').or(button(page, 'Connect another login')).last().click()
  await allow(page, login)
  await labelAll(page)
  const synced = async (): Promise<boolean> => {
    const { accounts } = await readApi<{ accounts: { loginName: string }[] }>(page, '/api/accounts')
    const { running } = await readApi<{ running: unknown }>(page, '/api/sync')
    return running === null && accounts.some(({ loginName }) => loginName === login)
  }
  await expect.poll(synced, { timeout: 60_000 }).toBe(true)
  await expect(page.getByText('Trades are up to date').first()).toBeVisible()
  await closeToasts(page)
}

/** Closes every toast that shows. */
export const closeToasts = async (page: Page): Promise<void> => {
  const toasts = page.getByRole('region', { name: /^Notifications/ }).getByRole('button', { name: 'Close' })
  while ((await toasts.count()) > 0) await toasts.first().click()
}
