import type { Stopping } from '#shared/base/stops.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import { wholeRootOf } from '#shared/market/contract-name.ts'
import { timeOfWall, zoneClock } from '#shared/market/zone-clock.ts'
import { compareText, keyOf } from './assembly.ts'
import { bestAgreement, bunchesOf, factsKey, happensIn, momentsOf, secondOf, type FillFacts, type Moment } from './fill-facts.ts'
import { wholeIdOf } from './fill-ids.ts'
import { trustOf, type FileRows } from './file-rows.ts'
import type { Reading } from './reading.ts'

/** Rows of one account of one file, whose times were read in one zone. */
export type Dated = { readonly file: FileRows; readonly account: AccountKey; readonly rows: readonly Reading[] }

/** What is wrong with the times of a file: they lie `minutes` beside those of the same fills elsewhere, and `fits` is the zone (or the offset from UTC) in which they do not. */
export type ZoneShift = { readonly file: string; readonly rows: number; readonly minutes: number; readonly fits: string }

/** The rows with the times of the same fills in files that are trusted more, and what was shifted. */
export type Redated = { readonly rows: (reading: Reading) => Reading; readonly shifts: readonly ZoneShift[] }

/** What is known of the moments of an account's fills. */
type Pool = { readonly fills: Map<string, number>; readonly orders: Map<string, number>; readonly facts: FillFacts[]; /** Of fills that only refused rows tell, of whatever account. */ readonly refused: ReadonlyMap<string, number> }

/** A time, and what another file has for the same moment, UTC ms. */
type Compared = { readonly time: number; readonly known: number }

type Move = { readonly to: (time: number) => number; readonly minutes: number; readonly fits: string }

const halfHour = 1_800_000
// No two zones lie farther apart: times that do are wrong in their dates.
const farthest = 26 * 2 * halfHour + 2_000
// Files of pairs and orders tell whole seconds.
const near = 1_500

/**
 * Finds the files whose local times were read in a wrong zone: all of them lie the same whole half hours beside the
 * times of the same fills in files that are trusted more; those of a Cash History, beside the fills of its contracts. Each account of a file is judged by itself.
 */
