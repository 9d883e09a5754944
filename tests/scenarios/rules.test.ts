import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase, writerOf } from '#backend/db/database.ts'
import { writesOf } from '#backend/journal/writes.ts'
import { ruleRoutes, type RuleSet } from '#shared/api/rules.ts'
import { sessionRoutes } from '#shared/api/session.ts'
import { noRules } from '#shared/rules/terms.ts'
import { startApp, testFolder, type App } from '#tests/helpers/app.ts'
import type { Browser, EventStream } from '#tests/helpers/browser.ts'
import { comeTo, holdTheSame, startComputer, type Computer } from '#tests/helpers/computer.ts'
import { connect, startBroker } from '#tests/helpers/own-broker.ts'
import { startOwnCloud, type OwnCloud } from '#tests/helpers/own-cloud.ts'
import { account, monday } from '#tests/helpers/store.ts'
import { until } from '#tests/helpers/until.ts'

const { rules, saveRules, setStage, alerts, saveAlertSettings } = ruleRoutes
const [first, second] = ['tradovate:demo:700102', 'tradovate:demo:700103']
const NQ = 'NQZ6'

const set = (startingBalance: string, amount: string): RuleSet => ({ ...noRules('USD'), startingBalance, maxLoss: { amount, trail: 'static', locksAt: null, withOpen: true } })
const standingOf = async (browser: Browser, account: string) => (await browser.call(rules)).standings.find((one) => one.account === account)
// After the past that the stand-in reports.
const since = '2026-11-21'
const save = (browser: Browser, account: string, rulesOf: RuleSet | null) => browser.call(saveRules, { body: { account, set: rulesOf, presetId: null, since } })
// The stand-in reports limits for a day too; whether these are near depends on its trades.
const alertsIn = ({ seen }: EventStream): string[] => seen.flatMap((event) => (event.type === 'rule-alert' && event.alert.rule === 'max-loss' ? [`${event.alert.account} ${event.alert.rule} ${String(event.alert.level)}`] : []))
const alerted = (events: EventStream, what: string) => until(() => (alertsIn(events).includes(what) ? true : null), `${what}, not ${alertsIn(events).join()}`, 30_000)
const log = async (browser: Browser): Promise<string[]> => (await browser.call(alerts)).alerts.filter(({ rule }) => rule === 'max-loss').map(({ account, rule, level }) => `${account} ${rule} ${String(level)}`)
const isLive = (browser: Browser, account: string) => until(async () => ((await standingOf(browser, account))?.from === 'live' ? true : null), 'a live standing', 30_000)

/**
 * Prices of NQ at which so much is left to the floor of an account that bought one at 25,000: its broker's or that of its rules, whichever is nearer.
 * These say how far it is from the top to there.
 */
const pricesOf = async (browser: Browser, account: string): Promise<(left: number) => number> => {
  const left = await until(async () => {
    const state = (await standingOf(browser, account))?.states?.find(({ rule }) => rule === 'max-loss')
    return state?.beside ? Number(state.left) : null
  }, "the broker's floor beside the rules'", 30_000)
  // A tick of NQ is 5.
  return (wanted) => 25_000 - Math.ceil((left - wanted) / 5) * 0.25
}

/** A program whose user has connected accounts, on a folder that survives it. */
const setUp = async () => {
  const { broker, env } = await startBroker()
  const dataDir = testFolder()
  const app = await startApp({ env, dataDir })
  const { userId } = await app.browser.signUp()
  const events = await app.browser.events()
  await connect(app.browser, userId, 'ava.morgan')
  await events.next('sync-ended')
  const trade = (account: string, action: 'Buy' | 'Sell', qty: number): void => expect(broker.hand.place({ account: Number(account.split(':').at(-1)), action, symbol: NQ, qty })).toHaveProperty('orderId')
  const again = async (): Promise<{ app: App; events: EventStream }> => {
    await app.stop()
    const next = await startApp({ env, dataDir })
    await next.browser.call(sessionRoutes.signIn, { body: { email: 'ann@example.com', password: 'correct horse' } })
    return { app: next, events: await next.browser.events() }
  }
  return { ...app, broker, events, trade, again, userId }
}

test('with no page open, an open loss gives one alert per level and session, over a restart too', { tags: 'long' }, async () => {
  const { browser, broker, events, trade, again } = await setUp()
  broker.hand.setPrice(NQ, 25_000)
  trade(first, 'Buy', 1)
  await save(browser, first, set('140000', '1000'))
  const priceAt = await pricesOf(browser, first)
  // The broker's limit trails its peak by 5,000.
  broker.hand.setPrice(NQ, priceAt(2250))
  await alerted(events, `${first} max-loss 50`)
  broker.hand.setPrice(NQ, priceAt(900))
  await alerted(events, `${first} max-loss 80`)
  expect(alertsIn(events)).toEqual([`${first} max-loss 50`, `${first} max-loss 80`])
  expect(await log(browser)).toEqual([`${first} max-loss 80`, `${first} max-loss 50`])

  const after = await again()
  await isLive(after.app.browser, first)
  broker.hand.setPrice(NQ, priceAt(200))
  await alerted(after.events, `${first} max-loss 95`)
  expect(alertsIn(after.events)).toEqual([`${first} max-loss 95`])
  // Ten points below, and there again.
  broker.hand.setPrice(NQ, priceAt(1750))
  await until(async () => (Number((await standingOf(after.app.browser, first))?.states?.[0]?.used) < 0.7 ? true : null), 'the better price', 30_000)
  broker.hand.setPrice(NQ, priceAt(900))
  await alerted(after.events, `${first} max-loss 80`)
  expect(await log(after.app.browser)).toHaveLength(4)
})

