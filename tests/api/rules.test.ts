import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordRoutes } from '#shared/api/journal.ts'
import { ruleRoutes, type ReplayAnswer, type RuleSet } from '#shared/api/rules.ts'
import { noRules } from '#shared/rules/terms.ts'
import { startApp, startSharedApp, type App } from '#tests/helpers/app.ts'
import type { Browser } from '#tests/helpers/browser.ts'
import { connect, startBroker } from '#tests/helpers/own-broker.ts'
import { until } from '#tests/helpers/until.ts'

const { rules, rulePresets, saveRules, tryRules, setStage, replay, odds, alerts, saveAlertSettings, alertsSeen } = ruleRoutes
const account = 'tradovate:demo:700101'
const set = (more: Partial<RuleSet> = {}): RuleSet => ({ ...noRules('USD'), startingBalance: '50000', ...more })
const rulesOf = async (browser: Browser, of = account) => (await browser.call(rules)).accounts.find((one) => one.account === of)
const standingOf = async (browser: Browser, of = account) => (await browser.call(rules)).standings.find((one) => one.account === of)
/** The states of the user's rules: a line may bring the broker's own limits at any moment. */
const ownStates = (standing: Awaited<ReturnType<typeof standingOf>>) => standing?.states?.filter(({ by }) => by === 'rules') ?? []
const saved = (browser: Browser, more: Partial<{ set: RuleSet | null; presetId: string | null; since: string | null }>) => browser.call(saveRules, { body: { account, set: set(), presetId: null, since: null, ...more } })

/** A program whose user has connected accounts with trades. */
const setUp = async () => {
  const { broker, env } = await startBroker()
  const app = await startApp({ env })
  const { userId } = await app.browser.signUp()
  const events = await app.browser.events()
  await connect(app.browser, userId, 'ava.morgan')
  await events.next('sync-ended')
  return { ...app, broker, userId, events }
}

describe('without any account', () => {
  let app: App
  beforeAll(async () => { app = await startSharedApp() })
  afterAll(() => app.stop())

  test('there are presets, with sources, and no accounts', async () => {
    const { browser } = app
    await browser.signUp()
    expect(await browser.call(rules)).toEqual({ accounts: [], standings: [] })
    const { presets } = await browser.call(rulePresets)
    expect(presets.length).toBeGreaterThan(5)
    expect(await browser.call(alerts)).toEqual({ alerts: [], more: false, unseen: 0, settings: { on: true, at: [50, 80, 95], toast: true, system: true, sound: false } })
    for (const route of [saveRules, setStage]) expect(await browser.fail(route, { body: { account, set: null, presetId: null, since: null, stage: null } })).toMatchObject({ status: 400 })
    expect(await browser.fail(saveRules, { body: { account, set: null, presetId: null, since: null } })).toMatchObject({ status: 404, code: 'not-found' })
    expect(await browser.fail(setStage, { body: { account, stage: 'funded' } })).toMatchObject({ status: 404, code: 'not-found' })
    expect(await browser.fail(replay, { body: { account, rules: { own: true }, since: null } })).toMatchObject({ status: 404 })
    expect(await browser.fail(odds, { body: { account, rules: { own: true }, since: null, runs: 100, seed: 1 } })).toMatchObject({ status: 404 })
  })

  test('alert settings are saved, each level once and in order; invalid ones are refused', async () => {
    const browser = await app.newBrowser()
    await browser.signUp('bea@example.com')
    const settings = { on: false, at: [90, 10, 90], toast: false, system: true, sound: true }
    expect(await browser.call(saveAlertSettings, { body: settings })).toEqual({ settings: { ...settings, at: [10, 90] } })
    expect((await browser.call(alerts)).settings.on).toBe(false)
    for (const [more, path] of [[{ at: [0] }, 'at.0'], [{ at: [101] }, 'at.0'], [{ at: [1, 2, 3, 4, 5, 6] }, 'at'], [{ on: 'yes' }, 'on'], [{ louder: true }, '']] as const) {
      expect(await browser.fail(saveAlertSettings, { body: { ...settings, ...more } })).toMatchObject({ status: 400, code: 'invalid-request', fields: [{ path }] })
    }
    expect(await browser.call(alertsSeen, { body: { upTo: 99 } })).toEqual({ unseen: 0 })
    expect(await browser.fail(alerts, { query: { before: 'now' } })).toMatchObject({ status: 400, fields: [{ path: 'before' }] })
  })
})

