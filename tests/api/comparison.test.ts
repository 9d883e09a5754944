import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { comparisonRoutes } from '#shared/api/comparison.ts'
import { journalRoutes, recordRoutes } from '#shared/api/journal.ts'
import type { NewTrade } from '#shared/api/records.ts'
import { filterGiven, statisticsRoutes, type StatGroup, type StatisticsAnswer, type Unit } from '#shared/api/statistics.ts'
import { isoDate } from '#shared/market/zone-clock.ts'
import { randomBelow } from '#shared/rules/random.ts'
import { everyTrade, readFilter, writeFilter, type TradeFilter } from '#shared/stats/filter.ts'
import { tradesOnBoth } from '#shared/stats/overlap.ts'
import { filterOfSide, filterFieldsOf, sideKinds, writePeriod, type SideKind } from '#shared/stats/sides.ts'
import { startSharedApp, type App } from '#tests/helpers/app.ts'
import type { Browser } from '#tests/helpers/browser.ts'

const tags = ['news', 'A+', 'fomo'] as const
const symbols = ['MESZ6', 'MNQZ6', 'FDAXZ6', 'MESH7'] as const
const accounts = ['Depot', 'Eval-Ü', 'Funded'] as const
const start = Date.UTC(2026, 6, 1) / 86_400_000

const draw = randomBelow(24)
const oneOf = <T>(list: readonly [T, ...T[]] | readonly T[]): T => {
  const one = list[draw(list.length)]
  if (one === undefined) throw new Error('Nothing to draw from')
  return one
}

// Two currencies, trades with several tags and with none, and evenings that belong to the next trading day.
const trades = Array.from({ length: 160 }, (_, at): NewTrade => {
  const [symbol, account] = [oneOf(symbols), oneOf(accounts)]
  const entry = `${isoDate(start + draw(120))}T${oneOf(['08', '15', '22', '23'])}:${String(draw(50) + 10)}:00Z`
  const price = symbol === 'MNQZ6' || symbol === 'FDAXZ6' ? 20_000 : 5_000
  return { id: `trade-${String(at)}`, symbol, account, accountId: '', side: oneOf(['long', 'short']), qty: 1 + draw(3), entryPrice: price, exitPrice: price + draw(41) - 20, entryTime: entry, exitTime: new Date(Date.parse(entry) + 60_000 * (1 + draw(90))).toISOString(), commission: String(draw(4)), tags: tags.filter(() => draw(3) === 0), ...(draw(2) === 0 ? { stop: String(price - 40) } : {}), platform: 'Sierra' }
})

let app: App
let browser: Browser
beforeAll(async () => {
  app = await startSharedApp()
  browser = await app.newBrowser()
  const { userId } = await browser.signUp('sides@example.com')
  for (const trade of trades) await browser.call(recordRoutes.addTrade, { body: { userId, trade } })
})
afterAll(() => app.stop())

const statisticsOf = (filter: TradeFilter, unit: Unit): Promise<StatisticsAnswer> => browser.call(statisticsRoutes.statistics, { query: { ...filterGiven(filter), unit } })

const sidesOf: Readonly<Record<SideKind, readonly string[]>> = {
  accounts, tags,
  products: ['MES', 'MNQ', 'FDAX', 'MESH7'],
  periods: [writePeriod('2026-07-01', '2026-07-31'), writePeriod('2026-08-01', '2026-08-31'), writePeriod('2026-07-20', '2026-10-31'), writePeriod('2020-01-01', '2020-12-31')],
}

/** Conditions as a trader may have left them, also on what the sides say themselves. */
const anyFilter = (): TradeFilter => ({
  ...everyTrade,
  ...(draw(3) === 0 ? { from: isoDate(start + draw(30)) } : {}),
  ...(draw(3) === 0 ? { to: isoDate(start + 60 + draw(60)) } : {}),
  ...(draw(3) === 0 ? { sides: [oneOf(['long', 'short'] as const)] } : {}),
  ...(draw(4) === 0 ? { accounts: [oneOf(accounts)] } : {}),
  ...(draw(4) === 0 ? { symbols: ['MES', 'FDAX'] } : {}),
  ...(draw(4) === 0 ? { tags: [oneOf(tags)] } : {}),
  ...(draw(4) === 0 ? { symbol: 'm' } : {}),
  ...(draw(4) === 0 ? { hours: [3, 10, 17, 18] } : {}),
  ...(draw(5) === 0 ? { sessions: ['new-york' as const, 'closed' as const], timedBy: 'exit' as const } : {}),
})

const lineOf = (kind: SideKind, side: string, { byAccount, bySymbol, byTag }: StatisticsAnswer): StatGroup | undefined => {
  const lists = { accounts: byAccount, products: bySymbol, tags: byTag, periods: [] } as const
  return lists[kind].find(({ key }) => key === side)
}

