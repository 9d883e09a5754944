// @module-tag slow
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { askTape, barsOf, pricePlace, second, somePrints, tickSize, tuesday } from '#tests/helpers/price-tapes.ts'
import { priceWriters } from '#tests/helpers/price-writers.ts'
import type { PriceChoice } from '#shared/prices/calibrate.ts'
import { priceFormats } from '#shared/prices/formats/format.ts'
import type { Bar, Print } from '#shared/prices/tape.ts'
import type { ContractFacts } from './fill-prices.ts'
import { writingPrices, type PricePaths } from './store/price-file.ts'
import { importPriceFile, previewPriceFile, inspectPriceFile, type PriceFile, type PriceImported, type PricePreview } from './price-imports.ts'
import { priceBytes, setPriceLimits, storedSeries } from './queries.ts'

const minute = 60 * second
const zone = 'Europe/Berlin'
const now = Date.UTC(2026, 10, 28)
const always = { from: 0, to: Number.MAX_SAFE_INTEGER }
const plain: ContractFacts = { tickSize, fills: [] }

type Sent = { readonly name: string; readonly bytes: Uint8Array | string; readonly contract?: string; readonly choice?: PriceChoice; readonly facts?: ContractFacts }

const fileIn = (paths: PricePaths, { name, bytes, contract = null, choice = null }: Omit<Sent, 'contract' | 'choice'> & { contract?: string | null; choice?: PriceChoice | null }): PriceFile => {
  mkdirSync(dirname(paths.file), { recursive: true })
  const path = join(dirname(paths.file), 'sent')
  writeFileSync(path, bytes)
  return { path, name, contract, choice }
}
const preview = (sent: Sent, paths = pricePlace()): PricePreview => {
  const file = fileIn(paths, sent)
  const seen = inspectPriceFile(file, now)
  if (seen === null) throw new Error('Not a file of prices')
  return writingPrices(paths, (reader) => previewPriceFile(file, seen, sent.facts ?? plain, { zone, reader }))
}
const add = (paths: PricePaths, sent: Sent, at = now): PriceImported => {
  const file = fileIn(paths, sent)
  const seen = inspectPriceFile(file, now)
  if (seen === null) throw new Error('Not a file of prices')
  return writingPrices(paths, (writer) => importPriceFile(writer, file, seen, sent.facts ?? plain, { zone, now: at }))
}
const kept = (paths: PricePaths): readonly (Print | Bar)[] => askTape(paths, (tape) => [...tape.prints(always), ...tape.bars(always)])
/** Fills at the prices of these entries, at times within them. */
const fillsOf = (entries: readonly (Print | Bar)[], every = 7): ContractFacts => ({
  tickSize,
  fills: entries.flatMap((entry, index) => (index % every === 0 ? [{ at: (entry.at + ('width' in entry ? entry.width / 2 : 0)) / 1000, price: ('width' in entry ? entry.high : entry.price) / 4 }] : [])),
})

describe.each(priceFormats)('a file of %s', (format) => {
  const { name, of, step, zone: usual, label, write } = priceWriters[format]
  const entriesOf = (prints: readonly Print[]): readonly (Print | Bar)[] => (of === 'prints' ? prints : barsOf(prints, minute))
  const choice = { zone: usual, label, scale: 0 }
  /** Bars follow each other for long enough that their width is seen. */
  const atLeast = Array.from({ length: 6 }, (_, index): Print => ({ at: tuesday + index * minute, price: (100_000 + index) as Print['price'], size: 1 }))

  test('comes back as it was written, at its own precision', { tags: 'long' }, () => {
    fc.assert(
      fc.property(somePrints({ most: 200, step: Math.min(step, 1000), from: tuesday + 6 * minute }), (prints) => {
        const entries = entriesOf([...atLeast, ...prints])
        const paths = pricePlace()
        expect(add(paths, { name, bytes: write(entries, choice), choice })).toMatchObject({ problem: null, bad: [], contracts: [{ contract: 'MNQZ6', added: entries.length, known: 0 }] })
        expect(kept(paths)).toEqual(entries)
        expect(add(paths, { name, bytes: write(entries, choice), choice })).toMatchObject({ contracts: [{ added: 0, known: entries.length }] })
        expect(kept(paths)).toEqual(entries)
      }),
      { numRuns: 15 },
    )
  })

  test('is shown before it is taken, with its contract, its days, and how fine it is', () => {
    const entries = entriesOf(atLeast)
    const grain = of === 'prints' ? 0 : minute
    expect(preview({ name, bytes: write(entries, choice), choice })).toMatchObject({
      format, grain, problem: null, needsContract: false, rows: entries.length, bad: [],
      contracts: [{ contract: 'MNQZ6', first: tuesday, until: tuesday + 5 * minute + Math.max(grain, 1), entries: 6, known: false }],
    })
    const paths = pricePlace()
    add(paths, { name, bytes: write(entries, choice), choice })
    expect(preview({ name, bytes: write(entries, choice), choice }, paths).contracts).toMatchObject([{ known: true }])
  })
})

