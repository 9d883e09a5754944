import { expect, type Page } from '@playwright/test'
import { copierLive, follower, liveGroup, stance } from '#tests/helpers/copier-live.ts'
import { button, goTo, signUp, test } from '../e2e/app-test.ts'
import { picture } from './picture.ts'
import { takePushes } from '../e2e/stated/pushes.ts'
import { state } from '../e2e/stated/stated.ts'
import { copierAccounts, copierReading, stubCopier, troubledReading } from '../e2e/stated/stated-copier.ts'

const copierPath = '/dashboard/TradeCopier'
const empty = () => copierReading({ groups: [], live: copierLive(1, []), used: 0 })

const show = async (page: Page, path = copierPath): Promise<void> => {
  // A dialog of the moment before would hide the page.
  await goTo(page, path)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'TradeCopier' })).toBeVisible()
}

test('the copier before its first group, while it loads and where it fails', async ({ page }) => {
  await signUp(page)
  await state(page, { accounts: () => [] })
  await page.route(/\/api\/copier$/, (route) => route.fulfill({ json: empty() }))
  await show(page)
  await expect(page.getByText('Connect your accounts first')).toBeVisible()
  await picture(page, 'copier-no-accounts')
  await page.unrouteAll()
  await stubCopier(page, empty, { rows: [], figures: { followers: [] } })
  await show(page)
  await expect(page.getByText('Build your first group')).toBeVisible()
  await picture(page, 'copier-empty')
  await page.unrouteAll()
  await page.route(/\/api\/copier$/, () => undefined)
  await show(page)
  await picture(page, 'copier-loading')
  await page.unrouteAll()
  await page.route(/\/api\/copier$/, (route) => route.fulfill({ status: 400, json: { error: 'Internal', code: 'internal' } }))
  await show(page)
  await expect(page.getByText('Could not load this')).toBeVisible()
  await picture(page, 'copier-error')
})

