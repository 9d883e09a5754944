import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { positionsLive, type PositionsLive } from '#shared/api/positions.ts'
import { refuse } from '#shared/api/refused.ts'
import type { Pushed } from '#shared/api/sync.ts'
import { amountOf } from '#shared/money/money.ts'
import type { NowFacts } from '#shared/rules/day-facts.ts'
import { emptyPast } from '#shared/rules/fold.ts'
import type { AccountNow, PositionNow, PositionsNow } from '../brokers/live.ts'
import { createPositions } from './service.ts'
import { ok } from '#shared/base/result.ts'
import { entryOf, journalStanding, liveStanding } from '../rules/rule-standings.ts'
import { createSeenSessions } from '../rules/seen-sessions.ts'
import type { Currency } from '#shared/money/money.ts'
import type { SessionExtremes } from '../rules/rows.ts'

const user = 'user-1'
const [one, two, file] = ['tradovate:demo:1', 'tradovate:live:2', 'files:3']
const at = Date.UTC(2026, 10, 18, 16)

const entry = (account: string) => entryOf({ userId: user, account, name: account.toUpperCase(), firm: null, label: null, currency: 'USD' as Currency, balance: amountOf(1_000_0000), balanceAt: 5, set: null, presetId: null, since: null, stageByHand: null, breach: null, past: emptyPast, openCosts: amountOf(0), dayNet: amountOf(0), dayForeign: false, dayMoved: amountOf(0), dayPeak: null, earlierPeak: null, resetDay: null })
const nq = (net: number, price: number): PositionNow => ({ contract: 'NQZ6', product: 'NQ', tickSize: '0.25', valuePerPoint: 20, currency: 'USD', net, averagePrice: 25_000, mark: { price, at: at - 100 } })
const account = (key: string, given: Partial<AccountNow> = {}): AccountNow => ({ account: key, environment: 'demo', line: 'up', downSince: null, prices: 'live', currency: 'USD', session: '2026-11-18', cash: amountOf(50_000_0000), dayRealized: amountOf(-100_0000), between: null, snapshot: null, restricted: false, limits: null, positions: [], ...given })

/** Positions over a thread that only remembers. */
const start = () => {
  const it = { asked: [] as string[], plan: true, fails: false, unsure: false, now: { at, accounts: [] as AccountNow[] } as PositionsNow, accountsOf: [one, two, file] as string[], keys: { at, accounts: [] as AccountNow[] } as PositionsNow, pushed: [] as PositionsLive[], heard: [] as number[], facts: [] as unknown[], kept: [] as SessionExtremes[], written: [] as SessionExtremes[] }
  const positions = createPositions({
    calls: {
      watch: ({ on }) => {
        it.asked.push(`watch ${String(on)}`)
        return it.fails ? Promise.reject(new Error('gone')) : Promise.resolve()
      },
      positionsOf: () => Promise.resolve(it.now),
      closePosition: ({ account: key, contract }) => Promise.resolve({ account: key, outcome: 'flat', left: [], detail: contract }),
      flattenAccount: ({ account: key }) => Promise.resolve({ account: key, outcome: 'was-flat', left: [], detail: null }),
    },
    keyLogins: { watch: () => Promise.resolve(), positionsOf: () => Promise.resolve(it.keys) },
    rules: {
      rulesFor: () => Promise.resolve(new Map(it.accountsOf.map((key) => [key, entry(key)]))),
      standing: (of, facts, broker) => {
        it.facts.push({ account: of.rules.account, facts, broker })
        return liveStanding(of, facts, broker)
      },
      fromJournal: journalStanding,
      seen: createSeenSessions({ read: { sessionExtremes: () => Promise.resolve(it.kept) }, write: { saveExtremes: ({ extremes }) => Promise.resolve(void it.written.push(...extremes)) } }, { warn: () => undefined }),
    },
    rights: { require: () => Promise.resolve(it.plan ? ok(null) : refuse('plan-needed')) },
    events: { push: (_, event: Pushed) => void (event.type === 'positions' && it.pushed.push(event.live)) },
    accountsMayHaveChanged: () => (it.unsure ? Promise.reject(new Error('gone')) : Promise.resolve(void it.asked.push('accounts'))),
    log: { warn: () => undefined },
    now: () => Date.now(),
  })
  positions.onLive((_, { seq }) => it.heard.push(seq))
  return { ...it, it, positions, read: async () => {
    const read = await positions.read(user)
    return read.ok ? read.value : expect.fail(read.error.code)
  } }
}

