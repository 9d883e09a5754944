import { expect, test } from 'vitest'
import { amountOf, type Currency } from '#shared/money/money.ts'
import { emptyPast } from '#shared/rules/fold.ts'
import { noRules } from '#shared/rules/terms.ts'
import { entryOf, journalStanding, liveStanding } from './rule-standings.ts'

const at = Date.UTC(2026, 10, 18, 16)
const entry = (currency: string) => entryOf({
  userId: 'user-1', account: 'one', name: 'ONE', firm: null, label: null, currency: 'EUR' as Currency, balance: amountOf(40_000_0000), balanceAt: 5, presetId: null, since: null, stageByHand: null, breach: null,
  set: { ...noRules(currency), startingBalance: '50000', maxLoss: { amount: '2000', trail: 'static' as const, locksAt: null } }, past: emptyPast, openCosts: amountOf(0), dayNet: amountOf(-100_0000), dayForeign: false, dayMoved: amountOf(0), dayPeak: null, earlierPeak: null, resetDay: null,
})
const now = { at, balance: amountOf(40_000_0000), dayRealized: amountOf(-900_0000), open: amountOf(0), positions: [], others: [], moved: [], openCosts: amountOf(0), peak: null, earlierPeak: null, trough: null, lowestBalance: null, lowestRealized: null, lowestDay: null }
const limits = { startingBalance: null, trailing: null, drawdownLimit: amountOf(45_000_0000), dailyLoss: null, reduceOnly: false, flatBy: null }

test('a balance in another currency than the rules is checked against none of them', () => {
  for (const standing of [liveStanding(entry('USD'), now, limits), journalStanding(entry('USD'), at)])
    expect(standing).toMatchObject({ currency: 'USD', balance: null, dayNet: '-100.00', stage: 'evaluation', states: [{ rule: 'max-loss', state: 'within', by: 'rules', value: '49900.00' }] })
  expect(liveStanding(entry('EUR'), now, limits)).toMatchObject({ currency: 'EUR', balance: '40000.00', dayNet: '-900.00', stage: 'breached', states: [{ rule: 'max-loss', state: 'breached', by: 'broker' }] })
})

test('by the journal alone a peak that was seen in this session, or an earlier one, holds up the drawdown limit', () => {
  const { kept } = entry('EUR')
  const floorOf = (more: Partial<typeof kept>) => journalStanding(entryOf({ ...kept, balance: amountOf(50_000_0000), dayNet: amountOf(0), set: kept.set && { ...kept.set, maxLoss: { amount: '2000', trail: 'intraday', locksAt: null } }, ...more }), at).states?.[0]?.limit
  expect([floorOf({}), floorOf({ dayPeak: amountOf(51_500_0000) }), floorOf({ earlierPeak: amountOf(51_000_0000) })]).toEqual(['48000.00', '49500.00', '49000.00'])
})

const asked = (past: Partial<typeof emptyPast>) => {
  const { kept } = entry('EUR')
  return entryOf({ ...kept, balance: amountOf(50_000_0000), dayNet: amountOf(0), set: { ...noRules('EUR'), startingBalance: '50000', profitTarget: '3000', minimumDays: 5 }, past: { ...emptyPast, ...past } })
}

test('an account that was passed gives one answer, though its profit fell below the target since', () => {
  const standing = journalStanding(asked({ passed: '2026-06-15', profit: amountOf(2_593_2000), daysTraded: 6, metSince: { ...emptyPast.metSince, 'minimum-days': '2026-06-12' } }), at)
  const since = { tradingDay: '2026-06-15', at: null }
  expect(standing).toMatchObject({ stage: 'passed', passed: '2026-06-15', states: [{ rule: 'profit-target', state: 'met', since, left: '0.00' }, { rule: 'minimum-days', state: 'met', since }] })
})

test('meeting all targets passes the account now, but never a breached one or one set by hand', () => {
  const past = { profit: amountOf(2_000_0000), net: amountOf(2_000_0000), daysTraded: 5 }
  const reached = { ...now, balance: amountOf(53_100_0000), dayRealized: amountOf(1_100_0000) }
  expect(liveStanding(asked(past), reached, null)).toMatchObject({ stage: 'passed', passed: '2026-11-18', states: [{ rule: 'profit-target', state: 'met' }, { rule: 'minimum-days', state: 'met' }] })
  expect(liveStanding(asked({ ...past, daysTraded: 1 }), reached, null)).toMatchObject({ stage: 'evaluation', passed: null, states: [{ rule: 'profit-target', state: 'met' }, { rule: 'minimum-days', state: 'open' }] })
  expect(liveStanding(asked({ ...past, breach: { rule: 'max-loss', tradingDay: '2026-06-01', at: null } }), reached, null)).toMatchObject({ stage: 'breached', passed: null })
  const { kept } = asked(past)
  expect(liveStanding(entryOf({ ...kept, stageByHand: 'evaluation' }), reached, null)).toMatchObject({ stage: 'evaluation', passed: '2026-11-18' })
})

