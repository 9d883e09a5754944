import { sessionOpen } from './calendar.ts'
import type { Contract } from './contracts.ts'
import type { MinuteBar } from './quotes.ts'
import { randomFor } from './random.ts'
import type { Execution, World } from './world.ts'

const MINUTES = 23 * 60
const SECONDS = MINUTES * 60
const MINUTE_US = 60_000_000
/** The tape keeps this far from a fill, so that their order is never in doubt. */
const APART_US = 1500
/** From so many seconds before a fill to so many after it, prices settle on the trader's. */
const SETTLES = 30

/** Prints an ordinary session's tape has, and one before the walk: half a year of those is for a glance, and takes its time. */
const USUAL_PRINTS = 12_000
const PAST_PRINTS = 3_000

/** How busy the minutes of a session are, from its begin at 17:00 in Chicago: Asia, Europe, the opening, noon, the close, the last hour. */
const BUSY: readonly (readonly [until: number, weight: number])[] = [[540, 2], [930, 8], [990, 60], [1140, 25], [1260, 18], [1320, 45], [MINUTES, 5]]

/** A session's prints in the order of the exchange: UTC microseconds, whole ticks, contracts. */
export type SessionTape = { readonly at: Float64Array; readonly price: Int32Array; readonly size: Int32Array }

/** What the tape of a contract's session is made of. */
type TapeDeps = {
  readonly seed: number | string
  readonly contract: Contract
  readonly session: string
  readonly mark: World['mark']
  /** Prints that it must have, by time: UTC ms, whole ticks. */
  readonly pins: readonly { readonly time: number; readonly ticks: number; readonly qty: number }[]
  /** About so many prints; `USUAL_PRINTS` by default. */
  readonly prints?: number
}

/**
 * The tape of a contract in one session: the same parts give the same bytes, whatever other tapes were made. It follows
 * the market's prices, has each pin at its moment, and no print outside the session.
 */
export const sessionTape = ({ seed, contract, session, mark, pins, prints = USUAL_PRINTS }: TapeDeps): SessionTape => {
  const bits = bitsOf(`${seed}/tape/${contract.name}/${session}`)
  const open = sessionOpen(session)
  const path = pathOf({ contract, session, mark, pins, open, bits })
  const counts = countsOf(prints, bits)
  const length = counts.reduce((sum, count) => sum + count, pins.length)
  const [at, price, size] = [new Float64Array(length), new Int32Array(length), new Int32Array(length)]
  let [made, next] = [0, 0]
  const put = (moment: number, ticks: number, qty: number): void => {
    at[made] = moment
    price[made] = ticks
    size[made] = qty
    made += 1
  }
  const putPinsUntil = (moment: number): void => {
    for (let pin = pins[next]; pin !== undefined && pin.time * 1000 <= moment; next += 1, pin = pins[next]) put(pin.time * 1000, pin.ticks, pin.qty)
  }
  const isNearPin = (moment: number): boolean => {
    const [before, after] = [pins[next - 1], pins[next]]
    return (before !== undefined && moment - before.time * 1000 < APART_US) || (after !== undefined && after.time * 1000 - moment < APART_US)
  }
  for (const [minute, count] of counts.entries()) {
    const begin = open * 1000 + minute * MINUTE_US
    let [moment, side] = [begin, 0]
    for (let index = 0; index < count; index += 1) {
      const drawn = bits()
      // A sixth trades in the same moment and on the same side as the print before it: one order met several.
      if (index === 0 || drawn % 6 !== 0) {
        moment = begin + Math.floor(((index + (drawn >>> 8) / 2 ** 24) * MINUTE_US) / count)
        side = drawn & 1
      }
      putPinsUntil(moment)
      if (!isNearPin(moment)) put(moment, (path[Math.floor((moment - open * 1000) / 1_000_000)] ?? 0) + side, sizeOf(bits()))
    }
  }
  putPinsUntil(Infinity)
  return { at: at.subarray(0, made), price: price.subarray(0, made), size: size.subarray(0, made) }
}

/** The minutes in which a tape has prints. */
export const minutesOf = ({ at, price, size }: SessionTape): readonly MinuteBar[] => {
  const bars: MinuteBar[] = []
  at.forEach((moment, index) => {
    const [begin, ticks, qty] = [Math.floor(moment / MINUTE_US) * 60_000, price[index] ?? 0, size[index] ?? 0]
    const last = bars.at(-1)
    if (last?.at !== begin) bars.push({ at: begin, open: ticks, high: ticks, low: ticks, close: ticks, volume: qty })
    else {
      last.high = Math.max(last.high, ticks)
      last.low = Math.min(last.low, ticks)
      last.close = ticks
      last.volume += qty
    }
  })
  return bars
}

/** The tapes of a brokerage's contracts. */
export type Tapes = {
  /** The contracts that its accounts traded, and for each the sessions from its first to its last trade. */
  readonly contracts: readonly { readonly contract: string; readonly sessions: readonly string[] }[]
  /** The sessions of a contract that spans of UTC microseconds touch, in order; none of one that nobody traded. */
  readonly sessionsOf: (contract: string, spans: readonly { readonly from: number; readonly to: number }[]) => readonly string[]
  /** A session's prints up to the market clock; each fill of the accounts is one of them, busted ones left out. */
  readonly printsOf: (contract: string, session: string) => SessionTape
}

