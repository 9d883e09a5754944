import { openFloor, type Floor } from './floor.ts'
import { openBooks, type FloorBooks } from './floor-books.ts'
import type { Hooks } from './hooks.ts'
import { openViews, type Views } from './view.ts'
import type { World } from './world.ts'

/** Live ids begin beyond those of any world, and each start of a stand-in has its own: what a client remembers of an earlier one is never met again. */
const FIRST_LIVE_ID = 700_000_000_000
const IDS_PER_MS = 10
const COUNTED_FROM = Date.UTC(2026, 0, 1)

/** Everything that moves at a stand-in. */
export type Market = {
  /** The market's clock, which stands still until it is set. */
  readonly clock: { readonly now: () => number; readonly set: (now: number) => void }
  readonly books: FloorBooks
  readonly floor: Floor
  readonly views: Views
}

type Parts = {
  /** Where the market's clock stands at first, UTC milliseconds; the last stop of the walk unless told. */
  readonly begin: number | undefined
  readonly hooks: Pick<Hooks, 'refuseOrder' | 'startOrder' | 'beforeCancel'>
  readonly wallNow: () => number
}

/** Opens the market of a world. */
export const openMarket = (world: World, { begin, hooks, wallNow }: Parts): Market => {
  let time = begin ?? world.walk.at(-1)?.at ?? 0
  const now = (): number => time
  const takeIds = liveIds(wallNow())
  const books = openBooks(world, now, () => takeIds(1))
  const floor = openFloor({ books, hooks, now, takeIds })
  return {
    books, floor,
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
