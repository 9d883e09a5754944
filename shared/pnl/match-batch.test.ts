import { describe, expect, it } from 'vitest'
import type { AccountKey, Fill } from '#shared/fills/fill.ts'
import { contractSpecOf, type ContractSpec } from '#shared/market/contract-spec.ts'
import { toDecimalString, type Amount, type Currency } from '#shared/money/money.ts'
import { formatAveragePrice, parsePrice } from '#shared/money/price.ts'
import { directionOf, type FillPair, pairIdOf } from './fill-pair.ts'
import { matchBatch, type Batch } from './match-batch.ts'
import { flat, openLots, type Position } from './position.ts'

type FillOptions = { fee?: number | null; active?: boolean; time?: number }

const account = 'tradovate:demo:1' as AccountKey

const story = (contract: string) => {
  const spec = contractSpecOf(contract)
  let count = 0
  const trade = (side: 'buy' | 'sell') => (qty: number, price: string, { fee = null, active = true, time }: FillOptions = {}): Fill => {
    count += 1
    const ticks = parsePrice(price, spec.tickSize)
    if (!ticks.ok) throw new Error(ticks.error)
    return { id: String(count), account, contract, time: time ?? count * 1000, side, qty, price: ticks.value, fee, active, source: 'api' } as Fill
  }
  const match = (fills: readonly Fill[], start: Position = flat, own: ContractSpec = spec): Batch =>
    matchBatch({ account, contract, spec: own, date: '2026-03-02' }, start, fills)
  return { spec, buy: trade('buy'), sell: trade('sell'), match }
}

const figures = (pair: FillPair) =>
  [pairIdOf(pair).replace(`${account}/`, ''), pair.qty, ...[pair.grossPnl, pair.commission, pair.netPnl].map(toDecimalString)].join(' ')

describe('first-in, first-out matching', () => {
  it('pairs a buy with a sell', () => {
    const { buy, sell, match } = story('MESM6')
    const { pairs, trades, end } = match([buy(2, '6750.00'), sell(2, '6752.25')])
    expect(pairs.map(figures)).toEqual(['1/2 2 22.50 3.80 18.70'])
    expect(pairs[0]).toMatchObject({ tradeId: `${account}/1`, date: '2026-03-02', feeSource: 'table', warnings: [], spec: { currency: 'USD', source: 'table' } })
    expect(trades).toHaveLength(1)
    expect(end).toMatchObject({ net: 0, trade: null })
  })

  it('a short gains when the price falls', () => {
    const { buy, sell, match } = story('ESM6')
    const { pairs } = match([sell(1, '6750.00'), buy(1, '6749.00')])
    expect(pairs.map(figures)).toEqual(['1/2 1 50.00 4.10 45.90'])
    expect(pairs.map(directionOf)).toEqual(['short'])
  })

  it('closes the oldest lot first, partly if needed', () => {
    const { buy, sell, match } = story('MNQM6')
    const { pairs, end } = match([buy(2, '100.00'), buy(3, '101.00'), sell(3, '103.00'), sell(1, '99.00')])
    expect(pairs.map(figures)).toEqual(['1/3 2 12.00 2.08 9.92', '2/3 1 4.00 1.04 2.96', '2/4 1 -4.00 1.04 -5.04'])
    expect(openLots(end).map(({ fill, used }) => [fill.id, fill.qty - used])).toEqual([['2', 1]])
  })

  it('splits a reversal and its fee into two trades', () => {
    const { buy, sell, match } = story('MESM6')
    const { pairs, trades, end } = match([buy(1, '100.00', { fee: 9500 }), sell(3, '101.00', { fee: 10_000 }), buy(2, '99.00', { fee: 100 })])
    expect(pairs.map(({ tradeId }) => tradeId)).toEqual([`${account}/1`, `${account}/2`])
    expect(pairs.map(({ commission }) => commission)).toEqual([9500 + 3333, 6667 + 100])
    expect(trades.map(({ id, direction, qty, maxPosition }) => [id, direction, qty, maxPosition])).toEqual([
      [`${account}/1`, 'long', 1, 1],
      [`${account}/2`, 'short', 2, 2],
    ])
    expect(end.net).toBe(0)
  })

  it('splits fees in another currency with the fill, loses none, and sums them in the trade', () => {
    const { buy, sell, match } = story('MESM6')
    const otherFees = (amount: number) => [{ currency: 'EUR' as Currency, amount: amount as Amount }]
    const { pairs, trades } = match([{ ...buy(3, '100.00'), otherFees: otherFees(10_000) }, { ...sell(1, '101.00'), otherFees: otherFees(500) }, sell(2, '101.00')])
    expect(pairs.map((pair) => pair.otherFees)).toEqual([otherFees(3_833), otherFees(6_667)])
    expect(trades.map((trade) => trade.otherFees)).toEqual([otherFees(10_500)])
  })

  it('matches fills of one millisecond in the order they come', () => {
    const { buy, sell, match } = story('MESM6')
    const { pairs } = match([buy(1, '100.00', { time: 7 }), buy(1, '110.00', { time: 7 }), sell(1, '105.00', { time: 7 })])
    expect(pairs.map(figures)).toEqual(['1/3 1 25.00 1.90 23.10'])
  })

  it('ignores a busted fill', () => {
    const { buy, sell, match } = story('MESM6')
    const { pairs, end } = match([buy(1, '100.00'), sell(1, '200.00', { active: false }), sell(1, '101.00')])
    expect(pairs.map(figures)).toEqual(['1/3 1 5.00 1.90 3.10'])
    expect(end.net).toBe(0)
  })

  it('rejects fills that are out of order', () => {
    const { buy, sell, match } = story('MESM6')
    expect(() => match([buy(1, '100.00', { time: 9 }), sell(1, '101.00', { time: 8 })])).toThrow('Fill 2 is out of order')
  })
})

