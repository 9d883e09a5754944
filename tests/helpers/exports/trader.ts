import { bookedOn, chicagoWall, dayAfter, holidays, weekdayOf } from './clock.ts'
import type { Draw } from './draw.ts'
import type { Product } from './products.ts'

/** What was filled of an order at once; one that the broker busted later counts nothing. */
export type Piece = { readonly time: number; readonly qty: number; readonly ticks: number; readonly busted: boolean }

/** An order as a trader places it in one account and contract. */
export type DraftOrder = {
  readonly product: Product
  readonly placedAt: number
  readonly side: 'buy' | 'sell'
  readonly qty: number
  readonly type: 'Market' | 'Limit' | 'Stop'
  readonly status: 'Filled' | 'Canceled' | 'Rejected' | 'Working'
  readonly pieces: readonly Piece[]
}

/** What traders are like: `calm` ones fill every order at one price and never flip. */
export type Temper = 'wild' | 'calm'

/** Dates on which a session ends, this many from a date on; holidays' short ones are among them. */
export const sessionDates = (from: string, count: number): readonly string[] => {
  const dates: string[] = []
  for (let date = from; dates.length < count; date = dayAfter(date)) if (weekdayOf(date) % 6 !== 0) dates.push(date)
  return dates
}

const hour = 3_600_000

type Desk = {
  readonly draw: Draw
  readonly product: Product
  readonly temper: Temper
  readonly orders: DraftOrder[]
  /** From here on there is no time left for pauses. */
  hurry: number
  time: number
  ticks: number
  net: number
}

type FillPattern = 'at-once' | 'in-pieces' | 'one-millisecond' | 'then-cancelled' | 'with-a-bust'

const pause = (desk: Desk, pauses: readonly number[]): void => {
  desk.time += desk.time < desk.hurry ? desk.draw.pick(pauses) : desk.draw.between(0, 40)
}

const walk = (desk: Desk): number => (desk.ticks += desk.draw.between(-9, 9))

const cut = (desk: Desk, qty: number): readonly number[] => {
  const { draw, product } = desk
  const parts: number[] = []
  for (let left = qty / product.lot; left > 0; ) {
    const part = draw.between(1, left)
    parts.push(part * product.lot)
    left -= part
  }
  return parts
}

const trade = (desk: Desk, signed: number, pattern: FillPattern = 'at-once'): void => {
  const { draw, product, temper } = desk
  const qty = Math.abs(signed) * product.lot
  const placedAt = desk.time
  desk.time += draw.between(1, 900)
  const together = pattern === 'at-once' || temper === 'calm'
  walk(desk)
  const pieces = (together ? [qty] : cut(desk, qty)).map((part): Piece => {
    if (!together && pattern !== 'one-millisecond') pause(desk, [0, 1, 40, 700, 1_500, 20_000])
    if (!together) desk.ticks += draw.between(-1, 1)
    return { time: desk.time, qty: part, ticks: desk.ticks, busted: false }
  })
  if (pattern === 'with-a-bust') pieces.push({ time: desk.time, qty: product.lot, ticks: desk.ticks + 400, busted: true })
  const extra = pattern === 'then-cancelled' || pattern === 'with-a-bust' ? draw.between(1, 5) * product.lot : 0
  desk.orders.push({ product, placedAt, side: signed > 0 ? 'buy' : 'sell', qty: qty + extra, type: draw.pick(['Market', 'Limit', 'Stop']), status: extra > 0 ? 'Canceled' : 'Filled', pieces })
  desk.net += signed
  pause(desk, [0, 3, 1_000, 61_000, 180_000, 400_000])
}

const unfilled = (desk: Desk): void => {
  const { draw, product } = desk
  const status = draw.pick(['Canceled', 'Rejected', 'Working'] as const)
  desk.orders.push({ product, placedAt: desk.time, side: draw.pick(['buy', 'sell']), qty: draw.between(1, 9) * product.lot, type: 'Limit', status, pieces: [] })
}

const anyPattern = (desk: Desk): FillPattern => desk.draw.pick(['at-once', 'at-once', 'in-pieces', 'one-millisecond', 'then-cancelled'])

const leave = (desk: Desk): void => {
  while (desk.net !== 0) {
    const part = desk.draw.between(1, Math.abs(desk.net))
    trade(desk, desk.net > 0 ? -part : part, anyPattern(desk))
  }
}

const enter = (desk: Desk, most: number): void => trade(desk, desk.draw.between(1, most) * desk.draw.pick([1, -1]), anyPattern(desk))

const stories: readonly ((desk: Desk) => void)[] = [
  (desk) => {
    enter(desk, 4)
    leave(desk)
  },
  // Scaled in and out, adding and taking off as it goes.
  (desk) => {
    const sign = desk.draw.pick([1, -1])
    for (let step = desk.draw.between(4, 24); step > 0; step -= 1) {
      const takesOff = desk.net !== 0 && desk.draw.chance(0.45)
      trade(desk, takesOff ? -sign * desk.draw.between(1, Math.abs(desk.net)) : sign * desk.draw.between(1, 5), anyPattern(desk))
    }
    leave(desk)
  },
  // Through zero, several times.
  (desk) => {
    enter(desk, 5)
    const flips = desk.temper === 'calm' ? 0 : desk.draw.between(1, 4)
    for (let flip = 0; flip < flips; flip += 1) trade(desk, -desk.net * 2 - Math.sign(desk.net) * desk.draw.between(0, 3), anyPattern(desk))
    leave(desk)
  },
  (desk) => {
    trade(desk, desk.draw.pick([2, -3]), 'with-a-bust')
    unfilled(desk)
    leave(desk)
  },
]

// One trade of 66 fills that holds 40 lots at its widest.
const longTrade = (desk: Desk): void => {
  for (let step = 0; step < 40; step += 1) trade(desk, 1)
  for (let step = 0; step < 26; step += 1) trade(desk, step < 14 ? -2 : -1)
}

/** What a trader does with one contract in these sessions; with `staysOpen` a position is left at the end. */
export const tradeContract = (draw: Draw, product: Product, dates: readonly string[], temper: Temper, staysOpen: boolean): readonly DraftOrder[] => {
  const desk: Desk = { draw, product, temper, orders: [], hurry: 0, time: 0, ticks: product.around, net: 0 }
  const marathon = draw.chance(0.15) ? draw.between(0, dates.length - 1) : -1
  for (const [index, date] of dates.entries()) {
    const ends = chicagoWall(date, holidays.has(date) ? 11.5 * hour : 15.5 * hour)
    const begins = draw.chance(0.3) ? chicagoWall(dayAfter(date, -1), 17 * hour) + draw.between(0, 3) * hour : ends - draw.between(1, 6) * hour
    desk.hurry = ends
    desk.time = Math.max(desk.time + 1, begins + draw.between(0, 999_999))
    leave(desk)
    if (index === marathon && temper === 'wild') longTrade(desk)
    for (let left = draw.between(1, 3); left > 0 && desk.time < ends - hour; left -= 1) draw.pick(stories)(desk)
    if (desk.time > ends + 0.4 * hour) throw new Error('Traded on after the session')
    const last = index === dates.length - 1
    if (last ? staysOpen : draw.chance(0.3)) enter(desk, 6)
  }
  if (desk.orders.some(({ pieces }) => pieces.some(({ time }) => bookedOn(time) < (dates[0] ?? '')))) throw new Error('Traded before the first session')
  return desk.orders
}
