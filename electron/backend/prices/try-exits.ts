import { createHash } from 'node:crypto'
import { count } from 'drizzle-orm'
import { getOrInsert } from '#shared/base/get-or-insert.ts'
import { exactMoney, multiplyDivide, type Amount } from '#shared/money/money.ts'
import { ruleInTicks, type ExitRule, type ExitTerms } from '#shared/prices/exit-rule.ts'
import { fillTolerance, fitsFills } from '#shared/prices/fill-moments.ts'
import type { Tape } from '#shared/prices/tape.ts'
import type { TriedNet, TriedResult } from '#shared/prices/what-if-figures.ts'
import { tradeToTry, whatIf, type WhatIf } from '#shared/prices/what-if.ts'
import type { TradeFilter } from '#shared/stats/filter.ts'
import { atomically, type Reader, type Writer } from '../db/database.ts'
import { readTape } from './read-tape.ts'
import { whatIfTries } from './store/schema.ts'
import type { TradeOfFilter } from './trades-to-price.ts'

/** Rules to try, and the assumptions; `fee` is per contract and side, null for what each trade cost. */
export type ExitsToTry = { readonly rules: readonly ExitRule[]; readonly terms: ExitTerms; readonly fee: Amount | null }

/** The result for one trade; `added-later` if an entry follows an exit. */
export type TriedTrade = TriedResult | 'added-later'

const halfCent = 50

/** Tries rules on trades by the stored prices. */
export const tryExits = (reader: Reader, trades: readonly TradeOfFilter[], { rules, terms, fee }: ExitsToTry): readonly TriedTrade[] => {
  const tapes = new Map<string, Tape>()
  return trades.map(({ tradingDay, tags, net, costs, risk, priced }): TriedTrade => {
    if (priced === null) return { tradingDay, tags, net, would: rules.map(() => null) }
    const tape = getOrInsert(tapes, `${priced.contract} ${priced.tickSize}`, () => readTape(reader, priced.contract, priced.tickSize))
    const tolerance = fillTolerance(priced.fills, tape)
    const trade = tradeToTry(priced.fills, tolerance)
    if (trade === null) return 'added-later'
    if (!fitsFills(priced.fills.map(({ time, price }) => ({ at: time * 1000, price })), tolerance, tape)) return { tradingDay, tags, net, would: rules.map(() => null) }
    const contracts = trade.entries.reduce((sum, { qty }) => sum + qty, 0)
    const inTicks = rules.map((rule) => ruleInTicks(rule, { risk, tickValue: priced.tickValue, contracts }))
    const found = whatIf(trade, inTicks.filter((rule) => rule !== null), terms, tape).values()
    const exactOf = (ticks: number): number => multiplyDivide(ticks, priced.tickValue.num, 1, priced.tickValue.den)
    // The broker rounds each fill pair to cents. More than that is no rounding.
    const rounding = net + costs - exactOf(priced.fills.reduce((sum, { qty, price }) => sum - qty * price, 0))
    const rounded = Math.abs(rounding) <= halfCent * priced.fills.length ? rounding : 0
    const costOf = (entered: number): Amount => (fee === null ? multiplyDivide(costs, entered, 1, contracts) : multiplyDivide(fee, 2, entered, 1))
    const netOf = (ends: WhatIf | null | undefined): TriedNet | null => {
      if (ends === null || ends === undefined || ends.length === 0) return null
      const money = (ticks: number, entered: number): number => exactOf(ticks) + rounded - costOf(entered)
      return { least: Math.min(...ends.map((end) => money(end.least, end.contracts))) as Amount, most: Math.max(...ends.map((end) => money(end.most, end.contracts))) as Amount }
    }
    return { tradingDay, tags, net, would: inTicks.map((rule) => (rule === null ? 'no-risk' : netOf(found.next().value))) }
  })
}

/** Records new variants, and returns how many were ever tried. A variant is a rule with its terms on the trades of one filter. */
export const recordTries = (writer: Writer, { rules, terms, fee }: ExitsToTry, filter: TradeFilter, now: number): number =>
  atomically(writer, () => {
    const keyOf = (rule: ExitRule): string => createHash('sha256').update(JSON.stringify([rule, terms, fee === null ? null : exactMoney(fee), filter])).digest('base64url').slice(0, 22)
    for (const rule of rules) writer.orm.insert(whatIfTries).values({ key: keyOf(rule), triedAt: now }).onConflictDoNothing().run()
    return writer.orm.select({ tries: count() }).from(whatIfTries).get()?.tries ?? rules.length
  })