beforeEach(() => void vi.useFakeTimers({ now: at }))
afterEach(() => void vi.useRealTimers())

test('a read keeps the watch on for half a minute, and each further read extends it', async () => {
  const { it, read } = start()
  await read()
  expect(it.asked).toEqual(['accounts', 'watch true'])
  await vi.advanceTimersByTimeAsync(20_000)
  await read()
  await vi.advanceTimersByTimeAsync(20_000)
  expect(it.asked).toEqual(['accounts', 'watch true'])
  await vi.advanceTimersByTimeAsync(12_000)
  expect(it.asked).toEqual(['accounts', 'watch true', 'watch false'])
})

test('standings that a page shows keep the watch on and publish what the line knows, if the plan has it', async () => {
  const { it, positions } = start()
  it.plan = false
  await positions.keepLive(user)
  expect([it.asked, positions.isOn(user)]).toEqual([[], false])
  it.plan = true
  await positions.keepLive(user)
  await vi.advanceTimersByTimeAsync(0)
  expect([it.asked, positions.isOn(user), it.heard]).toEqual([['accounts', 'watch true'], true, [1]])
  await positions.keepLive(user)
  await vi.advanceTimersByTimeAsync(32_000)
  expect([it.asked.at(-1), positions.isOn(user), it.heard]).toEqual(['watch false', false, [1]])
})

test('alerts keep the watch on without a page, and end it', async () => {
  const { it, positions, read } = start()
  positions.watch(user, true)
  await read()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(it.asked).toEqual(['accounts', 'watch true'])
  positions.watch(user, false)
  await vi.advanceTimersByTimeAsync(0)
  expect(it.asked.at(-1)).toBe('watch false')
})

test('the next read retries a watch that failed', async () => {
  const { it, positions, read } = start()
  it.fails = true
  await expect(positions.read(user)).rejects.toThrow('gone')
  it.fails = false
  await read()
  expect(it.asked.filter((asked) => asked === 'watch true')).toHaveLength(2)
})

test('without a plan nothing is read or watched, but positions can be closed', async () => {
  const { it, positions } = start()
  it.plan = false
  expect(await positions.read(user)).toEqual(refuse('plan-needed'))
  expect(it.asked).toEqual([])
  expect(await positions.close(user, one, 'NQZ6')).toEqual(ok({ account: one, outcome: 'flat', left: [], detail: 'NQZ6' }))
  expect(await positions.flatten(user, one)).toMatchObject(ok({ outcome: 'was-flat' }))
  expect(await positions.flatten(user, 'tradovate:demo:99')).toEqual(refuse('not-found'))
})

test('a position is closed even if sending changed accounts fails', async () => {
  const { it, positions } = start()
  it.unsure = true
  expect(await positions.close(user, one, 'NQZ6')).toMatchObject(ok({ outcome: 'flat' }))
})

test('an account’s status comes from its login, or from the journal without one', async () => {
  const { it, read } = start()
  it.now = { at, accounts: [account(one, { positions: [nq(2, 25_010)] }), account(two, { environment: 'live', line: 'connecting', cash: null, dayRealized: null, prices: 'none' })] }
  const { accounts, positions } = await read()
  expect(accounts).toMatchObject([
    { account: one, name: one.toUpperCase(), from: 'live', line: 'up', balance: '50000.00', dayRealized: '-100.00', open: { amount: '400.00', from: 'prices', at: at - 100 } },
    { account: two, from: 'journal', environment: 'live', line: 'connecting', balance: '1000.00', dayRealized: null, open: null },
    { account: file, from: 'journal', line: 'none', prices: 'none', balance: '1000.00' },
  ])
  expect(positions).toEqual([{ account: one, contract: 'NQZ6', product: 'NQ', net: 2, averagePrice: '25000.00', currency: 'USD', last: { price: '25010.00', at: at - 100 }, open: { amount: '400.00', from: 'prices', at: at - 100 }, micros: 20, against: [] }])
})

