// @module-tag slow
import { describe, expect, test } from 'vitest'
import type { ReplayAnswer, RuleSet, RuleState } from '#shared/api/rules.ts'
import { toDecimalString } from '#shared/money/money.ts'
import type { DayFacts } from '#shared/rules/day-facts.ts'
import { noRules } from '#shared/rules/terms.ts'
import { amountOf } from '#shared/money/money.ts'
import { listedCloud, pull, push, sharedRows, waiting } from '#tests/helpers/listed-cloud.ts'
import { entryOf, journalStanding, liveStanding } from './rule-standings.ts'
import { account, day, fill, monday, openEmptyStore, openStore, other, rowsOf, take, user, type TestStore } from '#tests/helpers/store.ts'

const today = '2026-01-07'
const set: RuleSet = { ...noRules('USD'), startingBalance: '50000', maxLoss: { amount: '40', trail: 'end-of-day', locksAt: null, withOpen: false } }
const say = (store: TestStore, more: Partial<{ at: number; account: string; set: RuleSet | null; presetId: string | null; since: string | null }> = {}) =>
  store.write.setRules({ ...user, at: monday, account, set, presetId: null, since: null, ...more })
const ruled = (store: TestStore, key: string = account, of = today) => store.read.ruledAccounts({ ...user, day: of }).find((one) => one.account === key)

/** Monday +4.10 and −45.90 after fees of 0.45 a side, Tuesday +9.10, Wednesday −0.90. */
const traded = async (): Promise<TestStore> => {
  const store = openStore()
  const round = (id: number, entry: number, exit: number, days = 0) => {
    const more = { feeText: '0.45', time: monday + days * day, tradeDate: `2026-01-0${String(5 + days)}` }
    return [fill(id, 'buy', 1, entry, { ...more, time: more.time + id * 1_000 }), fill(id + 1, 'sell', 1, exit, { ...more, time: more.time + (id + 1) * 1_000 })]
  }
  await take(store, ...round(1, 6750, 6751), ...round(3, 6751, 6742), ...round(5, 6742, 6744, 1), ...round(7, 6744, 6744, 2))
  return store
}

describe('rules of accounts', () => {
  test('are saved, saving them twice changes nothing, and removing them keeps the stage', () => {
    const store = openStore()
    expect(store.read.anyRules(user)).toBe(false)
    expect(say(store, { presetId: 'own', since: '2026-01-05' })).toBe(true)
    expect(store.read.anyRules(user)).toBe(true)
    expect(ruled(store)).toMatchObject({ name: 'EVAL-101', set, presetId: 'own', since: '2026-01-05', stageByHand: null, breach: null, label: 'Account' })
    const before = rowsOf(store, 'account_rules')
    expect(say(store, { at: monday + day, presetId: 'own', since: '2026-01-05' })).toBe(true)
    expect(rowsOf(store, 'account_rules')).toEqual(before)
    expect(store.write.setStage({ ...user, at: monday + day, account, stage: 'funded' })).toBe(true)
    expect(say(store, { at: monday + day, set: null })).toBe(true)
    expect(ruled(store)).toMatchObject({ set: null, presetId: null, since: null, stageByHand: 'funded' })
    expect(ruled(store, other)).toMatchObject({ set: null, stageByHand: null })
    expect([say(store, { account: 'nobody' }), store.write.setStage({ ...user, at: monday, account: 'nobody', stage: 'funded' })]).toEqual([false, false])
  })

  test('disappear with their account and return with it; a deleted profile leaves none', () => {
    const store = openStore()
    say(store)
    store.write.removeAccount({ ...user, at: monday, account })
    expect([ruled(store), store.read.anyRules(user)]).toEqual([undefined, false])
    expect(say(store)).toBe(false)
    store.write.saveAccounts({ ...user, at: monday, loginId: 'login', accounts: [{ key: account, environment: 'demo', brokerAccountId: '700101', name: 'EVAL-101' }], reconnect: true })
    expect(ruled(store)?.set).toEqual(set)
    store.write.recordBreach({ ...user, account, rule: 'max-loss', tradingDay: '2026-01-05', at: monday })
    store.write.setAlertSettings({ ...user, settings: { on: true, at: [], toast: true, system: true, sound: true } })
    store.write.addAlerts({ ...user, alerts: [], dropped: [], marks: [{ account, rule: 'max-loss', level: 80, tradingDay: today }] })
    store.write.deleteUser(user)
    for (const table of ['account_rules', 'rule_breaches', 'alert_settings', 'rule_alerts', 'alert_marks']) expect([table, rowsOf(store, table)]).toEqual([table, []])
  })

  test('a seen breach stays until the rules change, and the first one counts', () => {
    const store = openStore()
    say(store)
    const breach = { rule: 'max-loss', tradingDay: '2026-01-05', at: monday } as const
    expect([store.write.recordBreach({ ...user, account, ...breach }), store.write.recordBreach({ ...user, account, rule: 'daily-loss', tradingDay: '2026-01-06', at: monday + day })]).toEqual([true, false])
    expect(ruled(store)?.breach).toEqual(breach)
    store.write.setStage({ ...user, at: monday, account, stage: 'evaluation' })
    say(store, { presetId: 'named' })
    expect(ruled(store)?.breach).toEqual(breach)
    say(store, { since: '2026-01-06' })
    expect(ruled(store)?.breach).toBeNull()
  })
})