describe('the clock of a file', () => {
  // Prices move so far that no other hour has them.
  const far = Array.from({ length: 600 }, (_, index): Print => ({ at: tuesday + index * minute, price: (100_000 + index * 3) as Print['price'], size: 1 }))
  const bars = barsOf(far.flatMap((print) => [print, { ...print, at: print.at + second, price: (print.price + 2) as Print['price'] }]), minute)
  const ways = ['UTC', 'America/Chicago', 'America/New_York', zone].flatMap((of) => (['start', 'end'] as const).map((label) => ({ zone: of, label })))

  test.each(ways)('is found by the fills: $zone, bars bear their $label', (way) => {
    for (const format of ['ninjatrader-minutes', 'firstrate', 'kibot', 'sierra-text'] as const) {
      const { name, write } = priceWriters[format]
      expect(preview({ name, bytes: write(bars, way), facts: fillsOf(bars) }).choice, format).toMatchObject({ ...way, scale: 0, inside: 86, of: 86 })
    }
  })

  test('is asked where the fills fit several, and where there are none', () => {
    const { name, write } = priceWriters['ninjatrader-minutes']
    const still = bars.map((bar) => ({ ...bar, open: bars[0]?.open ?? bar.open, high: bars[0]?.high ?? bar.high, low: bars[0]?.low ?? bar.low, close: bars[0]?.close ?? bar.close }))
    const asked = preview({ name, bytes: write(still, { label: 'end' }), facts: fillsOf(still) })
    expect([asked.choice, asked.problem]).toEqual([null, null])
    expect(asked.choices).toContainEqual({ zone: 'UTC', label: 'end', scale: 0, inside: 86, of: 86 })
    const blind = preview({ name, bytes: write(bars, { label: 'end' }) })
    expect([blind.choice, blind.choices.map(({ of }) => of)]).toEqual([null, [0, 0, 0, 0, 0, 0, 0, 0]])
    expect(add(pricePlace(), { name, bytes: write(bars, { label: 'end' }) }).problem).toBe('open-question')
  })

  test('a sole way that some fills contradict is asked about, and taken once it is chosen', () => {
    const { name, write } = priceWriters['ninjatrader-minutes']
    const bars = barsOf(Array.from({ length: 40 }, (_, index): Print => ({ at: tuesday + index * minute, price: (100_000 + 40 * index) as Print['price'], size: 1 })), minute)
    const fills = [{ at: tuesday / 1000 + 20 * 60_000 + 30_000, price: (100_000 + 40 * 20) / 4 }, { at: tuesday / 1000 + 25 * 60_000 + 30_000, price: 25_999 }]
    const sent = { name, bytes: write(bars, { zone: 'UTC', label: 'end' }), facts: { tickSize, fills } }
    expect(preview(sent)).toMatchObject({ problem: null, choice: null, choices: [{ zone: 'UTC', label: 'end', inside: 1, of: 2 }] })
    const paths = pricePlace()
    expect(add(paths, sent)).toMatchObject({ problem: 'open-question', contracts: [] })
    expect(add(paths, { ...sent, choice: { zone: 'UTC', label: 'end', scale: 0 } })).toMatchObject({ problem: null, contracts: [{ added: 40 }] })
  })

  test('bars of five minutes in NinjaTrader’s layout are that wide', () => {
    const { name, write } = priceWriters['ninjatrader-minutes']
    const bars = barsOf(Array.from({ length: 60 }, (_, index): Print => ({ at: tuesday + index * minute, price: (100_000 + index) as Print['price'], size: 1 })), 5 * minute)
    const paths = pricePlace()
    expect(add(paths, { name, bytes: write(bars, { zone: 'UTC', label: 'end' }), choice: { zone: 'UTC', label: 'end', scale: 0 } })).toMatchObject({ problem: null, contracts: [{ added: 12 }] })
    expect(kept(paths)).toEqual(bars)
  })

  test('a bar that is not over when it comes is stored once it is', () => {
    const { name, write } = priceWriters['ninjatrader-minutes']
    // The last of them ends half a minute from now.
    const bars = Array.from({ length: 30 }, (_, index): Bar => ({ at: now * 1000 + (index - 29) * minute - 30 * second, width: minute, open: 100_000, high: 100_004, low: 99_996, close: 100_000, volume: 1 }) as Bar)
    const paths = pricePlace()
    const sent = { name, bytes: write(bars, { zone: 'UTC', label: 'end' }), choice: { zone: 'UTC', label: 'end' as const, scale: 0 } }
    expect(add(paths, sent)).toMatchObject({ problem: null, bad: [{ problem: 'unfinished', count: 1 }], contracts: [{ added: 29 }] })
    expect(add(paths, sent, now + 60_000)).toMatchObject({ problem: null, bad: [], contracts: [{ added: 1, known: 29 }] })
  })

  test('hours of one digit in Sierra Chart’s text are read, with seconds and without', () => {
    const header = 'Date, Time, Open, High, Low, Last, Volume'
    const rows = (seconds: string) => Array.from({ length: 12 }, (_, index) => `2026/10/6, 9:${String(30 + index)}${seconds}, 25000, 25001, 24999, 25000, 5`)
    for (const seconds of ['', ':00', ':00.000']) {
      expect(preview({ name: 'MNQZ26.txt', bytes: [header, ...rows(seconds)].join('\n') })).toMatchObject({ problem: null, rows: 12, bad: [], grain: minute })
    }
  })

  test('two zones that show the same are one', () => {
    const { name, write } = priceWriters['ninjatrader-ticks']
    const file = pricePlace()
    const sent = fileIn(file, { name, bytes: write(far) })
    const seen = inspectPriceFile(sent, now)
    if (seen === null) throw new Error('Not a file of prices')
    expect(previewPriceFile(sent, seen, plain, { zone: 'America/Winnipeg', reader: null }).choices.map((one) => one.zone)).toEqual(['UTC', 'America/Winnipeg', 'America/New_York'])
  })

  test('a scale of a power of ten is found by the fills', () => {
    const { name, write } = priceWriters['sierra-scid']
    const sent = { name, bytes: write(far, { times: 100 }), facts: fillsOf(far) }
    const { choice } = preview(sent)
    expect(choice).toMatchObject({ scale: -2, inside: 86, of: 86 })
    const paths = pricePlace()
    add(paths, sent)
    expect(kept(paths)).toEqual(far)
  })

  test('prices that hold none of even two fills are not those of the contract', () => {
    const { name, write } = priceWriters.tradingview
    const [bars, moved] = [barsOf(far, minute), fillsOf(far, 40)]
    expect(preview({ name, bytes: write(bars), facts: { tickSize, fills: moved.fills.slice(0, 2) } })).toMatchObject({ problem: null, choice: { inside: 2, of: 2 } })
    expect(preview({ name, bytes: write(bars), facts: { tickSize, fills: moved.fills.slice(0, 2).map((fill) => ({ ...fill, price: fill.price + 500 })) } }).problem).toBe('unlike-fills')
  })

  test('a zone in which five fills and more lie outside is not offered, though others have no fills at all', () => {
    const { name, write } = priceWriters['ninjatrader-ticks']
    const [first] = far
    const hour = far.filter(({ at }) => at < (first?.at ?? 0) + 3_600_000_000)
    const fills = hour.filter((_, index) => index % Math.ceil(hour.length / 8) === 0).map(({ at, price }) => ({ at: Math.floor(at / 1000), price: (Number(price) + 4_000) * Number(tickSize) }))
    const { problem, choices } = preview({ name, bytes: write(hour), facts: { tickSize, fills } })
    expect([fills.length >= 5, problem, choices.some(({ of }) => of >= 5)]).toEqual([true, null, false])
    expect(choices.length).toBeGreaterThan(0)
  })

  test('prices that hold less than half of the fills are those of another contract, or adjusted', () => {
    const { name, write } = priceWriters['databento-trades']
    const adjusted = far.map((print) => ({ ...print, price: (print.price + 4000) as Print['price'] }))
    const scid = priceWriters['sierra-scid']
    expect(preview({ name: scid.name, bytes: scid.write(adjusted), facts: fillsOf(far) })).toMatchObject({ problem: 'unlike-fills', choice: null, choices: [{ inside: 0 }] })
    expect(preview({ name: priceWriters.tradingview.name, bytes: priceWriters.tradingview.write(barsOf(adjusted, minute)), facts: fillsOf(far) }).problem).toBe('unlike-fills')
    // Its rows name raw contracts, which nobody adjusts.
    expect(preview({ name, bytes: write(adjusted) }).problem).toBe(null)
  })
})

