import { basename } from 'node:path'
import { getOrInsert } from '#shared/base/get-or-insert.ts'
import { parseDecimal } from '#shared/money/decimal.ts'
import { contractSpecOf } from '#shared/market/contract-spec.ts'
import { createCalibration, utcOf, type PriceChoice, type TriedChoice } from '#shared/prices/calibrate.ts'
import { contractInFileName, contractKey, contractOfKey, journalContract } from '#shared/prices/contract-key.ts'
import type { PriceFileProblem, PriceFormat, PriceRow, PriceRowProblem } from '#shared/prices/formats/format.ts'
import { sniffPrices, type PriceReading } from '#shared/prices/formats/sniff.ts'
import { atomically, type Reader, type Writer } from '../db/database.ts'
import type { ContractFacts } from './fill-prices.ts'
import { freeRoom, priceBytes, priceLimits, type FreedPart } from './queries.ts'
import { headOf, readPriceFile } from './read-price-file.ts'
import { readTape } from './read-tape.ts'
import { writeTape, type TapeWriter } from './write-tape.ts'

/** A file of prices: its path, its name as the user knows it, and the choices for it: its contract as the journal names it, and how it is read. */
export type PriceFile = { readonly path: string; readonly name: string; readonly contract: string | null; readonly choice: PriceChoice | null }

/** What a file is, by its first bytes and its name. `contract` is null if the user has to name it; `named`: each row names its contract. */
export type PriceFileSeen = { readonly reading: PriceReading; readonly contract: string | null; readonly named: boolean }

export type BadRows = { readonly problem: PriceRowProblem; readonly count: number; /** The first of them. */ readonly line: number }

/** Prices of one contract in a file: UTC µs, and whether all of it is kept already. */
export type ContractInFile = { readonly contract: string; readonly first: number; readonly until: number; readonly entries: number; readonly known: boolean }

/** What importing a file would do, and the choices that it needs first. */
export type PricePreview = {
  readonly name: string
  readonly format: PriceFormat | null
  readonly grain: number
  readonly problem: PriceFileProblem | null
  readonly needsContract: boolean
  readonly contracts: readonly ContractInFile[]
  readonly rows: number
  readonly bad: readonly BadRows[]
  /** How it is read; null while the user has to choose. */
  readonly choice: TriedChoice | null
  /** To choose from, the best first. */
  readonly choices: readonly TriedChoice[]
}

/** What an import did. `open-question`: the user has not chosen its contract or the way to read it; `too-large`: more than the room for prices. */
export type PriceImported = {
  readonly name: string
  readonly problem: PriceFileProblem | 'too-large' | 'open-question' | null
  readonly contracts: readonly { readonly contract: string; readonly added: number; readonly known: number }[]
  readonly bad: readonly BadRows[]
  readonly freed: readonly FreedPart[]
}

/** Above any price; sums of this many ticks are still exact. */
const mostTicks = 100_000_000

/** Zones to try besides a format's own. */
const usualZones = ['UTC', 'America/Chicago', 'America/New_York']

/** Recognizes a file of prices; null if it is not one. `now` is UTC ms. */
export const inspectPriceFile = ({ path, name, contract }: Omit<PriceFile, 'choice'>, now: number): PriceFileSeen | PriceFileProblem | null => {
  const sniffed = sniffPrices(name, headOf(path))
  if (sniffed === null) return null
  if (!sniffed.ok) return sniffed.error
  const { named } = sniffed.value
  const byName = contractInFileName(basename(name), now)
  if (byName.continuous) return 'continuous'
  const contractOfFile = contract === null ? byName.contract : journalContract(contract, now)
  return { reading: sniffed.value, contract: named ? null : contractOfFile, named }
}

/** Counts bad rows by problem. */
const createTally = () => {
  const bad = new Map<PriceRowProblem, { count: number; readonly line: number }>()
  let rows = 0
  return {
    row: (): void => void (rows += 1),
    bad: (problem: PriceRowProblem, line: number): void => {
      getOrInsert(bad, problem, () => ({ count: 0, line })).count += 1
    },
    rows: () => rows,
    all: (): readonly BadRows[] => [...bad].map(([problem, { count, line }]) => ({ problem, count, line })),
    /** More bad rows than good ones: the file is not what it looks like. Those of `other-instrument` do not count. */
    isMostlyBad: () => [...bad].reduce((sum, [problem, { count }]) => sum + (problem === 'other-instrument' ? 0 : count), 0) > rows,
  }
}

type Track = { readonly key: string; readonly tickSize: string; readonly tick: number }

