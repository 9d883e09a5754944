import { startTestBroker, type TestBroker } from '#tests/demo-broker/broker.ts'
import { expect, type Locator, type Page } from '@playwright/test'
import { expectAccessible, goTo } from './app-test.ts'
import { choose, test as base } from './broker-test.ts'

/** The accounts of the two logins: Ava has the leader and two that follow, Ben one more, all of simulated money. */
export const accounts = { leader: 'DEMO730001', ava: 'DEMO730002', other: 'DEMO730003', ben: 'DEMO730004' } as const

/** Front months on the brokerage's current day. */
export const contracts = { NQ: 'NQH6', MNQ: 'MNQH6', ES: 'ESH6' } as const

/** Tests against the real program with a brokerage whose accounts begin flat and whose market is open. */
export const test = base.extend<{ broker: TestBroker }>({
  broker: async ({}, use) => {
    const broker = await startTestBroker({ anchor: '2026-02-13', scenario: { kind: 'floor', logins: [{ name: 'ava', live: 0, demo: 3 }, { name: 'ben', live: 0, demo: 1 }] } })
    await use(broker)
    await broker.stop()
  },
})

/** Opens the copier. */
export const openCopier = async (page: Page): Promise<void> => {
  await goTo(page, '/dashboard/TradeCopier')
  await expect(page.getByRole('heading', { name: 'TradeCopier', exact: true })).toBeVisible()
}

/** The card of a group. */
export const groupCard = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true })

/** The lines of one follower. */
export const followerOf = (page: Page, account: string): Locator => page.locator('tbody').filter({ has: page.getByText(account, { exact: true }) })

/** How the cells of a follower's first contract read: contract, target, actual, pending, difference. */
export const stanceOf = async (page: Page, account: string): Promise<string[]> => (await followerOf(page, account).first().locator('tr').first().locator('td').allInnerTexts()).slice(2, 7).map((text) => text.split('\n')[0] ?? '')

/** What the brokerage says that an account holds in a contract, signed. */
export const heldAt = (broker: TestBroker, account: string, contract: string): number =>
  broker.floor.state().find(({ name }) => name === account)?.positions.find((position) => position.contract === contract)?.net ?? 0

/** Trades at the market in an account, as its owner does elsewhere. */
export const trade = (broker: TestBroker, account: string, action: 'Buy' | 'Sell', symbol: string, qty = 1): void => {
  expect(broker.hand.place({ account, action, symbol, qty })).toHaveProperty('orderId')
}

/** Begins a new group with its name, its leader and who follows, and leaves its dialog open. */
export const beginGroup = async (page: Page, name: string, leader: string, followers: readonly string[]): Promise<Locator> => {
  await page.getByRole('button', { name: 'New group' }).click()
  const dialog = page.getByRole('dialog', { name: 'New group' })
  await dialog.getByLabel('Name').fill(name)
  await choose(page, 'Leader', leader)
  for (const account of followers) await dialog.getByRole('checkbox', { name: `${account} follows` }).click()
  return dialog
}

/** Saves the group in the dialog that is open. */
export const saveGroup = async (dialog: Locator): Promise<void> => {
  await dialog.getByRole('button', { name: 'Save group' }).click()
  await expect(dialog).toHaveCount(0)
}

/** Arms a group with real orders for the first time, through the consent and the only machine. */
export const armForReal = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('button', { name: `Arm ${name}` }).click()
  for (const title of ['Before real orders are sent', 'Is this the only computer?']) {
    const dialog = page.getByRole('dialog', { name: title })
    await expect(dialog).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Arm' })).toBeDisabled()
    await expectAccessible(page)
    await dialog.getByRole('checkbox').click()
    await dialog.getByRole('button', { name: 'Arm' }).click()
  }
  await expect(groupCard(page, name).getByText('Armed', { exact: true })).toBeVisible()
}
