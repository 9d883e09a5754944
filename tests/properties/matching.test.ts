import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Fill } from '#shared/fills/fill.ts'
import { mergeFills } from '#tests/helpers/merge-fills.ts'
import { contractSpecOf } from '#shared/market/contract-spec.ts'
import { localDate } from '#shared/market/zone-clock.ts'
import { amountOf, type Amount } from '#shared/money/money.ts'
import { shareOf } from '#shared/money/share.ts'
import { type FillPair, pairIdOf } from '#shared/pnl/fill-pair.ts'
import { matchBatch, type Batch } from '#shared/pnl/match-batch.ts'
import { flat, openLots, type Position } from '#shared/pnl/position.ts'
import { derive, fillStream, reading } from './arbitrary-fills.ts'

const streamKey = ({ account, contract }: { account: string; contract: string }): string => `${account} ${contract}`
const pairsOf = (batches: readonly Batch[]) => batches.flatMap(({ pairs }) => pairs)
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const active = (fills: readonly Fill[]) => fills.filter((fill) => fill.active)

const lastEnds = (batches: readonly Batch[]): ReadonlyMap<string, Position> => new Map(batches.map((batch) => [streamKey(batch), batch.end]))

const totals = (batches: readonly Batch[]) => {
  const pairs = pairsOf(batches)
  return {
    gross: sum(pairs.map(({ grossPnl }) => grossPnl)),
    fees: sum(pairs.map(({ commission }) => commission)),
    net: sum(pairs.map(({ netPnl }) => netPnl)),
    qty: sum(pairs.map(({ qty }) => qty)),
  }
}

// The open contracts of each fill: what other fills took of it is charged already.
const openFees = (batches: readonly Batch[]): number =>
  sum([...lastEnds(batches).values()].flatMap((end) => openLots(end).map(({ fill, used }) => feeBetween(fill, used, fill.qty))))
const feeBetween = (fill: Fill, from: number, to: number): number =>
  fill.fee === null ? contractSpecOf(fill.contract).feePerSide * (to - from) : shareOf(fill.fee, from, to, fill.qty)