test("a live breach moves an account's stage for good, unless it was set by hand, and until its rules change", { tags: 'long' }, async () => {
  const { browser, broker, events, trade, again } = await setUp()
  broker.hand.setPrice(NQ, 25_000)
  trade(first, 'Buy', 1)
  await save(browser, first, set('140000', '1000'))
  const priceAt = await pricesOf(browser, first)
  expect(await standingOf(browser, first)).toMatchObject({ stage: 'evaluation', states: [{ rule: 'max-loss', state: 'within', by: 'broker' }, { rule: 'daily-loss' }] })
  broker.hand.setPrice(NQ, priceAt(-20))
  await alerted(events, `${first} max-loss 100`)
  const stage = async (from: Browser) => (await from.call(rules)).accounts.find((one) => one.account === first)?.stage
  await until(async () => ((await stage(browser)) === 'breached' ? true : null), 'the stage', 30_000)
  broker.hand.setPrice(NQ, 25_100)
  const after = await again()
  expect(await stage(after.app.browser)).toBe('breached')
  expect((await after.app.browser.call(setStage, { body: { account: first, stage: 'evaluation' } })).rules).toMatchObject({ stage: 'evaluation', stageByHand: true })
  expect((await after.app.browser.call(setStage, { body: { account: first, stage: null } })).rules.stage).toBe('breached')
  expect((await save(after.app.browser, first, set('1', '100000'))).rules.stage).toBe('evaluation')
})

test('nothing is watched if alerts are off, no rules are set or no one is signed in', { tags: ['long', 'nightly'] }, async () => {
  const { browser, broker, events, trade } = await setUp()
  const lines = () => broker.sockets.open().length
  await browser.call(saveAlertSettings, { body: { on: false, at: [50], toast: true, system: true, sound: false } })
  await save(browser, first, set('50000', '1000'))
  await browser.call(saveAlertSettings, { body: { on: true, at: [50], toast: true, system: true, sound: false } })
  await until(() => (lines() > 0 ? true : null), 'the lines', 30_000)
  await save(browser, first, null)
  await until(() => (lines() === 0 ? true : null), 'the lines to close', 30_000)
  await save(browser, second, set('50000', '1000'))
  await until(() => (lines() > 0 ? true : null), 'the lines again', 30_000)
  await browser.call(sessionRoutes.signOut)
  await until(() => (lines() === 0 ? true : null), 'the lines to close for good', 30_000)
  broker.hand.setPrice(NQ, 25_000)
  trade(second, 'Buy', 1)
  expect(alertsIn(events)).toEqual([])
  await browser.call(sessionRoutes.signIn, { body: { email: 'ann@example.com', password: 'correct horse' } })
  await isLive(browser, second)
})

let cloud: OwnCloud
beforeAll(async () => { cloud = await startOwnCloud() })
afterAll(() => cloud.stop())

/** A data folder with a profile that has a connected account, as a program leaves it. */
const connected = async (email: string): Promise<string> => {
  const dataDir = testFolder()
  const app = await startApp({ dataDir, env: { FILLBOOK_CLOUD_URL: cloud.url } })
  const { userId } = await app.browser.signUp(email, 'correct horse')
  await app.stop()
  const database = openDatabase(join(dataDir, 'journal.db'))
  const write = writesOf({ writer: writerOf(database), barrier: () => undefined })
  write.saveLogin({ userId, at: monday, id: 'login', brokerUserId: '9001', name: 'demo.user', hosts: null })
  write.saveAccounts({ userId, at: monday, loginId: 'login', accounts: [{ key: account, environment: 'demo', brokerAccountId: '700101', name: 'EVAL-101' }], reconnect: true })
  database.close()
  return dataDir
}

test('rules and stages reach the second computer, and its changes come back', { tags: ['long', 'nightly'] }, async () => {
  const email = 'rules@example.com'
  const one = await startComputer({ email, cloudUrl: cloud.url, dataDir: await connected(email) })
  await save(one.browser, account, set('50000', '2000'))
  await one.browser.call(setStage, { body: { account, stage: 'funded' } })
  const another = await startComputer({ email, cloudUrl: cloud.url })
  const rulesOn = async ({ browser }: Computer) => (await browser.call(rules)).accounts.find((known) => known.account === account)
  await comeTo('the rules on the second', [one, another], async () => (await rulesOn(another))?.stageByHand === true)
  expect(await rulesOn(another)).toEqual({ account, stage: 'funded', stageByHand: true, set: set('50000', '2000'), presetId: null, since, resetDay: null })
  await save(another.browser, account, set('100000', '3000'))
  await comeTo('what the second said', [another, one], async () => (await rulesOn(one))?.set?.startingBalance === '100000')
  expect(await rulesOn(one)).toEqual(await rulesOn(another))
  await holdTheSame(one, another)
})
