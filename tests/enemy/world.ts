import { contracts, sessionOf, type Contract, type Disturbance, type Fill } from './market.ts'
import { centsOf, netOf, openLots, truePairs, type TruePair } from './oracle.ts'

/** The broker's host on which an account lives. */
export type Host = 'demo' | 'live'

/** One account of the login. */
export type Account = { readonly id: number; readonly name: string; readonly host: Host }

/** What goes wrong with some calls of one turn; `path` is the end of the call's path. */
export type Fault = {
  readonly path: string
  /** `error`: a 500. `cut`: the line breaks. `half`: the text ends in its midst. `denied`: a 401. */
  readonly kind: 'error' | 'cut' | 'half' | 'denied'
  /** How many calls meet it; the others go well. */
  times: number
}

/** All that one login's broker knows, and how it is disturbed in the turn under way. */
export type World = {
  readonly key: string
  readonly userId: number
  readonly accounts: readonly Account[]
  readonly fills: Fill[]
  /** UTC ms. */
  now: number
  /** Counts the syncs. */
  turn: number
  faults: Fault[]
  /** Fills that the list leaves out in this turn. */
  readonly hidden: Set<number>
  /** Whether rows come in another order. */
  shuffled: boolean
  /** Positions and pairs know only fills before this moment in this turn; null: all. */
  positionsUntil: number | null
  reports: 'given' | 'down' | 'denied'
  lastId: number
  readonly positionIds: Map<string, number>
}

/** What every account began with, in cents. */
export const openingCents = 5_000_000

/** A broker with one login of these accounts, in which nothing has happened. */
export const newWorld = (key: string, number: number, accounts: readonly Host[], now: number): World => ({
  key,
  userId: 9_000 + number,
  accounts: accounts.map((host, index) => ({ id: 700_000 + number * 10 + index, name: `${host === 'demo' ? 'EVAL' : 'REAL'}${String(number)}-${String(index)}`, host })),
  fills: [],
  now,
  turn: 0,
  faults: [],
  hidden: new Set(),
  shuffled: false,
  positionsUntil: null,
  reports: 'given',
  lastId: 600_000_000_000 + number * 1_000_000,
  positionIds: new Map(),
})

/** The next id of any row, as this broker draws them all from one counter. */
export const nextId = (world: World): number => (world.lastId += 1)

/** The session under way. */
export const today = (world: World): string => sessionOf(world.now)

/** The fills that anything at the broker knows of now. */
export const booked = (world: World): Fill[] => world.fills.filter(({ rows }) => rows.bookedFrom <= world.turn)

/** Whether the broker's list holds a fill in this turn. */
export const isListed = (world: World, { id, day, rows }: Fill): boolean =>
  day === today(world) && !rows.unlisted && rows.bookedFrom <= world.turn && rows.listedFrom <= world.turn && !world.hidden.has(id)

/** Whether the order of a fill can be found in this turn. */
export const hasOrder = (world: World, { rows }: Fill): boolean => rows.orderFrom <= world.turn

/** Whether the row of a fill can be read in this turn. */
export const isReadable = (world: World, { rows }: Fill): boolean => rows.readableFrom <= world.turn

/** The broker's current fees of a fill, in cents; null without a fee row. */
export const listedFeeCents = (world: World, { feeCents, rows }: Fill): number | null => {
  if (rows.feeFrom <= world.turn) return feeCents
  return rows.feeBefore === 'none' ? null : rows.feeBefore === 'zero' ? 0 : Math.floor(feeCents / 2)
}

/** Makes every row as it should be. */
export const settle = (rows: Disturbance): void => {
  Object.assign(rows, { bookedFrom: 0, listedFrom: 0, orderFrom: 0, feeFrom: 0, readableFrom: 0 })
}

/** One position row: an account and contract in the session under way. */
export type Position = { readonly id: number; readonly account: number; readonly contract: Contract; readonly net: number; readonly netPrice: number | null; readonly before: number; readonly beforePrice: number | null; readonly traded: readonly Fill[]; readonly pairs: readonly TruePair[] }

const averageTicks = (fills: readonly Fill[]): number | null => {
  const lots = openLots(fills)
  const count = lots.reduce((sum, { left }) => sum + left, 0)
  return count === 0 ? null : lots.reduce((sum, { fill, left }) => sum + fill.ticks * left, 0) / count
}

/** All positions of the session under way, flat ones too. */
export const positions = (world: World): Position[] => {
  const day = today(world)
  const until = world.positionsUntil ?? Infinity
  const known = booked(world).filter((fill) => fill.active && fill.time <= until)
  return world.accounts.flatMap(({ id: account }) =>
    contracts.flatMap((contract) => {
      const own = known.filter((fill) => fill.account === account && fill.contract === contract)
      const before = own.filter((fill) => fill.day < day)
      const traded = own.filter((fill) => fill.day === day)
      if (traded.length === 0 && netOf(before) === 0) return []
      const place = `${String(account)} ${contract.name} ${day}`
      const rowId = world.positionIds.get(place) ?? nextId(world)
      world.positionIds.set(place, rowId)
      return [{ id: rowId, account, contract, net: netOf(own), netPrice: averageTicks(own), before: netOf(before), beforePrice: averageTicks(before), traded, pairs: truePairs(own).filter(({ exit }) => exit.day === day) }]
    }),
  )
}

/** What an account holds in a currency, and what of it was there before the session and made in it, in cents. */
export const cashOf = (world: World, account: number, currency: string): { readonly amount: number; readonly before: number; readonly realized: number } => {
  const day = today(world)
  const own = booked(world).filter((fill) => fill.active && fill.account === account && fill.contract.product.currency === currency)
  const pairs = truePairs(own)
  const made = (counts: (fill: Fill) => boolean): number => centsOf(pairs.filter(({ exit }) => counts(exit)).reduce((sum, { gross }) => sum + gross, 0))
  const paid = (counts: (fill: Fill) => boolean): number => own.filter(counts).reduce((sum, fill) => sum + (listedFeeCents(world, fill) ?? 0), 0)
  const opening = currency === 'USD' ? openingCents : 0
  const before = opening + made((fill) => fill.day < day) - paid((fill) => fill.day < day)
  const realized = made((fill) => fill.day === day)
  return { amount: before + realized - paid((fill) => fill.day === day), before, realized }
}