describe('the past', () => {
  const moneyOf = (days: DayFacts[]) => days.map(({ tradingDay, trades }) => [tradingDay, ...trades.map(({ net }) => toDecimalString(net))])
  const daysOf = (store: TestStore, more: { account?: string; since?: string | null; currency?: string } = {}): DayFacts[] => {
    const { days, count } = store.read.ruleDays({ ...user, account, since: null, currency: 'USD', ...more })
    const read = JSON.parse(new TextDecoder().decode(days)) as DayFacts[]
    expect(count).toBe(read.length)
    return read
  }

  test('is the trades of each session by their exits, as the screens show them', async () => {
    const store = await traded()
    expect(moneyOf(daysOf(store))).toEqual([['2026-01-05', '4.10', '-45.90'], ['2026-01-06', '9.10'], ['2026-01-07', '-0.90']])
    expect(daysOf(store)[0]?.trades[0]).toEqual({ product: 'MES', qty: 1, entryAt: monday + 1_000, exitAt: monday + 2_000, net: 41_000 })
    expect(moneyOf(daysOf(store, { since: '2026-01-06' }))).toEqual([['2026-01-06', '9.10'], ['2026-01-07', '-0.90']])
    expect([daysOf(store, { account: other }), daysOf(store, { account: 'nobody' }), daysOf(store, { currency: 'EUR' })]).toEqual([[], [], []])
    store.write.removeTrade({ ...user, at: monday, id: `${account}/3/4` })
    expect(moneyOf(daysOf(store))[0]).toEqual(['2026-01-05', '4.10'])
  })

  test('is folded up to the requested day, whose net is separate', async () => {
    const store = await traded()
    expect(ruled(store)).toMatchObject({ past: { days: 0 }, dayNet: -9_000 })
    say(store)
    // 50,000 + 4.10 − 45.90: the drawdown limit was 49,960, and the second trade went to 49,958.20.
    expect(ruled(store)).toMatchObject({ past: { days: 2, profit: -327_000, breach: { rule: 'max-loss', tradingDay: '2026-01-05', at: monday + 4_000 } }, dayNet: -9_000 })
    expect(ruled(store, account, '2026-01-05')).toMatchObject({ past: { days: 0, breach: null }, dayNet: -418_000 })
    say(store, { since: '2026-01-06' })
    expect(ruled(store)).toMatchObject({ past: { days: 1, profit: 91_000, breach: null }, dayNet: -9_000 })
    expect(ruled(store, account, '2026-01-05')).toMatchObject({ past: { days: 0 }, dayNet: 0 })
  })

  test('has what was closed on a holiday while it runs, and on the next day, which it clears with', async () => {
    const store = openStore()
    const holiday = monday + 14 * day
    await take(store, fill(31, 'buy', 1, 27_000, { time: holiday, tradeDate: null }), fill(32, 'sell', 1, 26_900, { time: holiday + 1_000, tradeDate: null }))
    say(store)
    const [running, next] = ['2026-01-19', '2026-01-20'].map((of) => ruled(store, account, of)?.dayNet)
    expect(running).toBeLessThan(0)
    expect([next, ruled(store, account, '2026-01-16')?.dayNet, ruled(store, account, '2026-01-21')?.dayNet]).toEqual([running, 0, 0])
  })

  test('knows no money of a day with a trade in another currency, and no sum from that day on', async () => {
    const store = await traded()
    // On Tuesday one DAX contract loses 140 points of 25 euros, which no sum in dollars holds.
    const dax = { contract: 'FDAXM6', tradeDate: '2026-01-06', feeText: '1.00' }
    await take(store, fill(21, 'buy', 1, 24_000, { ...dax, time: monday + day + 60_000 }), fill(22, 'sell', 1, 23_860, { ...dax, time: monday + day + 120_000 }))
    const evaluation = (dailyLoss: string): RuleSet => ({
      ...noRules('USD'), startingBalance: '50000', profitTarget: '3000', minimumDays: 2, consistency: { percent: 50, of: 'total' }, winningDays: { days: 3, profit: '1' },
      maxLoss: { amount: '2000', trail: 'end-of-day', locksAt: null, withOpen: false }, dailyLoss: { amount: dailyLoss, counts: 'realised', breach: 'hard' },
    })
    const texts = (states: readonly RuleState[] | null) => (states ?? []).map(({ rule, state, left, notes }) => [rule, state, left, ...notes].join(' '))
    const replayed = (under: RuleSet) => JSON.parse(new TextDecoder().decode(store.read.replayJson({ ...user, account, since: null, currency: 'USD', set: under, own: false }))) as ReplayAnswer
    const unknown = (rule: string) => `${rule} unknown  other-currency`
    const sums = ['profit-target', 'consistency'].map(unknown)
    expect(replayed(evaluation('1000')).days.map(({ trades, states }) => [trades, ...texts(states)])).toEqual([
      // Monday lost 41.80 of 1,000 and of 2,000.
      [2, 'max-loss within 1958.20', 'daily-loss within 958.20', 'profit-target open 3041.80', 'consistency open ', 'minimum-days open 1', 'winning-days open 3'],
      [2, unknown('max-loss'), unknown('daily-loss'), ...sums, 'minimum-days met 0', unknown('winning-days')],
      // The limit of a day without euros is known again.
      [1, unknown('max-loss'), 'daily-loss within 999.10', ...sums, 'minimum-days met -1', unknown('winning-days')],
    ])
    // What was broken before stays broken, and a daily loss of a day without euros breaks.
    expect(replayed(evaluation('41.8'))).toMatchObject({ outcome: 'breached', breach: { tradingDay: '2026-01-05', rule: 'daily-loss' } })
    expect(replayed({ ...evaluation('1000'), maxLoss: set.maxLoss }).days.map(({ states }) => states[0]?.state)).toEqual(['breached', 'breached', 'breached'])
    const fromTuesday = store.read.replayJson({ ...user, account, since: '2026-01-06', currency: 'USD', set: evaluation('0.5'), own: false })
    expect(JSON.parse(new TextDecoder().decode(fromTuesday))).toMatchObject({ breach: { tradingDay: '2026-01-07', rule: 'daily-loss' }, passed: null })
    // As the account stands, by the journal and with its cash in dollars.
    say(store, { set: evaluation('1000') })
    const standing = (of: string, at: number) => {
      const entry = entryOf(ruled(store, account, of) ?? expect.fail('No such account'))
      const now = { at, balance: amountOf(of === today ? 499_664_000 : 499_673_000), dayRealized: entry.kept.dayNet, open: amountOf(0), positions: [], others: [], moved: [], openCosts: amountOf(0), peak: null, earlierPeak: null, trough: null, lowestBalance: null, lowestRealized: null, lowestDay: null }
      return [journalStanding(entry, at), liveStanding(entry, now, null)].map(({ states, stage }) => [stage, ...texts(states).slice(0, 3)])
    }
    for (const one of standing('2026-01-06', monday + day)) expect(one).toEqual(['evaluation', unknown('max-loss'), unknown('daily-loss'), unknown('profit-target')])
    for (const one of standing(today, monday + 2 * day)) expect(one).toEqual(['evaluation', unknown('max-loss'), 'daily-loss within 999.10', unknown('profit-target')])
    // Days to draw from are those of which it is known what they made.
    expect(moneyOf(daysOf(store)).map(([tradingDay]) => tradingDay)).toEqual(['2026-01-05', today])
    // Rules that count from a later day know all of it.
    say(store, { set: evaluation('1000'), since: today })
    expect(standing(today, monday + 2 * day)[0]).toEqual(['evaluation', 'max-loss within 1999.10', 'daily-loss within 999.10', 'profit-target open 3000.90'])
  })

  test('is replayed to the same', async () => {
    const store = await traded()
    const answer = JSON.parse(new TextDecoder().decode(store.read.replayJson({ ...user, account, since: null, currency: 'USD', set, own: true }))) as Record<string, unknown>
    expect(answer).toMatchObject({ outcome: 'breached', passed: null, breach: { tradingDay: '2026-01-05', rule: 'max-loss', at: new Date(monday + 4_000).toISOString() } })
    expect(answer['days']).toMatchObject([{ net: '-41.80', balance: '49958.20', drawdownLimit: '49960.00', low: '49958.20', high: '50004.10', trades: 2 }, { net: '9.10', balance: '49967.30' }, { net: '-0.90', balance: '49966.40' }])
  })

  test('says on its last day where a later balance is another one, of the rules of its own', async () => {
    const store = await traded()
    const notes = (own: boolean): string[][] => {
      const { days } = JSON.parse(new TextDecoder().decode(store.read.replayJson({ ...user, account, since: null, currency: 'USD', set, own }))) as { days: { states: { notes: string[] }[] }[] }
      return days.map(({ states }) => states.flatMap((state) => state.notes))
    }
    const setBalance = (balance: number, at: number) => store.writer.database.prepare('UPDATE accounts SET balance = ?, balance_at = ? WHERE key = ?').run(balance, at, account)
    setBalance(499_664_000, monday + 3 * day)
    expect(notes(true)).toEqual([[], [], []])
    setBalance(499_664_100, monday + 3 * day)
    expect([notes(true), notes(false)]).toEqual([[[], [], ['balance-differs']], [[], [], []]])
    setBalance(499_664_100, monday + day)
    expect(notes(true)).toEqual([[], [], []])
  })
})

