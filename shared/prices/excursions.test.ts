import { describe, expect, it } from 'vitest'
import type { Amount } from '#shared/money/money.ts'
import type { Ticks } from '#shared/money/price.ts'
import { plainTape } from '#tests/helpers/plain-tape.ts'
import { bestExit, excursionsOf, extremeTimes, type Excursions, type PricedTrade, type Ratio } from './excursions.ts'
import type { Bar, Print, Tape } from './tape.ts'

const second = 1_000_000
const minute = 60 * second
const day = Date.UTC(2026, 9, 6)
const clock = (text: string): number => day + Date.parse(`1970-01-01T${text}Z`)
const ticks = (price: number): Ticks => (price * 4) as Ticks
const es = { num: 125_000, den: 1 }

/** Fills of a contract in quarter points: `['14:30:10', 2, 7000]`. */
const trade = (fills: readonly (readonly [string, number, number])[], more: Partial<PricedTrade> = {}): PricedTrade => ({
  fills: fills.map(([time, qty, price]) => ({ time: clock(time), qty, price: ticks(price) })), tolerance: 0, tickValue: es, risk: null, ...more,
})
const print = (time: string, price: number): Print => ({ at: clock(time) * 1000, price: ticks(price), size: 1 })
const bar = (time: string, [open, high, low, close]: readonly [number, number, number, number], width = minute): Bar => ({ at: clock(time) * 1000, width, open: ticks(open), high: ticks(high), low: ticks(low), close: ticks(close), volume: 1 })
const allDay = { from: day * 1000, to: (day + 86_400_000) * 1000 }
const printed = (...prints: readonly Print[]): Tape => plainTape([{ ...allDay, grain: 'prints' }], prints, [])
const barred = (...bars: readonly Bar[]): Tape => plainTape([{ ...allDay, grain: minute }], [], bars)

const excursions = (priced: PricedTrade, tape: Tape): Excursions => {
  const found = excursionsOf(priced, tape)
  if (found === null) throw new Error('No prices')
  return found
}
const dollars = (amount: Amount | null): number | null => (amount === null ? null : amount / 10_000)
const share = (ratio: Ratio | null | undefined): number | null => (ratio === null || ratio === undefined ? null : Math.round((ratio.num / ratio.den) * 1e6) / 1e6)
/** MFE and MAE in dollars, each as [least, most]. */
const reach = ({ mfe, mae }: Excursions) => ({ mfe: [dollars(mfe.amount.least), dollars(mfe.amount.most)], mae: [dollars(mae.amount.least), dollars(mae.amount.most)] })

const simple = trade([['14:30:10', 2, 7000], ['14:35:20', -2, 7004]])
const simpleTape = printed(print('14:30:10', 7000), print('14:31:00', 6997.5), print('14:33:00', 7006.25), print('14:35:20', 7004))
const minutes = barred(
  bar('14:30:00', [6999, 7003, 6996, 7001]), bar('14:31:00', [7001, 7002.5, 6997.5, 7001]), bar('14:32:00', [7001, 7004, 7000, 7003]),
  bar('14:33:00', [7003, 7006.25, 7002, 7005]), bar('14:34:00', [7005, 7006, 7003.75, 7005]), bar('14:35:00', [7005, 7008, 7003.5, 7007]),
)

