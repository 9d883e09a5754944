import { expect } from '@playwright/test'
import { backupRoutes } from '#shared/api/backups.ts'
import type { AnswerOf } from '#shared/api/route.ts'
import { expectAccessible, goTo, signUp, test } from './app-test.ts'
import { postApi, readApi } from './broker-test.ts'
import { offerDesktop } from './desktop-bridge.ts'

test.use({ begins: 'outside' })

test('a journal is backed up, loses a trade, and has it back', { tag: '@long' }, async ({ page }) => {
  await signUp(page)
  const { currentUser } = await readApi<{ currentUser: { uid: string } }>(page, '/api/session')
  const userId = currentUser.uid
  await postApi(page, '/api/firestore-add-trade', { userId, trade: { id: 't1', symbol: 'MESZ6', qty: 1, entryPrice: 6700, exitPrice: 6701, entryTime: '2026-11-02T15:00:00Z', exitTime: '2026-11-02T15:05:00Z' } })

  await postApi(page, '/api/day-notes', { tradingDay: '2026-11-02', notes: 'calm' })
  await goTo(page, '/dashboard/Settings?section=backups')
  await expect(page.getByText('No backups yet')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Back up now' }).press('Enter')
  const rows = page.getByRole('table', { name: 'Backups, newest first' }).getByRole('row')
  await expect(rows).toHaveCount(2)
  await expect(rows.nth(1)).toContainText(/ManualYours only1Nov 2, 20260.*MBIntact/)

  await postApi(page, '/api/firestore-remove-trade', { userId, id: 't1' })
  await postApi(page, '/api/firestore-add-trade', { userId, trade: { id: 't2', symbol: 'MESZ6', qty: 2, entryPrice: 6700, exitPrice: 6701, entryTime: '2026-11-02T16:00:00Z', exitTime: '2026-11-02T16:05:00Z' } })
  await postApi(page, '/api/firestore-add-finance', { userId, finance: { id: 'f1', type: 'earning', amount: 90, name: 'Payout', balance: 0, platform: 'other' } })
  await postApi(page, '/api/day-notes', { tradingDay: '2026-11-02', notes: 'hectic' })
  await page.reload()
  const restore = page.getByRole('button', { name: /^Restore the backup of/ })
  await restore.press('Enter')
  const dialog = page.getByRole('dialog', { name: /^Restore the backup of/ })
  const does = dialog.getByRole('table', { name: 'Restore preview' })
  await expect(does.getByRole('row', { name: /^Trades/ })).toHaveText('Trades1–1')
  await expect(does.getByRole('row', { name: /^Earnings/ })).toHaveText('Earnings, expenses and labels––1')
  await expect(does.getByRole('row')).toHaveCount(4)
  await expect(dialog).toContainText('Notes · Nov 2, 2026 “hectic” becomes “calm”')
  await expect(dialog).not.toContainText('cloud')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(restore).toBeFocused()
  const idsNow = async () => (await readApi<{ rows: { id: string }[] }>(page, '/api/fill-pairs?limit=500')).rows.map(({ id }) => id).toSorted()
  await restore.press('Enter')
  await expect(dialog.getByRole('radio', { name: 'Keep later additions' })).toBeChecked()
  await dialog.getByRole('button', { name: 'Restore' }).press('Enter')
  await expect(page.getByText('Backup restored', { exact: true })).toBeVisible()
  await expect(rows).toHaveCount(3)
  await expect(rows.nth(1)).toContainText('Before a restore or journal importYours only1')
  expect(await idsNow()).toEqual(['t1', 't2'])

  await restore.last().press('Enter')
  await dialog.getByRole('radio', { name: 'Keep later additions' }).press('ArrowDown')
  await expect(dialog.getByRole('radio', { name: 'Restore the exact state' })).toBeChecked()
  await expect(does.getByRole('columnheader', { name: 'Added later, removed' })).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Restore' }).press('Enter')
  await expect(rows).toHaveCount(4)
  expect(await idsNow()).toEqual(['t1'])
})

test('a restore at the next start: the browser says how, the desktop restarts; too little room is shown beforehand', { tag: '@nightly' }, async ({ page }) => {
  const kept = { name: 'journal-2026-11-22T08-03-00Z.db', kind: 'daily', at: '2026-11-22T08:03:00.000Z', bytes: 18_400_000, checked: true, readable: true, holds: { pairs: 1, lastTradeDay: '2026-11-20', accounts: 1 }, by: null, others: 0, restoreNeeds: 87_400_000 } as const
  let answer: AnswerOf<typeof backupRoutes.backups> = { now: { pairs: 1, lastTradeDay: '2026-11-20', accounts: 1 }, backups: [kept], folder: '/backups', health: 'sound', trouble: { at: '2026-11-22T08:18:00.000Z', of: 'journal', why: 'disk-full' }, room: { needed: 51_000_000, free: 40_900_000 }, waiting: null }
  await page.route(`**${backupRoutes.backups.path}`, (route) => route.fulfill({ json: answer }))
  await signUp(page)
  await goTo(page, '/dashboard/Settings?section=backups')
  await expect(page.getByText('A backup needs 51 MB, but only 40 MB are free on the backup disk. Free up space there: until then, no backup is made.')).toBeVisible()
  await expect(page.getByText('The last backup')).toHaveCount(0)
  await page.getByRole('button', { name: /^Restore the backup of/ }).press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('A restore temporarily needs 88 MB, but only 40 MB are free on the backup disk. Free up space there first.')
  await expect(dialog.getByRole('button', { name: 'Restore' })).toBeDisabled()
  await expectAccessible(page)

  answer = { ...answer, health: 'damaged', waiting: kept.name, trouble: { at: '2026-11-22T08:18:00.000Z', of: 'copier', why: 'busy' }, room: null }
  await page.reload()
  await expect(page.getByText('Stop Fillbook where you started it (Ctrl C)')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Restart Fillbook' })).toHaveCount(0)
  const desktop = await offerDesktop(page)
  await page.reload()
  const restart = page.getByRole('button', { name: 'Restart Fillbook' })
  desktop.answers = 'refusing'
  await restart.press('Enter')
  await expect(page.getByRole('alert').filter({ hasText: 'Fillbook could not restart. Quit it and start it again.' })).toBeVisible()
  await expectAccessible(page)
  desktop.answers = 'always'
  await restart.press('Enter')
  await expect.poll(() => desktop.calls.filter((call) => call === 'shell.restart')).toHaveLength(2)

  answer = { ...answer, health: 'sound', waiting: null }
  await page.reload()
  await expect(page.getByText(/^The last backup of the trade copier’s file failed on .*: another program is using the file\. /)).toBeVisible()
})
