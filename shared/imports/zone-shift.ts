import { compareText } from '#shared/base/compare-text.ts'
import type { Sliced } from '#shared/base/sliced.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import { wholeRootOf } from '#shared/market/contract-name.ts'
import { timeOfWall, zoneClock } from '#shared/market/zone-clock.ts'
import { keyOf } from './assembly.ts'
import { bestAgreement, factsKey, fillsBySecond, happensIn, momentsOf, secondOf, type FillFacts, type Moment, type Moments } from './fill-facts.ts'
import { isMappedId, isPlatformsId, issuerOf, wholeIdOf } from './fill-ids.ts'
import { trustOf, type FileRows } from './file-rows.ts'
import { hasLocalTimes } from './kind-facts.ts'
import type { Reading } from './reading.ts'

/** One account's rows of one file, read in one zone. */
export type Dated = { readonly file: FileRows; readonly account: AccountKey; readonly rows: readonly Reading[] }

/** A file's time error: its times are `minutes` off the same fills elsewhere, and `fits` is the zone (or UTC offset) in which they agree. */
export type ZoneShift = { readonly file: string; readonly rows: number; readonly minutes: number; readonly fits: string }

/** The rows with corrected times, and the shifts applied. */
export type CorrectedTimes = { readonly rows: (reading: Reading) => Reading; readonly shifts: readonly ZoneShift[] }

/** Known fill times of an account. */
type Pool = {
  readonly fills: Map<string, number>
  readonly orders: Map<string, number>
  readonly facts: (FillFacts & { readonly issuer: string })[]
  /** Of rejected rows, of any account. */
  readonly refused: ReadonlyMap<string, number>
}

/** A time and another file's time of the same event, UTC ms. */
type Compared = { readonly time: number; readonly known: number }

type Move = { readonly to: (time: number) => number; readonly minutes: number; readonly fits: string }

const halfHour = 1_800_000
// No two zones are further apart: beyond this, dates are wrong.
const farthest = 26 * 2 * halfHour + 2_000
// Pair and order files have whole seconds.
const near = 1_500

/**
 * Finds files whose local times were read in a wrong zone: all of them are off by the same multiple of half an hour from the same fills in more trusted
 * files, a Cash History's from its contracts' fills. Each account of a file is judged separately.
 */
export function* correctingTimes(dated: readonly Dated[]): Sliced<CorrectedTimes> {
  const moved = new Map<Reading, Reading>()
  const shifts: ZoneShift[] = []
  const refused = refusedMoments(dated)
  for (const parts of Map.groupBy(dated, ({ account }) => account).values()) {
    // Of equally trusted files the one imported first wins: a later one never moves existing fills.
    const units = parts.flatMap(unitsOf).sort((one, other) => one.trust - other.trust || (one.file.at ?? 0) - (other.file.at ?? 0) || one.first - other.first || compareText(one.name, other.name))
    if ((units.length < 2 && refused.size === 0) || units.every(({ trust }) => trust === 0)) continue
    yield
    const pool: Pool = { fills: new Map(), orders: new Map(), facts: [], refused }
    for (const { file, rows, beside, trust } of units) {
      // A file that names its zone is right about it, and another computer corrects its own.
      const move = trust === 0 || file.kind === null || !hasLocalTimes(file.kind) ? null : moveOf(rows, pool, file.zone)
      const right = move === null ? rows : rows.map((row) => inTime(row, move.to))
      if (move !== null) {
        for (const [index, row] of right.entries()) moved.set(rows[index] ?? row, row)
        for (const row of beside) moved.set(row, inTime(row, move.to))
        shifts.push({ file: file.name, rows: rows.length, minutes: move.minutes, fits: move.fits })
      }
      for (const row of right) note(pool, row)
      yield
    }
  }
  return { rows: moved.size === 0 ? (reading) => reading : (reading) => moved.get(reading) ?? reading, shifts }
}