describe('two computers', () => {
  test('have the same rules and stages; the later value wins, and an unknown rule set counts as none', async () => {
    const cloud = listedCloud()
    const [one, another] = [openStore(), openEmptyStore()]
    say(one, { presetId: 'own', since: '2026-01-05' })
    expect(waiting(one).records.find(({ entity }) => entity === 'rules')).toMatchObject({ id: account, content: { set, presetId: 'own', since: '2026-01-05', stageByHand: null } })
    await push(one, cloud)
    await pull(another, cloud)
    expect(ruled(another)).toMatchObject({ set, presetId: 'own', since: '2026-01-05' })
    another.write.setStage({ ...user, at: monday + day, account, stage: 'breached' })
    say(one, { at: monday + 2 * day, set: null })
    for (const store of [another, one, another, one]) {
      await pull(store, cloud)
      await push(store, cloud)
    }
    expect(sharedRows(one)).toEqual(sharedRows(another))
    expect(ruled(another)).toMatchObject({ set: null, stageByHand: null })
    expect([waiting(one).records, waiting(another).records]).toEqual([[], []])
    one.writer.database.prepare('UPDATE account_rules SET rules = ?').run(JSON.stringify({ ...set, startingBalance: '999999999999999' }))
    expect(ruled(one)).toMatchObject({ set: null, past: { days: 0 } })
  })
})