describe('a file is refused', () => {
  const minutes = (prices: readonly number[]): string => prices.map((price, index) => `20261006 14${String(30 + index)}00;${String(price)};${String(price)};${String(price)};${String(price)};5`).join('\n')

  test.each(['MNQ ##-##.Last.txt', 'CME_MINI_MNQ1!, 1.csv', 'NQ_full_1min_continuous_UNadjusted.txt', 'ES.c.0.csv', '@ES.txt', 'NQ 12-26 backadjusted.txt'])('as continuous by its name: %s', (name) => {
    expect(preview({ name, bytes: minutes([100, 101]) }).problem).toBe('continuous')
  })
  test.each([
    ['of bids', 'MNQ 12-26.Bid.txt', minutes([100]), 'not-trades'],
    ['of days', 'MNQ 12-26.Last.txt', '20261006;1;1;1;1;5\n', 'too-wide'],
    ['of bars of four hours', 'MNQZ26.txt', '10/06/2026,04:00,1,1,1,1,1\n10/06/2026,08:00,1,1,1,1,1\n10/06/2026,12:00,1,1,1,1,1\n', 'too-wide'],
    ['in NinjaTrader’s own compression', '20261006.ncd', 'whatever', 'binary-ninjatrader'],
    ['of a product that nobody knows', 'MNQ 12-26.Last.txt', minutes([100, 101]), 'unknown-product'],
    ['whose rows are mostly bad', 'MNQ 12-26.Last.txt', `${minutes([100, 101])}\n${'20261006 143000;x;1;1;1;1\n'.repeat(3)}`, 'mostly-refused'],
  ])('%s', (_, name, bytes, problem) => {
    expect(preview({ name, bytes, facts: { tickSize: problem === 'unknown-product' ? null : tickSize, fills: [] } }).problem).toBe(problem)
  })

  test('for its bad rows, which are counted by problem, and the others are imported', () => {
    const rows = ['20261006 143000;100;100.5;99;100;5', '20261006 143100;100;100.5;99;100.1;5', '20261006 143200;100;100.5;99;abc;5', '20261006 143300;100;99;100;100;5', '20261006 993400;100;100;100;100;5', '20261006 143500;100;100;100', '20261006 143000;100;100.5;99;100;5', '20261006 143600;100;101;99;100;5', '20261006 143700;100;101;99;100;5', '20261006 143800;100;101;99;100;5', '20261006 143900;100;101;99;100;5', '20261006 144000;100;101;99;100;5']
    const paths = pricePlace()
    const done = add(paths, { name: 'MNQ 12-26.Last.txt', bytes: rows.join('\n'), choice: { zone: 'UTC', label: 'end', scale: 0 } })
    expect(done.bad).toEqual([
      { problem: 'off-tick', count: 1, line: 2 },
      { problem: 'bad-number', count: 1, line: 3 },
      { problem: 'contradicts', count: 1, line: 4 },
      { problem: 'bad-time', count: 1, line: 5 },
      { problem: 'wrong-columns', count: 1, line: 6 },
      { problem: 'not-in-order', count: 1, line: 7 },
    ])
    expect(done.contracts).toEqual([{ contract: 'MNQZ6', added: 6, known: 0 }])
    // What those rows said is not known.
    const at = (minutes: number): number => (Date.UTC(2026, 9, 6, 14, 29) + minutes * 60_000) * 1000
    expect(askTape(paths, (tape) => tape.coverage(always)).map(({ from, to }) => [from, to])).toEqual([[at(0), at(1)], [at(6), at(11)]])
  })

  test('for a row out of order, whose minute is not known until a file has it', () => {
    const rows = Array.from({ length: 8 }, (_, index) => `20261006 143${String(index)}00;100;100.5;99;100;5`)
    const swapped = [...rows.slice(0, 3), rows[4], rows[3], ...rows.slice(5)]
    const [paths, sent] = [pricePlace(), { name: 'MNQ 12-26.Last.txt', choice: { zone: 'UTC', label: 'end' as const, scale: 0 } }]
    const at = (minutes: number): number => (Date.UTC(2026, 9, 6, 14, 29) + minutes * 60_000) * 1000
    const covered = () => askTape(paths, (tape) => tape.coverage(always)).map(({ from, to }) => [(from - at(0)) / minute, (to - at(0)) / minute])
    expect(add(paths, { ...sent, bytes: swapped.join('\n') }).bad).toEqual([{ problem: 'not-in-order', count: 1, line: 5 }])
    expect(covered()).toEqual([[0, 3], [4, 8]])
    expect(preview({ ...sent, bytes: rows.join('\n') }, paths).contracts).toMatchObject([{ known: false }])
    expect(add(paths, { ...sent, bytes: rows.join('\n') }).contracts).toEqual([{ contract: 'MNQZ6', added: 1, known: 7 }])
    expect(preview({ ...sent, bytes: rows.join('\n') }, paths).contracts).toMatchObject([{ known: true }])
    // A repeated row is known.
    const [twice, again] = [pricePlace(), [...rows.slice(0, 4), rows[3], ...rows.slice(4)].join('\n')]
    add(twice, { ...sent, bytes: again })
    expect(askTape(twice, (tape) => tape.coverage(always))).toHaveLength(1)
  })

  test('for a price that no contract has', () => {
    const rows = Array.from({ length: 8 }, (_, index) => `20261006 143${String(index)}00;100;${index === 4 ? '1000000000000' : '100.5'};99;100;5`)
    expect(add(pricePlace(), { name: 'MNQ 12-26.Last.txt', bytes: rows.join('\n'), choice: { zone: 'UTC', label: 'end', scale: 0 } }).bad).toEqual([{ problem: 'off-tick', count: 1, line: 5 }])
  })

  test('for bars of a range or of so many ticks, whose times keep to no width', () => {
    const times = [0, 7, 14, 45, 52, 59, 149, 156, 187, 194, 284, 291, 298, 343, 350, 357]
    const price = 100 as Bar['open']
    const bars = times.map((at) => ({ at: tuesday + at * second, width: 7 * second, open: price, high: price, low: price, close: price, volume: 1 }))
    const { name, write } = priceWriters.tradingview
    expect(preview({ name, bytes: write(bars) }).problem).toBe('unknown-width')
  })
})

