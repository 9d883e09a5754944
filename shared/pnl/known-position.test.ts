import { describe, expect, it } from 'vitest'
import type { AccountKey, Fill, Side } from '#shared/fills/fill.ts'
import { contractSpecOf } from '#shared/market/contract-spec.ts'
import { toDecimalString } from '#shared/money/money.ts'
import type { Ticks } from '#shared/money/price.ts'
import { pairIdOf } from './fill-pair.ts'
import { beforeAll, positionDoubts, type Doubt } from './known-position.ts'
import { matchBatch } from './match-batch.ts'
import { decodePosition, encodePosition } from './position-text.ts'
import { flat, type Position } from './position.ts'

const account = 'tradovate:demo:1' as AccountKey
const spec = contractSpecOf('MESM6')

/** One contract at a full point of MES at `time`. */
const fill = (time: number, side: Side, points: number, qty = 1): Fill =>
  ({ id: String(time), account, contract: 'MESM6', time, side, qty, price: (points * 4) as Ticks, fee: 0, active: true, source: 'api', tradeDate: time < 100 ? '2026-01-05' : '2026-01-06' }) as Fill

const match = (fills: readonly Fill[], doubts: readonly Doubt[], start: Position = flat, after?: number) =>
  matchBatch({ account, contract: 'MESM6', spec, date: '2026-01-05', doubts, ...(after === undefined ? {} : { after }) }, start, fills)

const shown = ({ pairs }: ReturnType<typeof match>) =>
  pairs.map((pair) => `${pairIdOf(pair).slice(account.length + 1)} ${pair.opening.side} ${toDecimalString(pair.grossPnl)}${pair.warnings.includes('incomplete') ? ` missing ${String(pair.missing)}` : ''}`)

describe('a position that agrees with the broker', () => {
  it('is in no doubt', () => {
    const fills = [fill(10, 'buy', 100, 2), fill(20, 'sell', 101)]
    expect(positionDoubts(fills, [{ time: 5, net: 0 }, { time: 10, net: 2 }, { time: 30, net: 1 }], [])).toEqual([])
  })

  it('is in no doubt when known positions come in any order', () => {
    expect(positionDoubts([fill(10, 'buy', 100)], [{ time: 30, net: 1 }, { time: 5, net: 0 }], [])).toEqual([])
  })
})

describe('contracts held before the first known fill', () => {
  const fills = [fill(10, 'sell', 105, 2), fill(20, 'buy', 100), fill(30, 'sell', 101)]
  const doubts = positionDoubts(fills, [{ time: 5, net: 2 }, { time: 40, net: 0 }], [])

  it('close without an invented trade, and later trades keep the right side', () => {
    expect(doubts).toEqual([{ kind: 'known', after: 5, net: 2 }])
    expect(shown(match(fills, doubts))).toEqual(['20/30 buy 5.00'])
    // Without the known position the sale would open a short, and every later trade would be inverted.
    expect(shown(match(fills, []))).toEqual(['10/20 sell 25.00'])
  })

  it('report the session in which they were closed', () => {
    expect(match(fills, doubts).doubtfulDays).toEqual(['2026-01-05'])
  })

  it('mark contracts added to them, and report how many are missing', () => {
    const added = [fill(10, 'buy', 100), fill(20, 'sell', 101, 3), fill(30, 'buy', 100), fill(40, 'sell', 102)]
    const batch = match(added, positionDoubts(added, [{ time: 5, net: 2 }], []))
    expect(shown(batch)).toEqual(['10/20 buy 5.00 missing 2', '30/40 buy 10.00'])
    expect(batch.trades.map(({ warnings, missing }) => [warnings, missing])).toEqual([[['incomplete'], 2], [[], null]])
  })
})

describe('a fill that is missing between two known positions', () => {
  const fills = [fill(10, 'buy', 100), fill(20, 'sell', 101), /* a purchase at 30 is missing */ fill(40, 'sell', 99), fill(50, 'buy', 100), fill(60, 'sell', 101)]

  it('makes everything since the last agreement incomplete, and nothing after the next flat position', () => {
    const doubts = positionDoubts(fills, [{ time: 20, net: 0 }, { time: 45, net: 0 }], [])
    expect(doubts).toEqual([{ kind: 'missing', after: 20, contracts: 1 }, { kind: 'known', after: 45, net: 0 }])
    expect(shown(match(fills, doubts))).toEqual(['10/20 buy 5.00', '50/60 buy 5.00'])
    expect(match(fills, doubts).trades.map(({ warnings }) => warnings)).toEqual([[], []])
  })

  it('makes everything incomplete if no earlier position is known', () => {
    const doubts = positionDoubts(fills, [{ time: 45, net: 0 }], [])
    expect(doubts[0]).toEqual({ kind: 'missing', after: beforeAll, contracts: 1 })
    expect(shown(match(fills, doubts))).toEqual(['10/20 buy 5.00 missing 1', '50/60 buy 5.00'])
  })

  it('keeps only the lots that the broker still holds', () => {
    const held = [fill(10, 'buy', 100, 2), fill(20, 'buy', 103), fill(50, 'sell', 105)]
    const doubts = positionDoubts(held, [{ time: 30, net: 1 }], [])
    expect(shown(match(held, doubts))).toEqual(['20/50 buy 10.00 missing 2'])
  })
})

describe('a fill that could not be read', () => {
  const fills = [fill(10, 'buy', 100), fill(20, 'sell', 101), fill(40, 'sell', 99), fill(50, 'buy', 98), fill(60, 'buy', 100), fill(70, 'sell', 101)]

  it('marks everything after it if no position is known', () => {
    expect(shown(match(fills, positionDoubts(fills, [], [30])))).toEqual(['10/20 buy 5.00', '40/50 sell 5.00 missing 0', '60/70 buy 5.00 missing 0'])
  })

  it('marks everything if its time is unknown', () => {
    expect(shown(match(fills, positionDoubts(fills, [], [null]))).every((text) => text.includes('missing'))).toBe(true)
  })

  it('ends once a known position agrees and is flat, since two unread fills may cancel out', () => {
    expect(shown(match(fills, positionDoubts(fills, [{ time: 45, net: -1 }], [30])))).toEqual(['10/20 buy 5.00', '40/50 sell 5.00 missing 0', '60/70 buy 5.00'])
  })
})

it('carries over from batch to batch, through text too, as if the fills had come at once', () => {
  const fills = [fill(10, 'buy', 100), fill(20, 'sell', 101, 2), fill(110, 'buy', 100), fill(120, 'sell', 102, 2), fill(130, 'buy', 101)]
  const doubts = positionDoubts(fills, [{ time: 5, net: 3 }, { time: 115, net: 3 }, { time: 140, net: 2 }], [])
  const whole = match(fills, doubts)
  const first = match(fills.slice(0, 2), doubts)
  const second = match(fills.slice(2), doubts, decodePosition(encodePosition(first.end), spec), 20)
  expect([...shown(first), ...shown(second)]).toEqual(shown(whole))
  expect(encodePosition(second.end)).toEqual(encodePosition(whole.end))
})