const figuresOf = ({ count, wins, losses, winRate, hold, r, money }: StatGroup): StatGroup => ({ count, wins, losses, winRate, hold, r, money })

const cases = Array.from({ length: 24 }, (_, at): { at: number; kind: SideKind; unit: Unit; filter: TradeFilter } => ({ at, kind: sideKinds[at % sideKinds.length] ?? 'accounts', unit: draw(2) === 0 ? 'pairs' : 'trades', filter: anyFilter() }))

describe.each(cases)('sides $at: $kind, counted in $unit', ({ kind, unit, filter }) => {
  test('have the figures of the Overview under their filter, of its breakdown and of the logbook, and share the trades that both list', async () => {
    const free: TradeFilter = { ...filter, ...Object.fromEntries(filterFieldsOf[kind].map((name) => [name, everyTrade[name]])) }
    const whole = await statisticsOf(free, unit)
    const ids = new Map<string, readonly string[]>()
    const answers = new Map<string, StatisticsAnswer>()
    for (const side of sidesOf[kind]) {
      const own = filterOfSide(filter, kind, side)
      if (own === null) throw new Error(`No side: ${side}`)
      // A click writes this address, and the Overview and the logbook read it.
      expect(readFilter(new URLSearchParams(writeFilter(own)))).toEqual(own)
      const statistics = await statisticsOf(own, unit)
      const line = lineOf(kind, side, whole)
      // A contract has no line of its own.
      if (kind !== 'periods' && side !== 'MESH7') expect(line === undefined ? 0 : figuresOf(line)).toEqual(line === undefined ? statistics.all.count : figuresOf(statistics.all))
      const page = await browser.call(unit === 'pairs' ? journalRoutes.pairPage : journalRoutes.tradePage, { query: { ...filterGiven(own), limit: 200 } })
      expect(page.total).toBe(statistics.all.count)
      ids.set(side, page.rows.map(({ id }) => id))
      answers.set(side, statistics)
    }
    for (const [one, statistics] of answers) {
      for (const [other, others] of answers) expect(tradesOnBoth(kind, { side: one, statistics }, { side: other, statistics: others })).toBe(ids.get(one)?.filter((id) => ids.get(other)?.includes(id)).length)
    }
  })

  test('are judged by the figures that the Overview shows of each', async () => {
    const sides = sidesOf[kind]
    const compared = await browser.call(comparisonRoutes.comparison, { query: { ...filterGiven(filter), unit, compare: kind, with: [...sides] } })
    const answers = await Promise.all(sides.map((side) => statisticsOf(filterOfSide(filter, kind, side) ?? everyTrade, unit)))
    expect(compared.unit).toBe(unit)
    expect(compared.money.map(({ currency }) => currency)).toEqual([...new Set(answers.flatMap(({ all }) => all.money.map(({ currency }) => currency)))].toSorted())
    for (const { currency, sides: judged } of compared.money) {
      const of = (at: number) => answers[at]?.all.money.find((money) => money.currency === currency)
      const daysOf = (at: number) => answers[at]?.days.filter(({ money }) => money.some((own) => own.currency === currency)).length ?? 0
      const enough = (at: number): boolean => (of(at)?.count ?? 0) >= 20 && daysOf(at) >= 10
      const mean = (at: number): number => Number(of(at)?.netPnl) / (of(at)?.count ?? 0)
      expect(judged[0]).toBeNull()
      for (const [at, one] of judged.entries()) {
        if (at === 0) continue
        expect(one?.evidence === 'too-little').toBe(!(enough(0) && enough(at)))
        if (one?.difference) expect(Math.abs(Number(one.difference.value) - (mean(at) - mean(0)))).toBeLessThan(0.006)
        else expect(one?.evidence).toBe('too-little')
      }
    }
  })
})

test("invalid sides are refused, and no one can compare another user's trades", async () => {
  const two = ['2026-07-01..2026-07-31', '2026-08-01..2026-08-31']
  for (const [compare, sides] of [['periods', two.slice(1)], ['periods', ['2026-07-31..2026-07-01', ...two]], ['periods', ['MES', 'MNQ']], ['periods', ['2026-02-30..2026-03-01', ...two]], ['tags', ['a', 'b', 'c', 'd', 'e', 'f', 'g']], ['tags', []]] as const) {
    expect(await browser.fail(comparisonRoutes.comparison, { query: { compare, with: [...sides] } })).toMatchObject({ status: 400, code: 'invalid-request', fields: [{ path: 'with' }] })
  }
  expect(await browser.fail(comparisonRoutes.comparison, { query: { compare: 'moods', with: two } })).toMatchObject({ status: 400, fields: [{ path: 'compare' }] })
  const other = await app.newBrowser()
  await other.signUp('no-sides@example.com')
  expect(await other.call(comparisonRoutes.comparison, { query: { compare: 'periods', with: two } })).toEqual({ unit: 'trades', money: [] })
})
