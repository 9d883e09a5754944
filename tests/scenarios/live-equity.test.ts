import { expect, test } from 'vitest'
import { positionRoutes } from '#shared/api/positions.ts'
import { ruleRoutes, type RuleSet, type RuleState } from '#shared/api/rules.ts'
import { sessionRoutes } from '#shared/api/session.ts'
import { noRules } from '#shared/rules/terms.ts'
import { startApp, testFolder } from '#tests/helpers/app.ts'
import type { Browser } from '#tests/helpers/browser.ts'
import { connect, startBroker } from '#tests/helpers/own-broker.ts'
import { until } from '#tests/helpers/until.ts'

const account = 'tradovate:demo:700102'
const NQ = 'NQZ6'
const set: RuleSet = { ...noRules('USD'), startingBalance: '150000', maxLoss: { amount: '5000', trail: 'intraday', locksAt: null } }
// After the past that the stand-in reports.
const since = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)

const maxLoss = async (browser: Browser): Promise<{ readonly from: string; readonly open: string | undefined; readonly state: RuleState | undefined }> => {
  const one = (await browser.call(positionRoutes.positions)).accounts.find((each) => each.account === account)
  return { from: one?.from ?? '', open: one?.open?.amount, state: one?.states?.find(({ rule }) => rule === 'max-loss') }
}
const floorAt = (browser: Browser, open: string): Promise<string> =>
  until(async () => {
    const now = await maxLoss(browser)
    return now.from === 'live' && now.open === open ? (now.state?.limit ?? null) : null
  }, `the floor with ${open} open`, 30_000)

/** A program whose user watches an account with an intraday rule, on a folder that survives it. */
const setUp = async () => {
  const { broker, env } = await startBroker()
  const id = Number(account.split(':').at(-1))
  // The broker's own floor would win.
  broker.hand.setAccount(id, { limits: { dailyLoss: null, trailing: null } })
  const dataDir = testFolder()
  const app = await startApp({ env, dataDir })
  const { userId } = await app.browser.signUp()
  const events = await app.browser.events()
  await connect(app.browser, userId, 'ava.morgan')
  await events.next('sync-ended')
  await app.browser.call(ruleRoutes.saveRules, { body: { account, set, presetId: null, since } })
  broker.hand.setPrice(NQ, 25_000)
  expect(broker.hand.place({ account: id, action: 'Buy', symbol: NQ, qty: 1 })).toHaveProperty('orderId')
  return { ...app, broker, env, id }
}

test('an open equity peak counts for the drawdown floor after a restart within the session', { tags: 'long' }, async () => {
  const { broker, browser, env, dataDir, stop } = await setUp()
  const before = await floorAt(browser, '0.00')
  broker.hand.setPrice(NQ, 25_400)
  // What is open is far above what the account began with, so the floor follows it dollar by dollar.
  const high = await until(async () => {
    const { open, state } = await maxLoss(browser)
    return open === '8000.00' && state?.limit !== undefined && state.limit !== before ? state.limit : null
  }, 'the floor to rise', 30_000)
  broker.hand.setPrice(NQ, 25_350)
  expect(await floorAt(browser, '7000.00')).toBe(high)
  await stop()

  const again = await startApp({ env, dataDir })
  await again.browser.call(sessionRoutes.signIn, { body: { email: 'ann@example.com', password: 'correct horse' } })
  expect(await floorAt(again.browser, '7000.00')).toBe(high)
  expect((await maxLoss(again.browser)).state).toMatchObject({ by: 'rules', state: 'within' })
})

test("a payout during watching changes the balance, but neither the day's P&L nor the drawdown floor, over a restart too", { tags: ['long', 'nightly'] }, async () => {
  const { broker, browser, env, dataDir, stop, id } = await setUp()
  const now = async (from: Browser) => (await from.call(positionRoutes.positions)).accounts.find((each) => each.account === account)
  const floor = await floorAt(browser, '0.00')
  // The stand-in's market is in another session than the clock, which a fill reveals.
  const another = async (from: Browser, net: number) => {
    expect(broker.hand.place({ account: id, action: 'Buy', symbol: NQ, qty: 1 })).toHaveProperty('orderId')
    return until(async () => {
      const { positions, accounts } = await from.call(positionRoutes.positions)
      const one = accounts.find((each) => each.account === account)
      return positions.some((each) => each.account === account && each.net === net) && one?.dayRealized !== '0.00' ? one : null
    }, 'the fill', 30_000)
  }
  await another(browser, 2)
  await until(async () => ((await now(browser))?.open?.amount === '0.00' ? true : null), 'nothing to be won', 30_000)
  const { dayRealized, balance } = (await now(browser)) ?? {}
  broker.hand.setAccount(id, { moved: -3_000_0000 })
  const paidOut = (Number(balance) - 3_000).toFixed(2)
  const paid = (from: Browser) => until(async () => {
    const one = await now(from)
    return one?.from === 'live' && one.balance === paidOut ? one : null
  }, 'the payout', 30_000)
  const after = await paid(browser)
  expect(after).toMatchObject({ dayRealized, dayNet: dayRealized })
  expect(Number(after.states?.find(({ rule }) => rule === 'max-loss')?.limit)).toBeGreaterThanOrEqual(Number(floor) - 10)
  await stop()

  const again = await startApp({ env, dataDir })
  await again.browser.call(sessionRoutes.signIn, { body: { email: 'ann@example.com', password: 'correct horse' } })
  expect((await paid(again.browser)).dayRealized).toBe('0.00')
  // Its fee alone came out of the day.
  const { dayRealized: last } = await another(again.browser, 3)
  expect(Math.abs(Number(last) - Number(dayRealized))).toBeLessThan(10)
})