test('rules are set, shown with the account’s standing, and removed; the stage follows label, trades, and manual choice', async () => {
  const { browser, userId, events } = await setUp()
  expect(await rulesOf(browser)).toEqual({ account, stage: 'evaluation', stageByHand: false, set: null, presetId: null, since: null, resetDay: null })
  const before = await standingOf(browser)
  expect(ownStates(before)).toEqual([])
  expect(before).toMatchObject({ currency: 'USD', balance: expect.stringMatching(/^\d+\.\d\d$/) as string })
  const { presets } = await browser.call(rulePresets)
  const preset = presets.find(({ phase, set: { profitTarget } }) => phase === 'evaluation' && profitTarget !== null)
  if (preset === undefined) throw new Error('No preset of an evaluation')
  expect((await saved(browser, { set: preset.set, presetId: preset.id, since: '2026-11-01' })).rules).toMatchObject({ set: preset.set, presetId: preset.id, since: '2026-11-01' })
  const standing = await standingOf(browser)
  expect(ownStates(standing).map(({ rule }) => rule)).toEqual(expect.arrayContaining(['max-loss', 'profit-target']))
  expect(standing?.balance).toBe(before?.balance)

  await browser.call(recordRoutes.addFinance, { body: { userId, finance: { id: account, type: 'Funded Account', balance: 0, firm: preset.firm } } })
  // A limit of one cent, from a balance that the account never had.
  await saved(browser, { set: set({ startingBalance: '900000', maxLoss: { amount: '0.01', trail: 'static', locksAt: null } }) })
  expect(await standingOf(browser)).toMatchObject({ firm: preset.firm, stage: 'breached', nearest: 'max-loss' })
  await saved(browser, { set: set({ startingBalance: '1000', maxLoss: { amount: '900', trail: 'static', locksAt: null } }) })
  expect(await rulesOf(browser)).toMatchObject({ stage: 'funded', stageByHand: false })
  expect((await browser.call(setStage, { body: { account, stage: 'breached' } })).rules).toMatchObject({ stage: 'breached', stageByHand: true })
  expect(await standingOf(browser)).toMatchObject({ stage: 'breached' })
  expect((await browser.call(setStage, { body: { account, stage: null } })).rules).toMatchObject({ stage: 'funded', stageByHand: false })
  await saved(browser, { set: null })
  expect(ownStates(await standingOf(browser))).toEqual([])
  expect(await standingOf(browser)).toMatchObject({ stage: 'funded' })
  await events.next('rules-changed')
})

test('the broker’s own limits apply without rules or alerts, as soon as a page shows standings after a sync', { tags: 'long' }, async () => {
  const { browser, events } = await setUp()
  await browser.call(saveAlertSettings, { body: { on: false, at: [], toast: true, system: true, sound: false } })
  await browser.call(rules)
  await events.next('rules-changed')
  expect((await standingOf(browser))?.states?.map(({ rule, by }) => [rule, by])).toEqual(expect.arrayContaining([['max-loss', 'broker'], ['daily-loss', 'broker']]))
})

test('trying rules shows what saving them would, and changes nothing', { tags: 'long' }, async () => {
  const { browser } = await setUp()
  await browser.call(setStage, { body: { account, stage: null } })
  const before = await rulesOf(browser)
  const strict = set({ startingBalance: '1000000', maxLoss: { amount: '1', trail: 'static', locksAt: null } })
  const tried = async (since: string | null) => (await browser.call(tryRules, { body: { account, set: strict, since } })).standing
  const { stage, states } = await tried(null)
  expect(stage).toBe('breached')
  expect(states).toMatchObject([{ rule: 'max-loss', state: 'breached', since: { tradingDay: expect.any(String) as string } }])
  expect(await rulesOf(browser)).toEqual(before)
  expect(await browser.fail(tryRules, { body: { account, set: set({ profitTarget: '1.23456' }), since: null } })).toMatchObject({ status: 400, fields: [{ path: 'set.profitTarget' }] })

  await saved(browser, { set: strict })
  const then = await standingOf(browser)
  expect([then?.stage, then?.states?.find(({ rule }) => rule === 'max-loss')?.since?.tradingDay]).toEqual([stage, states?.[0]?.since?.tradingDay])
})