test('on a weekend the day’s net is of the session that the broker still shows, whether the past holds it already or not', () => {
  const saturday = { ...now, at: Date.UTC(2026, 10, 28, 16), session: '2026-11-27' }
  const { kept } = entry('EUR')
  const withoutRules = entryOf({ ...kept, set: null })
  expect(liveStanding(withoutRules, saturday, null)).toMatchObject({ dayNet: '-900.00', dayNetOf: '2026-11-27' })
  expect(liveStanding(withoutRules, { ...saturday, session: '2026-11-30' }, null)).toMatchObject({ dayNet: '-900.00', dayNetOf: '2026-11-30' })
  const explained = entryOf({ ...kept, past: { ...emptyPast, profit: amountOf(-10_000_0000) } })
  expect(liveStanding(explained, saturday, null)).toMatchObject({ dayNet: '-900.00', dayNetOf: '2026-11-27' })
  expect(journalStanding(withoutRules, saturday.at)).toMatchObject({ dayNetOf: '2026-11-30' })
})

test('a session that is over uses up none of the next day’s loss limit, unless breaking it ended the account', () => {
  const saturday = { ...now, at: Date.UTC(2026, 10, 28, 16), session: '2026-11-27' }
  const { kept } = entry('EUR')
  const withoutRules = entryOf({ ...kept, set: null })
  const lossOf = (limit: number, facts: typeof saturday) => liveStanding(withoutRules, facts, { ...limits, dailyLoss: amountOf(limit) }).states?.find(({ rule }) => rule === 'daily-loss')
  expect(lossOf(1_250_0000, saturday)).toMatchObject({ state: 'within', value: '0.00', left: '1250.00' })
  expect(lossOf(1_250_0000, { ...saturday, session: '2026-11-30' })).toMatchObject({ value: '-900.00', left: '350.00' })
  expect(lossOf(900_0000, saturday)).toMatchObject({ value: '0.00', left: '900.00' })
  const ruled = entryOf({ ...kept, set: { ...noRules('EUR'), startingBalance: '50000', dailyLoss: { amount: '800', counts: 'realised', breach: 'hard' } } })
  expect(liveStanding(ruled, { ...saturday, dayRealized: amountOf(-700_0000) }, null).states?.find(({ rule }) => rule === 'daily-loss')).toMatchObject({ state: 'within', left: '800.00' })
  expect(liveStanding(ruled, saturday, null)).toMatchObject({ stage: 'breached' })
})

test('rules that count from a later day say with which balance it began, and count no session before it', () => {
  const { kept } = entry('EUR')
  const set = { ...noRules('EUR'), startingBalance: '50000', maxLoss: { amount: '2000', trail: 'static' as const, locksAt: null }, timeLimit: 30 }
  const friday = { ...now, at: Date.UTC(2026, 10, 28, 16), session: '2026-11-27', balance: amountOf(49_100_0000) }
  const from = (since: string | null) => liveStanding(entryOf({ ...kept, set, since }), friday, null)
  const timeOf = ({ states }: ReturnType<typeof from>) => states?.find(({ rule }) => rule === 'time-limit')?.value
  // 49,100.00 after a session of −900.00.
  expect(from('2026-11-27')).toMatchObject({ dayNet: '-900.00', stage: 'evaluation' })
  expect(from('2026-11-27').begins).toBeUndefined()
  expect(from('2026-11-30')).toMatchObject({ dayNet: '-900.00', begins: '49100.00', states: [{ rule: 'max-loss', notes: ['begins-otherwise'] }, { rule: 'time-limit' }] })
  expect([timeOf(from('2026-11-27')), timeOf(from('2026-11-30'))]).toEqual(['4', '0'])
  expect(from(null)).toMatchObject({ states: [{ notes: [] }, {}] })
  const other = liveStanding(entryOf({ ...kept, set, since: null }), { ...friday, balance: amountOf(49_000_0000) }, null)
  expect([other.begins, other.states?.[0]?.notes]).toEqual([undefined, ['balance-differs']])
})

test('a limit that the latest session broke is broken since that session, not since the next', () => {
  const { kept } = entry('EUR')
  const ruled = entryOf({ ...kept, set: { ...noRules('EUR'), startingBalance: '50000', dailyLoss: { amount: '500', counts: 'realised', breach: 'hard' } } })
  const friday = { ...now, at: Date.UTC(2026, 10, 28, 16), session: '2026-11-27', balance: amountOf(49_100_0000) }
  expect(liveStanding(ruled, friday, null).states).toMatchObject([{ rule: 'daily-loss', state: 'breached', since: { tradingDay: '2026-11-27' } }])
})
