// @module-tag slow
import { describe, expect, test } from 'vitest'
import type { NewFinance } from '#shared/api/records.ts'
import type { ReplayAnswer, RuleSet } from '#shared/api/rules.ts'
import type { CashReading } from '#shared/imports/reading.ts'
import { amountOf } from '#shared/money/money.ts'
import { noRules } from '#shared/rules/terms.ts'
import { account, addProfile, day, fill, monday, openStore, other, rowsOf, take, user, type TestStore } from '#tests/helpers/store.ts'
import type { SessionExtremes } from './rows.ts'

const set: RuleSet = { ...noRules('USD'), startingBalance: '50000', maxLoss: { amount: '2000', trail: 'intraday', locksAt: null } }
const [mondays, tuesdays, wednesdays] = ['2026-01-05', '2026-01-06', '2026-01-07'] as const
const hour = 3_600_000

/** Monday +4.10, Tuesday +9.10, Wednesday −0.90, each at 15:00 UTC. */
const traded = async (): Promise<TestStore> => {
  const store = openStore()
  const round = (id: number, entry: number, exit: number, days: number) =>
    [fill(id, 'buy', 1, entry, { feeText: '0.45', time: monday + days * day + id * 1_000, tradeDate: `2026-01-0${String(5 + days)}` }), fill(id + 1, 'sell', 1, exit, { feeText: '0.45', time: monday + days * day + (id + 1) * 1_000, tradeDate: `2026-01-0${String(5 + days)}` })]
  await take(store, ...round(1, 6750, 6751, 0), ...round(5, 6742, 6744, 1), ...round(7, 6744, 6744, 2))
  return store
}
const says = (store: TestStore, more: Partial<{ set: RuleSet | null; since: string | null }> = {}) => store.write.setRules({ ...user, at: monday, account, set, presetId: null, since: null, ...more })
const ruled = (store: TestStore, of = '2026-01-08', key: string = account) => store.read.ruledAccounts({ ...user, day: of }).find((one) => one.account === key)
const cash = (transactionId: string, tradeDate: string, time: number, delta: number, after: number, more: Partial<CashReading> = {}): CashReading => ({
  says: 'cash', account: { id: null, name: 'EVAL-101' }, transactionId, time, tradeDate, movement: 'other', transfer: true, delta: amountOf(delta * 10_000), amount: amountOf(after * 10_000), currency: 'USD' as CashReading['currency'], contract: null, ...more,
})
const funding = cash('1', '2026-01-02', monday - 3 * day, 50_000, 50_000)
const payout = cash('2', tuesdays, monday + day + 3 * hour, -20, 49_947.3)
const imported = async (store: TestStore, importId: string, ...readings: readonly CashReading[]): Promise<void> => {
  store.write.beginImport({ ...user, at: monday, importId, zone: 'UTC', account: null })
  store.write.addReadings({ ...user, importId, place: 0, readings })
  store.write.addImportFile({ ...user, importId, place: 0, name: 'Cash History.csv', kind: 'cash-history', rows: readings.length, accepted: readings.length, refused: 0 })
  await store.write.finishImport({ ...user, at: monday, importId })
}
const replayed = (store: TestStore, until: string | null = null): ReplayAnswer['days'] => (JSON.parse(new TextDecoder().decode(store.read.replayJson({ ...user, account, since: null, currency: 'USD', set, own: true, until }))) as ReplayAnswer).days
const balances = (store: TestStore) => replayed(store).map(({ tradingDay, net, balance }) => [tradingDay, net, balance])
const writes = (store: TestStore, id: string, date: string, amount: number, more: Partial<Omit<NewFinance, 'id'>> = {}) =>
  store.write.addFinance({ ...user, at: monday, finance: { id, type: 'earning', category: 'payout', account, amount, date, name: '', balance: 0, platform: '', firm: null, currency: 'USD', ...more } })
