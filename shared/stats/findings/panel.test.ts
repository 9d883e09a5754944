import { describe, expect, it } from 'vitest'
import { countedTrade, type TradeSketch } from '#tests/helpers/counted-trade.ts'
import { decisionsOf, perDecision } from './decisions.ts'
import { panelsOf, type Panel } from './panel.ts'
import { sequencesOf } from './sequences.ts'

const tradeAt = (id: string, from: string, to: string, rest: Partial<TradeSketch> & { readonly quantity?: number } = {}) => ({ ...countedTrade({ id, entry: `2026-03-09T${from}Z`, exit: `2026-03-09T${to}Z`, gross: 10, fee: 1, ...rest }), quantity: rest.quantity ?? 1 })
const panelOf = (trades: readonly ReturnType<typeof tradeAt>[], zone = 'America/New_York'): Panel => {
  const [panel] = panelsOf(trades, zone)
  if (panel === undefined) throw new Error('No panel')
  return panel
}
const named = (panel: Panel, places: Iterable<number>): readonly string[] => Array.from(places, (place) => panel.trades[place]?.id ?? '-')

describe('a trade of a panel', () => {
  it('has its local weekday and hour, on either side of daylight saving', () => {
    const winter = { ...countedTrade({ id: 'winter', entry: '2026-03-06T14:30:00Z', exit: '2026-03-06T14:31:00Z', gross: 1, fee: 0 }), quantity: 1 }
    const sunday = { ...countedTrade({ id: 'sunday', entry: '2026-03-08T23:30:00Z', exit: '2026-03-08T23:31:00Z', gross: 1, fee: 0 }), quantity: 1 }
    const panel = panelOf([sunday, tradeAt('summer', '13:30:00', '13:31:00'), winter])
    expect(panel.trades.map(({ id }, place) => [id, panel.weekday[place], panel.hour[place], panel.dayShift[place], panel.days[panel.day[place] ?? 0]])).toEqual([
      ['winter', 4, 9, 0, '2026-03-06'],
      // The session of Monday is open on Sunday evening.
      ['sunday', 6, 19, -1, '2026-03-09'],
      ['summer', 0, 9, 0, '2026-03-09'],
    ])
  })

  it('is scaled per contract by the usual P&L of its product', () => {
    const panel = panelOf([tradeAt('one', '14:00:00', '14:01:00', { gross: 21, quantity: 2 }), tradeAt('two', '14:02:00', '14:03:00', { gross: -9 }), tradeAt('large', '14:04:00', '14:05:00', { symbol: 'ESM6', gross: 301, quantity: 3 })])
    // 20 of two contracts and -10 of one: ten a contract; 300 of three: a hundred a contract.
    expect([...panel.scaled]).toEqual([1, -1, 1])
  })
})

describe('shared decisions', () => {
  it('are entries within 30 seconds in one market on one side', () => {
    const panel = panelOf([
      tradeAt('lead', '14:00:00', '14:05:00', { symbol: 'NQM6', gross: 101 }),
      tradeAt('copy', '14:00:20', '14:05:00', { symbol: 'MNQM6', account: 'B', gross: 11 }),
      tradeAt('late', '14:00:31', '14:05:00', { symbol: 'MNQM6', account: 'C' }),
      tradeAt('other side', '14:00:01', '14:05:00', { symbol: 'MNQM6', account: 'D', side: 'short' }),
      tradeAt('other market', '14:00:01', '14:05:00', { account: 'E' }),
      tradeAt('again', '14:00:25', '14:06:00', { symbol: 'NQM6' }),
    ])
    const decisions = decisionsOf(panel)
    const groups = [...Map.groupBy(decisions.of.keys(), (place) => decisions.of[place]).values()].map((places) => named(panel, places))
    expect(groups.map((names) => names.toSorted().join()).sort()).toEqual(['again,late', 'copy,lead', 'other market', 'other side'])
    expect(named(panel, decisions.first)).toEqual(['lead', 'other side', 'other market', 'again'])
    expect([...perDecision(decisions, panel.net)][0]).toBe((1_000_000 + 100_000) / 2)
  })
})

describe('a trader at an entry', () => {
  const panel = panelOf([
    tradeAt('first', '14:00:00', '14:10:00'),
    tradeAt('beside', '14:05:00', '14:06:00', { symbol: 'MNQM6' }),
    tradeAt('quick', '14:15:59', '14:20:00', { quantity: 3 }),
    tradeAt('slow', '14:30:01', '14:40:00'),
    tradeAt('elsewhere', '14:30:02', '14:31:00', { account: 'B' }),
  ])
  const { before, quick, number, usual, size } = sequencesOf(panel)
  const of = (id: string): number => panel.trades.findIndex((trade) => trade.id === id)

  it('knows the account’s last closed trade', () => {
    expect(['first', 'beside', 'quick', 'slow', 'elsewhere'].map((id) => panel.trades[before[of(id)] ?? -1]?.id ?? null)).toEqual([null, null, 'first', 'quick', null])
    expect(['quick', 'slow'].map((id) => quick[of(id)])).toEqual([1, 0])
  })

  it('knows the number of the trade, and the usual number', () => {
    expect(['first', 'beside', 'quick', 'slow', 'elsewhere'].map((id) => number[of(id)])).toEqual([1, 2, 3, 4, 1])
    expect([...usual].sort()).toEqual([1, 4])
    expect(size[of('quick')]).toBe(3)
  })
})