/** The rows of a file that are equally trusted. */
type Unit = {
  readonly file: FileRows
  readonly rows: readonly Reading[]
  /** Rows of the same file with a time but no fill. */
  readonly beside: readonly Reading[]
  readonly trust: number
  /** The first time and key, which sort units independently of file order. */
  readonly first: number
  readonly name: string
}

const unitsOf = ({ file, rows }: Dated): readonly Unit[] => {
  const beside = rows.filter(({ says }) => says === 'refused' || says === 'position')
  return [...Map.groupBy(rows, (row) => trustOf(file, row))].flatMap(([trust, own]) => {
    if (trust === null) return []
    const moments = own.flatMap(momentsIn)
    const first = moments.reduce((least, { time }) => Math.min(least, time), Number.POSITIVE_INFINITY)
    return [{ file, rows: own, beside, trust, first, name: moments.reduce((least, { key }) => (least === '' || key < least ? key : least), '') }]
  })
}

/** A row's fills by id, with their times. */
const momentsIn = (row: Reading): readonly { readonly key: string; readonly time: number }[] => {
  switch (row.says) {
    case 'fill': return [{ key: keyOf(row.contract, wholeIdOf(row.fillId) ?? row.fillId), time: row.time }]
    case 'pair': return [{ key: keyOf(row.contract, row.buy.fillId), time: row.buy.time }, { key: keyOf(row.contract, row.sell.fillId), time: row.sell.time }]
    case 'order': return [{ key: row.orderId, time: row.filledAt }]
    default: return []
  }
}

// Broker ids this large are unique across accounts; a single row may have a wrong time.
const [longId, fewest] = [9, 2]

/** Fill times of Fills report rows rejected for another reason, such as a missing account. */
const refusedMoments = (dated: readonly Dated[]): ReadonlyMap<string, number> => {
  const moments = new Map<string, number>()
  for (const { rows } of dated) {
    for (const row of rows) {
      const [fillId] = row.says === 'refused' && row.kind === 'fills' ? row.fillIds : []
      if (row.says === 'refused' && row.contract !== null && row.time !== null && fillId !== undefined && fillId.length >= longId) moments.set(keyOf(row.contract, fillId), row.time)
    }
  }
  return moments.size < fewest ? new Map() : moments
}

const note = ({ fills, orders, facts }: Pool, row: Reading): void => {
  const isOrder = row.says === 'order'
  for (const { key, time } of momentsIn(row)) {
    const known = isOrder ? orders : fills
    if (!known.has(key)) known.set(key, time)
  }
  if (row.says === 'fill' && row.orderId !== null) orders.set(row.orderId, Math.max(orders.get(row.orderId) ?? row.time, row.time))
  for (const fact of factsOf(row)) facts.push({ ...fact, issuer: issuerOfRow(row) })
}

/** The platform that gives a row's ids; '' where it is none. */
const issuerOfRow = (row: Reading): string => {
  const id = row.says === 'fill' ? row.fillId : row.says === 'order' ? row.orderId : row.says === 'pair' ? row.buy.fillId : ''
  return isPlatformsId(id) ? issuerOf(id) : ''
}

const factsOf = (row: Reading): readonly FillFacts[] => {
  if (row.says !== 'fill' && row.says !== 'pair' && row.says !== 'order') return []
  const { contract, qty, tickSize } = row
  switch (row.says) {
    case 'fill': return [{ contract, qty, tickSize, side: row.side, priceSum: row.price * qty, time: row.time }]
    case 'pair': return [{ contract, qty, tickSize, side: 'buy', priceSum: row.buy.price * qty, time: row.buy.time }, { contract, qty, tickSize, side: 'sell', priceSum: row.sell.price * qty, time: row.sell.time }]
    case 'order': return [{ contract, qty, tickSize, side: row.side, priceSum: row.priceSum, time: row.filledAt }]
  }
}

