import { copierRoutes, type GroupDraft } from '#shared/api/copier.ts'
import type { AnswerOf } from '#shared/api/route.ts'
import { rule } from '#tests/helpers/copier-live.ts'
import { expect, type Page } from '@playwright/test'
import { expectAccessible, signUp } from './app-test.ts'
import { askApi, connect, financesOf } from './broker-test.ts'
import { accounts, contracts, followerOf, heldAt, openCopier, test, trade } from './copier-test.ts'
import { accountOf, cellsOf, openScanner, positionOf, scanner } from './scanner-test.ts'

test.use({ begins: 'outside' })

const { leader, ava, ben } = accounts
const { NQ, MNQ, ES } = contracts

test('positions of two logins are shown live, grow stale with their line, and are closed', { tag: '@nightly' }, async ({ page, broker }) => {
  test.slow()
  await signUp(page)
  await connect(page, 'ava', 'ben')
  await openScanner(page)
  await expect(page.getByText('No account has an open position.')).toBeVisible()
  await expect(accountOf(page, ben)).toBeVisible()

  // Trades made elsewhere appear, and prices move open P&L.
  broker.hand.setPrice(NQ, 25_000)
  broker.hand.setPrice(MNQ, 25_000)
  trade(broker, leader, 'Buy', NQ, 2)
  trade(broker, ben, 'Sell', MNQ, 3)
  const long = positionOf(page, leader, NQ)
  await expect(long).toBeVisible()
  broker.hand.setPrice(NQ, 25_010)
  await expect.poll(async () => (await cellsOf(long)).slice(0, 6).map((text) => text.replace(/^.*s /, ''))).toEqual([NQ, 'Long +2', '25,000.00', '25,010.00', '+400.00', '+20'])
  await expect(accountOf(page, leader)).toContainText('+400.00')
  await expect(positionOf(page, ben, MNQ).getByRole('button', { name: `1 account holds the opposite: ${leader}` })).toBeVisible()
  await expect(page.getByRole('region', { name: /net exposure/ })).toContainText('20 long, 3 short')
  await expectAccessible(page)

  // A lost line is shown, and none of its figures looks fresh; the other login continues.
  broker.sockets.refuse(true)
  broker.sockets.drop({ login: 'ben' })
  await expect(accountOf(page, ben)).toContainText(/Not connected|[Cc]onnecting/)
  await expect(positionOf(page, ben, MNQ).getByText('−3', { exact: true }).first()).toBeVisible()
  broker.hand.setPrice(NQ, 25_005)
  await expect(long).toContainText('+200.00')
  broker.sockets.refuse(false)
  await expect(accountOf(page, ben)).not.toContainText(/Not connected|[Cc]onnecting/, { timeout: 90_000 })

  // One position by its button, an account by key.
  trade(broker, leader, 'Buy', ES)
  await expect(positionOf(page, leader, ES)).toBeVisible()
  await positionOf(page, leader, ES).getByRole('button', { name: `Close ${ES}` }).click()
  await page.getByRole('dialog', { name: `Close ${ES} in ${leader}?` }).getByRole('button', { name: `Close ${ES}` }).click()
  await page.getByRole('dialog', { name: `Closed in ${leader}` }).getByRole('button', { name: 'Done' }).click()
  await expect(positionOf(page, leader, ES)).toHaveCount(0)
  expect([heldAt(broker, leader, ES), heldAt(broker, leader, NQ)]).toEqual([0, 2])
  await accountOf(page, ben).focus()
  await page.keyboard.press('F')
  const question = page.getByRole('dialog', { name: `Flatten ${ben}?` })
  await expect(question).toBeVisible()
  // Enter alone flattens nothing.
  await page.keyboard.press('Enter')
  await expect(question).toHaveCount(0)
  expect(heldAt(broker, ben, MNQ)).toBe(-3)
  await page.keyboard.press('F')
  await expect(question).toBeVisible()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: `Closed in ${ben}` })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect.poll(() => heldAt(broker, ben, MNQ)).toBe(0)
  await expect(positionOf(page, ben, MNQ)).toHaveCount(0)
  expect(await scanner(page).getByRole('button', { name: /^Close / }).count()).toBe(1)
  expect(heldAt(broker, ava, NQ)).toBe(0)
})

/** Makes a group and arms it with real orders, past the screens. */
const armGroup = async (page: Page, draft: GroupDraft): Promise<void> => {
  const { saveGroup, consent, arm } = copierRoutes
  const saved = await askApi<AnswerOf<typeof saveGroup>>(page, saveGroup.path, { id: null, draft })
  await askApi(page, consent.path, {})
  expect(await askApi(page, arm.path, { id: saved.group?.id, onlyMachine: true })).toEqual({ outcome: 'armed' })
}

test('an account that follows for real is flattened from the scanner: it says what the copier does, and the copier does it', { tag: '@nightly' }, async ({ page, broker }) => {
  await signUp(page)
  await connect(page, 'ava')
  const keys = new Map((await financesOf(page)).map(({ name, id }) => [name, id]))
  await armGroup(page, { name: 'Morning', leader: keys.get(leader) ?? '', followers: [rule(keys.get(ava) ?? '')], exits: true, mode: 'fills', unprotected: 'keep', leftExits: 'keep', dryRun: false })
  await openCopier(page)
  await expect(followerOf(page, ava).getByText('In sync')).toBeVisible()
  trade(broker, leader, 'Buy', NQ, 2)
  await expect.poll(() => heldAt(broker, ava, NQ)).toBe(2)
  await openScanner(page)
  await expect(positionOf(page, ava, NQ)).toContainText('Long +2')
  await accountOf(page, ava).getByRole('button', { name: `Flatten ${ava}` }).click()
  const asks = page.getByRole('dialog', { name: `Flatten ${ava}?` })
  await expect(asks).toContainText('This account follows in Morning: the copier adds nothing to it until its position matches the leader’s or you bring it back.')
  await expect(asks.getByRole('listitem')).toHaveText(/NQH6.*\+2/)
  expect(heldAt(broker, ava, NQ)).toBe(2)
  await expectAccessible(page)
  await asks.getByRole('button', { name: `Flatten ${ava}` }).click()
  const done = page.getByRole('dialog', { name: `Closed in ${ava}` })
  await expect(done.getByText('Flat', { exact: true })).toBeVisible()
  await done.getByRole('button', { name: 'Done' }).click()
  await expect(positionOf(page, ava, NQ)).toHaveCount(0)
  await expect(positionOf(page, leader, NQ)).toBeVisible()

  // It stays so, and the copier says why.
  await openCopier(page)
  await expect(followerOf(page, ava).getByText('Traded by hand')).toBeVisible()
  expect([heldAt(broker, leader, NQ), heldAt(broker, ava, NQ)]).toEqual([2, 0])
})

test('without the right to read prices the account’s snapshot replaces them', { tag: '@nightly' }, async ({ page, broker }) => {
  await signUp(page)
  broker.quotes.permit(false)
  await connect(page, 'ava')
  await openScanner(page)
  await expect(accountOf(page, leader)).toBeVisible()
  broker.hand.setPrice(NQ, 25_000)
  trade(broker, leader, 'Buy', NQ)
  broker.hand.setPrice(NQ, 25_010)
  await expect(accountOf(page, leader)).toContainText('No prices')
  await expect(accountOf(page, leader)).toContainText(/Account snapshot, \d+s/)
  await expect(accountOf(page, leader)).toContainText('+200.00')
  await expect(positionOf(page, leader, NQ).getByRole('gridcell').nth(3)).toHaveText('–')
  await expectAccessible(page)
})
