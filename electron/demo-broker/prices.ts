import { addDays, dayNumber, sessionOpen, weekday } from './calendar.ts'
import type { Product } from './contracts.ts'
import { randomFor } from './random.ts'

const MINUTES = 23 * 60
const MINUTE_MS = 60_000
/** Regular trading hours, 8:30 to 15:00, counted from the session's begin. */
const BUSY = { from: 930, to: 1320 }

/** The prices of a seed: deterministic in any order of calls. */
export type Prices = {
  /** The product's price at a time in a session, in whole ticks. */
  readonly ticksAt: (product: Product, session: string, time: number) => number
}

/** A seed's prices: each session is a random walk from its own level to the next session's. */
export const pricesOf = (seed: number): Prices => {
  const paths = new Map<string, Float64Array>()

  const pathOf = (product: Product, session: string): Float64Array => {
    const key = `${product.underlying}/${session}`
    const known = paths.get(key)
    if (known !== undefined) return known
    const path = walk(seed, product, session)
    paths.set(key, path)
    return path
  }

  return {
    ticksAt: (product, session, time) => {
      const path = pathOf(product, session)
      const minute = Math.min(Math.max((time - sessionOpen(session)) / MINUTE_MS, 0), MINUTES - 1)
      const before = path[Math.floor(minute)] ?? product.level
      const after = path[Math.ceil(minute)] ?? before
      const price = before + (after - before) * (minute % 1)
      return Math.round((price * product.tickScale) / product.tickUnits)
    },
  }
}

const walk = (seed: number, product: Product, session: string): Float64Array => {
  const random = randomFor(`${seed}/path/${product.underlying}/${session}`)
  const from = levelOf(seed, product, session)
  const to = levelOf(seed, product, addDays(session, weekday(session) === 5 ? 3 : 1))
  const step = (from * product.volatility) / Math.sqrt(MINUTES)
  const path = new Float64Array(MINUTES)
  let noise = 0
  for (let minute = 0; minute < MINUTES; minute += 1) {
    path[minute] = noise
    noise += random.normal() * step * (minute >= BUSY.from && minute < BUSY.to ? 1.5 : 0.6)
  }
  for (let minute = 0; minute < MINUTES; minute += 1) {
    const share = minute / MINUTES
    path[minute] = (path[minute] ?? 0) + from + (to - from - noise) * share
  }
  return path
}

// Slow waves instead of a cumulative sum: any day's level is computed without the days before it.
const levelOf = (seed: number, product: Product, date: string): number => {
  const day = dayNumber(date)
  const random = randomFor(`${seed}/level/${product.underlying}`)
  const slow = Math.sin((day / 41 + random.next()) * 2 * Math.PI)
  const quick = Math.sin((day / 13 + random.next()) * 2 * Math.PI)
  const own = randomFor(`${seed}/level/${product.underlying}/${date}`).normal()
  return product.level * (1 + product.volatility * (2.2 * slow + 0.9 * quick + 0.4 * own))
}
