import { expect, test } from 'vitest'
import { amountOf, type Currency } from '#shared/money/money.ts'
import { emptyPast } from '#shared/rules/fold.ts'
import { noRules } from '#shared/rules/terms.ts'
import { entryOf, journalStanding, liveStanding } from './rule-standings.ts'

const at = Date.UTC(2026, 10, 18, 16)
const entry = (currency: string) => entryOf({
  ...{ account: 'one', name: 'ONE', firm: null, label: null, currency: 'EUR' as Currency, balance: amountOf(40_000_0000), balanceAt: 5, presetId: null, since: null, stageByHand: null, breach: null },
  ...{ set: { ...noRules(currency), startingBalance: '50000', maxLoss: { amount: '2000', trail: 'static' as const, locksAt: null } }, past: emptyPast, dayNet: amountOf(-100_0000), dayMoved: amountOf(0), dayPeak: null, earlierPeak: null, resetDay: null },
})
const now = { at, balance: amountOf(40_000_0000), dayRealised: amountOf(-900_0000), open: amountOf(0), positions: [], others: [], moved: [], peak: null, earlierPeak: null, trough: null, lowestBalance: null, lowestRealised: null, lowestDay: null }
const limits = { startingBalance: null, floor: amountOf(45_000_0000), dailyLoss: null, reduceOnly: false, flatBy: null }

test('a balance in another currency than the rules is held against none of them', () => {
  for (const standing of [liveStanding(entry('USD'), now, limits), journalStanding(entry('USD'), at)])
    expect(standing).toMatchObject({ currency: 'USD', balance: null, dayNet: '-100.00', stage: 'evaluation', states: [{ rule: 'max-loss', state: 'within', by: 'rules', value: '49900.00' }] })
  expect(liveStanding(entry('EUR'), now, limits)).toMatchObject({ currency: 'EUR', balance: '40000.00', dayNet: '-900.00', stage: 'breached', states: [{ rule: 'max-loss', state: 'breached', by: 'broker' }] })
})

test('by the journal alone a peak that was seen in this session, or an earlier one, holds up the floor', () => {
  const { kept } = entry('EUR')
  const floorOf = (more: Partial<typeof kept>) => journalStanding(entryOf({ ...kept, balance: amountOf(50_000_0000), dayNet: amountOf(0), set: kept.set && { ...kept.set, maxLoss: { amount: '2000', trail: 'intraday', locksAt: null } }, ...more }), at).states?.[0]?.limit
  expect([floorOf({}), floorOf({ dayPeak: amountOf(51_500_0000) }), floorOf({ earlierPeak: amountOf(51_000_0000) })]).toEqual(['48000.00', '49500.00', '49000.00'])
})
