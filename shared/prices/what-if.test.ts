import { describe, expect, it } from 'vitest'
import type { Amount } from '#shared/money/money.ts'
import type { Ticks } from '#shared/money/price.ts'
import { plainTape } from '#tests/helpers/plain-tape.ts'
import { ruleInTicks, type ExitTerms, type TickRule } from './exit-rule.ts'
import type { Bar, Print, Tape } from './tape.ts'
import { tradeToTry, whatIf } from './what-if.ts'

const minute = 60_000_000
const day = Date.UTC(2026, 9, 6)
const clock = (text: string): number => day + Date.parse(`1970-01-01T${text}Z`)
const ticks = (price: number): Ticks => (price * 4) as Ticks
const allDay = { from: day * 1000, to: (day + 86_400_000) * 1000 }
const print = (time: string, price: number): Print => ({ at: clock(time) * 1000, price: ticks(price), size: 1 })
const bar = (time: string, [open, high, low, close]: readonly [number, number, number, number]): Bar => ({ at: clock(time) * 1000, width: minute, open: ticks(open), high: ticks(high), low: ticks(low), close: ticks(close), volume: 1 })
const printed = (...prints: readonly Print[]): Tape => plainTape([{ ...allDay, grain: 'prints' }], prints, [])
const barred = (...bars: readonly Bar[]): Tape => plainTape([{ ...allDay, grain: minute }], [], bars)

const nothing: TickRule = { stop: null, target: null, trail: null, breakEven: null, minutes: null, first: null }
const usual: ExitTerms = { slippage: 0, horizon: { until: 'exit' }, insideBars: 'any-price' }
const fills = (...all: readonly (readonly [string, number, number])[]) => all.map(([time, qty, price]) => ({ time: clock(time), qty, price: ticks(price) }))

/** What a rule brings, in dollars of ES, as [least, most]. */
const tried = (all: ReturnType<typeof fills>, rule: Partial<TickRule>, tape: Tape, terms: Partial<ExitTerms> = {}): readonly number[] | null => {
  const trade = tradeToTry(all, 0)
  if (trade === null) throw new Error('No trade to try')
  const [found = null] = whatIf(trade, [{ ...nothing, ...rule }], { ...usual, ...terms }, tape)
  return found && [Math.min(...found.map(({ least }) => least)) * 12.5, Math.max(...found.map(({ most }) => most)) * 12.5]
}

const long = fills(['10:00:00', 1, 7000], ['10:05:00', -1, 7001])
const bracket = { stop: 8, target: 16 }

describe('the worked example G', () => {
  const before = bar('09:59:00', [7000, 7000, 7000, 7000])
  const after = bar('10:05:00', [7001, 7001, 7001, 7001])

  it('a bar that touches both counts both ways', () => {
    const tape = barred(before, bar('10:01:00', [7000, 7004.25, 6997.75, 7001]), after)
    expect(tried(long, bracket, tape, { insideBars: 'every-price' })).toEqual([-100, 200])
    // Its low is a tick below the stop: it may be where the stop filled.
    expect(tried(long, bracket, tape)).toEqual([-112.5, 200])
  })

  it('a gapped stop fills at the first price beyond', () => {
    const tape = barred(before, bar('10:01:00', [6996, 7004.25, 6995, 7001]), after)
    expect(tried(long, bracket, tape)).toEqual([-200, -200])
    expect(tried(long, bracket, printed(print('10:00:00', 7000), print('10:01:00', 6996), print('10:05:00', 7001)))).toEqual([-200, -200])
  })

  it('a target that is only touched is perhaps filled', () => {
    const touched = bar('10:01:00', [7000, 7004, 6998.25, 7001])
    expect(tried(long, bracket, barred(before, touched, after))).toEqual([50, 200])
    expect(tried(long, bracket, printed(print('10:00:00', 7000), print('10:01:00', 7004), print('10:05:00', 7001)))).toEqual([50, 200])
    expect(tried(long, bracket, printed(print('10:00:00', 7000), print('10:01:00', 7004.25), print('10:05:00', 7001)))).toEqual([200, 200])
  })
})

