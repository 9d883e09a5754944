import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { statistics, type StatisticsAnswer, type Unit } from '#shared/api/statistics.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import { parseAmount, toDecimalString, amountOf } from '#shared/money/money.ts'
import { everyTrade, type TradeFilter } from '#shared/stats/filter.ts'
import { matchesFilter } from '#shared/stats/match-filter.ts'
import { marketSessions, type MarketSession } from '#shared/stats/trade-times.ts'
import { statisticsAnswer } from '#shared/stats/statistics-answer.ts'
import { createStatistics } from '#shared/stats/statistics.ts'
import { isNightly } from '#tests/helpers/cases.ts'
import { account, fill, monday, openStore, other, user, type TestStore } from '#tests/helpers/store.ts'
import { plainJournal, type PlainTrade } from './plain-journal.ts'

const hour = 3_600_000
const copy = 'tradovate:demo:700303' as AccountKey
const gone = 'tradovate:demo:700404' as AccountKey
const accounts = [account, other, copy, gone] as const
const contracts = ['MESM6', 'MESU6', 'MNQM6', 'FDXMM6', 'ZZZQ9'] as const
const tags = ['A+', 'a+', 'news', 'ഓപ്പൺ', "o'clock"] as const

const traded = fc.record({
  gap: fc.constantFrom(0, hour, 9 * hour, 30 * hour),
  account: fc.constantFrom(...accounts),
  side: fc.constantFrom('buy' as const, 'sell' as const),
  qty: fc.integer({ min: 1, max: 3 }),
  price: fc.integer({ min: 0, max: 40 }),
  contract: fc.constantFrom(...contracts),
})
const entered = fc.record({
  after: fc.integer({ min: 0, max: 200 }),
  symbol: fc.constantFrom('MESM6', 'MNQ MAR25', 'ßhare', 'mesm6'),
  account: fc.constantFrom('', 'Paper', 'DÉPÔT', 'EVAL-101'),
  accountId: fc.constantFrom('', '', 'paper', account, copy, gone),
  pnl: fc.integer({ min: -50, max: 50 }),
  side: fc.constantFrom('long' as const, 'short' as const),
})
const said = fc.record({
  pick: fc.nat(40),
  tags: fc.option(fc.uniqueArray(fc.constantFrom(...tags), { maxLength: 2 })),
  stop: fc.option(fc.constantFrom('6690.25', '6750', '6701', '6800.1')),
  removed: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
})
const journals = fc.record({
  traded: fc.array(traded, { maxLength: 40 }),
  entered: fc.array(entered, { maxLength: 5 }),
  said: fc.array(said, { maxLength: 12 }),
  days: fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.uniqueArray(fc.constantFrom(...tags), { maxLength: 2 })), { maxLength: 3 }),
  leaderGone: fc.boolean(),
  copied: fc.uniqueArray(fc.nat(39), { maxLength: 6 }),
  stops: fc.boolean(),
})
type TradeSketch = typeof journals extends fc.Arbitrary<infer T> ? T : never