describe('the laws of matching', () => {
  it('give the same pairs however the stream is cut, batch by batch and from any position on', () => {
    fc.assert(
      fc.property(fillStream, reading, fc.array(fc.nat(60)), (fills, how, cuts) => {
        const whole = derive(fills, how)
        const pieces = new Map<string, Position>()
        const pairs = []
        const edges = [...new Set([0, ...cuts.filter((cut) => cut < fills.length), fills.length])].sort((one, other) => one - other)
        for (const [index, edge] of edges.entries()) {
          const chunk = fills.slice(edge, edges[index + 1] ?? fills.length)
          for (const [key, own] of Map.groupBy(chunk, streamKey)) {
            const { account, contract } = own[0] as Fill
            const options = { account, contract, spec: contractSpecOf(contract), date: '' }
            const batch = matchBatch(options, pieces.get(key) ?? flat, own)
            pieces.set(key, batch.end)
            pairs.push(...batch.pairs)
          }
        }
        const bare = (all: ReturnType<typeof pairsOf>) => all.map((pair) => ({ ...pair, id: pairIdOf(pair), date: '' })).sort((one, other) => (one.id < other.id ? -1 : 1))
        expect(bare(pairs)).toEqual(bare(pairsOf(whole)))
      }),
    )
  })

  it('give the same P&L for a fill of n as for n fills of one, without rounded fill pairs', () => {
    fc.assert(
      fc.property(fillStream, reading, (fills, how) => {
        const single = fills.flatMap((fill) =>
          Array.from({ length: fill.qty }, (_, index) => ({
            ...fill,
            id: `${fill.id}${String(index).padStart(2, '0')}`,
            qty: 1,
            fee: fill.fee === null ? null : shareOf(fill.fee, index, index + 1, fill.qty),
          })),
        )
        expect(totals(derive(single, how, 'exact'))).toEqual(totals(derive(fills, how, 'exact')))
      }),
    )
  })

  it('keep every contract: twice the closed quantity plus the open one is the traded quantity', () => {
    fc.assert(
      fc.property(fillStream, reading, (fills, how) => {
        const batches = derive(fills, how)
        const open = sum([...lastEnds(batches).values()].flatMap((end) => openLots(end).map(({ fill, used }) => fill.qty - used)))
        expect(2 * totals(batches).qty + open).toBe(sum(active(fills).map(({ qty }) => qty)))
        for (const [key, end] of lastEnds(batches)) {
          const own = active(fills).filter((fill) => streamKey(fill) === key)
          expect(end.net).toBe(sum(own.map(({ side, qty }) => (side === 'buy' ? qty : -qty))))
        }
      }),
    )
  })

  it('charge every fee once: fill pairs and open lots carry them all', () => {
    fc.assert(
      fc.property(fillStream, reading, (fills, how) => {
        const batches = derive(fills, how)
        const expected = sum(active(fills).map((fill) => feeBetween(fill, 0, fill.qty)))
        expect(totals(batches).fees + openFees(batches)).toBe(expected)
      }),
    )
  })

  it('turn every gain into a loss if buys and sells are swapped', () => {
    fc.assert(
      fc.property(fillStream, reading, (fills, how) => {
        const mirrored = fills.map((fill): Fill => ({ ...fill, side: fill.side === 'buy' ? 'sell' : 'buy' }))
        const [one, other] = [pairsOf(derive(fills, how)), pairsOf(derive(mirrored, how))]
        const unmirrored = (pair: FillPair) => [pairIdOf(pair), pair.qty, pair.commission]
        expect(other.map(unmirrored)).toEqual(one.map(unmirrored))
        expect(other.map(({ grossPnl }) => 0 - grossPnl)).toEqual(one.map(({ grossPnl }) => grossPnl))
      }),
    )
  })

  it('give each pair an id of its own, and each finished trade the sums of its pairs', () => {
    fc.assert(
      fc.property(fillStream, reading, (fills, how) => {
        const batches = derive(fills, how)
        const pairs = pairsOf(batches)
        expect(new Set(pairs.map(pairIdOf)).size).toBe(pairs.length)
        const byTrade = Map.groupBy(pairs, ({ tradeId }) => tradeId)
        for (const trade of batches.flatMap(({ trades }) => trades)) {
          const own = byTrade.get(trade.id) ?? []
          expect([trade.pairCount, trade.qty]).toEqual([own.length, sum(own.map(({ qty }) => qty))])
          expect([trade.grossPnl, trade.commission, trade.netPnl]).toEqual([
            sum(own.map(({ grossPnl }) => grossPnl)),
            sum(own.map(({ commission }) => commission)),
            sum(own.map(({ netPnl }) => netPnl)),
          ])
          for (const { opening, closing, qty, grossPnl, spec } of own) {
            const exact = (closing.price - opening.price) * (opening.side === 'buy' ? 1 : -1) * qty * (spec.tickValue.num / spec.tickValue.den)
            expect(grossPnl + 0).toBe(Math.sign(exact) * Math.floor((Math.abs(exact) + 50) / 100) * 100 + 0)
          }
        }
      }),
    )
  })

  it('change nothing when fills are read twice or in another order', () => {
    const shuffled = fillStream.chain((fills) =>
      fc.tuple(fc.constant(fills), fc.shuffledSubarray([...fills, ...fills], { minLength: fills.length * 2 })),
    )
    fc.assert(
      fc.property(shuffled, reading, ([fills, arrival], how) => {
        const merged = mergeFills([], arrival)
        expect(derive(merged, how)).toEqual(derive(fills, how))
        expect(mergeFills(merged, arrival)).toEqual(merged)
      }),
    )
  })

  it('put each pair on the local date of its exit', () => {
    fc.assert(
      fc.property(fillStream, reading, (fills, how) => {
        for (const batch of derive(fills, how)) {
          for (const { date, closing } of batch.pairs) {
            expect([date, date]).toEqual([batch.date, localDate(closing.time, how.zone)])
          }
        }
      }),
    )
  })

  it('share any amount out so that the parts make the whole', () => {
    const partition = fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(fc.maxSafeInteger(), partition, (total, parts) => {
        const whole = sum(parts)
        let from = 0
        const shares = parts.map((part): Amount => shareOf(amountOf(total), from, (from += part), whole))
        expect(shares.reduce((all, share) => all + BigInt(share), 0n)).toBe(BigInt(total))
      }),
    )
  })
})