describe('the parts of a rule', () => {
  const path = printed(print('10:00:00', 7000), print('10:01:00', 7002), print('10:02:00', 6999), print('10:03:00', 7005), print('10:04:00', 7003), print('10:05:00', 7001))

  it('a trailing stop follows the best price since entry', () => {
    expect(tried(long, { trail: 12 }, path)).toEqual([-50, -50])
    expect(tried(long, { trail: 14 }, path)).toEqual([50, 50])
  })

  it('a stop moves to break-even after so many ticks in favor', () => {
    expect(tried(long, { breakEven: 8 }, path)).toEqual([-50, -50])
    expect(tried(long, { breakEven: 9 }, path)).toEqual([50, 50])
  })

  it('a time exit fills at the first price from its moment on, less slippage', () => {
    expect(tried(long, { minutes: 3 }, path, { slippage: 2 })).toEqual([225, 225])
    expect(tried(long, { minutes: 9 }, path, { slippage: 2 })).toEqual([50, 50])
  })

  it('a first target takes a share, and the runner goes on', () => {
    const two = fills(['10:00:00', 2, 7000], ['10:05:00', -2, 7001])
    expect(tried(two, { first: { at: 4, percent: 50 } }, path)).toEqual([100, 100])
    expect(tried(two, { first: { at: 4, percent: 50 }, stop: 4 }, path)).toEqual([0, 0])
    // Half of one contract is none.
    expect(tried(long, { first: { at: 4, percent: 50 } }, path)).toEqual([50, 50])
  })

  it('levels follow the average entry price, and entries behind the rule’s exit are not made', () => {
    const scaled = fills(['10:00:00', 1, 7000], ['10:02:00', 1, 6999], ['10:05:00', -2, 7001])
    expect(tried(scaled, { target: 10 }, path)).toEqual([250, 250])
    expect(tried(scaled, { target: 4 }, path)).toEqual([50, 50])
  })

  it('a short is the mirror of a long', () => {
    const short = fills(['10:00:00', -1, 7000], ['10:05:00', 1, 7001])
    expect(tried(short, { stop: 8 }, path)).toEqual([-100, -100])
    expect(tried(short, { target: 3 }, path)).toEqual([37.5, 37.5])
  })

  it('R is what the planned stop of one contract risks', () => {
    const rule = { ...nothing, stop: { in: 'r', value: 50 }, target: { in: 'r', value: 200 }, trail: null, breakEven: null, first: null } as const
    const planned = { risk: 2_000_000 as Amount, tickValue: { num: 125_000, den: 1 }, contracts: 2 }
    expect(ruleInTicks(rule, planned)).toMatchObject({ stop: 4, target: 16 })
    expect(ruleInTicks(rule, { ...planned, risk: null })).toBeNull()
  })
})

describe('the horizon', () => {
  const later = printed(print('10:00:00', 7000), print('10:05:00', 7001), print('10:16:00', 7009), print('20:59:00', 6990))

  it('is the real exit, some minutes after it, or the end of the session', () => {
    expect(tried(long, { stop: 100 }, later)).toEqual([50, 50])
    expect(tried(long, { stop: 100 }, later, { horizon: { until: 'minutes', minutes: 10 } })).toEqual([450, 450])
    expect(tried(long, { stop: 100 }, later, { horizon: { until: 'session' } })).toEqual([-500, -500])
  })

  it('is not known where prices end before it, and no part of a trade that ended before', () => {
    const until = plainTape([{ from: allDay.from, to: clock('10:02:00') * 1000, grain: 'prints' }], [print('10:00:00', 7000), print('10:01:00', 6997)], [])
    expect(tried(long, { stop: 20 }, until)).toBeNull()
    expect(tried(long, { stop: 10 }, until)).toEqual([-150, -150])
  })
})

it('a trade that adds behind its first exit is not tried', () => {
  expect(tradeToTry(fills(['10:00:00', 2, 7000], ['10:01:00', -1, 7001], ['10:02:00', 1, 7000], ['10:03:00', -2, 7001]), 0)).toBeNull()
})