/** How to shift the rows' times; null if they already agree or it cannot be determined. */
const moveOf = (rows: readonly Reading[], pool: Pool, zone: string | null): Move | null => {
  const byId = rows.flatMap((row): Compared[] =>
    momentsIn(row).flatMap(({ key, time }) => {
      const known = row.says === 'order' ? pool.orders.get(key) : (pool.fills.get(key) ?? pool.refused.get(key))
      return known === undefined || Math.abs(known - time) > farthest ? [] : [{ time, known }]
    }),
  )
  // An id that is made of a row may be another fill's at the same local time elsewhere.
  if (byId.length === 1 && rows.length > 1 && rows.some((row) => row.says === 'fill' && isMappedId(row.fillId))) return null
  if (byId.length > 0) return moveByIds(byId, zone)
  if (rows[0]?.says === 'cash') return moveOfCash(rows, pool, zone)
  // Pairs split fills; group them by time again.
  const own = rows[0]?.says === 'pair' ? fillsBySecond(rows.flatMap(factsOf)) : rows.flatMap(factsOf)
  // Under other ids of one platform they are other fills, as of another day that went alike.
  const issuer = rows[0] === undefined ? '' : issuerOfRow(rows[0])
  const others = issuer === '' ? pool.facts : pool.facts.filter((fact) => fact.issuer !== issuer)
  const known = [...others, ...fillsBySecond(others)]
  if (own.length === 0 || known.length === 0) return null
  const toMoment = (facts: FillFacts) => ({ key: factsKey(facts), time: facts.time })
  const [moments, knownMoments] = [own.map(toMoment), momentsOf(known.map(toMoment))]
  const { best, unshifted } = bestAgreement(moments, knownMoments)
  if (best.shift === 0 || best.matched < 2 || unshifted.matched * 2 > best.matched || best.matched * 2 < Math.min(best.of, known.length)) return null
  const first = moments[0]?.time ?? 0
  // Where the clocks of two zones change on different days, no one shift is right for all rows.
  const sample = sampleOf(moments)
  const zoned = zone === null ? null : mostInOneZone(sample, knownMoments, zone)
  const shifted = sample.filter((moment) => happensIn(moment, knownMoments, best.shift)).length
  return zone === null || zoned === null || zoned.matched < shifted ? movedBy(best.shift, zone, [{ time: first, known: first + best.shift }]) : inOtherZone(first, zone, zoned.fits)
}

/** A cash movement has only its fill's contract or product and second: it is shifted only by real zone offsets. */
const moveOfCash = (rows: readonly Reading[], pool: Pool, zone: string | null): Move | null => {
  const seconds = new Map<string, Moment>()
  for (const row of rows) {
    if (row.says !== 'cash' || row.movement === 'other' || row.contract === null) continue
    seconds.set(keyOf(wholeRootOf(row.contract), secondOf(row.time)), { key: wholeRootOf(row.contract), time: row.time })
  }
  const known = momentsOf(pool.facts.map(({ contract, time }) => ({ key: wholeRootOf(contract), time })))
  if (zone === null || seconds.size === 0 || known.size === 0) return null
  const sample = sampleOf([...seconds.values()])
  const unmoved = sample.filter((moment) => happensIn(moment, known)).length
  if (unmoved * 2 > sample.length) return null
  const { fits, matched } = mostInOneZone(sample, known, zone)
  return matched < fewest || unmoved * 2 > matched || matched * 2 < Math.min(sample.length, pool.facts.length) ? null : inOtherZone(sample[0]?.time ?? 0, zone, fits)
}

/** The likely zone in which most moments, read in `zone`, are known ones. */
const mostInOneZone = (moments: readonly Moment[], known: Moments, zone: string): { readonly fits: string; readonly matched: number } =>
  likelyZones
    .map((fits) => ({ fits, matched: moments.filter(({ key, time }) => happensIn({ key, time: inZone(time, zone, fits) }, known)).length }))
    .reduce((most, next) => (next.matched > most.matched ? next : most))

const inOtherZone = (first: number, zone: string, fits: string): Move => ({ to: (time) => inZone(time, zone, fits), minutes: (inZone(first, zone, fits) - first) / 60_000, fits })