type TapesDeps = {
  readonly seed: number
  readonly executions: readonly Execution[]
  /** Those before the world, too. */
  readonly sessions: readonly string[]
  /** Sessions of fewer prints. */
  readonly past?: readonly string[]
  readonly world: Pick<World, 'mark' | 'walk'>
  readonly now: number
}

/** Makes the tapes of everything that was traded until `now`, in UTC ms. Each is made when it is asked for. */
export const openTapes = ({ seed, executions, sessions, past = [], world, now }: TapesDeps): Tapes => {
  const traded = Map.groupBy(executions.filter(({ time }) => time <= now), ({ contract }) => contract.name)
  const contracts = [...traded].map(([contract, fills]) => {
    const [first = '', last = ''] = [fills[0]?.session, fills.at(-1)?.session]
    return { contract, sessions: sessions.filter((session) => session >= first && session <= last) }
  })
  return {
    contracts,
    sessionsOf: (name, spans) => {
      const own = contracts.find(({ contract }) => contract === name)?.sessions ?? []
      return own.filter((session) => {
        const begin = sessionOpen(session) * 1000
        return spans.some(({ from, to }) => from < begin + SECONDS * 1_000_000 && to > begin)
      })
    },
    printsOf: (name, session) => {
      const fills = traded.get(name) ?? []
      const contract = fills[0]?.contract
      if (contract === undefined) throw new RangeError(`Nobody traded ${name}`)
      // What the accounts see of an open position at a stop of the clock is on the tape, too.
      const seen = world.walk.filter((stop) => stop.session === session && stop.at <= now).map(({ at }) => ({ time: at, ticks: world.mark(contract, session, at), qty: 1 }))
      const filled = fills.filter((fill) => fill.session === session && fill.bustedAt === null)
      const tape = sessionTape({ seed, contract, session, mark: world.mark, pins: [...seen, ...filled].sort((one, other) => one.time - other.time), ...(past.includes(session) ? { prints: PAST_PRINTS } : {}) })
      const end = tape.at.findLastIndex((moment) => moment <= now * 1000) + 1
      return { at: tape.at.subarray(0, end), price: tape.price.subarray(0, end), size: tape.size.subarray(0, end) }
    },
  }
}

/** The bid of each second, in whole ticks: the market's price with a noise of its own, which dies down towards each pin. */
const pathOf = ({ contract, session, mark, pins, open, bits }: Pick<TapeDeps, 'contract' | 'session' | 'mark' | 'pins'> & { readonly open: number; readonly bits: () => number }): Int32Array => {
  const { level, volatility, tickScale, tickUnits } = contract.product
  const step = (level * volatility * tickScale) / tickUnits / 400
  const path = new Int32Array(SECONDS)
  const calm = new Float64Array(SECONDS).fill(1)
  for (const { time } of pins) {
    const second = Math.floor((time - open) / 1000)
    for (let near = Math.max(0, second - SETTLES); near < Math.min(SECONDS, second + SETTLES); near += 1) calm[near] = Math.min(calm[near] ?? 1, Math.abs(near - second) / SETTLES)
  }
  const marks = Array.from({ length: MINUTES + 1 }, (_, minute) => mark(contract, session, open + minute * 60_000))
  let noise = 0
  for (let second = 0; second < SECONDS; second += 1) {
    noise += (bits() / 2 ** 31 - 1) * step - noise / 16
    const minute = Math.floor(second / 60)
    const [before, after] = [marks[minute] ?? 0, marks[minute + 1] ?? 0]
    path[second] = Math.round(before + ((after - before) * (second % 60)) / 60 + noise * (calm[second] ?? 1))
  }
  return path
}

/** So many minutes in a row may be without a print: five would look like prices that are missing. */
const STILL = 3

/** How many prints each minute has: more where it is busy, in the night sometimes none. */
const countsOf = (prints: number, bits: () => number): readonly number[] => {
  const weights = Array.from({ length: MINUTES }, (_, minute) => BUSY.find(([until]) => minute < until)?.[1] ?? 0)
  const whole = weights.reduce((sum, weight) => sum + weight, 0)
  let still = 0
  return weights.map((weight) => {
    const drawn = bits()
    const isStill = weight < 10 && drawn % 20 === 0
    const count = isStill ? 0 : Math.floor(((prints * weight) / whole) * (0.4 + (1.2 * (drawn >>> 16)) / 2 ** 16) + (drawn & 0xff) / 256)
    still = count > 0 || still === STILL ? 0 : still + 1
    return still === 0 ? Math.max(1, count) : count
  })
}

/** Mostly one or two contracts, sometimes hundreds. */
const sizeOf = (drawn: number): number => {
  const share = drawn & 0x3ff
  const within = drawn >>> 10
  return share < 600 ? 1 : share < 860 ? 2 + (within % 2) : share < 990 ? 4 + (within % 8) : share < 1020 ? 12 + (within % 40) : 52 + (within % 300)
}

/** Whole numbers of 32 bits by a key: a counter, hashed. */
const bitsOf = (key: string): (() => number) => {
  let state = Math.floor(randomFor(key).next() * 2 ** 32)
  return () => {
    state = (state + 0x9e3779b9) | 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return (mixed ^ (mixed >>> 15)) >>> 0
  }
}
