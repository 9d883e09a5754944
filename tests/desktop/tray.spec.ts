import { expect, type Page } from '@playwright/test'
import { recordRoutes } from '#shared/api/journal.ts'
import { syncRoutes } from '#shared/api/sync.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import type { Desktop } from '#tests/helpers/electron/desktop.ts'
import { connect, postApi, readApi } from '#tests/e2e/broker-test.ts'
import { clickTray, enterDemo, test, trayLabels, windowState } from './desktop-test.ts'

type Sync = { readonly running: unknown; readonly last: { readonly runId: string; readonly endedAt: string; readonly trigger: string; readonly outcome: string; readonly trades: { readonly added: number } } | null }

const lastSync = async (page: Page): Promise<NonNullable<Sync['last']>> => {
  const { last } = await readApi<Sync>(page, syncRoutes.syncState.path)
  if (last === null) throw new Error('Nothing was synced yet')
  return last
}

/** Enters a trade by hand that ends now. */
const enterTrade = (page: Page, userId: string, pnl: number): Promise<void> => {
  const now = Date.now()
  return postApi(page, recordRoutes.addTrade.path, { userId, trade: { id: 'by-hand-1', symbol: 'MES', qty: 1, entryPrice: 100, exitPrice: 101, entryTime: new Date(now - 60_000).toISOString(), exitTime: new Date(now).toISOString(), pnl } })
}

const netOfDay = async (page: Page, userId: string, tradingDay: string): Promise<number> => {
  const { trades } = await readApi<{ trades: readonly { tradingDay: string; pnl: number }[] }>(page, `${recordRoutes.getTrades.path}?userId=${userId}`)
  return trades.filter((trade) => trade.tradingDay === tradingDay).reduce((sum, { pnl }) => sum + pnl, 0)
}

const notices = (desktop: Desktop) => desktop.recorded().flatMap((one) => (one.what === 'notice' ? [one] : []))
const shownAs = (endedAt: string): string => new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: 'America/Chicago' }).format(Date.parse(endedAt))

test('Sync Trades of the tray is a real sync, with the window closed too', { tag: '@long' }, async ({ start }) => {
  const desktop = await start()
  const page = await desktop.page()
  await expect.poll(() => trayLabels(desktop)).toContain('Sign in to sync')
  await enterDemo(page)
  await expect.poll(() => trayLabels(desktop)).toContain('Not synced yet')
  await connect(page)
  // The demo's walk has a receipt at each stop, and one of the whole at its end.
  await expect.poll(async () => trayLabels(desktop).includes(`Last sync ${shownAs((await lastSync(page)).endedAt)}`)).toBe(true)
  const before = await lastSync(page)

  // Today's result is the same as the API's, from the first trade of the day on.
  expect(trayLabels(desktop)).toContain('No trades today')
  const { currentUser } = await readApi<{ currentUser: { uid: string } }>(page, '/api/session')
  await enterTrade(page, currentUser.uid, 41.5)
  await expect.poll(() => trayLabels(desktop)).toContain('Today’s P&&L +$41.50')
  expect(await netOfDay(page, currentUser.uid, tradingDay(Date.now()))).toBe(41.5)

  // The window is closed: the tray works on.
  await desktop.inMain(({ BrowserWindow }) => { BrowserWindow.getAllWindows()[0]?.close() }, null)
  await expect.poll(async () => (await windowState(desktop))?.visible).toBe(false)
  const noticesBefore = notices(desktop).length
  const shownBefore = desktop.recorded().length
  await clickTray(desktop, 'Sync Trades')
  await expect.poll(() => notices(desktop).length, { timeout: 60_000 }).toBe(noticesBefore + 1)
  const shown = desktop.recorded().slice(shownBefore).flatMap((one) => (one.what === 'tray-menu' ? [one.items.find(({ label }) => label.startsWith('Syncing… '))] : [])).filter((item) => item !== undefined)
  expect(shown.length).toBeGreaterThan(0)
  expect(shown.every(({ label, enabled }) => /^Syncing… \d+%$/.test(label) && !enabled)).toBe(true)
  const after = await lastSync(page)
  expect(after.runId).not.toBe(before.runId)
  expect([after.trigger, after.outcome]).toEqual(['manual', 'complete'])
  const { added } = after.trades
  expect(added).toBeGreaterThan(0)
  expect(notices(desktop).at(-1)).toEqual({ what: 'notice', title: 'Trades are up to date', body: `${String(added)} new ${added === 1 ? 'trade' : 'trades'}` })
  await expect.poll(() => trayLabels(desktop)).toContain(`Last sync ${shownAs(after.endedAt)}`)

  // A click on the notice brings the window back.
  await desktop.inMain(() => { recorded.notices.at(-1)?.emit('click') }, null)
  await expect.poll(async () => (await windowState(desktop))?.visible).toBe(true)
})

test('signed out the tray asks to sign in; without the plan it leads to the plans', { tag: '@nightly' }, async ({ start }) => {
  const desktop = await start({ env: { FILLBOOK_DEMO_ACCESS: 'closed' } })
  const page = await desktop.page()
  await expect.poll(() => trayLabels(desktop)).toEqual(['Sign in to sync', 'Open Fillbook', 'Quit Fillbook'])
  await desktop.inMain(({ BrowserWindow }) => { BrowserWindow.getAllWindows()[0]?.close() }, null)
  await expect.poll(async () => (await windowState(desktop))?.visible).toBe(false)
  await clickTray(desktop, 'Sign in to sync')
  await expect.poll(async () => (await windowState(desktop))?.visible).toBe(true)

  await enterDemo(page)
  await expect.poll(() => trayLabels(desktop)).toContain('Sync Trades')
  await clickTray(desktop, 'Sync Trades')
  await expect(page.getByRole('heading', { name: 'Manage Subscription', exact: true })).toBeVisible()
  expect((await readApi<Sync>(page, syncRoutes.syncState.path)).last).toBeNull()

  // Whoever signs out is gone from the tray too.
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect.poll(() => trayLabels(desktop)).toContain('Sign in to sync')
})
