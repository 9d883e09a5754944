import { expect, test } from 'vitest'
import { contractSpecOf } from '#shared/market/contract-spec.ts'
import { toDecimalString } from '#shared/money/money.ts'
import { changedByHand, changesFacts, enteredFigures, enteredTrade, type EnteredByHand, type EnteredFacts, type EnteredTrade } from './entered-trade.ts'

const spec = contractSpecOf('MESZ6')
const facts: EnteredFacts = { qty: 3, entryPrice: 6_052.25, exitPrice: 6_054.75 }
const figures = (more: Partial<EnteredFacts>) => {
  const worked = enteredFigures({ ...facts, ...more }, spec)
  if (!worked.ok) throw new Error(worked.error)
  return worked.value
}
const money = (more: Partial<EnteredFacts>): string[] => {
  const { gross, commission, net } = figures(more)
  return [gross, commission, net].map(toDecimalString)
}

test('gross is price difference times quantity times multiplier, and commission counts for both sides', () => {
  // 2.50 points × 3 × 5 dollars, less 3 × 2 × 0.95.
  expect(money({})).toEqual(['37.50', '5.70', '31.80'])
  expect(money({ side: 'short' })).toEqual(['-37.50', '5.70', '-43.20'])
  expect(money({ commission: '1.5' })).toEqual(['37.50', '1.50', '36.00'])
})

test('an entered net is kept exactly, and implies a missing side', () => {
  expect(figures({ pnl: -10.0001 })).toMatchObject({ side: 'short', net: -100_001, gross: -43_001, multiplierSource: 'entered', feeSource: 'table', warnings: [] })
  expect(figures({ pnl: 10 })).toMatchObject({ side: 'long' })
  expect(figures({ pnl: -10, side: 'long' })).toMatchObject({ side: 'long' })
  // One tick of MES is 1.25: a rise of it makes a long, though 1.90 of commission make its net a loss; a fall of it makes a short.
  expect(figures({ entryPrice: 6000, exitPrice: 6000.25, qty: 1, pnl: -0.65, commission: '1.9' })).toMatchObject({ side: 'long', gross: 12_500, net: -6_500 })
  expect(figures({ entryPrice: 6000.25, exitPrice: 6000, qty: 1, pnl: -0.65, commission: '1.9' })).toMatchObject({ side: 'short', gross: 12_500, net: -6_500 })
  expect(figures({ entryPrice: 6000, exitPrice: 6000.25, qty: 1, pnl: -3.15, commission: '1.9' })).toMatchObject({ side: 'short', gross: -12_500, net: -31_500 })
})

test('an average price between two ticks is kept in finer steps with the same value', () => {
  // 2.375 points × 3 × 5 dollars are 35.625, in cents 35.63.
  expect(figures({ entryPrice: 6_052.375 })).toMatchObject({ tickSize: '0.00000001', gross: 356_300, net: 299_300 })
  expect(figures({})).toMatchObject({ tickSize: '0.25', entryPrice: 24_209, exitPrice: 24_219 })
})

test('an unknown or partly known contract is a warning unless the net was entered', () => {
  const warnings = (symbol: string, pnl?: number) => {
    const worked = enteredFigures({ ...facts, ...(pnl === undefined ? {} : { pnl }) }, contractSpecOf(symbol))
    return worked.ok ? worked.value.warnings : worked.error
  }
  expect([warnings('QQQQH6'), warnings('QNGH6'), warnings('MESZ6'), warnings('QQQQH6', 5)]).toEqual([['unknown-contract'], ['partial-root'], [], []])
})

