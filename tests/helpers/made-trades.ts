import { amountOf, type Currency } from '#shared/money/money.ts'
import { isoDate, zoneClock } from '#shared/market/zone-clock.ts'
import { randomBelow } from '#shared/rules/random.ts'
import type { ReportTrade } from '#shared/stats/findings/report-trade.ts'

const dayLength = 86_400_000
const minute = 60_000
const newYork = 'America/New_York'
// A Monday, eight weeks before American clocks change.
const firstDay = 20_465

/** What is known of a trade when it is entered. */
export type Moment = {
  readonly day: number
  readonly weekday: number
  /** By New York's clocks. */
  readonly hour: number
  readonly product: string
  readonly side: 'long' | 'short'
  /** ms. */
  readonly held: number
  /** From 1, within the account's day. */
  readonly number: number
  readonly usual: number
  /** Of the trade before in the account's day: its sign, and ms since its exit. */
  readonly before: number
  readonly since: number
  readonly account: number
}

/** A habit that is planted: more (or less) P&L in usual moves, another size. */
export type Habit = {
  readonly edge?: (moment: Moment) => number
  readonly size?: (moment: Moment) => number
  /** What a follower of the same decisions gets beside its leader, in usual moves. */
  readonly apart?: (account: number) => number
}

/** How large a journal is: trading days, trades on a usual day, accounts, and whether they copy each other. */
export type Shape = { readonly days: number; readonly usual: number; readonly accounts: number; readonly copied: boolean }

type Chance = { readonly below: (top: number) => number; readonly unit: () => number; readonly normal: () => number }

const chanceOf = (seed: number): Chance => {
  const below = randomBelow(seed)
  const unit = (): number => (below(4_294_967_296) + 0.5) / 4_294_967_296
  return { below, unit, normal: () => Math.sqrt(-2 * Math.log(unit())) * Math.cos(2 * Math.PI * unit()) }
}

const products = [
  { root: 'MES', move: 40, fee: 1.24 },
  { root: 'MNQ', move: 55, fee: 1.24 },
  { root: 'ES', move: 400, fee: 4.2 },
  { root: 'CL', move: 260, fee: 4.7 },
] as const

/** A shape that a seed draws: short and long, busy and quiet, one account or several, copied or not. */
export const shapeOf = (seed: number): Shape => {
  const { below } = chanceOf(seed ^ 0x5a5a)
  return { days: 30 + below(110), usual: 2 + below(9), accounts: 1 + below(3), copied: below(3) === 0 }
}

/**
 * A journal of a trader without any skill, or with the habits that are planted: days of one mood (all trades of a day share some of their result),
 * volatility that stays for days and is higher in the morning, heavy tails, lopsided results in some journals (many small wins, few large losses),
 * sizes of one to five, costs, entries by New York's clocks over a change to daylight saving. The same seed makes the same journal.
 */
export const madeTrades = (seed: number, shape: Shape = shapeOf(seed), habit: Habit = {}): ReportTrade[] => {
  const chance = chanceOf(seed)
  const lopsided = chance.below(3) === 0
  const trades: ReportTrade[] = []
  let volatility = 0
  for (let day = 0; day < shape.days; day += 1) {
    const date = firstDay + Math.floor(day / 5) * 7 + (day % 5)
    volatility = 0.9 * volatility + 0.2 * chance.normal()
    const mood = 0.35 * chance.normal()
    const decisions = shape.copied ? 1 : shape.accounts
    for (let leader = 0; leader < decisions; leader += 1) {
      const count = 1 + chance.below(2 * shape.usual - 1)
      let at = 9.5 * 60 + chance.unit() * 40
      let [before, left] = [0, 0]
      for (let number = 1; number <= count && at < 15.9 * 60; number += 1) {
        const drawn = 7 * minute * Math.exp(1.1 * chance.normal())
        const product = products[(leader + chance.below(2) + (chance.below(8) === 0 ? 2 : 0)) % 4] ?? products[0]
        const known: Moment = {
          day, weekday: (day % 5) + 1, hour: Math.floor(at / 60), product: product.root, side: chance.below(2) === 0 ? 'long' : 'short',
          held: drawn, number, usual: shape.usual, before, since: (at - left) * minute, account: leader,
        }
        const loud = Math.exp(volatility) * (at < 10.5 * 60 ? 1.7 : 1)
        const result = loud * (mood + resultOf(chance, lopsided)) + (habit.edge?.(known) ?? 0)
        const held = Math.max(1000, Math.round(drawn))
        const size = Math.max(1, Math.round(habit.size?.(known) ?? 1 + chance.below(chance.below(3) === 0 ? 5 : 2)))
        const entryTime = timeOf(date, at)
        for (let account = leader; account < (shape.copied ? shape.accounts : leader + 1); account += 1) {
          const own = result + (account === leader ? 0 : 0.03 * chance.normal() + (habit.apart?.(account) ?? 0))
          const late = account === leader ? 0 : chance.below(2000)
          const gross = Math.round(own * product.move * size * 100) * 100
          const fee = Math.round(product.fee * size * 100) * 100
          trades.push({
            id: `t${String(trades.length)}`, account: `account-${String(account)}`, symbol: `${product.root}M6`, side: known.side, quantity: size,
            currency: 'USD' as Currency, entryTime: entryTime + late, exitTime: entryTime + held + late, date: isoDate(date), tradingDay: isoDate(date),
            grossPnl: amountOf(gross), commission: amountOf(fee), netPnl: amountOf(gross - fee),
          })
        }
        before = Math.sign(result)
        left = at + held / minute
        at = left + (chance.below(3) === 0 ? 1 + chance.unit() * 8 : 4 + (chance.unit() * 240) / shape.usual)
      }
    }
  }
  return trades
}

const timeOf = (date: number, minutes: number): number => {
  const wall = date * dayLength + Math.round(minutes * minute)
  return wall - zoneClock(newYork).offsetAt(wall + 5 * 3_600_000)
}

// Student's with four degrees of freedom, or wins and losses of their own sizes; nothing on average.
const resultOf = ({ unit, normal }: Chance, lopsided: boolean): number => {
  const tail = Math.sqrt(4 / (-2 * Math.log(unit()) - 2 * Math.log(unit())))
  const size = Math.abs(normal() * tail)
  if (!lopsided) return normal() * tail * 0.75
  return unit() < 0.75 ? size * 0.6 : -size * 1.8
}