describe('the contract of a file', () => {
  test('is asked where its name has none', () => {
    const { write } = priceWriters.firstrate
    const entries = barsOf(Array.from({ length: 5 }, (_, index): Print => ({ at: tuesday + index * minute, price: 100 as Print['price'], size: 1 })), minute)
    const choice = { zone: 'America/New_York', label: 'start', scale: 0 } as const
    expect(preview({ name: 'prices.txt', bytes: write(entries, choice), choice, facts: { tickSize: null, fills: [] } })).toMatchObject({ needsContract: true, problem: null })
    expect(add(pricePlace(), { name: 'prices.txt', bytes: write(entries, choice), choice, facts: { tickSize: null, fills: [] } }).problem).toBe('open-question')
    const paths = pricePlace()
    add(paths, { name: 'prices.txt', contract: 'MNQ DEC26', bytes: write(entries, choice), choice })
    expect(kept(paths)).toEqual(entries)
  })

  test('is that of each row where rows name it; spreads are left out and counted', () => {
    const { name, write } = priceWriters['databento-trades']
    const one = [{ at: tuesday, price: 100_000 as Print['price'], size: 2 }]
    const text = (symbol: string): string => new TextDecoder().decode(write(one, { symbol }))
    const [header = '', first = ''] = text('MNQZ6').split('\r\n')
    const paths = pricePlace()
    const bytes = [header, first, text('ESH7').split('\r\n')[1], text('MNQZ6-MNQH7').split('\r\n')[1]].join('\n')
    expect(add(paths, { name, bytes, choice: { zone: 'UTC', label: 'start', scale: 0 } })).toMatchObject({ contracts: [{ contract: 'MNQZ6' }, { contract: 'ESH7' }], bad: [{ problem: 'unknown-contract', count: 1, line: 4 }] })
    expect(writingPrices(paths, storedSeries).map(({ contract }) => contract)).toEqual(['ES 2027-03', 'MNQ 2026-12'])
  })
})

