import { positionsOf } from '#tests/helpers/positions-live.ts'
import { expect, type Locator } from '@playwright/test'
import { copierLive, follower, group, liveGroup, rule } from '#tests/helpers/copier-live.ts'
import { expectAccessible, signUp, test } from './app-test.ts'
import { accountOf, cellsOf, openScanner, outlineOf, positionOf, scanner } from './scanner-test.ts'
import { copierAccounts, copierReading } from './stated/stated-copier.ts'
import { scannerReading, takePositionPushes, stubPositions } from './stated/stated-positions.ts'
import { tellRules } from './stated/stated-rules.ts'
import { bodyOf } from './stated/stated.ts'

const [big, near, denied, down, live] = ['NGF-EVAL150K-104871', 'NGF-EVAL50K-104233', 'NGF-EVAL50K-104234', 'NGF-EVAL50K-104235', 'KELLER-FUNDED-2'] as const
const [bigKey = '', nearKey = ''] = copierAccounts.map(({ id }) => id)
const positionsPath = /\/api\/positions$/

/** Where the text of an element ends on the right, in pixels. */
const endOf = (element: Locator): Promise<number> =>
  element.evaluate((node) => {
    const range = document.createRange()
    range.selectNodeContents(node)
    return range.getBoundingClientRect().right
  })

test('positions stand under their accounts with the limits, by product, and by firm', { tag: '@long' }, async ({ page }) => {
  await takePositionPushes(page)
  await signUp(page)
  await stubPositions(page, () => scannerReading(Date.now()))
  await openScanner(page)
  await expect(positionOf(page, near, 'NQZ6')).toBeVisible()
  expect(await outlineOf(page)).toEqual([live, '  NQZ6', near, '  MGCG7', '  NQZ6', denied, '  MNQZ6', down, '  NQZ6', big, '  ESZ6', '  NQZ6', 'No open position', 'KELLER-FUNDED-3', 'PA-APEX-778120-04'])
  const limits = accountOf(page, near)
  for (const [name, left] of [['Drawdown limit', '$116.25 left'], ['Daily loss limit', '$116.25 left'], ['Max contracts', '1 contract left'], ['Profit target', '$4,763.25 to go']] as const) {
    await expect(limits.getByRole('meter', { name })).toHaveAttribute('aria-valuetext', left)
  }
  await expect(accountOf(page, big).getByText('Set by the broker')).toHaveCount(1)
  await expect(accountOf(page, live)).toContainText('Restricted')
  await expect(accountOf(page, live)).toContainText('Breached')
  expect((await cellsOf(positionOf(page, near, 'NQZ6'))).slice(0, 7)).toEqual(['NQZ6', 'Short −3', '21,598.00', '21,604.25', '−375.00', '−30', '2 accounts'])
  // What an account has open ends where its positions' does, and where the column's name does.
  for (const width of [1440, 1024]) {
    await page.setViewportSize({ width, height: 900 })
    const ends = await Promise.all([accountOf(page, near).getByText('−375.00'), positionOf(page, near, 'NQZ6').getByText('−375.00'), page.getByRole('columnheader', { name: 'Open P&L' })].map(endOf))
    expect(ends.map((end) => Math.abs(end - (ends[0] ?? 0)) < 1), String(ends)).toEqual([true, true, true])
  }
  await page.setViewportSize({ width: 1440, height: 900 })

  await page.getByRole('radio', { name: 'Product' }).click()
  await expect(page).toHaveURL(/by=product/)
  await expect(scanner(page).getByText('65 long, 40 short')).toBeVisible()
  expect(await outlineOf(page)).toEqual(['ES', `  ${big}`, 'GC', `  ${near}`, 'NQ', `  ${live}`, `  ${near}`, `  ${denied}`, `  ${down}`, `  ${big}`, 'No open position', 'KELLER-FUNDED-3', 'PA-APEX-778120-04'])
  await expect(positionOf(page, near, 'NQZ6').getByRole('meter')).toHaveAttribute('aria-valuetext', '$116.25 left')
  await expectAccessible(page)

  await page.reload()
  await expect(page.getByRole('radio', { name: 'Product' })).toBeChecked()
  await page.getByRole('radio', { name: 'Firm' }).click()
  await expect.poll(() => outlineOf(page)).toContain('MyFundedFutures')
  expect((await outlineOf(page)).slice(0, 5)).toEqual(['Apex Trader Funding', live, '  NQZ6', 'MyFundedFutures', near])
  const strip = page.getByRole('region', { name: /net exposure/ })
  await expect(strip).toContainText('+1,147.50')
  await expect(strip).toContainText('NQ5 accounts+2565 long, 40 short')
})

