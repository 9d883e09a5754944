import { expect } from '@playwright/test'
import { backupRoutes, type Backup, type RestorePreview } from '#shared/api/backups.ts'
import type { AnswerOf } from '#shared/api/route.ts'
import { goTo, signUp, test } from '../e2e/app-test.ts'
import { offerDesktop } from '../e2e/desktop-bridge.ts'
import { picture } from './picture.ts'

type Answer = AnswerOf<typeof backupRoutes.backups>

const one = (name: string, kind: Backup['kind'], at: string, more: Partial<Backup> = {}): Backup => ({ name, kind, at, bytes: 18_400_000, checked: kind !== 'before-update', readable: true, by: null, others: 0, holds: { pairs: 12_408, lastTradeDay: '2026-11-20', accounts: 7 }, restoreNeeds: 87_400_000, ...more })

const sound: Answer = {
  now: { pairs: 12_431, lastTradeDay: '2026-11-20', accounts: 8 },
  backups: [
    one('a', 'before-restore', '2026-11-22T15:04:05.000Z'),
    one('b', 'daily', '2026-11-22T08:03:00.000Z'),
    one('c', 'by-hand', '2026-11-21T21:40:12.000Z', { bytes: 4_200, by: 'another', others: 2 }),
    one('d', 'daily', '2026-11-21T08:03:00.000Z', { readable: false, holds: null, others: null }),
    one('e', 'before-update', '2026-11-20T08:00:00.000Z'),
    one('f', 'daily', '2026-10-31T08:00:00.000Z', { holds: null, others: 1 }),
    one('g', 'daily', '2026-09-30T08:00:00.000Z', { holds: { pairs: 0, lastTradeDay: null, accounts: 0 } }),
  ],
  folder: '/home/nina/.local/share/Fillbook/backups',
  health: 'sound',
  trouble: { at: '2026-11-22T08:18:00.000Z', of: 'copier', why: 'busy' },
  room: { needed: 51_000_000, free: 412_000_000_000 },
  waiting: null,
}

const none = { back: 0, changed: 0, added: 0 }
const at = { what: null, day: null, field: null, then: null, now: null }
const preview: RestorePreview = {
  counts: {
    trades: { back: 4, changed: 0, added: 2 }, notes: { back: 3, changed: 12, added: 41 }, days: { back: 0, changed: 1, added: 5 }, finances: { back: 0, changed: 1, added: 3 },
    accounts: none, settings: { back: 0, changed: 1, added: 0 }, imports: { back: 1, changed: 0, added: 0 }, reports: none, fills: none,
  },
  examples: [
    { ...at, kind: 'trades', fate: 'back', what: 'MESZ6', day: '2026-11-18' },
    { ...at, kind: 'notes', fate: 'back', what: 'NQZ6', day: '2026-11-19', field: 'tags', then: 'breakout, patient' },
    { ...at, kind: 'imports', fate: 'back', what: 'Fills.csv, Cash History.csv' },
    { ...at, kind: 'notes', fate: 'changed', what: 'MESZ6', day: '2026-11-20', field: 'notes', then: 'Entered on the retest of 6,702, stop under the low. Held through the pullback as planned.', now: 'Bad one.' },
    { ...at, kind: 'finances', fate: 'changed', what: 'Payout November', day: '2026-11-14' },
    { ...at, kind: 'days', fate: 'added', day: '2026-11-21', field: 'notes', now: 'Thin session before the holiday; two trades only.' },
    { ...at, kind: 'trades', fate: 'added', what: 'GCZ6', day: '2026-11-21' },
  ],
}

test('backups', async ({ page }) => {
  let answer = sound
  await page.route(`**${backupRoutes.backups.path}`, (route) => route.fulfill({ json: answer }))
  let previewed: RestorePreview | null = preview
  await page.route(`**${backupRoutes.previewRestore.path}?*`, (route) => route.fulfill({ json: { preview: previewed } }))
  await page.route(`**${backupRoutes.journalHealth.path}`, (route) => route.fulfill({ json: { health: answer.health } }))
  await signUp(page)
  await goTo(page, '/dashboard/Settings?section=backups')
  await expect(page.getByRole('table')).toBeVisible()
  await picture(page, 'backups')
  await page.getByRole('button', { name: /^Restore the backup of/ }).nth(1).click()
  await expect(page.getByRole('dialog')).toContainText('for example')
  await picture(page, 'backups-restore')
  await page.getByRole('radio', { name: 'Restore the exact state' }).check()
  await picture(page, 'backups-restore-whole')
  previewed = null
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Restore the backup of/ }).nth(1).click()
  await expect(page.getByRole('dialog')).toContainText('too large to preview')
  await picture(page, 'backups-restore-unknown')
  previewed = preview
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
  await expect(page.getByRole('dialog')).toContainText('Free up space there first.')
  await picture(page, 'backups-no-room')
  answer = { ...sound, backups: [], trouble: null }
  await page.reload()
  await expect(page.getByText('No backups yet')).toBeVisible()
  await picture(page, 'backups-empty')
})
