import { expect } from '@playwright/test'
import { expectAccessible, signUp } from './app-test.ts'
import { choose, connect } from './broker-test.ts'
import { copierRoutes, type GroupDraft } from '#shared/api/copier.ts'
import { accounts, armForReal, beginGroup, contracts, followerOf, groupCard, heldAt, openCopier, saveGroup, stanceOf, test, trade } from './copier-test.ts'
import { takePushes } from './stated/pushes.ts'
import { copierAccounts, stubCopier, troubledReading } from './stated/stated-copier.ts'

test.use({ begins: 'outside' })

const { leader, ava, ben } = accounts
const { NQ, MNQ } = contracts

test('a group is built, tried, armed, gets out of sync, repairs itself and is flattened by key', async ({ page, broker }) => {
  test.slow()
  await signUp(page)
  await openCopier(page)
  await expect(page.getByText('Connect your accounts first')).toBeVisible()
  await expectAccessible(page)
  await connect(page, 'ava', 'ben')

  // The group: one follows one to one, the other with micros.
  await openCopier(page)
  await expect(page.getByText('Build your first group')).toBeVisible()
  const dialog = await beginGroup(page, 'Morning', leader, [ava, ben])
  await dialog.getByRole('button', { name: 'Add mapping' }).click()
  await page.getByRole('menuitem', { name: 'NQ → MNQ, 10 for 1' }).click()
  await saveGroup(dialog)
  const card = groupCard(page, 'Morning')
  await expect(card.getByText('Dry run', { exact: true })).toBeVisible()

  // Dry: everything but the orders.
  await card.getByRole('button', { name: 'Start dry run of Morning' }).press('Enter')
  await expect(card.getByText('Armed', { exact: true })).toBeVisible()
  await expect(followerOf(page, ava).getByText('In sync')).toBeVisible()
  await expect(card.getByRole('button', { name: 'Disarm Morning' })).toBeFocused()
  trade(broker, leader, 'Buy', NQ)
  // No account has the simulated position.
  await expect.poll(() => stanceOf(page, ava)).toEqual([NQ, '+1', '0', '–', '0'])
  await expect(followerOf(page, ava).getByText('+1 simulated')).toBeVisible()
  await expect.poll(() => stanceOf(page, ben)).toEqual([MNQ, '+10', '0', '–', '0'])
  await expect(followerOf(page, ben).getByText('+10 simulated')).toBeVisible()
  trade(broker, leader, 'Sell', NQ)
  for (const account of [ava, ben]) await expect.poll(async () => (await stanceOf(page, account)).slice(1)).toEqual(['0', '0', '–', '0'])
  expect([heldAt(broker, ava, NQ), heldAt(broker, ben, MNQ)]).toEqual([0, 0])
  expect(broker.floor.state().filter(({ name }) => name !== leader).flatMap(({ orders }) => orders)).toEqual([])
  await page.getByRole('tab', { name: 'Ledger' }).click()
  await page.getByRole('button', { name: /^Copies of NQH6/ }).last().click()
  const copy = page.getByRole('row').filter({ hasText: 'Buy 1 NQH6' }).last()
  await expect(copy).toContainText(ava)
  await expect(copy).toContainText('Would have sent: Buy 1 NQH6')
  await expect(copy).toContainText('Dry run')
  const would = page.getByRole('region', { name: 'What the dry run would have done' })
  await expect(would).toContainText('The followers would have sent 4 orders for 22 contracts. Net P&L would have been')
  await expect(would.getByRole('row').filter({ hasText: ava })).toContainText(`Bought 1, sold 1 ${NQ}`)
  await expect(would.getByRole('row').filter({ hasText: ben })).toContainText(`Bought 10, sold 10 ${MNQ}`)
  await expectAccessible(page)
  await page.getByRole('tab', { name: 'Groups' }).click()

  // For real.
  await card.getByRole('button', { name: 'Disarm Morning' }).click()
  await expect(card.getByText('Off', { exact: true }).first()).toBeVisible()
  await card.getByRole('button', { name: 'More for Morning' }).click()
  await page.getByRole('menuitem', { name: 'Edit group…' }).click()
  const editor = page.getByRole('dialog', { name: 'Edit Morning' })
  await editor.getByRole('switch', { name: 'Dry run' }).click()
  await saveGroup(editor)
  await armForReal(page, 'Morning')
  await expect(followerOf(page, ben).getByText('In sync')).toBeVisible()
  trade(broker, leader, 'Buy', NQ)
  await expect.poll(() => [heldAt(broker, ava, NQ), heldAt(broker, ben, MNQ)]).toEqual([1, 10])
  await expect.poll(() => stanceOf(page, ava)).toEqual([NQ, '+1', '+1', '–', '0'])
  await expect.poll(() => stanceOf(page, ben)).toEqual([MNQ, '+10', '+10', '–', '0'])

  // One line is gone: the other follower is copied to, this one waits.
  broker.sockets.refuse(true)
  broker.sockets.drop({ login: 'ben' })
  await expect(followerOf(page, ben).getByText(/^(Connecting|Not connected)$/).first()).toBeVisible()
  trade(broker, leader, 'Buy', NQ)
  await expect.poll(() => heldAt(broker, ava, NQ)).toBe(2)
  await expect(followerOf(page, ben).getByText('Out of sync')).toBeVisible()
  await expect.poll(async () => (await stanceOf(page, ben)).slice(0, 3)).toEqual([MNQ, '+20', '+10'])
  expect(heldAt(broker, ben, MNQ)).toBe(10)
  await expectAccessible(page)
  broker.sockets.refuse(false)
  await expect.poll(() => heldAt(broker, ben, MNQ), { timeout: 90_000 }).toBe(20)
  await expect.poll(() => stanceOf(page, ben)).toEqual([MNQ, '+20', '+20', '–', '0'])
  await expect(followerOf(page, ben).getByText('In sync')).toBeVisible()

  // Out of everything, without the mouse.
  await page.keyboard.press('Shift+F')
  const flatten = page.getByRole('dialog', { name: 'Flatten Morning?' })
  await expect(flatten.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  const report = page.getByRole('dialog', { name: 'Everything is flat' })
  await expect(report.getByText('2 of 2 accounts are flat.')).toBeVisible({ timeout: 60_000 })
  await expect(report.getByRole('listitem').filter({ hasText: ben })).toContainText('Flat')
  await page.keyboard.press('Enter')
  await expect(report).toHaveCount(0)
  expect([heldAt(broker, ava, NQ), heldAt(broker, ben, MNQ), heldAt(broker, leader, NQ)]).toEqual([0, 0, 2])
  for (const account of [ava, ben]) await expect(followerOf(page, account).getByText('Locked', { exact: true })).toBeVisible()
  await expectAccessible(page)

  // What it took is in the ledger.
  await page.getByRole('tab', { name: 'Ledger' }).click()
  await page.getByRole('button', { name: /^Copies of NQH6/ }).first().click()
  await page.getByRole('tab', { name: 'Latency and slippage' }).click()
  const figures = page.getByRole('tabpanel', { name: 'Latency and slippage' })
  await expect(figures.getByRole('table').first().getByRole('row').filter({ hasText: ava })).toContainText('ms')
})

test('a row names what is wrong with its money: own trades, a refused close, a refused stop, orders that are not mirrored, and what an answer does', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  const reading = troubledReading()
  const posted: unknown[] = []
  await stubCopier(page, () => reading)
  await page.route((url) => url.pathname === copierRoutes.cancelLeft.path, (route) => {
    posted.push(route.request().postDataJSON())
    return route.fulfill({ json: { live: { ...reading.live, seq: 8, at: reading.live.at + 1, groups: reading.live.groups.map((group) => ({ ...group, left: [] })) } } })
  })
  const push = await takePushes(page)
  await openCopier(page)
  await page.reload()
  const [own, refusedClose, bare, trailing, asks, left] = copierAccounts.slice(1).map(({ name }) => name) as [string, string, string, string, string, string]
  await expect(followerOf(page, bare)).toBeVisible()
  await expectAccessible(page)

  // The user's own trade is the user's, and leaves the follower in sync.
  expect(await stanceOf(page, own)).toEqual(['GCZ6', '0', '+2', '–', '0'])
  await expect(followerOf(page, own)).toContainText('+2 yours')
  await expect(followerOf(page, own).getByText('In sync')).toBeVisible()

  // A refused close leaves the stop in place.
  await expect(followerOf(page, refusedClose).getByText('Out of sync')).toBeVisible()
  await expect(followerOf(page, refusedClose)).toContainText('1 exit working')
  await expect(followerOf(page, refusedClose)).toContainText('The broker rejected the order.')

  // A refused stop is red, with the broker's words, the group's setting and the next try; calls have nothing to do with it.
  await expect(followerOf(page, bare).getByText('Unprotected', { exact: true })).toBeVisible()
  await expect(followerOf(page, bare).getByRole('alert')).toHaveText('NQZ6 No stop at the broker. The broker said: “Stop price is above the market”. The position stays open and Fillbook retries. Place a stop yourself, or close the position.')
  await expect(followerOf(page, bare)).toContainText(/next retry in \d+ s/)
  await expect(followerOf(page, bare)).toContainText('inverted')
  await expect(page.getByText('Pending: 1 exit')).toBeVisible()
  await expect(page.getByText(/Waiting for calls/)).toHaveCount(0)
  await expect(page.getByRole('listitem').filter({ hasText: 'ben.keller' })).toContainText('3 pending')
  await expect(page.getByRole('listitem').filter({ hasText: 'ava.morgan' })).not.toContainText('pending')
  await expect(followerOf(page, trailing)).toContainText('Trailing stop not mirrored')
  await expect(followerOf(page, trailing).getByText('Out of sync')).toBeVisible()

  // The question at the start says in contracts what each answer does.
  const does = { Adopt: 'Adopt: buy 2 NQZ6, sell 13 MESZ6', Flatten: 'Flatten: sell 3 MESZ6', Leave: 'Leave: 3 MESZ6 stay yours' }
  for (const [answer, text] of Object.entries(does)) await expect(page.getByRole('button', { name: `${answer} ${asks}` })).toHaveAccessibleDescription(text)

  // The alert reaches every page.
  const alert = { trouble: 'unprotected', groupId: 'g1', group: 'Morning NQ', account: copierAccounts[3]?.id ?? '', accountName: bare, unprotected: 'keep', brokerText: null } as const
  await push({ type: 'copier-alert', alert })
  await push({ type: 'copier-alert', alert: { ...alert, trouble: 'decision', accountName: asks, account: copierAccounts[5]?.id ?? '' } })
  const toast = page.getByRole('region', { name: /^Notifications/ })
  await expect(toast).toContainText(`${bare} is unprotected`)
  await expect(toast).toContainText('1 more follower needs attention')

  // Exits left behind are named, and canceled once that is confirmed.
  const group = groupCard(page, 'Gold')
  await expect(group.getByRole('heading', { name: '2 exits still working' })).toBeVisible()
  await expect(group).toContainText(`${left}Sell 2 GCZ6Stop 4012.5`)
  await group.getByRole('button', { name: 'Cancel the exits of Gold' }).press('Enter')
  await page.getByRole('dialog', { name: 'Cancel these exits?' }).getByRole('button', { name: 'Cancel exits' }).press('Enter')
  await expect(group.getByRole('heading', { name: '2 exits still working' })).toHaveCount(0)
  expect(posted).toEqual([{ id: 'g2' }])

  // The editor says what each choice does, and what becomes of the exits of a follower that leaves.
  await page.route((url) => url.pathname === copierRoutes.saveGroup.path, (route) => {
    posted.push(route.request().postDataJSON())
    return route.fulfill({ json: { group: reading.groups[0], fault: null } })
  })
  await page.getByRole('button', { name: 'More for Morning NQ' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Edit group…' }).press('Enter')
  const editor = page.getByRole('dialog', { name: 'Edit Morning NQ' })
  await expect(editor.getByRole('combobox', { name: 'If a stop is refused' })).toHaveText('Keep the position and alert me')
  await choose(page, 'Copy mode', 'Working orders')
  await choose(page, 'If a stop is refused', 'Flatten the follower')
  await choose(page, 'When copying stops', 'Cancel working exits')
  await editor.getByRole('switch', { name: 'Invert' }).press('Space')
  await editor.getByRole('switch', { name: 'Guard' }).press('Space')
  await editor.getByRole('checkbox', { name: `${asks} follows` }).press('Space')
  await expect(editor).toContainText(`${asks} stops following. Its position stays open, and Fillbook cancels its working exits.`)
  await expectAccessible(page)
  await saveGroup(editor)
  expect(posted[1]).toMatchObject({ id: 'g1', draft: { mode: 'orders', unprotected: 'flatten', leftExits: 'cancel' } })
  expect((posted[1] as { draft: GroupDraft }).draft.followers.map(({ invert, guard }) => [invert, guard])).toEqual([[true, true], [false, false], [true, false], [false, false]])
})