describe('the worked examples', () => {
  it('A: prints give one figure each', () => {
    const found = excursions({ ...simple, risk: 4_000_000 as Amount }, simpleTape)
    expect(reach(found)).toEqual({ mfe: [625, 625], mae: [250, 250] })
    expect([dollars(found.result), dollars(found.drawdown.least), dollars(found.drawdown.most)]).toEqual([400, 225, 225])
    for (const bound of ['least', 'most'] as const) {
      expect([found.capture, found.entry, found.exit, found.total].map((each) => share(each?.[bound]))).toEqual([0.64, 0.714_286, 0.742_857, 0.457_143])
      expect([share(found.mae.r?.[bound]), share(found.mfe.r?.[bound])]).toEqual([0.625, 1.5625])
      // 6.25 points a contract.
      expect([share(found.mfe.ticks[bound]), share(found.mfe.perContract[bound])]).toEqual([25, 3_125_000])
    }
    expect(extremeTimes(simple, simpleTape)).toEqual({ toMae: { from: 50 * second, to: 50 * second }, toMfe: { from: 170 * second, to: 170 * second } })
  })

  it('B: bars give an interval', () => {
    const found = excursions(simple, minutes)
    expect(reach(found)).toEqual({ mfe: [625, 800], mae: [250, 400] })
    expect([share(found.capture?.least), share(found.capture?.most)]).toEqual([0.5, 0.64])
    // The low was in the minute of the entry or in the one after it, the high in that of 14:33 or of the exit.
    expect(extremeTimes(simple, minutes)).toEqual({ toMae: { from: 0, to: 110 * second - 1 }, toMfe: { from: 170 * second, to: 310 * second } })
  })

  it('C: what is scaled counts with the quantity then at risk', () => {
    const scaled = trade([['10:00:00', 1, 7000], ['10:10:00', 2, 6998], ['10:20:00', -1, 7001], ['10:30:00', -2, 6997]])
    const tape = printed(print('10:01:00', 6997.5), print('10:02:00', 7001), print('10:11:00', 6996), print('10:12:00', 7003), print('10:21:00', 7003.5), print('10:22:00', 6996.5))
    const found = excursions(scaled, tape)
    expect(reach(found)).toEqual({ mfe: [650, 650], mae: [400, 400] })
    expect([dollars(found.result), dollars(found.drawdown.most)]).toEqual([-50, 700])
  })

  it('D: a reversal ends one trade and begins the next at one fill', () => {
    const nq = { tickValue: { num: 50_000, den: 1 } }
    const tape = printed(print('10:00:00', 20_000), print('10:05:00', 19_990), print('10:06:00', 19_980), print('10:07:00', 19_995))
    expect(dollars(excursions(trade([['10:00:00', -2, 20_000], ['10:05:00', 2, 19_990]], nq), tape).result)).toBe(400)
    const next = excursions(trade([['10:05:00', 1, 19_990], ['10:07:00', -1, 19_995]], nq), tape)
    expect({ ...reach(next), result: dollars(next.result) }).toEqual({ mfe: [100, 100], mae: [200, 200], result: 100 })
  })

  it('E: one bar around a whole trade says little', () => {
    const found = excursions(trade([['10:00:10', 1, 7000], ['10:00:50', -1, 7001]]), barred(bar('10:00:00', [7000, 7005, 6995, 7001])))
    expect(reach(found)).toEqual({ mfe: [50, 250], mae: [0, 250] })
  })

  it('F: a bar with a fill counts before and after it', () => {
    const found = excursions(trade([['10:00:30', 1, 7000], ['10:01:30', 1, 7002], ['10:02:30', -2, 7003]]), barred(bar('10:00:00', [7000, 7001, 6999, 7000.5]), bar('10:01:00', [7000.5, 7006, 6998, 7002.5]), bar('10:02:00', [7002.5, 7004, 7001, 7003])))
    expect({ ...reach(found), result: dollars(found.result) }).toEqual({ mfe: [300, 500], mae: [100, 300], result: 200 })
  })
})

describe('what is not known', () => {
  it('is null where there is no price at all', () => {
    const nothing = plainTape([{ from: 0, to: day * 1000, grain: 'prints' }], [], [])
    expect([excursionsOf(simple, nothing), extremeTimes(simple, nothing), bestExit(simple, nothing, minute, Infinity)]).toEqual([null, null, null])
  })

  it('counts a bar of which finer prices tell only the rest, between fills and behind the last', () => {
    const bars = [bar('14:29:00', [7000, 7000, 7000, 7000]), bar('14:30:00', [7000, 7009, 6995, 7001])]
    const cut = (held: readonly [number, number]): Tape => {
      const begin = clock('14:30:30') * 1000
      return plainTape([{ from: allDay.from, to: begin, grain: minute }, { from: begin, to: allDay.to, grain: 'prints' }], [print('14:30:40', held[0]), print('14:30:45', held[1])], bars)
    }
    expect(reach(excursions(trade([['14:29:50', 1, 7000], ['14:30:45', -1, 7001]]), cut([7002, 7001])))).toEqual({ mfe: [100, 450], mae: [0, 250] })
    const left = trade([['14:29:10', 1, 7000], ['14:29:50', -1, 7000]])
    expect(dollars(bestExit(left, cut([7002, 7001]), 50 * second, Infinity)?.amount.most ?? null)).toBe(450)
  })

  it('leaves the most open where a part of the trade has no prices, and says at least what the rest says', () => {
    const hole = plainTape([{ from: allDay.from, to: clock('14:32:00') * 1000, grain: minute }, { from: clock('14:33:00') * 1000, to: allDay.to, grain: minute }], [], [...minutes.bars(allDay)])
    const found = excursions({ ...simple, risk: 4_000_000 as Amount }, hole)
    expect(reach(found)).toEqual({ mfe: [625, null], mae: [250, null] })
    expect(found.drawdown.most).toBeNull()
    expect([share(found.capture?.least), share(found.capture?.most)]).toEqual([null, 0.64])
    expect([found.entry, found.exit, found.total]).toEqual([{ least: null, most: null }, { least: null, most: null }, { least: null, most: null }])
    expect(found.mfe.r?.most).toBeNull()
    expect(extremeTimes(simple, hole)).toEqual({ toMfe: null, toMae: null })
  })

  it('takes a minute without a bar for a minute without a trade', () => {
    const quiet = barred(...[...minutes.bars(allDay)].filter(({ at }) => at !== clock('14:32:00') * 1000))
    expect(reach(excursions(simple, quiet))).toEqual({ mfe: [625, 800], mae: [250, 400] })
  })

  it('is a print of the moment of the entry: before or after it', () => {
    const tied = printed(print('14:30:10', 6990), print('14:30:10', 7000), print('14:32:00', 7001), print('14:35:20', 7004))
    expect(reach(excursions(simple, tied))).toEqual({ mfe: [400, 400], mae: [0, 1000] })
  })

  it('is what lies within the tolerance of a fill', () => {
    const near = printed(print('14:30:10', 7000), print('14:30:10.400', 7010), print('14:30:11.500', 6999), print('14:35:20', 7004))
    expect(reach(excursions(simple, near))).toEqual({ mfe: [1000, 1000], mae: [100, 100] })
    expect(reach(excursions({ ...simple, tolerance: second }, near))).toEqual({ mfe: [400, 1000], mae: [100, 100] })
  })

  it('is the most where a fill is at no price of its moment', () => {
    const [own, month] = [printed(print('14:30:10', 7000), print('14:32:00', 7001), print('14:35:20', 7004)), printed(print('14:30:10', 7020), print('14:32:00', 7050), print('14:35:20', 7024))]
    expect(reach(excursions(simple, own))).toEqual({ mfe: [400, 400], mae: [0, 0] })
    expect(reach(excursions(simple, month))).toEqual({ mfe: [400, null], mae: [0, null] })
    expect([extremeTimes(simple, month), bestExit(simple, month, 5 * minute, Infinity)?.amount.most]).toEqual([{ toMfe: null, toMae: null }, null])
    expect(reach(excursions(simple, printed(print('14:30:10', 7001), print('14:32:00', 7001), print('14:35:20', 7004)))).mfe).toEqual([400, 400])
  })

  it('has no capture where the trade never was in profit, and no efficiency where the price stood', () => {
    const loser = excursions(trade([['10:00:00', 1, 7000], ['10:05:00', -1, 6999]]), printed(print('10:01:00', 6998)))
    expect([loser.capture, share(loser.entry?.least), share(loser.exit?.least), share(loser.total?.least)]).toEqual([null, 0, 0.5, -0.5])
    const still = excursions(trade([['10:00:00', 1, 7000], ['10:05:00', -1, 7000]]), printed(print('10:01:00', 7000)))
    expect([still.capture, still.entry, still.exit, still.total]).toEqual([null, null, null, null])
  })

  it('refuses what does not end flat', () => {
    expect(() => excursionsOf(trade([['10:00:00', 1, 7000]]), simpleTape)).toThrow(RangeError)
  })
})