/** The contract of each row, and the size of its tick. Null for one that is unknown. */
const trackOf = ({ contract, named }: PriceFileSeen, facts: ContractFacts | null) => {
  const tracks = new Map<string, Track | null>()
  const make = (name: string | null, tickSize: string | null): Track | null => {
    const key = name === null ? null : contractKey(name)
    const size = tickSize === null ? null : parseDecimal(tickSize)
    return key === null || tickSize === null || size === null ? null : { key, tickSize, tick: Number(size.digits) / 10 ** size.scale }
  }
  const own = make(contract, facts?.tickSize ?? null)
  const find = (symbol: string, time: number): Track | null => {
    const name = journalContract(symbol, time)
    return make(name, name === null ? null : contractSpecOf(name).tickSize)
  }
  return (row: PriceRow): Track | null => {
    if (!named) return own
    const symbol = row.symbol ?? ''
    return getOrInsert(tracks, symbol, () => find(symbol, row.wall / 1000))
  }
}

/** Reads a file and writes nothing. `facts` are the journal's of its contract, `zone` is the user's, `reader` the prices that are kept. */
export const previewPriceFile = (file: PriceFile, seen: PriceFileSeen | PriceFileProblem, facts: ContractFacts | null, { zone, reader }: { readonly zone: string; readonly reader: Reader | null }): PricePreview => {
  const nothing = { name: file.name, format: null, grain: 0, problem: null, needsContract: false, contracts: [], rows: 0, bad: [], choice: null, choices: [] } satisfies PricePreview
  if (typeof seen === 'string') return { ...nothing, problem: seen }
  const { reading, contract, named } = seen
  const { shape } = reading
  const base = { ...nothing, format: shape.format, grain: shape.grain }
  const needsContract = contract === null && !named
  if (!needsContract && !named && (facts?.tickSize ?? null) === null) return { ...base, problem: 'unknown-product' }
  const track = trackOf(seen, facts)
  const tally = createTally()
  const tick = Number(facts?.tickSize ?? 0)
  const calibration = createCalibration(shape, { fills: facts?.fills ?? [], zones: [zone, ...usualZones], tick })
  const spans = new Map<Track | null, { first: number; last: number; entries: number }>()
  readPriceFile(file.path, reading, {
    onRow: (row, line) => {
      const found = track(row)
      if (found === null && !needsContract) return tally.bad('unknown-contract', line)
      tally.row()
      calibration.row(row)
      const span = getOrInsert(spans, found, () => ({ first: row.wall, last: row.wall, entries: 0 }))
      span.entries += 1
      span.first = Math.min(span.first, row.wall)
      span.last = Math.max(span.last, row.wall)
    },
    onBad: tally.bad,
  })
  const counts = { rows: tally.rows(), bad: tally.all() }
  if (counts.rows === 0) return { ...base, ...counts, problem: counts.bad.length === 0 ? 'no-rows' : 'mostly-refused' }
  if (tally.isMostlyBad()) return { ...base, ...counts, problem: 'mostly-refused' }
  const calibrated = calibration.result()
  if (calibrated.says === 'unlike' && file.choice === null) return { ...base, ...counts, problem: 'unlike-fills', choices: [calibrated.best] }
  const choices = calibrated.says === 'ask' ? calibrated.choices : [calibrated.says === 'one' ? calibrated.choice : calibrated.best]
  const wanted = file.choice
  const isWanted = ({ zone, label, scale }: TriedChoice): boolean => zone === wanted?.zone && label === wanted.label && scale === wanted.scale
  const onlyChoice = calibrated.says === 'ask' ? null : (choices[0] ?? null)
  const choice = wanted === null ? onlyChoice : (choices.find(isWanted) ?? { ...wanted, inside: 0, of: 0 })
  const utc = utcOf(shape, choice ?? choices[0] ?? shapeChoice(reading))
  const contracts = [...spans].map(([found, { first, last, entries }]): ContractInFile => {
    const span = { from: utc(first), to: utc(last) + Math.max(1, shape.grain) }
    const known = found !== null && reader !== null && choice !== null && isKnown(reader, found, span, shape.grain)
    return { contract: found === null ? '' : contractOfKey(found.key), first: span.from, until: span.to, entries, known }
  })
  return { ...base, ...counts, needsContract, contracts, choice, choices }
}

const shapeChoice = ({ shape: { zone, label } }: PriceReading): PriceChoice => ({ zone, label, scale: 0 })

