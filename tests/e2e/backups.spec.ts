import { expect } from '@playwright/test'
import { expectAccessible, goTo, signUp, test } from './app-test.ts'
import { postApi, readApi } from './broker-test.ts'

test.use({ begins: 'outside' })

test('a journal is backed up, loses a trade, and has it back', async ({ page }) => {
  await signUp(page)
  const { currentUser } = await readApi<{ currentUser: { uid: string } }>(page, '/api/session')
  const userId = currentUser.uid
  await postApi(page, '/api/firestore-add-trade', { userId, trade: { id: 't1', symbol: 'MESZ6', qty: 1, entryPrice: 6700, exitPrice: 6701, entryTime: '2026-11-02T15:00:00Z', exitTime: '2026-11-02T15:05:00Z' } })

  await goTo(page, '/dashboard/Settings?section=backups')
  await expect(page.getByText('No backup yet')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Back up now' }).press('Enter')
  const rows = page.getByRole('table', { name: 'Backups, newest first' }).getByRole('row')
  await expect(rows).toHaveCount(2)
  await expect(rows.nth(1)).toContainText(/By hand1Nov 2, 20260.*MBWhole/)

  await postApi(page, '/api/firestore-remove-trade', { userId, id: 't1' })
  await page.reload()
  const restore = page.getByRole('button', { name: /^Restore the backup of/ })
  await restore.press('Enter')
  const dialog = page.getByRole('dialog', { name: /^Restore the backup of/ })
  await expect(dialog.getByRole('row', { name: /^Pairs/ })).toHaveText('Pairs10')
  await expect(dialog).not.toContainText('cloud')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(restore).toBeFocused()
  await restore.press('Enter')
  await dialog.getByRole('button', { name: 'Restore' }).press('Enter')
  await expect(page.getByText('The backup is restored', { exact: true })).toBeVisible()
  await expect(rows).toHaveCount(3)
  await expect(rows.nth(1)).toContainText('Before a restore0')
  expect((await readApi<{ rows: { id: string }[] }>(page, '/api/trades?limit=500')).rows).toMatchObject([{ id: 't1' }])
})