describe('a position that is never flat', () => {
  it('pairs each close with the fill three before it, however long it lasts, and frees closed lots', () => {
    const { buy, sell, match } = story('MESM6')
    const opening = [buy(1, '100.00'), buy(1, '100.25'), buy(1, '100.50')]
    const turns = Array.from({ length: 4000 }, () => [sell(1, '101.00'), buy(1, '100.75')]).flat()
    const { pairs, end } = match([...opening, ...turns])
    const bought = [...opening, ...turns.filter(({ side }) => side === 'buy')].map(({ id }) => id)
    expect(pairs.map(({ opening: { id } }) => id)).toEqual(bought.slice(0, 4000))
    expect(openLots(end).map(({ fill }) => fill.id)).toEqual(bought.slice(4000))
    expect(end.queue.fills.length).toBeLessThan(3000)
  })
})

it('reverses a position thousands of times, half of each fill closing and half opening', () => {
  const { buy, sell, match } = story('MESM6')
  const start = buy(1, '100.75')
  const turns = Array.from({ length: 2000 }, () => [sell(2, '101.00'), buy(2, '100.75')]).flat()
  const { pairs, trades, end } = match([start, ...turns])
  expect(pairs.every(({ qty, opening, closing }) => qty === 1 && Number(closing.id) === Number(opening.id) + 1)).toBe(true)
  expect([pairs.length, trades.length]).toEqual([4000, 4000])
  expect(openLots(end).map(({ fill, used }) => fill.qty - used)).toEqual([1])
})

describe('the fee source', () => {
  it('is the broker if both fills have its fee, mixed if one has', () => {
    const { buy, sell, match } = story('MESM6')
    const { pairs, trades } = match([buy(2, '100.00', { fee: 6200 }), sell(1, '101.00', { fee: 3100 }), sell(1, '101.00')])
    expect(pairs.map(({ feeSource, commission }) => [feeSource, commission])).toEqual([['broker', 6200], ['mixed', 3100 + 9500]])
    expect(trades.map(({ feeSource, commission }) => [feeSource, commission])).toEqual([['mixed', 6200 + 3100 + 9500]])
  })

  it('is the file if both fees come from one, and mixed with the broker’s; neither is a warning', () => {
    const { spec, buy, sell, match } = story('MESM6')
    const own = { ...spec, source: 'broker', feePerSide: 0 } as ContractSpec
    const ofFile = (fill: Fill): Fill => ({ ...fill, source: 'fills-file' })
    const { pairs, trades } = match([buy(3, '1.00', { fee: 3 }), ofFile(sell(1, '1.00', { fee: 1 })), sell(2, '1.00', { fee: 2 }), ofFile(buy(1, '1.00', { fee: 1 })), ofFile(sell(1, '1.00', { fee: 1 }))], flat, own)
    expect(pairs.map(({ feeSource }) => feeSource)).toEqual(['mixed', 'broker', 'file'])
    expect(trades.map(({ feeSource, warnings }) => [feeSource, warnings])).toEqual([['mixed', []], ['file', []]])
  })

  it("is the user's own rate if no fill has a fee, and a multi-day trade remembers that one of its fees is unknown", () => {
    const { spec, buy, sell, match } = story('MESM6')
    const own = { ...spec, source: 'broker', feePerSide: 0 } as ContractSpec
    const options = { account, contract: 'MESM6', spec: own, date: '2026-03-02' }
    const first = [buy(2, '1.00'), sell(1, '1.00')]
    const [known, unknown] = [matchBatch({ ...options, ownFee: 2500 as Amount }, flat, first), match(first, flat, own)]
    expect(known.pairs.map(({ feeSource, commission, warnings }) => [feeSource, commission, warnings])).toEqual([['setting', 5000, []]])
    expect(unknown.end.trade?.warnings).toEqual(['unknown-commission'])
    const kept = { ...unknown.end, queue: { fills: [buy(1, '1.00', { fee: 1 })], head: 0, tail: 1, used: 0 }, trade: unknown.end.trade && { ...unknown.end.trade, warnings: ['unknown-commission' as const] } }
    expect(match([sell(1, '1.00', { fee: 1 })], kept, own).trades.map(({ feeSource, warnings }) => [feeSource, warnings])).toEqual([['mixed', ['unknown-commission']]])
  })

  it('is a warning if the contract is the broker’s and no commission is known', () => {
    const { spec, buy, sell, match } = story('MESM6')
    const own = { ...spec, source: 'broker', feePerSide: 0 } as ContractSpec
    const fills = [buy(1, '1.00'), sell(1, '1.00'), buy(1, '1.00', { fee: 1 }), sell(1, '1.00', { fee: 1 })]
    expect(match(fills, flat, own).pairs.map(({ warnings }) => warnings)).toEqual([['unknown-commission'], []])
  })
})