const moveByIds = (compared: readonly Compared[], zone: string | null): Move | null => {
  const counts = new Map<number, number>()
  for (const one of compared) {
    const shift = Math.round((one.known - one.time) / halfHour) * halfHour
    if (Math.abs(one.known - one.time - shift) <= near) counts.set(shift, (counts.get(shift) ?? 0) + 1)
  }
  const [best] = [...counts].sort(([one, count], [other, otherCount]) => otherCount - count || Math.abs(one) - Math.abs(other) || one - other)
  const right = counts.get(0) ?? 0
  if (best === undefined || right === compared.length) return null
  const [shift, count] = best
  const fitting = shift === 0 && right >= compared.length * 0.9 ? null : zoneThatFits(compared, zone)
  if (fitting !== null && zone !== null) {
    const other = shift === 0 ? ([...counts.keys()].find((one) => one !== 0) ?? 0) : shift
    return { to: (time) => inZone(time, zone, fitting), minutes: other / 60_000, fits: fitting }
  }
  return shift !== 0 && count >= compared.length * 0.8 ? movedBy(shift, zone, compared) : null
}

const movedBy = (shift: number, zone: string | null, compared: readonly Compared[]): Move => ({
  to: (time) => time + shift,
  minutes: shift / 60_000,
  fits: zoneThatFits(compared, zone) ?? offsetText((zone === null ? 0 : zoneClock(zone).offsetAt(compared[0]?.time ?? 0)) - shift),
})

/** Likely zones of exports, most likely first. */
const likelyZones = [
  'America/New_York', 'America/Chicago', 'America/Denver', 'America/Phoenix', 'America/Los_Angeles', 'UTC', 'Europe/London', 'Europe/Berlin', 'Europe/Athens', 'Europe/Istanbul',
  'Asia/Dubai', 'Asia/Karachi', 'Asia/Kolkata', 'Asia/Kathmandu', 'Asia/Dhaka', 'Asia/Bangkok', 'Asia/Singapore', 'Asia/Tokyo', 'Australia/Adelaide', 'Australia/Sydney',
  'Pacific/Auckland', 'America/Halifax', 'America/Sao_Paulo', 'America/St_Johns', 'America/Anchorage', 'Pacific/Honolulu', 'Asia/Tehran', 'Asia/Yangon', 'Australia/Lord_Howe', 'Atlantic/Azores',
]

const mostCompared = 200

const sampleOf = <T>(all: readonly T[]): readonly T[] => {
  const step = Math.max(1, all.length / mostCompared)
  return Array.from({ length: Math.min(all.length, mostCompared) }, (_, index) => all[Math.floor(index * step)]).filter((one) => one !== undefined)
}

/** The zone in which the wall times agree with the known times; null if no likely one does. */
const zoneThatFits = (compared: readonly Compared[], zone: string | null): string | null => {
  if (zone === null) return null
  const sample = sampleOf(compared)
  return likelyZones.find((other) => sample.filter(({ time, known }) => Math.abs(secondOf(inZone(time, zone, other)) - secondOf(known)) <= 1).length >= sample.length * 0.95) ?? null
}

/** Reinterprets a wall time from one zone in another. */
const inZone = (time: number, from: string, to: string): number => timeOfWall(time + zoneClock(from).offsetAt(time), to)

const offsetText = (offset: number): string => {
  const minutes = Math.round(Math.abs(offset) / 60_000)
  return `UTC${offset < 0 ? '-' : '+'}${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}

const inTime = (row: Reading, to: (time: number) => number): Reading => {
  switch (row.says) {
    case 'fill': return { ...row, time: to(row.time) }
    case 'pair': return { ...row, buy: { ...row.buy, time: to(row.buy.time) }, sell: { ...row.sell, time: to(row.sell.time) } }
    case 'order': return { ...row, placedAt: to(row.placedAt), filledAt: to(row.filledAt) }
    case 'position':
    case 'cash': return { ...row, time: to(row.time) }
    case 'refused': return row.time === null ? row : { ...row, time: to(row.time) }
    default: return row
  }
}