test.each(['EUR', '#4'])('a position in %s keeps its currency, and the account has only the broker’s own figure', async (currency) => {
  const { it, read } = start()
  const foreign = { ...nq(1, 24_990), currency }
  it.now = { at, accounts: [account(one, { positions: [foreign], snapshot: { pnl: amountOf(-33_0000), at: at - 500 } }), account(two, { positions: [foreign, nq(1, 25_010)] })] }
  const { positions, accounts } = positionsLive.parse(await read())
  expect(positions.map((position) => [position.currency, position.open?.amount])).toEqual([[currency, '-200.00'], [currency, '-200.00'], ['USD', '200.00']])
  expect([one, two].map((key) => accounts.find((each) => each.account === key)?.open)).toEqual([{ amount: '-33.00', from: 'snapshot', at: at - 500 }, null])
})

test('live figures in another currency than the account’s are left out', async () => {
  const { it, read } = start()
  it.now = { at, accounts: [account(one, { currency: '#4' }), account(two, { currency: null })] }
  expect((await read()).accounts.map(({ from, balance }) => [from, balance])).toEqual([['journal', '1000.00'], ['journal', '1000.00'], ['journal', '1000.00']])
})

test('the rules get the other accounts’ positions and the extremes of the session', async () => {
  const { it, positions, read } = start()
  const say = async (price: number, dayRealized: number, line: AccountNow['line'] = 'up', time = at, session = '2026-11-18'): Promise<void> => {
    positions.update(user, 'lines', { at: time, accounts: [account(one, { session, positions: [nq(1, price)], dayRealized: amountOf(dayRealized), line }), account(two, { positions: [nq(-1, price)] })] })
    await vi.advanceTimersByTimeAsync(0)
  }
  await read()
  await say(25_010, -100_0000)
  await say(24_990, -300_0000)
  // A line that is down tells nothing new.
  await say(25_900, -900_0000, 'down')
  await say(25_000, 0)
  expect(it.facts.filter((fact) => (fact as { account: string }).account === one).at(-1)).toMatchObject({ facts: { open: 0, peak: 50_200_0000, trough: 49_800_0000, lowestRealized: -300_0000, others: [{ account: two, product: 'NQ', net: -1 }] }, broker: null })
  expect(it.pushed.at(-1)?.positions.map(({ against }) => against)).toEqual([[two], [one]])
  // Another session begins anew.
  await say(25_005, 0, 'up', at + 12 * 3_600_000, '2026-11-19')
  expect(it.facts.filter((fact) => (fact as { account: string }).account === one).at(-1)).toMatchObject({ facts: { peak: 50_100_0000, trough: 50_100_0000, lowestRealized: 0 } })
  expect(it.heard).toEqual([2, 3, 4, 5, 6])
})

test('keeps several broker sessions within one of our days apart', async () => {
  const { it, positions, read } = start()
  const say = async (session: string, cash: number): Promise<void> => {
    positions.update(user, 'lines', { at: Date.now(), accounts: [account(one, { session, cash: amountOf(cash), dayRealized: amountOf(0) })] })
    await vi.advanceTimersByTimeAsync(5_000)
  }
  await read()
  await say('2026-11-16', 48_000_0000)
  await say('2026-11-16', 51_000_0000)
  expect(it.facts.at(-1)).toMatchObject({ facts: { balance: 51_000_0000, peak: 51_000_0000, trough: 48_000_0000, lowestBalance: 48_000_0000 } })
  await say('2026-11-17', 50_500_0000)
  expect(it.facts.at(-1)).toMatchObject({ facts: { balance: 50_500_0000, peak: 50_500_0000, trough: 50_500_0000, lowestBalance: 50_500_0000 } })
})