const differs = (store: TestStore, balance: number): boolean => {
  store.writer.database.prepare('UPDATE accounts SET balance = ?, balance_at = ? WHERE key = ?').run(balance, monday + 10 * day, account)
  return replayed(store).at(-1)?.states.some(({ notes }) => notes.includes('balance-differs')) ?? false
}

describe('money that goes in or out', () => {
  test('moves the balance by what the Cash History tells, and no day’s net; what funded the account is where it began', async () => {
    const store = await traded()
    says(store)
    await imported(store, 'one', funding, payout, cash('3', tuesdays, monday + day + 4 * hour, -5, 1, { movement: 'fee', transfer: undefined as never }))
    const wanted = [[mondays, '4.10', '50004.10'], [tuesdays, '9.10', '49993.20'], [wednesdays, '-0.90', '49992.30']]
    expect(balances(store)).toEqual(wanted)
    expect(ruled(store)).toMatchObject({ past: { profit: -77_000, net: 123_000, bestDay: 91_000, daysTraded: 3 } })
    expect([differs(store, 500_123_000), balances(store).at(-1)]).toEqual([true, [wednesdays, '-0.90', '50012.30']])
    expect([differs(store, 499_722_000), balances(store).at(-1)]).toEqual([true, wanted.at(-1)])
    expect(differs(store, 499_923_000)).toBe(false)
    store.writer.database.prepare('UPDATE accounts SET balance = NULL').run()
    // The same file once more, and one that overlaps.
    await imported(store, 'two', payout, cash('4', wednesdays, monday + 2 * day - hour, -1, 2))
    expect(balances(store)).toEqual([...wanted.slice(0, 2), [wednesdays, '-0.90', '49991.30']])
    await store.write.undoImport({ ...user, at: monday, importId: 'one' })
    await store.write.undoImport({ ...user, at: monday, importId: 'two' })
    expect(balances(store).at(-1)).toEqual([wednesdays, '-0.90', '50012.30'])
    expect(rowsOf(store, 'cash_transfers')).toEqual([])
  })

  test('is a payout of the books too, from the session after its date, and once where the broker tells it as well', async () => {
    const store = await traded()
    says(store)
    writes(store, 'one', mondays, 20)
    writes(store, 'euros', mondays, 3, { currency: 'EUR' })
    writes(store, 'elsewhere', mondays, 4, { account: other })
    writes(store, 'refund', mondays, 5, { category: 'refund' })
    expect(balances(store)).toEqual([[mondays, '4.10', '50004.10'], [tuesdays, '9.10', '49993.20'], [wednesdays, '-0.90', '49992.30']])
    await imported(store, 'one', payout)
    expect(balances(store).at(-1)).toEqual([wednesdays, '-0.90', '49992.30'])
    // Its share kept by the firm.
    writes(store, 'one', mondays, 18)
    expect(balances(store).at(-1)).toEqual([wednesdays, '-0.90', '49992.30'])
    store.write.removeFinance({ ...user, at: monday, id: 'one' })
    writes(store, 'late', '2026-01-07', 7)
    expect(balances(store).slice(2)).toEqual([[wednesdays, '-0.90', '49992.30'], ['2026-01-08', '0.00', '49985.30']])
    expect(ruled(store, wednesdays)).toMatchObject({ past: { days: 2 }, dayNet: -9_000, dayMoved: -70_000 })
    expect(ruled(store)).toMatchObject({ past: { days: 3 }, dayMoved: -70_000 })
    // A payout that is only expected has not moved anything yet.
    writes(store, 'expected', '2026-01-20', 30)
    expect(ruled(store)).toMatchObject({ past: { days: 3 }, dayMoved: -70_000 })
    expect(replayed(store, '2026-01-08').map(({ tradingDay }) => tradingDay)).toEqual([mondays, tuesdays, wednesdays, '2026-01-08'])
    // Days to draw from are those that were traded.
    expect(store.read.ruleDays({ ...user, account, since: null, currency: 'USD' }).count).toBe(3)
  })
})

