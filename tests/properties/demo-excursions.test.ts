import { expect, it } from 'vitest'
import { sessionOpen } from '#demo-broker/calendar.ts'
import { DEFAULT_SEED, seededWorld } from '#demo-broker/seeded-world.ts'
import { openTapes } from '#demo-broker/tape.ts'
import { contractSpecOf } from '#shared/market/contract-spec.ts'
import type { Ticks } from '#shared/money/price.ts'
import { excursionsOf, extremeTimes, type Excursions, type PricedTrade, type TradeFill } from '#shared/prices/excursions.ts'
import { fillTolerance } from '#shared/prices/fill-moments.ts'
import { printedTape } from '#tests/helpers/printed-tape.ts'

const world = seededWorld(DEFAULT_SEED, '2026-11-20', true)
const now = world.walk.at(-1)?.at ?? 0
const tapes = openTapes({ seed: DEFAULT_SEED, executions: world.executions, sessions: world.sessions, world, now })

/** Each account's trades of a contract from flat to flat, a reversal's fill in both; what is open at the end is left out. */
const tradesOf = (fills: readonly TradeFill[]): readonly (readonly TradeFill[])[] => {
  const trades: TradeFill[][] = []
  let [trade, held]: [TradeFill[], number] = [[], 0]
  for (const fill of fills) {
    const closing = Math.sign(held) * fill.qty < 0 ? Math.sign(fill.qty) * Math.min(Math.abs(held), Math.abs(fill.qty)) : fill.qty
    trade.push({ ...fill, qty: closing })
    held += closing
    if (held !== 0) continue
    trades.push(trade)
    held = fill.qty - closing
    trade = held === 0 ? [] : [{ ...fill, qty: held }]
  }
  return trades
}

const isExact = ({ mfe, mae }: Excursions): boolean => mfe.amount.least === mfe.amount.most && mae.amount.least === mae.amount.most

it('knows the excursions of all of the demo’s trades: one figure each but for orders that filled at two prices at once', () => {
  const kinds = { trades: 0, exact: 0, tied: 0, shown: 0 }
  const began = process.cpuUsage()
  for (const { contract, sessions } of tapes.contracts) {
    const tape = printedTape(sessions.map((session, index) => ({ from: sessionOpen(session) * 1000, to: sessionOpen(sessions[index + 1] ?? '2026-11-21') * 1000, read: () => tapes.printsOf(contract, session) })))
    const own = world.executions.filter((each) => each.contract.name === contract && each.time <= now && each.bustedAt === null)
    const tied = new Set([...Map.groupBy(own, ({ time }) => time)].filter(([, fills]) => new Set(fills.map(({ ticks }) => ticks)).size > 1).map(([time]) => time))
    for (const fills of Map.groupBy(own, ({ accountId }) => accountId).values()) {
      for (const trade of tradesOf(fills.map(({ time, action, qty, ticks }) => ({ time, qty: action === 'Buy' ? qty : -qty, price: ticks as Ticks })))) {
        const priced: PricedTrade = { fills: trade, tolerance: 1000, tickValue: contractSpecOf(contract).tickValue, risk: null }
        const found = excursionsOf(priced, tape)
        const shown = excursionsOf({ ...priced, tolerance: fillTolerance(trade, tape) }, tape)
        const times = extremeTimes(priced, tape)
        if (found === null || times === null) throw new Error(`No prices of ${contract}`)
        const length = ((trade.at(-1)?.time ?? 0) - (trade[0]?.time ?? 0)) * 1000
        for (const span of [times.toMfe, times.toMae]) expect(span !== null && span.from >= 0 && span.to <= length + 2000).toBe(true)
        const { mfe, result } = found
        expect(mfe.amount.most).not.toBeNull()
        expect(mfe.amount.least).toBeGreaterThanOrEqual(result)
        kinds.trades += 1
        if (shown !== null && isExact(shown)) kinds.shown += 1
        if (isExact(found)) kinds.exact += 1
        else if (trade.some(({ time }) => tied.has(time))) kinds.tied += 1
      }
    }
  }
  process.stdout.write(`${JSON.stringify(kinds)} ${String(process.cpuUsage(began).user / 1000)} ms\n`)
  expect(kinds.exact + kinds.tied).toBe(kinds.trades)
  expect(kinds.exact).toBeGreaterThan(0.8 * kinds.trades)
  // The tolerance that the app chooses costs next to nothing.
  expect(kinds.shown).toBeGreaterThan(0.98 * kinds.exact)
})
