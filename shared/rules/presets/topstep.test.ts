import { expect, test } from 'vitest'
import { chicagoTime } from '../../market/session.ts'
import { dayOfDate } from '../../market/zone-clock.ts'
import { amountOf } from '../../money/money.ts'
import type { DayFacts } from '../day-facts.ts'
import { replay } from '../replay.ts'
import { topstepPresets } from './topstep.ts'

const dates = ['2026-05-04', '2026-05-05', '2026-05-06', '2026-05-07', '2026-05-08']

/** The days of an account with one trade each, by what the trade brought in dollars. */
const daysOf = (nets: readonly number[], qty = 1): readonly DayFacts[] =>
  nets.map((net, at) => {
    const tradingDay = dates[at] ?? ''
    const exitAt = chicagoTime(dayOfDate(tradingDay), 10 * 3_600_000)
    return { tradingDay, adjustment: amountOf(0), trades: [{ product: 'ES', qty, net: amountOf(Math.round(net * 10_000)), entryAt: exitAt - 30_000, exitAt }] }
  })

const replayed = (id: string, days: readonly DayFacts[]) => {
  const preset = topstepPresets.find((each) => each.id === id)
  if (preset === undefined) throw new Error(`no preset ${id}`)
  return replay(preset.set, days).days.map(({ drawdownLimit, states }) => ({ drawdownLimit, of: (rule: string) => states.find((state) => state.rule === rule)?.state }))
}

// The worked examples of the help center, as the source of the presets quotes them.
test('a 50K Combine passes with days of 1,600 and 1,400 USD, its floor locked at the start', () => {
  const [first, second, third] = replayed('topstep-combine-50k-evaluation', daysOf([1600, 1400, 0]))
  expect([first?.drawdownLimit, second?.drawdownLimit, third?.drawdownLimit]).toEqual(['48000.00', '49600.00', '50000.00'])
  expect([first?.of('profit-target'), second?.of('profit-target'), second?.of('consistency')]).toEqual(['open', 'met', 'met'])
})

test('a better day than 55 % of the target raises it instead of failing the Combine', () => {
  const [, second, third] = replayed('topstep-combine-50k-evaluation', daysOf([1800, 1200, 300]))
  expect([second?.of('profit-target'), second?.of('consistency'), third?.of('consistency')]).toEqual(['met', 'open', 'met'])
})

test('a 50K Express Funded Account locks at 0, and its Consistency path pays once the best day is within 40 %', () => {
  const days = replayed('topstep-xfa-consistency-50k-funded', daysOf([500, 1500, 1000, 1500]))
  expect(days.map(({ drawdownLimit }) => drawdownLimit)).toEqual(['-2000.00', '-1500.00', '0.00', '0.00'])
  expect(days.map(({ of }) => of('payout'))).toEqual(['open', 'open', 'open', 'met'])
})

test('at a profit of 2,000 USD exactly the smaller step of contracts holds', () => {
  const holding = (profit: number) => replayed('topstep-xfa-standard-50k-funded', [...daysOf([profit]), ...daysOf([0, 0], 5).slice(1)])[1]?.of('contracts')
  expect([holding(2000), holding(2000.01)]).toEqual(['breached', 'within'])
})
