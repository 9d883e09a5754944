import { expect } from '@playwright/test'
import { backupRoutes, type Backup } from '#shared/api/backups.ts'
import type { AnswerOf } from '#shared/api/route.ts'
import { goTo, signUp, test } from '../e2e/app-test.ts'
import { offerDesktop } from '../e2e/desktop-bridge.ts'
import { picture } from './picture.ts'

type Answer = AnswerOf<typeof backupRoutes.backups>

const one = (name: string, kind: Backup['kind'], at: string, more: Partial<Backup> = {}): Backup => ({ name, kind, at, bytes: 18_400_000, checked: kind !== 'before-update', readable: true, by: null, others: 0, holds: { trades: 12_408, lastTradeDay: '2026-11-20', accounts: 7 }, restoreNeeds: 87_400_000, ...more })

const sound: Answer = {
  now: { trades: 12_431, lastTradeDay: '2026-11-20', accounts: 8 },
  backups: [
    one('a', 'before-restore', '2026-11-22T15:04:05.000Z'),
    one('b', 'daily', '2026-11-22T08:03:00.000Z'),
    one('c', 'by-hand', '2026-11-21T21:40:12.000Z', { bytes: 4_200 }),
    one('d', 'daily', '2026-11-21T08:03:00.000Z', { readable: false, holds: null }),
    one('e', 'before-update', '2026-11-20T08:00:00.000Z'),
    one('f', 'daily', '2026-10-31T08:00:00.000Z', { holds: null }),
    one('g', 'daily', '2026-09-30T08:00:00.000Z', { holds: { trades: 0, lastTradeDay: null, accounts: 0 } }),
  ],
  folder: '/home/nina/.local/share/Fillbook/backups',
  health: 'sound',
  trouble: { at: '2026-11-22T08:18:00.000Z', of: 'copier', why: 'busy' },
  room: { needed: 51_000_000, free: 412_000_000_000 },
  waiting: null,
}

test('backups', async ({ page }) => {
  let answer = sound
  await page.route(`**${backupRoutes.backups.path}`, (route) => route.fulfill({ json: answer }))
  await page.route(`**${backupRoutes.journalHealth.path}`, (route) => route.fulfill({ json: { health: answer.health } }))
  await signUp(page)
  await goTo(page, '/dashboard/Settings?section=backups')
  await expect(page.getByRole('table')).toBeVisible()
  await picture(page, 'backups')
  await page.getByRole('button', { name: /^Restore the backup of/ }).nth(1).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await picture(page, 'backups-restore')
  answer = { ...sound, health: 'damaged', trouble: null }
  await page.reload()
  await page.getByRole('button', { name: /^Restore the backup of/ }).nth(1).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await picture(page, 'backups-restore-damaged')
  await goTo(page, '/dashboard')
  await expect(page.getByRole('alert')).toBeVisible()
  await picture(page, 'backups-damaged-elsewhere')
  await goTo(page, '/dashboard/Settings?section=backups')
  answer = { ...answer, waiting: 'journal-2026-11-22T08-03-00Z.db' }
  await page.reload()
  await expect(page.getByRole('table')).toBeVisible()
  await picture(page, 'backups-waiting')
  await offerDesktop(page)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Restart Fillbook' })).toBeVisible()
  await picture(page, 'backups-waiting-desktop')
  answer = { ...sound, trouble: null, room: { needed: 51_000_000, free: 40_900_000 } }
  await page.reload()
  await page.getByRole('button', { name: /^Restore the backup of/ }).nth(1).click()
  await expect(page.getByRole('dialog')).toContainText('Make room there first.')
  await picture(page, 'backups-no-room')
  answer = { ...sound, backups: [], trouble: null }
  await page.reload()
  await expect(page.getByText('No backup yet')).toBeVisible()
  await picture(page, 'backups-empty')
})