export function* redating(dated: readonly Dated[]): Stopping<Redated> {
  const moved = new Map<Reading, Reading>()
  const shifts: ZoneShift[] = []
  const refused = refusedMoments(dated)
  for (const parts of Map.groupBy(dated, ({ account }) => account).values()) {
    const units = parts.flatMap(unitsOf).sort((one, other) => one.trust - other.trust || one.first - other.first || compareText(one.name, other.name))
    if ((units.length < 2 && refused.size === 0) || units.every(({ trust }) => trust === 0)) continue
    yield
    const pool: Pool = { fills: new Map(), orders: new Map(), facts: [], refused }
    for (const { file, rows, beside, trust } of units) {
      const move = trust === 0 ? null : moveOf(rows, pool, file.zone)
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

type Unit = { readonly file: FileRows; readonly rows: readonly Reading[]; /** Rows of the same file that tell no fill, but a time. */ readonly beside: readonly Reading[]; readonly trust: number; /** For an order that does not depend on that of the files. */ readonly first: number; readonly name: string }

const unitsOf = ({ file, rows }: Dated): readonly Unit[] => {
  const beside = rows.filter(({ says }) => says === 'refused' || says === 'position')
  return [...Map.groupBy(rows, (row) => trustOf(file, row))].flatMap(([trust, own]) => {
    if (trust === null) return []
    const moments = own.flatMap(momentsIn)
    const first = moments.reduce((least, { time }) => Math.min(least, time), Number.POSITIVE_INFINITY)
    return [{ file, rows: own, beside, trust, first, name: moments.reduce((least, { key }) => (least === '' || key < least ? key : least), '') }]
  })
}

/** The fills that a row tells of by an id, and when they were. */
const momentsIn = (row: Reading): readonly { readonly key: string; readonly time: number }[] => {
  switch (row.says) {
    case 'fill': return [{ key: keyOf(row.contract, wholeIdOf(row.fillId) ?? row.fillId), time: row.time }]
    case 'pair': return [{ key: keyOf(row.contract, row.buy.fillId), time: row.buy.time }, { key: keyOf(row.contract, row.sell.fillId), time: row.sell.time }]
    case 'order': return [{ key: row.orderId, time: row.filledAt }]
    default: return []
  }
}

// A broker counts so far for all of its accounts; and one row alone may be wrong in its time.
const [longId, fewest] = [9, 2]

/** When fills were whose rows in a Fills report could not be read for another reason, such as a missing account. */
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
  for (const fact of factsOf(row)) facts.push(fact)
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

/** How the times of rows have to be moved; null where they lie as those of the same fills do, or nobody can tell. */
const moveOf = (rows: readonly Reading[], pool: Pool, zone: string | null): Move | null => {
  const byId = rows.flatMap((row): Compared[] =>
    momentsIn(row).flatMap(({ key, time }) => {
      const known = row.says === 'order' ? pool.orders.get(key) : (pool.fills.get(key) ?? pool.refused.get(key))
      return known === undefined || Math.abs(known - time) > farthest ? [] : [{ time, known }]
    }),
  )
  if (byId.length > 0) return moveByIds(byId, zone)
  if (rows[0]?.says === 'cash') return moveOfCash(rows, pool, zone)
  // Fills of pairs are told in parts, which come together again by moment.
  const own = rows[0]?.says === 'pair' ? bunchesOf(rows.flatMap(factsOf)) : rows.flatMap(factsOf)
  const known = [...pool.facts, ...bunchesOf(pool.facts)]
  if (own.length === 0 || known.length === 0) return null
  const toMoment = (facts: FillFacts) => ({ key: factsKey(facts), time: facts.time })
  const { best, unshifted } = bestAgreement(own.map(toMoment), momentsOf(known.map(toMoment)))
  if (best.shift === 0 || best.matched < 2 || unshifted.matched * 2 > best.matched || best.matched * 2 < Math.min(best.of, known.length)) return null
  const first = own[0]?.time ?? 0
  return movedBy(best.shift, zone, [{ time: first, known: first + best.shift }])
}

/** A movement of cash says of its fill only the contract, or its product, and the second: it is moved only as another zone would have it. */
const moveOfCash = (rows: readonly Reading[], pool: Pool, zone: string | null): Move | null => {
  const seconds = new Map<string, Moment>()
  for (const row of rows) {
    if (row.says !== 'cash' || row.movement === 'other' || row.contract === null) continue
    seconds.set(keyOf(wholeRootOf(row.contract), secondOf(row.time)), { key: wholeRootOf(row.contract), time: row.time })
  }
  const known = momentsOf(pool.facts.map(({ contract, time }) => ({ key: wholeRootOf(contract), time })))
  if (zone === null || seconds.size === 0 || known.size === 0) return null
  const sample = sampleOf([...seconds.values()])
  const matchedIn = (other: string): number => sample.filter(({ key, time }) => happensIn({ key, time: inZone(time, zone, other) }, known)).length
  const unmoved = matchedIn(zone)
  if (unmoved * 2 > sample.length) return null
  const { fits, matched } = likelyZones.map((other) => ({ fits: other, matched: matchedIn(other) })).reduce((most, next) => (next.matched > most.matched ? next : most))
  const first = sample[0]?.time ?? 0
  return matched < fewest || unmoved * 2 > matched || matched * 2 < Math.min(sample.length, pool.facts.length) ? null : { to: (time) => inZone(time, zone, fits), minutes: (inZone(first, zone, fits) - first) / 60_000, fits }
}

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

/** The zones that traders' exports are in, the likely ones first. */
const likelyZones = [
  ...['America/New_York', 'America/Chicago', 'America/Denver', 'America/Phoenix', 'America/Los_Angeles', 'UTC', 'Europe/London', 'Europe/Berlin', 'Europe/Athens', 'Europe/Istanbul'],
  ...['Asia/Dubai', 'Asia/Karachi', 'Asia/Kolkata', 'Asia/Kathmandu', 'Asia/Dhaka', 'Asia/Bangkok', 'Asia/Singapore', 'Asia/Tokyo', 'Australia/Adelaide', 'Australia/Sydney'],
  ...['Pacific/Auckland', 'America/Halifax', 'America/Sao_Paulo', 'America/St_Johns', 'America/Anchorage', 'Pacific/Honolulu', 'Asia/Tehran', 'Asia/Yangon', 'Australia/Lord_Howe', 'Atlantic/Azores'],
]

const mostCompared = 200

const sampleOf = <T>(all: readonly T[]): readonly T[] => {
  const step = Math.max(1, all.length / mostCompared)
  return Array.from({ length: Math.min(all.length, mostCompared) }, (_, index) => all[Math.floor(index * step)]).filter((one) => one !== undefined)
}

/** The zone in which the same wall times are the moments that are known; null where none of the likely ones is. */
const zoneThatFits = (compared: readonly Compared[], zone: string | null): string | null => {
  if (zone === null) return null
  const sample = sampleOf(compared)
  return likelyZones.find((other) => sample.filter(({ time, known }) => Math.abs(secondOf(inZone(time, zone, other)) - secondOf(known)) <= 1).length >= sample.length * 0.95) ?? null
}

/** The time at which clocks in one zone show what they showed in another. */
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