test('an invalid rule set is refused by field, and changes nothing', { tags: 'long' }, async () => {
  const { browser, newBrowser } = await setUp()
  await saved(browser, {})
  const wrong: readonly (readonly [object, string])[] = [
    [{ set: { ...set(), startingBalance: '-1' } }, 'set.startingBalance'],
    [{ set: { ...set(), startingBalance: 'much' } }, 'set.startingBalance'],
    [{ set: { ...set(), startingBalance: '999999999999999' } }, 'set.startingBalance'],
    [{ set: { ...set(), currency: 'dollars' } }, 'set.currency'],
    [{ set: { ...set(), maxLoss: { amount: '0', trail: 'static', locksAt: null } } }, 'set.maxLoss.amount'],
    [{ set: { ...set(), maxLoss: { amount: '10', trail: 'sideways', locksAt: null } } }, 'set.maxLoss.trail'],
    [{ set: { ...set(), maxLoss: { amount: '10.00001', trail: 'static', locksAt: null } } }, 'set.maxLoss.amount'],
    [{ set: { ...set(), dailyLoss: { amount: '10', counts: 'realised', breach: 'soft' } } }, 'set.dailyLoss.breach'],
    [{ set: { ...set(), profitTarget: '-1' } }, 'set.profitTarget'],
    [{ set: { ...set(), flatBy: { time: '24:00', zone: 'America/Chicago' } } }, 'set.flatBy.time'],
    [{ set: { ...set(), minimumDays: 0 } }, 'set.minimumDays'],
    [{ set: { ...set(), contracts: { all: null, micros: 'whole', byProduct: [{ product: 'ES', most: 0 }], scaling: [] } } }, 'set.contracts.byProduct.0.most'],
    [{ set: { ...set(), contracts: { all: null, micros: 'whole', byProduct: [], scaling: [{ fromProfit: '0.123456', most: 2 }] } } }, 'set.contracts.scaling.0.fromProfit'],
    [{ set: { ...set(), more: 1 } }, 'set'],
    [{ since: '2026-02-30' }, 'since'],
    [{ presetId: 'nobodys-preset' }, 'presetId'],
  ]
  for (const [more, path] of wrong) {
    const failure = await browser.fail(saveRules, { body: { account, set: set(), presetId: null, since: null, ...more } })
    expect([path, failure.status, failure.code, failure.fields?.[0]?.path]).toEqual([path, 400, 'invalid-request', path])
  }
  expect(await rulesOf(browser)).toMatchObject({ set: set(), since: null, presetId: null })
  expect(await browser.fail(replay, { body: { account, rules: { presetId: 'nobodys-preset' }, since: null } })).toMatchObject({ status: 400, fields: [{ path: 'rules.presetId' }] })
  expect(await browser.fail(replay, { body: { account, rules: { set: { ...set(), profitTarget: '1.23456' } }, since: null } })).toMatchObject({ status: 400, fields: [{ path: 'rules.set.profitTarget' }] })
  expect(await browser.fail(replay, { body: { account, rules: {}, since: null } })).toMatchObject({ status: 400 })
  expect(await browser.fail(setStage, { body: { account, stage: 'rich' } })).toMatchObject({ status: 400, fields: [{ path: 'stage' }] })
  // Another user's account is not found.
  const other = await newBrowser()
  await other.signUp('bob@example.com')
  for (const [route, body] of [[saveRules, { set: set(), presetId: null, since: null }], [tryRules, { set: set(), since: null }], [setStage, { stage: null }], [replay, { rules: { set: set() }, since: null }], [odds, { rules: { set: set() }, since: null, runs: 100, seed: 1 }]] as const) {
    expect(await other.fail(route, { body: { account, ...body } })).toMatchObject({ status: 404, code: 'not-found' })
  }
  expect(await other.call(rules)).toEqual({ accounts: [], standings: [] })
})

