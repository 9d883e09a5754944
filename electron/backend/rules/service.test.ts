import { expect, onTestFinished, test } from 'vitest'
import type { PositionsLive } from '#shared/api/positions.ts'
import type { ReplayAnswer } from '#shared/api/rules.ts'
import { amountOf } from '#shared/money/money.ts'
import { noRules } from '#shared/rules/terms.ts'
import { liveAccount, positionsOf, ruleState } from '#tests/helpers/positions-live.ts'
import { allRights } from '#tests/helpers/rights.ts'
import { account, day, fill, monday, openStore, take, user } from '#tests/helpers/store.ts'
import { createEvents } from '../events.ts'
import type { JournalCalls } from '../journal/journal.ts'
import { startRuleWatch } from './service.ts'

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }

test('rules are tried by the live figures and the broker’s limits that saved ones would be held against', async () => {
  const store = openStore()
  const ruleWatch = startRuleWatch({ journal: { read: store.read, write: store.write } as unknown as JournalCalls, events: createEvents(), rights: allRights, partly: () => Promise.resolve(new Set()), log: quiet, now: Date.now })
  onTestFinished(ruleWatch.stop)
  const set = { ...noRules('USD'), startingBalance: '50000', maxLoss: { amount: '2000', trail: 'static' as const, locksAt: null } }
  const stage = async () => {
    const tried = await ruleWatch.rules.try(user.userId, { account, set, since: null })
    return tried.ok ? tried.value.stage : null
  }
  expect(await stage()).toBe('evaluation')

  const line: { hear: (live: PositionsLive) => void } = { hear: () => undefined }
  ruleWatch.follow({ watch: () => undefined, keepLive: () => Promise.resolve(), isOn: () => true, recompute: () => Promise.resolve(), onLive: (listener) => { line.hear = (live) => { listener(user.userId, live) } } })
  const entry = (await ruleWatch.rules.rulesFor(user.userId)).get(account)
  if (entry === undefined) throw new Error('An account is connected')
  const nobody = { open: amountOf(0), positions: [], others: [], moved: [], openCosts: amountOf(0), peak: null, earlierPeak: null, trough: null, lowestBalance: null, lowestRealized: null, lowestDay: null }
  ruleWatch.rules.standing(entry, { ...nobody, at: Date.now(), balance: amountOf(47_000_0000), dayRealized: amountOf(0) }, null)
  line.hear(positionsOf(1, { accounts: [liveAccount(account)] }))
  expect(await stage()).toBe('breached')
  expect((await ruleWatch.rules.read(user.userId)).accounts.find((one) => one.account === account)?.set).toBeNull()
})

test('broker limits that come back after a page was given none are published again, and only then', async () => {
  const store = openStore()
  const events = createEvents()
  const published: string[] = []
  events.watch((_userId, { type }) => void published.push(type))
  const ruleWatch = startRuleWatch({ journal: { read: store.read, write: store.write } as unknown as JournalCalls, events, rights: allRights, partly: () => Promise.resolve(new Set()), log: quiet, now: Date.now })
  onTestFinished(ruleWatch.stop)
  const line: { on: boolean; hear: (live: PositionsLive) => void } = { on: true, hear: () => undefined }
  ruleWatch.follow({ watch: () => undefined, keepLive: () => Promise.resolve(), isOn: () => line.on, recompute: () => Promise.resolve(), onLive: (listener) => { line.hear = (live) => { listener(user.userId, live) } } })
  const live = positionsOf(1, { accounts: [liveAccount(account, { states: [ruleState('max-loss', { by: 'broker' })] })] })
  const changes = (): number => published.filter((type) => type === 'rules-changed').length

  line.hear(live)
  line.hear(live)
  expect(changes()).toBe(1)
  await ruleWatch.rules.read(user.userId)
  line.hear(live)
  expect(changes()).toBe(1)
  // The line is closed while nobody looks; the next page is given the journal's standings, and the line comes again.
  line.on = false
  await ruleWatch.rules.read(user.userId)
  line.on = true
  line.hear(live)
  expect(changes()).toBe(2)
})

test('standings that are read after the journal changed are evaluated by what it has now', async () => {
  const store = openStore()
  const events = createEvents()
  const ruleWatch = startRuleWatch({ journal: { read: store.read, write: store.write } as unknown as JournalCalls, events, rights: allRights, partly: () => Promise.resolve(new Set()), log: quiet, now: Date.now })
  onTestFinished(ruleWatch.stop)
  const line: { hear: (live: PositionsLive) => void } = { hear: () => undefined }
  let evaluations = 0
  ruleWatch.follow({
    watch: () => undefined,
    keepLive: () => Promise.resolve(),
    isOn: () => true,
    recompute: async () => {
      evaluations += 1
      await ruleWatch.rules.rulesFor(user.userId)
      line.hear(positionsOf(evaluations, { accounts: [liveAccount(account, { dayNet: String(evaluations) })] }))
    },
    onLive: (listener) => { line.hear = (live) => { listener(user.userId, live) } },
  })
  const dayNets = async () => (await ruleWatch.rules.read(user.userId)).standings.filter((one) => one.account === account).map(({ dayNet }) => dayNet)
  expect(await dayNets()).toEqual(['1'])
  expect(await dayNets()).toEqual(['1'])
  events.push(user.userId, { type: 'journal-changed' })
  expect(await Promise.all([dayNets(), dayNets()])).toEqual([['2'], ['2']])
  expect(await dayNets()).toEqual(['2'])
})

test('a replay ends today: a payout that is only expected takes nothing out yet', async () => {
  const store = openStore()
  await take(store, fill(1, 'buy', 1, 6750), fill(2, 'sell', 1, 6751))
  const ruleWatch = startRuleWatch({ journal: { read: store.read, write: store.write } as unknown as JournalCalls, events: createEvents(), rights: allRights, partly: () => Promise.resolve(new Set()), log: quiet, now: () => monday + 2 * day })
  onTestFinished(ruleWatch.stop)
  for (const date of ['2026-01-06', '2026-01-20']) store.write.addFinance({ ...user, at: monday, finance: { id: date, type: 'earning', category: 'payout', account, amount: 1, date, firm: null, currency: 'USD' } })
  const replayed = await ruleWatch.rules.replay(user.userId, { account, rules: { set: { ...noRules('USD'), startingBalance: '50000' } }, since: null })
  if (!replayed.ok) throw new Error('Not replayed')
  expect((JSON.parse(new TextDecoder().decode(replayed.value)) as ReplayAnswer).days.map(({ tradingDay }) => tradingDay)).toEqual(['2026-01-05', '2026-01-07'])
})
