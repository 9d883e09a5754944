import { afterEach, expect, it, vi } from 'vitest'
import fc from 'fast-check'
import { bookedDay } from '#shared/fills/booked-day.ts'
import { directionOf, type FillPair, pairIdOf } from '#shared/pnl/fill-pair.ts'
import type { Trade } from '#shared/pnl/trade.ts'
import type { CountedTrade } from '#shared/stats/figures.ts'
import { createStatistics, type CountedUnit } from '#shared/stats/statistics.ts'
import { derive, fillStream } from './arbitrary-fills.ts'

afterEach(() => vi.unstubAllGlobals())

const pairFigures = (pair: FillPair): CountedTrade => ({
  id: pairIdOf(pair),
  date: pair.date,
  tradingDay: bookedDay(pair.closing),
  entryTime: pair.opening.time,
  exitTime: pair.closing.time,
  symbol: pair.opening.contract,
  account: pair.opening.account,
  side: directionOf(pair),
  currency: pair.spec.currency,
  grossPnl: pair.grossPnl,
  commission: pair.commission,
  otherFees: pair.otherFees,
  netPnl: pair.netPnl,
})

const tradeFigures = (trade: Trade): CountedTrade => ({
  id: trade.id,
  date: trade.date,
  tradingDay: bookedDay({ contract: trade.contract, time: trade.exitTime, tradeDate: trade.tradeDate }),
  entryTime: trade.entryTime,
  exitTime: trade.exitTime,
  symbol: trade.contract,
  account: trade.account,
  side: trade.direction,
  currency: trade.spec.currency,
  grossPnl: trade.grossPnl,
  commission: trade.commission,
  otherFees: trade.otherFees,
  netPnl: trade.netPnl,
})

const statisticsBy = (counted: CountedUnit) => createStatistics({ counted, zone: 'Pacific/Chatham', timedBy: 'entry' })

it('derives and sums up without ever asking for the time or for chance', () => {
  const streams = fc.sample(fillStream, { numRuns: 50, seed: 7 })
  const forbidden = (): never => {
    throw new Error('Asked for the time')
  }
  const asked = vi.fn(forbidden)
  // Any touch of the constructor or of a property, `Date.now` too.
  vi.stubGlobal('Date', new Proxy(Date, { apply: asked, construct: asked, get: asked }))
  const random = vi.spyOn(Math, 'random').mockImplementation(forbidden)
  const clock = vi.spyOn(performance, 'now').mockImplementation(forbidden)
  const counts = streams.map((fills) => {
    const batches = derive(fills, { zone: 'Pacific/Chatham' })
    const [pairs, trades] = [statisticsBy('pairs'), statisticsBy('trades')]
    for (const batch of batches) {
      for (const pair of batch.pairs) pairs.take(pairFigures(pair))
      for (const trade of batch.trades) trades.take(tradeFigures(trade))
    }
    return pairs.result().all.count + trades.result().all.count
  })
  const calls = [asked.mock.calls.length, random.mock.calls.length, clock.mock.calls.length]
  random.mockRestore()
  clock.mockRestore()
  vi.unstubAllGlobals()
  expect(calls).toEqual([0, 0, 0])
  expect(Math.max(...counts)).toBeGreaterThan(0)
})
