import type { StatisticsTrade } from './figures.ts'
import { addMoney, moneyFigures, tradeCounts, type MoneyFigures, type MoneySums, type TradeCounts } from './money-figures.ts'
import { rFigures, type RFigures, type RSum } from './r-multiple.ts'

/** Average hold times in whole ms; null without such a trade. */
export type HoldTimes = { readonly all: number | null; readonly wins: number | null; readonly losses: number | null }

/** The average exit efficiency of so many trades, a share that is at least and at most so much. */
export type EfficiencyFigures = { readonly count: number; readonly least: number; readonly most: number }

/** The figures of a group of trades. */
export type GroupFigures = TradeCounts & {
  readonly hold: HoldTimes
  readonly r: RFigures
  /** Missing if unknown for all trades. */
  readonly exitEfficiency?: EfficiencyFigures
  /** By currency, sorted by code: currencies are never added. */
  readonly money: readonly MoneyFigures[]
}

/** The figures of the trades with one key. */
export type TradeGroup<Key> = GroupFigures & { readonly key: Key }

/** The running totals of a group. */
export type GroupSums = { readonly money: MoneySums; readonly r: RSum; readonly exits: { count: number; least: number; most: number }; held: number; winsHeld: number; lossesHeld: number }

export const emptyGroup = (): GroupSums => ({ money: [], r: { count: 0, units: 0 }, exits: { count: 0, least: 0, most: 0 }, held: 0, winsHeld: 0, lossesHeld: 0 })

/** Adds a trade in place; `r` is its R-multiple in 1/10,000 R. */
export const addToGroup = (group: GroupSums, trade: StatisticsTrade, r: number | null): void => {
  addMoney(group.money, trade)
  const held = trade.exitTime - trade.entryTime
  group.held += held
  if (trade.grossPnl > 0) group.winsHeld += held
  if (trade.grossPnl < 0) group.lossesHeld += held
  const { exitEfficiency } = trade
  if (exitEfficiency !== undefined && exitEfficiency !== null) {
    group.exits.count += 1
    group.exits.least += exitEfficiency.least
    group.exits.most += exitEfficiency.most
  }
  if (r === null) return
  group.r.count += 1
  group.r.units += r
}

export const groupFigures = ({ money, r, exits, held, winsHeld, lossesHeld }: GroupSums): GroupFigures => {
  const rows = moneyFigures(money)
  const counts = tradeCounts(rows)
  return {
    ...counts,
    hold: { all: averageTime(held, counts.count), wins: averageTime(winsHeld, counts.wins), losses: averageTime(lossesHeld, counts.losses) },
    r: rFigures(r),
    ...(exits.count === 0 ? {} : { exitEfficiency: { count: exits.count, least: averageShare(exits.least, exits.count), most: averageShare(exits.most, exits.count) } }),
    money: rows,
  }
}

/** Groups trades by a key, in any order; `compare` sorts the groups. */
export const createGroups = <Key>(compare: (one: Key, other: Key) => number) => {
  const groups = new Map<Key, GroupSums>()
  return {
    take: (key: Key, trade: StatisticsTrade, r: number | null): void => {
      let group = groups.get(key)
      if (group === undefined) {
        group = emptyGroup()
        groups.set(key, group)
      }
      addToGroup(group, trade, r)
    },
    result: (): readonly TradeGroup<Key>[] => [...groups].sort(([one], [other]) => compare(one, other)).map(([key, sums]) => ({ key, ...groupFigures(sums) })),
  }
}

const averageTime = (held: number, count: number): number | null => (count === 0 ? null : Math.round(held / count))

// Sums in 1/10,000 are exact, so that equal bounds stay equal.
const averageShare = (units: number, count: number): number => units / count / 10_000
