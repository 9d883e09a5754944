import { expect, type Page } from '@playwright/test'
import { backupRoutes } from '#shared/api/backups.ts'
import { sessionRoutes } from '#shared/api/session.ts'
import { threeFiles } from '#tests/helpers/exports/three-files.ts'
import { goTo, password, send } from './app-test.ts'
import { offerDesktop } from './desktop-bridge.ts'
import { importFiles, strangeFills, withRedDay } from './import-files.ts'
import { copierAccounts, copierReading, stubCopier } from './stated/stated-copier.ts'
import { scannerReading, stubPositions } from './stated/stated-positions.ts'
import { statedModel, statedNarrative, statedReport, statedSettings, stubReports } from './stated/stated-reports.ts'
import { tellRules } from './stated/stated-rules.ts'

const account = copierAccounts[0]?.id ?? ''

/** Every screen behind signing in, with its views, as paths inside the hash. */
export const screensWithin: readonly string[] = [
  '/dashboard?view=breakdown', '/dashboard?view=risk', '/dashboard?view=calendar',
  '/dashboard?view=compare&compare=periods', '/dashboard?view=compare&compare=products&with=MES&with=MNQ', '/dashboard?view=summary',
  '/dashboard/TradeLogbook?unit=trades', '/dashboard/TradeLogbook?unit=pairs',
  '/dashboard/Reconciliation', '/dashboard/Operational', '/dashboard/AIreport', '/dashboard/AutoSync',
  '/dashboard/TradeCopier', '/dashboard/TradeCopier?view=ledger', '/dashboard/TradeCopier?view=figures',
  '/dashboard/PositionScanner', '/dashboard/PositionScanner?tab=alerts', '/dashboard/PositionScanner?tab=rules',
  ...['now', 'set', 'history', 'odds'].map((part) => `/dashboard/PositionScanner?tab=rules&account=${account}&part=${part}`),
  '/dashboard/Import', '/dashboard/ManageSubscription',
  ...['commissions', 'points', 'stops', 'copies', 'journal', 'backups', 'computer', 'account'].map((section) => `/dashboard/Settings?section=${section}`),
  '/dashboard/form',
]

/** Every public screen. */
export const screensOutside: readonly string[] = ['/terms', '/policy', '/licenses', '/404', '/']

/** Makes a profile whose every screen has something to show, whatever language the page speaks; pages that are loaded from then on are in the desktop. */
export const fillEveryScreen = async (page: Page): Promise<void> => {
  await send(page, sessionRoutes.signUp.path, { email: 'nina@example.com', password, displayName: 'Nina Keller' })
  await importFiles(page, [...withRedDay(threeFiles()).files, strangeFills])
  await offerDesktop(page)
  await send(page, backupRoutes.makeBackup.path)
  await tellRules(page)
  await stubPositions(page, () => scannerReading(Date.now()))
  const reading = copierReading()
  await stubCopier(page, () => reading)
  await stubReports(page, { reports: [{ ...statedReport(), narrative: statedNarrative() }], settings: statedSettings({ model: statedModel }), gone: 0, total: 64 })
}

/** Goes to a screen and waits until it shows what it has; `load` begins the page anew. */
export const visit = async (page: Page, path: string, load = false): Promise<void> => {
  const [place = ''] = path.split('?')
  await goTo(page, path)
  if (load) await page.reload()
  if (place.startsWith('/dashboard') && place !== '/dashboard/form') await expect(page.locator('nav a[aria-current=page]')).toHaveAttribute('href', new RegExp(`^#${place}(\\?|$)`))
  await expect(page.locator('h1')).toHaveCount(1)
  await expect(page.locator('main [role=status] .animate-bars, main .animate-pulse, main .animate-spin')).toHaveCount(0)
}