describe('room', () => {
  const { name, write } = priceWriters['ninjatrader-ticks']
  const choice = { zone: 'UTC', label: 'start', scale: 0 } as const
  const weekUs = 7 * 86_400 * second
  const inWeek = (week: number): Sent => ({ name, choice, bytes: write(Array.from({ length: 500 }, (_, index): Print => ({ at: tuesday + week * weekUs + index * 977, price: (100_000 + ((index * 7919) % 97)) as Print['price'], size: index % 13 }))) })

  test('that is full is made by the oldest weeks, and by no week of the same file', () => {
    const paths = pricePlace()
    add(paths, inWeek(0))
    const bytes = writingPrices(paths, priceBytes)
    writingPrices(paths, (writer) => setPriceLimits(writer, { bytes: Math.floor(bytes * 2.5), days: null }, now))
    expect([add(paths, inWeek(1)).freed, add(paths, inWeek(2)).freed]).toEqual([[], [{ contract: 'MNQ 2026-12', until: tuesday + 499 * 977 + 1 }]])
    expect(kept(paths)[0]?.at).toBe(tuesday + weekUs)
    writingPrices(paths, (writer) => setPriceLimits(writer, { bytes: Math.floor(bytes * 1.2), days: null }, now))
    expect(kept(paths)).toHaveLength(500)
    writingPrices(paths, (writer) => setPriceLimits(writer, { bytes: Math.floor(bytes * 0.8), days: null }, now))
    expect([add(paths, inWeek(3)).problem, kept(paths)]).toEqual(['too-large', []])
  })

  test('drops prices older than its limit of days', () => {
    const paths = pricePlace()
    add(paths, inWeek(0))
    add(paths, inWeek(1))
    const freed = writingPrices(paths, (writer) => setPriceLimits(writer, { bytes: null, days: 10 }, (tuesday + weekUs) / 1000 + 9 * 86_400_000))
    expect(freed).toHaveLength(1)
    expect(kept(paths)[0]?.at).toBe(tuesday + weekUs)
  })
})
