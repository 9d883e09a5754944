import { brokerageRoutes } from '#shared/api/brokerage.ts'
import { expect, type Page } from '@playwright/test'
import { expectAccessible, signUp, test } from './app-test.ts'
import { connect, postApi, readApi } from './broker-test.ts'
import { beginGroup, followerOf, groupCard, openCopier, saveGroup } from './copier-test.ts'

type Accounts = { readonly accounts: readonly { readonly id: string; readonly name: string; readonly environment: string }[] }
const trade = { account: 'tradovate:demo:1', product: 'MNQ', side: 'buy', qty: 1 }

/** Enters the demo and makes a group of its first two accounts of simulated money, for a dry run unless real orders are wanted; gives the follower's name. */
const enterWithGroup = async (page: Page, { real = false } = {}): Promise<string> => {
  await page.getByRole('button', { name: 'Try it with the demo brokerage' }).click()
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()
  await connect(page)
  const { accounts } = await readApi<Accounts>(page, brokerageRoutes.connectedAccounts.path)
  const [leader, follower] = accounts.filter(({ environment }) => environment === 'demo').map(({ name }) => name)
  if (leader === undefined || follower === undefined) throw new Error('The demo brokerage has two accounts of simulated money')
  await openCopier(page)
  const dialog = await beginGroup(page, 'Trial', leader, [follower])
  if (real) await dialog.getByRole('switch', { name: 'Dry run' }).click()
  await saveGroup(dialog)
  return follower
}

test('the demo needs no platform: its user trades as the leader on the page itself', { tag: '@nightly' }, async ({ page }) => {
  const follower = await enterWithGroup(page)
  const card = groupCard(page, 'Trial')
  const market = card.getByRole('group', { name: 'Trade on the demo brokerage' })
  await expect(market).toHaveCount(0)
  await card.getByRole('button', { name: 'Start dry run of Trial' }).click()
  // At some hours the demo's follower holds something overnight, and its user is asked.
  const leave = card.getByRole('button', { name: `Leave ${follower}` })
  const inSync = followerOf(page, follower).getByText('In sync')
  await expect(leave.or(inSync)).toBeVisible()
  if (await leave.isVisible()) await leave.click()
  await expect(inSync).toBeVisible()
  await expectAccessible(page)
  const simulated = followerOf(page, follower).getByText('+1 simulated')
  await market.getByRole('button', { name: 'Buy 1 MNQ' }).click()
  await expect(simulated).toBeVisible()
  await market.getByRole('button', { name: 'Sell 1 MNQ' }).press('Enter')
  await expect(simulated).toHaveCount(0)
})

test('the demo has its cloud: no question of the copier says that there is none', { tag: '@nightly' }, async ({ page }) => {
  await enterWithGroup(page, { real: true })
  await page.getByRole('button', { name: 'Arm Trial' }).click()
  for (const title of ['Before real orders are sent', 'Is this the only computer?']) {
    const dialog = page.getByRole('dialog', { name: title })
    await expect(dialog).toBeVisible()
    await expect(dialog).not.toContainText(/cloud/i)
    await dialog.getByRole('checkbox').click()
    await dialog.getByRole('button', { name: 'Arm' }).click()
  }
  await expect(groupCard(page, 'Trial').getByText('Armed', { exact: true })).toBeVisible()
})

test('no other profile trades there', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  await expect(postApi(page, '/api/demo/trade', trade)).rejects.toThrow('answered 404')
})