const isKnown = (reader: Reader, { key, tickSize }: Track, span: { readonly from: number; readonly to: number }, grain: number): boolean => {
  const covered = readTape(reader, key, tickSize).coverage(span).filter((stretch) => (stretch.grain === 'prints' ? 0 : stretch.grain) === grain)
  return covered[0]?.from === span.from && covered.at(-1)?.to === span.to && covered.every(({ from }, index) => index === 0 || covered[index - 1]?.to === from)
}

type Refused = Error & { readonly problem: NonNullable<PriceImported['problem']>; readonly bad: readonly BadRows[] }

/** Why a file was not kept: thrown within its transaction, so that nothing of it stays. */
const refused = (problem: Refused['problem'], bad: readonly BadRows[]): Refused => Object.assign(new Error(`prices were refused: ${problem}`), { problem, bad })

const isRefused = (error: unknown): error is Refused => error instanceof Error && 'problem' in error

/** Writes a file's prices, all or nothing, and frees what is beyond the limits. `now` is UTC ms. */
export const importPriceFile = (writer: Writer, file: PriceFile, seen: PriceFileSeen | PriceFileProblem, facts: ContractFacts | null, { zone, now }: { readonly zone: string; readonly now: number }): PriceImported => {
  const nothing = { name: file.name, contracts: [], bad: [], freed: [] }
  // With a choice, its preview was shown already.
  const looked = file.choice === null || typeof seen === 'string' ? previewPriceFile(file, seen, facts, { zone, reader: null }) : null
  const choice = file.choice ?? looked?.choice ?? null
  if (typeof seen === 'string' || choice === null || (looked !== null && looked.problem !== null)) return { ...nothing, bad: looked?.bad ?? [], problem: looked?.problem ?? 'open-question' }
  if (!seen.named && (facts?.tickSize ?? null) === null) return { ...nothing, problem: seen.contract === null ? 'open-question' : 'unknown-product' }
  try {
    return atomically(writer, () => writeFile(writer, file, seen, facts, choice, now))
  } catch (error) {
    if (isRefused(error)) return { ...nothing, problem: error.problem, bad: error.bad }
    throw error
  }
}

const writeFile = (writer: Writer, file: PriceFile, seen: PriceFileSeen, facts: ContractFacts | null, choice: PriceChoice, now: number): PriceImported => {
  const { reading } = seen
  const { shape } = reading
  const track = trackOf(seen, facts)
  const utc = utcOf(shape, choice)
  const tally = createTally()
  const tapes = new Map<Track, TapeWriter>()
  // Divides by ten instead of multiplying by a tenth, which has no exact binary form.
  const [times, by] = choice.scale >= 0 ? [10 ** choice.scale, 1] : [1, 10 ** -choice.scale]
  readPriceFile(file.path, reading, {
    onRow: (row, line) => {
      const found = track(row)
      if (found === null) return tally.bad('unknown-contract', line)
      const moment = utc(row.wall)
      // A bar that is not over may still change, and stored bars are never rewritten.
      if (shape.grain > 0 && moment + shape.grain > now * 1000) return tally.bad('unfinished', line)
      const { tick } = found
      const ticks = (price: number): number => {
        const exact = (price * times) / by / tick
        const whole = Math.round(exact)
        return Math.abs(exact - whole) <= shape.noise && Math.abs(whole) <= mostTicks ? whole : NaN
      }
      const [open, high, low, close] = [ticks(row.open), ticks(row.high), ticks(row.low), ticks(row.close)]
      const tape = getOrInsert(tapes, found, () => writeTape(writer, { contract: found.key, tickSize: found.tickSize, source: shape.format, grain: shape.grain, at: now }))
      const problem = Number.isNaN(open + high + low + close) ? 'off-tick' : tape.add(moment, open, high, low, close, row.size) ? null : 'not-in-order'
      if (problem === null) return tally.row()
      tally.bad(problem, line)
      tape.lost(moment)
    },
    onBad: (problem, line) => {
      tally.bad(problem, line)
      if (problem !== 'other-instrument') for (const tape of tapes.values()) tape.lost(null)
    },
  })
  if (tally.isMostlyBad() || tally.rows() === 0) throw refused('mostly-refused', tally.all())
  const written = [...tapes].map(([{ key }, tape]) => ({ contract: contractOfKey(key), ...tape.end() }))
  const freed = freeRoom(writer, now, new Set(written.flatMap(({ parts }) => parts)))
  const { bytes } = priceLimits(writer)
  if (bytes !== null && priceBytes(writer) > bytes) throw refused('too-large', [])
  return { name: file.name, problem: null, contracts: written.map(({ contract, added, known }) => ({ contract, added, known })), bad: tally.all(), freed }
}