test('between a fill and its cash booking, no P&L is lost or counted twice', async () => {
  const { it, positions, read } = start()
  const factsNow = () => (it.facts.at(-1) as { facts: { balance: number; open: number; peak: number; trough: number } }).facts
  const say = async (given: Partial<AccountNow>, ms: number): Promise<void> => {
    positions.update(user, 'lines', { at: Date.now(), accounts: [account(one, given)] })
    await vi.advanceTimersByTimeAsync(ms)
  }
  await read()
  await say({ positions: [nq(1, 25_110)] }, 1_000)
  expect(factsNow()).toMatchObject({ balance: 50_000_0000, open: 2_200_0000, peak: 52_200_0000 })
  // Closed with 2,200 won, which the cash does not say yet.
  await say({ positions: [] }, 100)
  expect(factsNow()).toMatchObject({ balance: 50_000_0000, open: 2_200_0000 })
  expect(it.pushed.at(-1)?.positions).toEqual([])
  await say({ cash: amountOf(52_200_0000), positions: [] }, 999)
  expect(factsNow()).toMatchObject({ balance: 50_000_0000, open: 2_200_0000 })
  await vi.advanceTimersByTimeAsync(1)
  expect(factsNow()).toMatchObject({ balance: 52_200_0000, open: 0, peak: 52_200_0000, trough: 52_200_0000 })
  const pushed = it.pushed.length
  await vi.advanceTimersByTimeAsync(5_000)
  expect(it.pushed).toHaveLength(pushed)
  // Figures that never settle count after three seconds.
  for (let contracts = 1; contracts <= 17; contracts += 1) await say({ cash: amountOf(52_200_0000), positions: [nq(contracts, 25_000)] }, 200)
  expect(it.facts.map((fact) => (fact as { facts: { positions: { net: number }[] } }).facts.positions[0]?.net ?? 0).slice(-3)).toEqual([0, 16, 17])
})

test('figures of a line that is down date from when it went down', async () => {
  const { it, read } = start()
  it.now = { at, accounts: [account(one), account(two, { line: 'down', downSince: at - 60_000 })] }
  expect((await read()).accounts.slice(0, 2).map((each) => each.at)).toEqual([at, at - 60_000])
})

test('broker limits apply to the current session only, and a restricted account may only reduce', async () => {
  const { it, read } = start()
  const limits = { startingBalance: null, trailing: null, drawdownLimit: amountOf(49_000_0000), dailyLoss: null, reduceOnly: false }
  const today = at + 3_600_000
  it.now = { at, accounts: [account(one, { limits: { ...limits, flatBy: today } }), account(two, { limits: { ...limits, flatBy: at - 86_400_000 }, restricted: true })] }
  await read()
  expect(it.facts).toMatchObject([{ broker: { drawdownLimit: 49_000_0000, flatBy: today, reduceOnly: false } }, { broker: { flatBy: null, reduceOnly: true } }])
})

test('accounts of the copier’s lines and of logins with a key show together, whichever changed', async () => {
  const { it, positions, read } = start()
  const keyed = 'topstepx:live:8734'
  it.accountsOf = [one, keyed]
  it.now = { at, accounts: [account(one, { positions: [nq(1, 25_000)] })] }
  it.keys = { at, accounts: [account(keyed, { environment: 'live', prices: 'none', positions: [{ ...nq(-1, 0), mark: null }] })] }
  expect((await read()).positions.map(({ account: key, net, against }) => [key, net, against])).toEqual([[one, 1, [keyed]], [keyed, -1, [one]]])
  positions.update(user, 'keys', { at: at + 1, accounts: [account(keyed)] })
  await vi.advanceTimersByTimeAsync(0)
  expect(it.pushed.at(-1)?.positions.map(({ account: key }) => key)).toEqual([one])
  expect(it.pushed.at(-1)?.accounts).toMatchObject([{ account: one, environment: 'demo' }, { account: keyed, environment: 'live' }])
  // No order is sent there.
  expect(await positions.close(user, keyed, 'NQZ6')).toEqual(refuse('not-found'))
  expect(await positions.flatten(user, keyed)).toEqual(refuse('not-found'))
})

test('updates that arrive during a computation are skipped for the newest', async () => {
  const { it, positions, read } = start()
  await read()
  for (const price of [25_001, 25_002, 25_003]) positions.update(user, 'lines', { at, accounts: [account(one, { positions: [nq(1, price)] })] })
  await vi.advanceTimersByTimeAsync(0)
  expect(it.pushed.map((live) => live.positions[0]?.last?.price)).toEqual(['25001.00', '25003.00'])
})