test('accounts that hedge each other are named', { tag: '@nightly' }, async ({ page }) => {
  await takePositionPushes(page)
  await signUp(page)
  await stubPositions(page, () => scannerReading(Date.now()))
  await openScanner(page)
  await positionOf(page, near, 'NQZ6').getByRole('button', { name: `2 accounts hold the opposite: ${big}, ${down}` }).hover()
  await expect(page.getByRole('tooltip')).toHaveText(`2 accounts hold the opposite: ${big}, ${down}`)
})

test('accounts stand by their nearest limit where that is asked for, and lead to their rules', { tag: '@nightly' }, async ({ page }) => {
  await takePositionPushes(page)
  await signUp(page)
  await tellRules(page)
  await stubPositions(page, () => scannerReading(Date.now()))
  await openScanner(page)
  await page.getByRole('radio', { name: 'Nearest limit' }).click()
  await expect(page).toHaveURL(/order=nearest/)
  await expect.poll(async () => (await outlineOf(page)).filter((line) => !line.startsWith('  '))).toEqual([live, denied, near, big, down, 'No open position', 'PA-APEX-778120-04', 'KELLER-FUNDED-3'])
  await page.getByRole('radio', { name: 'Product' }).click()
  await expect(page).toHaveURL(/by=product&order=nearest/)
  await expect.poll(() => outlineOf(page)).toEqual(['ES', `  ${big}`, 'GC', `  ${near}`, 'NQ', `  ${live}`, `  ${denied}`, `  ${near}`, `  ${big}`, `  ${down}`, 'No open position', 'PA-APEX-778120-04', 'KELLER-FUNDED-3'])
  await page.getByRole('tab', { name: 'Alerts' }).click()
  await page.getByRole('tab', { name: 'Positions' }).click()
  await expect(page.getByRole('radio', { name: 'Product' })).toBeChecked()
  await page.getByRole('radio', { name: 'Account' }).click()
  await expectAccessible(page)

  // The link is reached from its line; its Enter flattens nothing.
  await accountOf(page, near).focus()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: near })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`tab=rules&account=${encodeURIComponent(nearKey)}`))
  await expect(page.getByRole('button', { name: 'All accounts' })).toBeFocused()
  await expect(page.getByRole('combobox', { name: 'Account' })).toHaveText(near)
  await page.goBack()
  await expect(page.getByRole('radio', { name: 'Nearest limit' })).toBeChecked()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('stale figures never look fresh', { tag: '@nightly' }, async ({ page }) => {
  await page.clock.install()
  await takePositionPushes(page)
  await signUp(page)
  let answers = true
  let frozenAt: number | null = null
  await stubPositions(page, () => scannerReading(frozenAt ?? Date.now()))
  await page.route(positionsPath, (route) => (answers ? route.fallback() : route.abort()))
  await openScanner(page)
  const fresh = positionOf(page, big, 'NQZ6').getByRole('gridcell')
  await expect(fresh.nth(3)).toHaveText('21,604.25')
  await expect(accountOf(page, down)).toContainText('Not connected since')
  await expect(positionOf(page, down, 'NQZ6').getByRole('gridcell').nth(3)).toHaveText(/^stale, \d\ds 21,604.25$/)
  await expect(positionOf(page, down, 'NQZ6').getByText('+1,245.00')).toHaveClass(/text-faint/)
  await expect(positionOf(page, denied, 'MNQZ6').getByRole('gridcell').nth(4)).toHaveText(/^snapshot, \d+s \+87.50$/)
  await expect(accountOf(page, denied)).toContainText('No prices')
  await expect(accountOf(page, denied)).toContainText(/Account snapshot, \d+s/)
  await expect(positionOf(page, near, 'MGCG7').getByRole('gridcell').nth(3)).toHaveText('–')
  // Nor do a sum with an old figure in it, and a limit computed from one.
  await expect(page.getByRole('region', { name: /net exposure/ })).toContainText(/1 unknown, oldest \d+s/)
  await expect(accountOf(page, big).getByText('$2,786.40 left')).toHaveClass(/text-ink/)
  await expect(accountOf(page, down).getByText('$2,214.61 left')).toHaveClass(/text-faint/)

  // Prices without updates visibly age.
  frozenAt = Date.now()
  await page.clock.fastForward(8_000)
  await expect(fresh.nth(3)).toHaveText(/^\d+s 21,604.25$/)
  await expect(fresh.nth(3).getByText('21,604.25')).toHaveClass(/text-ink/)
  await page.clock.fastForward(24_000)
  await expect(fresh.nth(3)).toHaveText(/^stale, (\d\ds|\dm) 21,604.25$/)
  await expect(fresh.nth(3).getByText('21,604.25')).toHaveClass(/text-faint/)
  await expect(accountOf(page, big).getByText('$2,786.40 left')).toHaveClass(/text-faint/)
  await expect(page.getByRole('alert')).toHaveCount(0)

  // Where the program itself says nothing any more, nothing on the screen is to be trusted.
  answers = false
  await page.clock.fastForward(12_000)
  await expect(page.getByRole('alert')).toContainText('No updates from Fillbook since')
  await expect(accountOf(page, big).getByText('151,056.40')).toHaveClass(/text-faint/)
  await expectAccessible(page)
  answers = true
  await page.clock.fastForward(12_000)
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('pushes are shown, older ones are not, and a lost line is shown', { tag: '@nightly' }, async ({ page }) => {
  const { push } = await takePositionPushes(page)
  await signUp(page)
  const now = Date.now()
  await stubPositions(page, () => scannerReading(now))
  await openScanner(page)
  const row = positionOf(page, big, 'NQZ6')
  await expect(row).toContainText('+230.00')
  const moved = (seq: number, amount: string, more = {}) => {
    const reading = scannerReading(now, seq, more)
    const positions = reading.positions.map((one) => (one.account === bigKey && one.contract === 'NQZ6' ? { ...one, open: { amount, from: 'prices' as const, at: now + seq } } : one))
    return { type: 'positions' as const, live: { ...reading, at: now + seq, positions } }
  }
  await push(moved(5, '250.00'))
  await expect(row).toContainText('+250.00')
  await push(moved(4, '240.00'))
  // What is read meanwhile is older too.
  await page.waitForResponse(positionsPath)
  await page.waitForResponse(positionsPath)
  await expect(row).toContainText('+250.00')
  await push(moved(6, '260.00'))
  await expect(row).toContainText('+260.00')
  const { accounts } = scannerReading(now)
  await push(moved(7, '270.00', { accounts: accounts.map((one) => (one.account === nearKey ? { ...one, line: 'down', downSince: now } : one)) }))
  await expect(accountOf(page, near)).toContainText('Not connected since')
  await expect(page.getByRole('status').filter({ hasText: `${near} is not connected.` })).toHaveCount(1)
  await expect(positionOf(page, near, 'NQZ6').getByText('−375.00')).toHaveClass(/text-faint/)
})

test('a position is closed and an account flattened by key, and the result is shown', { tag: '@nightly' }, async ({ page }) => {
  await takePositionPushes(page)
  await signUp(page)
  await stubPositions(page, () => scannerReading(Date.now()))
  const groups = [group('g1', bigKey, [rule(nearKey)], { name: 'Morning' })]
  await page.route(/\/api\/copier$/, (route) => route.fulfill({ json: copierReading({ groups, live: copierLive(1, [liveGroup('g1', [follower(nearKey)])]) }) }))
  const asked: Record<string, unknown>[] = []
  const answers: (object | null)[] = [
    { account: nearKey, outcome: 'not-flat', left: [{ contract: 'NQZ6', net: -1 }], detail: 'Market is closed' },
    { account: nearKey, outcome: 'flat', left: [], detail: null },
    null,
    { account: bigKey, outcome: 'not-connected', left: [], detail: null },
  ]
  await page.route(/\/api\/positions\/(close|flatten)$/, (route) => {
    asked.push({ path: new URL(route.request().url()).pathname, ...bodyOf(route.request()) })
    const answer = answers[asked.length - 1] ?? null
    return answer === null ? route.fulfill({ status: 500, json: { error: 'Internal', code: 'internal' } }) : route.fulfill({ json: answer })
  })
  await openScanner(page)
  await positionOf(page, near, 'NQZ6').focus()
  await page.keyboard.down('Enter')
  const dialog = page.getByRole('dialog', { name: `Close NQZ6 in ${near}?` })
  await expect(dialog).toContainText('Short −3')
  await expect(dialog).toContainText('This account follows in Morning')
  // The key that asked is held for longer: it neither confirms nor cancels.
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(positionOf(page, near, 'NQZ6')).toBeFocused()
  expect(asked).toEqual([])

  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Close NQZ6' }).press('Enter')
  const notFlat = page.getByRole('dialog', { name: `${near} is not flat` })
  await expect(notFlat).toContainText('Still open: NQZ6 −1')
  await expect(notFlat).toContainText('The broker said: Market is closed')
  await expectAccessible(page)
  await notFlat.getByRole('button', { name: 'Try again' }).click()
  const closed = page.getByRole('dialog', { name: `Closed in ${near}` })
  await expect(closed.getByText('Flat', { exact: true })).toBeVisible()
  await closed.getByRole('button', { name: 'Done' }).press('Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  // F flattens the account of whatever line is focused, here from the line of a position.
  await positionOf(page, big, 'ESZ6').focus()
  await page.keyboard.press('f')
  const flatten = page.getByRole('dialog', { name: `Flatten ${big}?` })
  await expect(flatten.getByRole('listitem')).toHaveText([/ESZ6/, /NQZ6/])
  await expect(flatten).toContainText('This account leads Morning: the copier closes the same position at its follower.')
  await flatten.getByRole('button', { name: `Flatten ${big}` }).press('Enter')
  const failed = page.getByRole('dialog', { name: 'That did not work' })
  await expect(failed.getByRole('alert')).toBeVisible()
  await failed.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('dialog', { name: `Fillbook could not reach ${big} and sent nothing` })).toBeVisible()
  expect(asked).toEqual([
    { path: '/api/positions/close', account: nearKey, contract: 'NQZ6' }, { path: '/api/positions/close', account: nearKey, contract: 'NQZ6' },
    { path: '/api/positions/flatten', account: bigKey }, { path: '/api/positions/flatten', account: bigKey },
  ])
})

test('arrow keys move through the lines; a new line above does not move the selection', { tag: '@nightly' }, async ({ page }) => {
  const { push } = await takePositionPushes(page)
  await signUp(page)
  const now = Date.now()
  const whole = scannerReading(now)
  const without = { ...whole, positions: whole.positions.filter(({ contract }) => contract !== 'MGCG7') }
  await stubPositions(page, () => without)
  await openScanner(page)
  const first = accountOf(page, live)
  await first.focus()
  await page.keyboard.press('ArrowDown')
  await expect(positionOf(page, live, 'NQZ6')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(positionOf(page, near, 'NQZ6')).toBeFocused()
  await push({ type: 'positions', live: { ...whole, seq: 2, at: now + 1 } })
  await expect(positionOf(page, near, 'MGCG7')).toBeVisible()
  await expect(positionOf(page, near, 'NQZ6')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: `Close NQZ6 in ${near}?` })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(positionOf(page, near, 'NQZ6')).toBeFocused()
  await page.keyboard.press('End')
  await expect(accountOf(page, 'PA-APEX-778120-04')).toBeFocused()
  // What no login reaches is not asked about.
  await page.keyboard.press('f')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('nothing connected, nothing open, and a failed load', { tag: '@nightly' }, async ({ page }) => {
  await takePositionPushes(page)
  await signUp(page)
  let reading = positionsOf(1)
  await stubPositions(page, () => reading)
  await openScanner(page)
  await expect(page.getByText('Connect your accounts first')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Add Account' })).toHaveAttribute('href', '#/dashboard/AutoSync')
  await expectAccessible(page)
  reading = { ...scannerReading(Date.now(), 2), positions: [], exposure: [] }
  await expect(page.getByText('No account has an open position.')).toBeVisible()
  await expect(accountOf(page, big).getByRole('meter')).toHaveCount(2)
  await expectAccessible(page)
  await page.route(positionsPath, (route) => route.fulfill({ status: 400, json: { error: 'Internal', code: 'internal' } }))
  await page.reload()
  await expect(page.getByText('Could not load this')).toBeVisible()
  await expectAccessible(page)
})