test('a value that cannot be kept exactly is rejected', () => {
  const errorOf = (wrong: Partial<EnteredFacts>, symbol = 'QQQQH6') => {
    const worked = enteredFigures({ ...facts, ...wrong }, contractSpecOf(symbol))
    return worked.ok ? null : worked.error
  }
  expect(errorOf({ entryPrice: 1.123456789 })).toBe('unreadable-price')
  // Beside a tick of 0.25 these are as small as noise, and not zero.
  for (const wrong of [{ entryPrice: 1e-9 }, { exitPrice: 0.000000000001 }]) expect(errorOf(wrong, 'MESZ6')).toBe('unreadable-price')
  expect(errorOf({ entryPrice: 0 }, 'MESZ6')).toBeNull()
})

test('an amount too large to sum over thousands of trades is rejected', () => {
  const errorOf = (wrong: Partial<EnteredFacts>) => {
    const worked = enteredFigures({ ...facts, ...wrong }, spec)
    return worked.ok ? null : worked.error
  }
  for (const wrong of [{ pnl: 100_000_001 }, { pnl: -9e11 }, { pnl: 9.5e11 }, { commission: '999999999999999' }, { exitPrice: 50_000_000, qty: 1_000_000 }]) expect(errorOf(wrong)).toBe('too-large')
  expect(errorOf({ pnl: 99_999_000 })).toBeNull()
})

const entered: EnteredByHand = { ...facts, symbol: 'MESZ6', account: '', accountId: '', platform: '', entryTime: Date.UTC(2026, 1, 13, 20), exitTime: Date.UTC(2026, 1, 14, 0, 30) }
const keptAs = (more: Partial<EnteredByHand>): EnteredTrade => {
  const kept = enteredTrade({ ...entered, ...more }, spec, 'America/New_York')
  if (!kept.ok) throw new Error(kept.error)
  return kept.value
}

test('its date is the exit’s local date, its session the exchange’s', () => {
  // Friday evening belongs to Monday's session; on Presidents' Day that of CME is booked on Tuesday, like the fills of a broker.
  expect(keptAs({})).toMatchObject({ date: '2026-02-13', tradingDay: '2026-02-17', account: null })
  expect(keptAs({ symbol: 'FDAXH6' })).toMatchObject({ tradingDay: '2026-02-16' })
  expect(keptAs({ exitTime: Date.UTC(2026, 1, 7, 0, 30), entryTime: Date.UTC(2026, 1, 6, 20) })).toMatchObject({ date: '2026-02-06', tradingDay: '2026-02-09' })
  expect(keptAs({ date: '2026-02-01', account: 'Mine' })).toMatchObject({ date: '2026-02-01', account: 'Mine' })
  expect(enteredTrade({ ...entered, exitTime: entered.entryTime - 1 }, spec, 'UTC')).toEqual({ ok: false, error: 'exit-before-entry' })
})

test('an edit recomputes from the entered values; computed values stay computed', () => {
  const kept = keptAs({ date: '2026-02-01', commission: '1.2345' })
  expect(changedByHand(kept, { qty: 4 }, Date.parse)).toEqual({ ...entered, side: 'long', qty: 4, date: '2026-02-01', commission: '1.2345' })
  expect(changedByHand(keptAs({ pnl: 5.0001 }), { exitPrice: 1 }, Date.parse)).toMatchObject({ pnl: 5.0001, exitPrice: 1 })
  expect(changedByHand(keptAs({}), { qty: 4 }, Date.parse)).not.toHaveProperty('pnl')
  // Another exit is another date.
  const moved = changedByHand(kept, { exitTime: '2026-02-15T00:00:00Z' }, Date.parse)
  expect(moved).toMatchObject({ exitTime: Date.UTC(2026, 1, 15) })
  expect(moved).not.toHaveProperty('date')
})

test('notes and tags do not change a trade’s facts', () => {
  expect([changesFacts({ notes: 'x', tags: [], stop: null, screenshot2Headline: '' }), changesFacts({ notes: 'x', qty: 1 }), changesFacts({})]).toEqual([false, true, false])
  expect(changedByHand(keptAs({}), { notes: 'x' }, Date.parse)).toBeNull()
})