test('a payout or deposit within the session is no P&L and changes no extreme', async () => {
  const { it, positions, read } = start()
  const factsNow = () => (it.facts.at(-1) as { facts: NowFacts }).facts
  let time = at
  // Each word holds for longer than a moment.
  const say = async (cash: number, made: number, gap: number, positionsOf: PositionNow[] = []): Promise<void> => {
    for (time += 2_000; time % 4_000 !== 0; time += 2_000);
    for (const moment of [time, time + 1_500]) {
      positions.update(user, 'lines', { at: moment, accounts: [account(one, { cash: amountOf(cash), dayRealized: amountOf(made), positions: positionsOf, between: { currency: 'USD', gap: amountOf(gap), fees: amountOf(4_0000), most: amountOf(12_0000) } })] })
      await vi.advanceTimersByTimeAsync(0)
    }
  }
  await read()
  await say(50_296_0000, 296_0000, -4_0000)
  expect(factsNow()).toMatchObject({ balance: 50_296_0000, dayRealized: 296_0000, moved: [0, 0], peak: 50_296_0000, lowestDay: 296_0000 })
  await say(48_796_0000, -1_204_0000, -1_504_0000)
  expect(factsNow()).toMatchObject({ balance: 48_796_0000, dayRealized: 296_0000, moved: [-1_500_0000, 0], peak: 50_296_0000, trough: 48_796_0000, lowestBalance: 48_796_0000, lowestRealized: 296_0000, lowestDay: 296_0000 })
  expect(it.pushed.at(-1)?.accounts[0]).toMatchObject({ balance: '48796.00', dayRealized: '296.00', dayNet: '296.00' })
  await say(51_796_0000, 1_796_0000, 1_496_0000)
  // What came in is not what was won, and lifts what was seen before with it.
  expect(factsNow()).toMatchObject({ balance: 51_796_0000, dayRealized: 296_0000, moved: [1_500_0000, 0], trough: 51_796_0000, lowestBalance: 51_796_0000, lowestDay: 296_0000 })
  // The next session begins without any of it.
  positions.update(user, 'lines', { at: at + 12 * 3_600_000, accounts: [account(one, { cash: amountOf(51_796_0000), dayRealized: amountOf(0) })] })
  await vi.advanceTimersByTimeAsync(0)
  expect(factsNow()).toMatchObject({ moved: [0, 0], dayRealized: 0, peak: 51_796_0000 })
})

test('what a session made that the broker still shows is no high or low of the next one', async () => {
  const { it, positions, read } = start()
  const saturday = Date.UTC(2026, 10, 21, 16)
  vi.setSystemTime(saturday)
  await read()
  positions.update(user, 'lines', { at: saturday, accounts: [account(one, { session: '2026-11-20', dayRealized: amountOf(-900_0000), between: null })] })
  await vi.advanceTimersByTimeAsync(5_000)
  expect(it.written).toMatchObject([{ account: one, tradingDay: '2026-11-23', peak: 50_000_0000, lowestBalance: 50_000_0000, highestDay: null, lowestDay: null, lowestRealized: null }])
  positions.update(user, 'lines', { at: saturday + 48 * 3_600_000, accounts: [account(one, { session: '2026-11-23', dayRealized: amountOf(100_0000), between: null })] })
  await vi.advanceTimersByTimeAsync(5_000)
  expect(it.written.at(-1)).toMatchObject({ tradingDay: '2026-11-23', highestDay: 100_0000, lowestDay: 100_0000, lowestRealized: 100_0000 })
})

test('continues with the extremes seen before a restart', async () => {
  const { it, positions, read } = start()
  it.kept = [{ account: one, tradingDay: '2026-11-18', peak: amountOf(52_000_0000), trough: amountOf(49_000_0000), lowestBalance: amountOf(49_500_0000), highestDay: amountOf(1_900_0000), lowestDay: amountOf(-1_100_0000), lowestRealized: amountOf(-600_0000), moved: amountOf(-50_0000) }]
  const between = { currency: 'USD', gap: amountOf(-54_0000), fees: amountOf(4_0000), most: amountOf(12_0000) }
  it.now = { at, accounts: [account(one, { positions: [nq(1, 25_010)], between })] }
  await read()
  expect(it.facts.at(-1)).toMatchObject({ account: one, facts: { dayRealized: -50_0000, moved: [-50_0000, 0], peak: 52_000_0000, trough: 49_000_0000, lowestBalance: 49_500_0000, lowestRealized: -600_0000, lowestDay: -1_100_0000 } })
  // Nothing new was seen, so nothing is written.
  await vi.advanceTimersByTimeAsync(5_000)
  expect(it.written).toEqual([])
  positions.update(user, 'lines', { at: at + 1_000, accounts: [account(one, { positions: [nq(1, 25_200)], between })] })
  await vi.advanceTimersByTimeAsync(5_000)
  expect(it.written).toMatchObject([{ account: one, peak: 54_000_0000, highestDay: 3_950_0000, lowestDay: -1_100_0000 }])
})