const dateAfter = (days: number): string => new Date(monday + days * 24 * hour).toISOString().slice(0, 10)
const some = <T>(...values: readonly T[]) => fc.uniqueArray(fc.constantFrom(...values), { maxLength: 2 })
const usually = <T>(usual: T, otherwise: fc.Arbitrary<T>): fc.Arbitrary<T> => fc.oneof({ weight: 2, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: otherwise })
const date = fc.integer({ min: -1, max: 12 }).map(dateAfter)
const filters: fc.Arbitrary<TradeFilter> = fc.record({
  from: usually<string | null>(null, date),
  to: usually<string | null>(null, date),
  symbol: usually('', fc.constantFrom('mes', 'M6', 'SS', 'ß', ' ', '%')),
  account: usually('', fc.constantFrom('fünd', 'ÉP', '101', 'paper', '_', 'o')),
  accounts: usually<readonly string[]>([], some(...accounts, 'paper', 'Paper', 'none')),
  symbols: usually<readonly string[]>([], some('MES', 'mesm6', 'MNQ', 'FDXM', 'ES', 'ßHARE')),
  sides: usually<readonly ('long' | 'short')[]>([], some('long', 'short')),
  tags: usually<readonly string[]>([], some(...tags, 'none')),
  leaderOnly: fc.boolean(),
  warnedOnly: usually(false, fc.constant(true)),
  // Without prices no trade meets any of these: tests of prices have them.
  excursions: fc.constant(everyTrade.excursions),
  pricedOnly: fc.constant(false),
  weekdays: usually<readonly number[]>([], some(1, 2, 5, 7)),
  hours: usually<readonly number[]>([], fc.uniqueArray(fc.integer({ min: 0, max: 23 }), { minLength: 8, maxLength: 16 })),
  sessions: usually<readonly MarketSession[]>([], some(...marketSessions)),
  timedBy: fc.constantFrom('entry', 'exit'),
  zone: fc.constantFrom('America/Chicago', 'Asia/Kolkata'),
})

const openJournal = async ({ traded: fills, entered: byHand, said: words, days, leaderGone, copied, stops }: TradeSketch): Promise<TestStore> => {
  const store = openStore()
  const { write, writer } = store
  const more = [copy, gone].map((key) => ({ key, environment: 'demo' as const, brokerAccountId: key.slice(-6), name: `Kopie ${key.slice(-3)}` }))
  write.saveAccounts({ ...user, at: monday, loginId: 'login', accounts: more, reconnect: true })
  writer.database.prepare('UPDATE accounts SET copy_of = ? WHERE key IN (?, ?)').run(leaderGone ? gone : account, copy, other)
  let time = monday
  await write.saveFills({ ...user, at: monday, specs: [], fills: fills.map(({ gap, price, ...rest }, index) => fill(index + 1, rest.side, rest.qty, 6_700 + price, { ...rest, time: (time += gap) })) })
  write.markCopied({ ...user, orders: copied.flatMap((index) => (fills[index] === undefined ? [] : [{ account: fills[index].account, orderId: String(index + 1) }])) })
  for (const [index, { after, pnl, ...trade }] of byHand.entries()) {
    const at = monday + after * hour
    write.addTrade({ ...user, at: monday, trade: { id: `hand-${String(index)}`, qty: 1, entryPrice: 6_700, exitPrice: 6_701, platform: '', pnl, entryTime: new Date(at - 60_000).toISOString(), exitTime: new Date(at).toISOString(), ...trade } })
  }
  const ids = writer.database.prepare('SELECT id FROM fill_pairs ORDER BY id').pluck().all() as string[]
  for (const { pick, tags: own, stop, removed } of words) {
    const id = ids[pick]
    if (id === undefined) continue
    write.updateTrade({ ...user, at: monday, id, updates: { ...(own === null ? {} : { tags: own }), ...(stop === null ? {} : { stop }) } })
    if (removed) write.removeTrade({ ...user, at: monday, id })
  }
  for (const [day, own] of days) writer.database.prepare('INSERT OR REPLACE INTO day_notes (user_id, trading_day, tags) VALUES (?, ?, ?)').run(user.userId, dateAfter(day), JSON.stringify(own))
  if (stops) writer.database.prepare("INSERT INTO default_stops (user_id, product, distance, unit, stamp) VALUES (?, 'MES', '8', 'ticks', ''), (?, 'FDXM', '12.5', 'points', '')").run(user.userId, user.userId)
  write.addFinance({ ...user, at: monday, finance: { id: other, type: 'Funded Account', amount: 0, balance: 0, name: '', platform: 'Tradovate', firm: 'Tradeify' } })
  write.removeAccount({ ...user, at: monday, account: gone })
  return store
}