test('a replay equals a calculation by hand, day by day, with the account’s rules and with any others', async () => {
  const { browser, userId } = await setUp()
  const { trades } = await browser.call(recordRoutes.getTrades, { query: { userId } })
  const own = trades.filter(({ accountId }) => accountId === account).sort((one, other) => one.exitTime.localeCompare(other.exitTime) || one.id.localeCompare(other.id))
  expect(own.length).toBeGreaterThan(3)
  const cents = (text: string): number => Math.round(Number(text) * 100)
  const text = (amount: number): string => (amount / 100).toFixed(2)
  const amount = 150
  let [balance, drawdownLimit] = [5_000_000, 5_000_000 - amount * 100]
  const byHand: { tradingDay: string; net: string; balance: string; drawdownLimit: string; low: string; high: string; trades: number }[] = []
  let breach: { tradingDay: string; at: number } | null = null
  for (const [tradingDay, group] of Map.groupBy(own, (trade) => trade.tradingDay)) {
    const [opening, standing] = [balance, drawdownLimit]
    let [low, high] = [balance, balance]
    for (const { netPnl, exitTime } of group) {
      balance += cents(netPnl)
      low = Math.min(low, balance)
      high = Math.max(high, balance)
      if (breach === null && balance <= standing) breach = { tradingDay, at: Date.parse(exitTime) }
    }
    drawdownLimit = Math.max(drawdownLimit, balance - amount * 100)
    byHand.push({ tradingDay, net: text(balance - opening), balance: text(balance), drawdownLimit: text(standing), low: text(low), high: text(high), trades: group.length })
  }
  const trailing = set({ maxLoss: { amount: String(amount), trail: 'end-of-day', locksAt: null } })
  const answer: ReplayAnswer = await browser.call(replay, { body: { account, rules: { set: trailing }, since: null } })
  expect(answer.days.map(({ tradingDay, net, balance, drawdownLimit, low, high, trades }) => ({ tradingDay, net, balance, drawdownLimit, low, high, trades }))).toEqual(byHand)
  expect(answer.breach === null ? null : { tradingDay: answer.breach.tradingDay, at: Date.parse(answer.breach.at ?? '') }).toEqual(breach)
  const last = byHand.at(-1)
  const since = await browser.call(replay, { body: { account, rules: { set: trailing }, since: last?.tradingDay ?? null } })
  expect(since.days.map(({ net }) => net)).toEqual([last?.net])

  expect(await browser.fail(replay, { body: { account, rules: { own: true }, since: null } })).toMatchObject({ status: 400, fields: [{ path: 'rules' }] })
  await saved(browser, { set: trailing })
  const asSet = await browser.call(replay, { body: { account, rules: { own: true }, since: null } })
  // The account made more than its trades: the replay ends at the actual balance, and reports the difference.
  const { standings } = await browser.call(rules)
  expect(asSet.days.at(-1)?.balance).toBe(standings.find((one) => one.account === account)?.balance)
  expect(asSet.days.map(({ tradingDay, net, trades }) => ({ tradingDay, net, trades }))).toEqual(byHand.map(({ tradingDay, net, trades }) => ({ tradingDay, net, trades })))
  expect(asSet.days.flatMap(({ states }, index) => states.map(({ notes }) => [index, ...notes])).at(-1)).toEqual([byHand.length - 1, 'balance-differs'])
  const [preset] = (await browser.call(rulePresets)).presets
  expect((await browser.call(replay, { body: { account, rules: { presetId: preset?.id ?? '' }, since: null } })).days).toHaveLength(byHand.length)
})

test('odds are the same for the same seed, name what is missing, and block no other call', { tags: ['long', 'nightly'] }, async () => {
  const { browser, userId } = await setUp()
  const entered = (index: number) => ({ id: `day-${String(index)}`, symbol: 'MESZ6', accountId: account, qty: 1, entryPrice: 6_700, exitPrice: 6_701, pnl: index % 3 === 0 ? -400 : 300, entryTime: `2026-10-${String(index).padStart(2, '0')}T15:00:00Z`, exitTime: `2026-10-${String(index).padStart(2, '0')}T15:05:00Z` })
  const rulesToPass = set({ profitTarget: '3000', maxLoss: { amount: '2000', trail: 'static', locksAt: null } })
  const ask = (more: object = {}) => browser.call(odds, { body: { account, rules: { set: rulesToPass }, since: '2026-10-01', runs: 2_000, seed: 11, ...more } })
  expect(await ask({ rules: { own: true } })).toEqual({ odds: null, missing: 'rules' })
  expect(await ask({ rules: { set: set() } })).toEqual({ odds: null, missing: 'target' })
  expect(await ask({ since: '2099-01-01' })).toEqual({ odds: null, missing: 'days' })
  for (const index of [5, 6, 7, 8, 9, 12, 13, 14]) await browser.call(recordRoutes.addTrade, { body: { userId, trade: entered(index) } })
  const first = await ask()
  expect(first).toMatchObject({ missing: null, odds: { runs: 2_000, seed: 11, horizon: 250 } })
  expect((first.odds?.passed ?? 0) + (first.odds?.breached ?? 0) + (first.odds?.outOfTime ?? 0)).toBeCloseTo(1, 12)
  expect(await ask()).toEqual(first)
  expect(await ask({ seed: 12 })).not.toEqual(first)
  expect((await ask({ rules: { set: { ...rulesToPass, timeLimit: 14 } } })).odds?.horizon).toBe(10)

  // Short calls are answered while a long one runs: one after another, as fast as they come.
  let done = false
  let answered = 0
  const long = ask({ runs: 100_000 }).finally(() => (done = true))
  await until(async () => {
    await browser.call(rules)
    if (!done) answered += 1
    return answered >= 3 || done ? true : null
  }, 'short calls', 60_000)
  expect(answered).toBeGreaterThanOrEqual(3)
  expect((await long).odds?.runs).toBe(100_000)
})