describe('a reset', () => {
  test('of the books offers the day after it, until what counts begins there', async () => {
    const store = await traded()
    expect(ruled(store)?.resetDay).toBeNull()
    writes(store, 'reset', tuesdays, 80, { type: 'expense', category: 'reset' })
    expect(ruled(store)).toMatchObject({ set: null, resetDay: wednesdays })
    says(store)
    expect([ruled(store)?.resetDay, ruled(store, '2026-01-08', other)?.resetDay]).toEqual([wednesdays, null])
    says(store, { since: wednesdays })
    expect(ruled(store)?.resetDay).toBeNull()
  })

  test('is a deposit in the Cash History that sets the balance back to the start', async () => {
    const store = await traded()
    says(store)
    await imported(store, 'one', funding, cash('2', tuesdays, monday + day - hour, -4.1, 50_000), cash('3', wednesdays, monday + 2 * day - hour, 86.8, 50_100))
    expect(ruled(store)?.resetDay).toBeNull()
    await imported(store, 'two', cash('5', wednesdays, monday + 2 * day - hour, 36.8, 50_000))
    expect(ruled(store)?.resetDay).toBe(wednesdays)
  })
})

describe('what was seen of sessions', () => {
  const seen = (tradingDay: string, more: Partial<SessionExtremes> = {}): SessionExtremes => ({
    account, tradingDay, peak: amountOf(515_000_000), trough: amountOf(499_000_000), lowestBalance: amountOf(499_500_000), highestDay: amountOf(14_959_000), lowestDay: amountOf(-10_000), lowestRealized: null, moved: amountOf(0), ...more,
  })

  test('is kept, the last word of each session, and goes with its user', async () => {
    const store = await traded()
    store.write.saveExtremes({ ...user, extremes: [seen(mondays), seen(tuesdays), seen(mondays, { account: other })] })
    store.write.saveExtremes({ ...user, extremes: [seen(tuesdays, { peak: amountOf(516_000_000), lowestRealized: amountOf(-5) })] })
    expect(store.read.sessionExtremes({ ...user, day: tuesdays })).toEqual([seen(tuesdays, { peak: amountOf(516_000_000), lowestRealized: amountOf(-5) })])
    expect(store.read.sessionExtremes({ userId: 'u2', day: tuesdays })).toEqual([])
    addProfile(store, 'u2')
    store.write.saveExtremes({ userId: 'u2', extremes: [seen(tuesdays)] })
    expect(rowsOf(store, 'session_extremes')).toHaveLength(4)
    await store.write.deleteUser(user)
    expect(() => store.write.saveExtremes({ ...user, extremes: [seen(tuesdays)] })).toThrow('without a profile')
    expect(rowsOf(store, 'session_extremes')).toHaveLength(1)
  })

  test('lifts an intraday floor from its session on, and is known of all sessions before today', async () => {
    const store = await traded()
    says(store)
    const floors = () => replayed(store).map(({ drawdownLimit }) => drawdownLimit)
    expect([floors(), ruled(store)?.earlierPeak]).toEqual([['48004.10', '48013.20', '48013.20'], null])
    store.write.saveExtremes({ ...user, extremes: [seen(tuesdays), seen(mondays, { highestDay: amountOf(1), peak: null }), seen('2026-01-08', { peak: amountOf(900_000_000) })] })
    // Tuesday began at 50,004.10 and was 1,495.90 higher.
    expect(floors().slice(0, 3)).toEqual(['48004.10', '49500.00', '49500.00'])
    expect(ruled(store)).toMatchObject({ dayPeak: 900_000_000, earlierPeak: 515_000_000, past: { highest: 15_000_000 } })
    expect(ruled(store, tuesdays)).toMatchObject({ dayPeak: 515_000_000, earlierPeak: null, past: { highest: 41_000 } })
    says(store, { since: wednesdays })
    expect(ruled(store)).toMatchObject({ earlierPeak: null, past: { highest: 0 } })
  })
})