const zone = 'Asia/Kolkata'
const page = { ...user, offset: 0, limit: 500, sort: 'exitTime', direction: 'asc' } as const

const readStatistics = (store: TestStore, unit: Unit, filter: TradeFilter): StatisticsAnswer =>
  statistics.parse(JSON.parse(new TextDecoder().decode(store.read.statisticsJson({ ...user, unit, filter, zone, timedBy: 'exit' }))))

const byExit = (one: PlainTrade, two: PlainTrade): number => one.exitTime - two.exitTime || (one.id < two.id ? -1 : 1)
const latest = (one: PlainTrade, two: PlainTrade): number => (one.date === two.date ? byExit(two, one) : one.date < two.date ? 1 : -1)
const idsOf = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id)

const readCsv = (store: TestStore, unit: Unit, filter: TradeFilter): Record<string, string>[] => {
  const { lines, next } = store.read.tradesCsv({ ...user, unit, filter, zone: null, after: null })
  expect(next).toBeNull()
  return parse(Buffer.from(lines), { columns: true, bom: true })
}

const holds = async (numRuns: number): Promise<void> => {
  const law = fc.asyncProperty(journals, fc.array(filters, { minLength: 1, maxLength: 8 }), async (journal, wanted) => {
    const store = await openJournal(journal)
    try {
      const plain = plainJournal(store)
      for (const filter of [everyTrade, ...wanted]) {
        const meeting = { pairs: plain.pairs.filter((trade) => matchesFilter(filter, trade)), trades: plain.trades.filter((trade) => matchesFilter(filter, trade)) }
        expect(idsOf(store.read.pairPage({ ...page, filter }).rows)).toEqual(idsOf(meeting.pairs.toSorted(byExit)))
        expect(idsOf(store.read.tradePage({ ...page, filter }).rows)).toEqual(idsOf(meeting.trades.toSorted(byExit)))
        for (const unit of ['pairs', 'trades'] as const) {
          const counting = createStatistics({ counted: unit, zone, timedBy: 'exit' })
          for (const trade of meeting[unit]) counting.take(trade)
          const whole = { warned: meeting[unit].filter(({ warnings }) => warnings.length > 0).length, accounts: 3, trades: plain[unit].length, recent: [], accountName: () => '' }
          const found = readStatistics(store, unit, filter)
          expect({ ...found, recent: [], byAccount: found.byAccount.map((group) => ({ ...group, name: '' })) }).toEqual(statisticsAnswer(counting.result(), whole))
          expect(idsOf(found.recent)).toEqual(idsOf(meeting[unit].toSorted(latest).slice(0, 5)))
        }
        for (const unit of ['pairs', 'trades'] as const) {
          const rows = readCsv(store, unit, filter)
          expect(rows.map((row) => row[unit === 'pairs' ? 'Fill pair id' : 'Trade id'])).toEqual(idsOf(meeting[unit].toSorted(byExit)))
          const { all } = readStatistics(store, unit, filter)
          for (const row of all.money) {
            const own = rows.filter((line) => line['Currency'] === row.currency)
            const sum = (column: string): string => toDecimalString(amountOf(own.reduce((total, line) => total + exact(line[column]), 0)))
            expect([sum('Gross P&L'), sum('Commission'), sum('Net P&L'), own.length]).toEqual([row.grossPnl, row.commission, row.netPnl, row.count])
          }
          expect(rows.filter((line) => line['R-multiple'] !== '')).toHaveLength(all.r.count)
        }
      }
    } finally {
      store.writer.database.close()
    }
  })
  await fc.assert(law, { numRuns })
}

it('statistics, pages, and CSV of a filter are those of the trades that meet it, selected by hand', () => holds(20))

it.runIf(isNightly)('they are so for many more journals', { tags: 'long' }, () => holds(100))

const exact = (text = ''): number => {
  const amount = parseAmount(text)
  if (!amount.ok) throw new Error(text)
  return amount.value
}