describe('the best exit', () => {
  it('is the best price of the time after the last fill', () => {
    const after = printed(print('14:35:20', 7004), print('14:36:00', 7009), print('14:37:00', 7001), print('14:45:00', 7020))
    // Two contracts for five points more than the 7,004 that they left at.
    expect(bestExit(simple, after, 5 * minute, Infinity)).toEqual({ qty: 2, amount: { least: 5_000_000, most: 5_000_000 }, ticks: { least: 20, most: 20 } })
    expect(bestExit(simple, after, 10 * second, Infinity)).toEqual({ qty: 2, amount: { least: 0, most: 0 }, ticks: { least: 0, most: 0 } })
  })

  it('lies before the session’s end', () => {
    const after = printed(print('14:36:00', 7006), print('14:45:00', 7020))
    const end = Date.parse('2026-10-06T14:40:00Z') * 1000
    expect(bestExit(simple, after, 60 * minute, end)?.ticks).toEqual({ least: 8, most: 8 })
    expect(bestExit(simple, after, 60 * minute, Date.parse('2026-10-06T14:30:00Z') * 1000)).toBeNull()
  })

  it('holds the bar of the exit and the one that the time ends in for possible', () => {
    const after = barred(bar('14:35:00', [7005, 7008, 7003.5, 7007]), bar('14:36:00', [7007, 7007.5, 7001, 7002]), bar('14:37:00', [7002, 7010, 7002, 7009]))
    expect(bestExit(simple, after, 2 * minute, Infinity)?.amount).toEqual({ least: 3_500_000, most: 6_000_000 })
  })

  it('of what was scaled out leaves what was sold before as it was', () => {
    const scaled = trade([['10:00:00', 2, 7000], ['10:10:00', -1, 7002], ['10:20:00', -1, 7001]])
    expect(bestExit(scaled, printed(print('10:21:00', 7005)), 5 * minute, Infinity)).toEqual({ qty: 1, amount: { least: 2_000_000, most: 2_000_000 }, ticks: { least: 16, most: 16 } })
  })

  it('takes an exit that was filled in parts as one', () => {
    const parts = trade([['10:00:00', 3, 7000], ['10:20:00', -2, 7001], ['10:20:00.400', -1, 7001.75]])
    // Two contracts for 4 points more, one for 3.25.
    expect(bestExit(parts, printed(print('10:21:00', 7005)), 5 * minute, Infinity)).toEqual({ qty: 3, amount: { least: 5_625_000, most: 5_625_000 }, ticks: { least: 15, most: 15 } })
    const entered = trade([['10:00:00', 1, 7000], ['10:19:59.500', -1, 7001], ['10:19:59.700', 1, 7001], ['10:20:00', -1, 7001]])
    expect(bestExit(entered, printed(print('10:21:00', 7005)), 5 * minute, Infinity)?.qty).toBe(1)
  })
})