describe('a contract that is only partly known', () => {
  it('counts at its price with a warning', () => {
    const { buy, sell, match } = story('WEIRD')
    const { pairs } = match([buy(2, '1.5'), sell(2, '2.75')])
    expect(pairs.map(figures)).toEqual(['1/2 2 2.50 0.00 2.50'])
    expect(pairs[0]).toMatchObject({ warnings: ['unknown-contract'], spec: { source: 'unknown' } })
  })

  it('warns if its code is only part of the name', () => {
    const { buy, sell, match } = story('QNGH6')
    expect(match([buy(1, '3.000'), sell(1, '3.001')]).pairs[0]).toMatchObject({ warnings: ['partial-root'], grossPnl: 100_000 })
  })

  it('stays exact beyond the safe integers', () => {
    const { buy, sell, match } = story('WEIRD')
    const { pairs } = match([buy(1_000_000, '10000.12345678'), sell(1_000_000, '90000.00000001')])
    expect(pairs.map(({ grossPnl }) => grossPnl)).toEqual([799_998_765_432_300])
  })
})

describe('a trade, flat to flat', () => {
  it('sums its fill pairs and keeps averages exact', () => {
    const { spec, buy, sell, match } = story('ESM6')
    const { trades, pairs } = match([buy(1, '100.00'), buy(2, '101.00'), sell(1, '102.00'), buy(1, '100.25'), sell(3, '103.00')])
    const [trade] = trades
    expect(pairs).toHaveLength(3)
    expect(trade).toMatchObject({ qty: 4, maxPosition: 3, pairCount: 3, entryTime: 1000, exitTime: 5000, date: '2026-03-02' })
    expect(trade && formatAveragePrice(trade.basePrice, trade.entrySum, trade.qty, spec.tickSize)).toBe('100.5625')
    expect(trade && formatAveragePrice(trade.basePrice, trade.exitSum, trade.qty, spec.tickSize)).toBe('102.75')
    expect(trade && [trade.grossPnl, trade.commission, trade.netPnl].map(toDecimalString)).toEqual(['437.50', '16.40', '421.10'])
  })
})

describe('midnight', () => {
  it('splits nothing: open lots carry over to the next day', () => {
    const { buy, sell, match } = story('MESM6')
    const monday = match([buy(2, '100.00'), sell(1, '101.00')])
    const tuesday = match([sell(1, '102.00')], monday.end)
    expect(tuesday.pairs.map(figures)).toEqual(['1/3 1 10.00 1.90 8.10'])
    expect(tuesday.pairs[0]).toMatchObject({ warnings: [], tradeId: `${account}/1` })
    expect(tuesday.trades).toMatchObject([{ id: `${account}/1`, qty: 2, entryTime: 1000, exitTime: 3000 }])
  })

  it('lets two matchings continue from one position without changing it', () => {
    const { buy, sell, match } = story('MESM6')
    const monday = match([buy(1, '100.00')])
    const one = match([buy(1, '105.00'), sell(2, '110.00')], monday.end)
    const other = match([buy(1, '200.00'), sell(2, '110.00')], monday.end)
    expect(one.pairs.map(({ grossPnl }) => toDecimalString(grossPnl))).toEqual(['50.00', '25.00'])
    expect(other.pairs.map(({ grossPnl }) => toDecimalString(grossPnl))).toEqual(['50.00', '-450.00'])
    expect(openLots(monday.end).map(({ fill }) => fill.id)).toEqual(['1'])
    expect(monday.end.trade).toMatchObject({ qty: 0, maxPosition: 1 })
  })
})
