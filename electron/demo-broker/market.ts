import type { DemoBroker } from './broker-types.ts'
import type { Faults } from './faults.ts'
import { openFloor, type Floor } from './floor.ts'
import { handOn, type Hand } from './floor-hand.ts'
import { openBooks, type FloorBooks } from './floor-books.ts'
import { openViews, type Views } from './view.ts'
import type { World } from './world.ts'

/** Live ids begin beyond those of any world, and each start of a stand-in has its own: what a client remembers of an earlier one is never met again. */
const FIRST_LIVE_ID = 700_000_000_000
const IDS_PER_MS = 10
const COUNTED_FROM = Date.UTC(2026, 0, 1)

/** Everything that moves at a stand-in. */
export type Market = {
  readonly clock: DemoBroker['clock']
  readonly books: FloorBooks
  readonly floor: Floor
  readonly hand: Hand
  readonly views: Views
}

type Parts = {
  /** Where the market's clock stands at first, UTC milliseconds; the last stop of the walk unless told. */
  readonly begin: number | undefined
  readonly faults: Faults
  readonly wallNow: () => number
  /** Does something after so many milliseconds, unless the stand-in stops before. */
  readonly later: (ms: number, act: () => void) => void
}

/** Opens the market of a world. */
export const openMarket = (world: World, { begin, faults, wallNow, later }: Parts): Market => {
  let time = begin ?? world.walk.at(-1)?.at ?? 0
  const now = (): number => time
  const takeIds = liveIds(wallNow())
  const books = openBooks(world, now, () => takeIds(1))
  const floor = openFloor({ books, faults, now, takeIds, later })
  return {
    books, floor,
    hand: handOn(floor, books.world),
    views: openViews({ books, floor, now }),
    clock: {
      now,
      set: (moment) => {
        const from = time
        time = moment
        floor.clockMoved(from)
      },
    },
  }
}

/** One counter for rows of every kind. */
const liveIds = (wallNow: number): ((count: number) => number) => {
  let next = FIRST_LIVE_ID + Math.max(0, wallNow - COUNTED_FROM) * IDS_PER_MS
  return (count) => {
    const first = next
    next += count
    return first
  }
}