test('the copier at work', async ({ page }) => {
  const push = await takePushes(page)
  await signUp(page)
  let reading = copierReading()
  await stubCopier(page, () => reading)
  await show(page)
  await expect(page.getByRole('region', { name: 'Morning NQ' })).toBeVisible()
  await page.mouse.move(0, 0)
  await picture(page, 'copier')

  await page.keyboard.press('Shift+F')
  await expect(page.getByRole('dialog')).toBeVisible()
  await picture(page, 'copier-flatten')
  await page.route(/\/api\/copier\/flatten$/, () => undefined)
  await button(page, /^Flatten \d+ accounts?$/).click()
  await picture(page, 'copier-flattening')
  await page.unrouteAll()
  await stubCopier(page, () => reading)
  await page.route(/\/api\/copier\/flatten$/, (route) => {
    const reports = copierAccounts.slice(1, 5).map(({ id }, at) => ({ account: id, outcome: (['flat', 'was-flat', 'not-flat', 'not-connected'] as const)[at] ?? 'flat', left: at === 2 ? [{ contract: 'NQZ6', net: 1 }] : [], detail: at === 2 ? 'Market is closed' : null }))
    return route.fulfill({ json: { reports } })
  })
  await show(page)
  await page.keyboard.press('Shift+F')
  await button(page, /^Flatten \d+ accounts?$/).click()
  await expect(page.getByText('Not flat')).toBeVisible()
  await picture(page, 'copier-flattened')
  await page.keyboard.press('Escape')

  await button(page, 'More for Morning NQ').click()
  await picture(page, 'copier-menu')
  await page.getByRole('menuitem', { name: 'Edit group…' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await picture(page, 'copier-editor')
  reading = { ...reading, groups: reading.groups.map((group) => ({ ...group, name: `${group.name}, renamed elsewhere` })) }
  await push({ type: 'copier-changed' })
  await expect(page.getByText('This group has changed since you opened it')).toBeVisible()
  await picture(page, 'copier-editor-changed')
  await page.keyboard.press('Escape')

  reading = troubledReading()
  await show(page)
  await expect(page.getByRole('heading', { name: '2 exits still working' })).toBeVisible()
  await page.mouse.move(0, 0)
  await picture(page, 'copier-trouble')
  await page.getByRole('region', { name: 'Morning NQ' }).getByRole('table').scrollIntoViewIfNeeded()
  await picture(page, 'copier-trouble-rows', async () => { await page.locator('tbody').last().scrollIntoViewIfNeeded() })
  await button(page, 'Cancel the exits of Gold').click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await picture(page, 'copier-cancel-exits')
  await page.keyboard.press('Escape')
  await button(page, 'More for Morning NQ').click()
  await page.getByRole('menuitem', { name: 'Edit group…' }).click()
  await page.getByRole('checkbox', { name: /104233 follows/ }).click()
  await page.getByRole('button', { name: /104235/ }).click()
  await picture(page, 'copier-editor-policies', async () => { await page.getByRole('switch', { name: 'Guard' }).scrollIntoViewIfNeeded() })
  await page.keyboard.press('Escape')

  reading = copierReading()
  const [first] = reading.live.groups
  const asking = { undecided: [{ contract: 'NQZ6', leader: 2, follower: 0 }, { contract: 'MESZ6', leader: -1, follower: 3 }], contracts: [stance({ contract: 'NQZ6', target: 2, actual: 0, difference: 2, why: 'asks' as const }), stance({ leaderContract: 'ESZ6', contract: 'MESZ6', leader: -1, target: -10, actual: 3, difference: -13, why: 'asks' as const })] }
  reading = copierReading({ live: copierLive(8, [liveGroup('g1', (first?.followers ?? []).map((one, at) => (at < 2 ? follower(one.account, asking) : one)), { state: 'paused', blocked: 'no-lease' })]) })
  await show(page)
  await expect(page.getByText('Positions were open at the start').first()).toBeVisible()
  await picture(page, 'copier-asks')

  reading = copierReading({ live: copierLive(9, []) })
  for (const outcome of ['consent-needed', 'only-machine-needed', 'plan-limit']) {
    await page.route(/\/api\/copier\/arm$/, (route) => route.fulfill({ json: { outcome } }))
    await show(page)
    await button(page, 'Arm Morning NQ').click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await picture(page, `copier-${outcome}`)
  }
})

test('a new group, and what is wrong with it', async ({ page }) => {
  await signUp(page)
  await stubCopier(page, empty)
  await show(page)
  await button(page, 'New group').click()
  const dialog = page.getByRole('dialog')
  await picture(page, 'copier-editor-new')
  await dialog.getByRole('checkbox', { name: /104233/ }).click()
  await button(page, 'Add mapping').click()
  await page.getByRole('menuitem', { name: 'NQ → MNQ, 10 for 1' }).click()
  await dialog.getByRole('radio', { name: '1:2' }).click()
  await dialog.getByLabel('Daily loss limit').fill('-5')
  await dialog.getByRole('button', { name: 'Save group' }).click()
  await expect(dialog.getByText('Give the group a name.')).toBeVisible()
  await picture(page, 'copier-editor-faults')
})

test('the ledger and the figures of the copier', async ({ page }) => {
  await signUp(page)
  await stubCopier(page, copierReading)
  await show(page, `${copierPath}?view=ledger`)
  await button(page, /^Copies of NQZ6/).click()
  await expect(page.getByText('Account is in liquidation only mode')).toBeVisible()
  await picture(page, 'copier-ledger')
  await show(page, `${copierPath}?view=figures`)
  await expect(page.getByRole('table').nth(1)).toBeVisible()
  await picture(page, 'copier-figures')
  await page.unrouteAll()
  await stubCopier(page, copierReading, { rows: [], figures: { followers: [] } })
  await show(page, `${copierPath}?view=ledger`)
  await picture(page, 'copier-ledger-empty')
  await show(page, `${copierPath}?view=figures`)
  await picture(page, 'copier-figures-empty')
})
