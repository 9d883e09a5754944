import { describe, expect, it } from 'vitest'
import { tradingDay } from '#shared/market/trading-day.ts'
import type { TradeFigures } from './figures.ts'
import { recentTrades, summarise } from './summary.ts'

const trade = (exit: string, gross: number, commission = 0, currency = 'USD'): TradeFigures =>
  ({ date: exit.slice(0, 10), tradingDay: tradingDay(Date.parse(exit)), exitTime: Date.parse(exit), currency, grossPnl: gross, commission, netPnl: gross - commission }) as TradeFigures

describe('a summary', () => {
  it('counts a win by its gross, and a trade that costs only its fees as neither', () => {
    const trades = [trade('2026-03-02T15:00Z', 100, 150), trade('2026-03-02T15:01Z', 0, 150), trade('2026-03-02T15:02Z', -40, 150), trade('2026-03-02T15:03Z', 20, 0)]
    expect(summarise('pairs', trades)).toMatchObject({
      counted: 'pairs', count: 4, wins: 2, losses: 1, winRate: 0.5,
      currencies: [{ currency: 'USD', grossPnl: 80, commission: 450, netPnl: -370, profitFactor: 3 }],
    })
  })

  it('lets currencies stand side by side', () => {
    const trades = [trade('2026-03-02T15:00Z', 100), trade('2026-03-02T15:01Z', -40, 10, 'EUR')]
    const { winRate, currencies } = summarise('trips', trades)
    expect(winRate).toBe(0.5)
    expect(currencies.map(({ currency, netPnl, profitFactor, maxDrawdown: fall }) => [currency, netPnl, profitFactor, fall])).toEqual([
      ['EUR', -50, 0, 50],
      ['USD', 100, null, 0],
    ])
  })

  it('has no rate without a trade', () => {
    expect(summarise('trips', [])).toEqual({ counted: 'trips', count: 0, wins: 0, losses: 0, winRate: null, currencies: [] })
  })
})

describe('the equity curve', () => {
  it('puts a trade on the session of its exit, whatever the order they come in', () => {
    const trades = [trade('2026-03-04T15:00Z', 30), trade('2026-03-02T23:30Z', -50, 5), trade('2026-03-03T15:00Z', 20), trade('2026-03-02T15:00Z', 100)]
    expect(summarise('pairs', trades).currencies[0]?.equity).toEqual([
      { tradingDay: '2026-03-02', net: 100, cumulative: 100 },
      { tradingDay: '2026-03-03', net: -35, cumulative: 65 },
      { tradingDay: '2026-03-04', net: 30, cumulative: 95 },
    ])
  })

  it('falls from its highest day, or from nothing', () => {
    const fallOf = (nets: readonly number[]) => {
      const trades = nets.map((net, day) => trade(`2026-03-${String(day + 9).padStart(2, '0')}T15:00Z`, net))
      return summarise('pairs', trades).currencies[0]?.maxDrawdown
    }
    expect(fallOf([100, -60, 50, -120, 200])).toBe(130)
    expect(fallOf([-70, 20])).toBe(70)
    expect(fallOf([10, 10])).toBe(0)
  })
})

it('the recent trades are the five latest by date, then by time of exit', () => {
  const trades = ['03T10:00Z', '05T09:00Z', '05T11:00Z', '01T10:00Z', '04T10:00Z', '05T10:00Z', '02T10:00Z'].map((exit) => trade(`2026-03-${exit}`, 1))
  expect(recentTrades(trades).map(({ exitTime }) => new Date(exitTime).toISOString().slice(8, 13))).toEqual(['05T11', '05T10', '05T09', '04T10', '03T10'])
  const byHand = { ...trade('2026-03-01T10:00Z', 1), date: '2026-03-09' }
  expect(recentTrades([...trades, byHand], 1)).toEqual([byHand])
})
