import { expect, onTestFinished, test } from 'vitest'
import { importRoutes } from '#shared/api/imports.ts'
import { journalRoutes, logbookRoutes, recordRoutes } from '#shared/api/journal.ts'
import { leftOverRoutes } from '#shared/api/left-over.ts'
import type { ImportFormat } from '#shared/imports/mapped-format.ts'
import { startApp } from '#tests/helpers/app.ts'
import type { Browser } from '#tests/helpers/browser.ts'
import { comeTo, startComputer } from '#tests/helpers/computer.ts'
import { formatOf } from '#tests/helpers/exports/any-format.ts'
import { localText } from '#tests/helpers/exports/clock.ts'
import { dollarProducts, priceText, type Product } from '#tests/helpers/exports/products.ts'
import { csvText, type Table } from '#tests/helpers/exports/table.ts'
import { fillsTable } from '#tests/helpers/exports/tradovate-files.ts'
import { drawWorld, type TrueFill } from '#tests/helpers/exports/world.ts'
import { connect, startBroker } from '#tests/helpers/own-broker.ts'
import { startOwnCloud } from '#tests/helpers/own-cloud.ts'
import { importRequest, uploadAll } from '#tests/helpers/upload.ts'

const [chicago, newYork] = ['America/Chicago', 'America/New_York']
const [second, minute] = [1_000, 60_000]
const product = dollarProducts[0] as Product
const template = drawWorld(21, { accounts: 1, sessions: 1, products: [product] }).fills[0] as TrueFill
const open = Date.parse('2026-06-15T13:30:00Z')

/** Entry and exit in minutes after the open, side, contracts, and prices in ticks; the third is the first again, an hour later. */
const traded = [
  [1, 10, 'buy', 2, 24_000, 24_010],
  [32, 60, 'sell', 1, 24_040, 24_060],
  [61, 70, 'buy', 2, 24_000, 24_010],
  [105, 110, 'buy', 1, 24_020, 24_018],
  [212, 214, 'sell', 3, 24_100, 24_080],
] as const

const legs = traded.flatMap(([opened, closed, side, qty, entry, exit], index) => [
  { id: 100 + 2 * index, time: open + opened * minute, side, qty, ticks: entry },
  { id: 101 + 2 * index, time: open + closed * minute, side: side === 'buy' ? 'sell' as const : 'buy' as const, qty, ticks: exit },
])

const fillsReport = csvText(fillsTable(legs.map(({ id, ...leg }): TrueFill => ({ ...template, ...leg, id: `5369389800${String(id)}`, order: { ...template.order, id: `5369387700${String(id)}` }, busted: false, bookedOn: '2026-06-15' })), { zone: newYork, money: 'dollars', year2026: true }))

const fillFields = ['time', 'symbol', 'side', 'quantity', 'price', 'account'] as const
const tradeFields = ['entryTime', 'exitTime', 'symbol', 'side', 'quantity', 'entryPrice', 'exitPrice', 'grossPnl', 'account'] as const
const word = (side: 'buy' | 'sell'): string => (side === 'buy' ? 'in' : 'out')
const dollars = (ticks: number): string => (Number(product.tickValue) * ticks / 10_000).toFixed(2)

/** The same trades in files of a format of the user's own; `earlier` ms. */
const mapped = (rows: ImportFormat['rows'], earlier = 0): string => {
  const wall = (time: number): string => localText(newYork, time - earlier)
  const table: Table = rows === 'fills'
    ? { header: fillFields, rows: legs.map(({ time, side, qty, ticks }) => [wall(time), product.contract, word(side), String(qty), priceText(product, ticks), template.account.name]) }
    : { header: tradeFields, rows: traded.map(([opened, closed, side, qty, entry, exit]) => [wall(open + opened * minute), wall(open + closed * minute), product.contract, word(side), String(qty), priceText(product, entry), priceText(product, exit), dollars((exit - entry) * qty * (side === 'buy' ? 1 : -1)), template.account.name]) }
  return csvText({ ...table, header: table.header.map((field) => `My ${field}`) })
}

const callsOf = (browser: Browser, userId: string) => {
  const rows = async () => (await browser.call(journalRoutes.pairPage, { query: { sort: 'exitTime', direction: 'asc', limit: 500 } })).rows
  return {
    rows,
    mapBy: (format: ImportFormat) => browser.call(importRoutes.saveImportFormat, { body: { format } }),
    bring: async (content: string, zone: string): Promise<string> => (await browser.call(importRoutes.addImport, { body: importRequest(await uploadAll(browser, { 'file.csv': content }), zone) })).imported?.id ?? '',
    undo: (id: string) => browser.call(importRoutes.undoImport, { body: { id } }),
    write: (id: string, notes: string) => browser.call(recordRoutes.updateTrade, { body: { userId, id, updates: { notes } } }),
    saveSeen: ({ id, accountId, symbol, side, qty, date, tradingDay, entryTime, exitTime, entryPrice, exitPrice }: Awaited<ReturnType<typeof rows>>[number], notes: string) =>
      browser.call(logbookRoutes.savePairs, { body: { edits: [{ id, updates: { notes }, base: { notes: '' }, seen: { accountId, symbol, side, qty, date, tradingDay, entryTime, exitTime, entryPrice, exitPrice } }] } }),
    remove: (id: string) => browser.call(recordRoutes.removeTrade, { body: { userId, id } }),
    left: async () => (await browser.call(leftOverRoutes.leftOverNotes, { query: {} })).notes,
  }
}

const openJournal = async (rows: ImportFormat['rows']) => {
  const { browser } = await startApp({ env: { FILLBOOK_DEMO: 'off' } })
  const { userId } = await browser.signUp()
  const calls = callsOf(browser, userId)
  await calls.mapBy({ ...formatOf(rows, rows === 'fills' ? fillFields : tradeFields), dates: 'mdy', decimals: 'point' })
  return calls
}

test.each([
  ['trades', chicago, 0],
  ['fills', chicago, 0],
  ['trades', newYork, second],
  ['fills', newYork, second],
  ['trades', chicago, second],
] as const)('notes and removals on %s read in %s, %i ms early, follow the times of a Fills report, and return when it is undone', async (rows, zone, earlier) => {
  const journal = await openJournal(rows)
  const worse = await journal.bring(mapped(rows, earlier), zone)
  const [first, removed, , gone, last] = (await journal.rows()).map(({ id }) => id)
  for (const [id, notes] of [[first, 'first'], [last, 'last']]) await journal.write(id ?? '', notes ?? '')
  for (const id of [removed, gone]) await journal.remove(id ?? '')
  const shown = async () => (await journal.rows()).map(({ entryTime, exitTime, notes }) => [Date.parse(entryTime), Date.parse(exitTime), notes])
  const shift = (zone === chicago ? 60 * minute : 0) - earlier
  const at = (moved: number, ...expected: readonly (readonly [trade: number, notes: string])[]) => expected.map(([trade, notes]) => [...[0, 1].map((leg) => (legs[2 * trade + leg]?.time ?? 0) + moved), notes])
  expect(await shown()).toEqual(at(shift, [0, 'first'], [2, ''], [4, 'last']))

  const better = await journal.bring(fillsReport, newYork)
  expect([await shown(), await journal.left()]).toEqual([at(0, [0, 'first'], [2, ''], [4, 'last']), []])
  const [, again, end] = (await journal.rows()).map(({ id }) => id)
  await journal.write(again ?? '', 'again')
  await journal.remove(end ?? '')
  await journal.undo(better)
  expect([await shown(), await journal.left()]).toEqual([at(shift, [0, 'first'], [2, 'again']), []])
  const betterAgain = await journal.bring(fillsReport, newYork)
  expect([await shown(), await journal.left()]).toEqual([at(0, [0, 'first'], [2, 'again']), []])
  await journal.undo(worse)
  await journal.undo(betterAgain)
  await journal.bring(mapped(rows), newYork)
  expect([await shown(), await journal.left()]).toEqual([at(0, [0, 'first'], [2, 'again']), []])
})

test.each([[chicago, 0], [newYork, second]] as const)('words on a trade read in %s, %i ms early, that come after a better import find it with the next one', async (zone, earlier) => {
  const journal = await openJournal('fills')
  await journal.bring(mapped('fills', earlier), zone)
  const seen = (await journal.rows()).at(-1)
  if (seen === undefined) throw new Error('No trade')
  await journal.bring(fillsReport, newYork)
  await journal.saveSeen(seen, 'late')
  expect(await journal.left()).toMatchObject([{ id: seen.id, notes: 'late' }])
  await journal.bring(fillsReport.split('\r\n').slice(0, -2).join('\r\n'), newYork)
  expect([(await journal.rows()).map(({ notes }) => notes), await journal.left()]).toEqual([['', '', '', '', 'late'], []])
})

test.each([[chicago, 0], [newYork, second]] as const)('notes and removals on fills read in %s, %i ms early, follow the times of a sync', { tags: 'long' }, async (zone, earlier) => {
  const { env } = await startBroker()
  const { browser, newBrowser } = await startApp({ env })
  const connected = async (own: Browser, userId: string): Promise<void> => {
    const events = await own.events()
    await connect(own, userId, 'ava.morgan')
    await events.next('sync-ended')
  }
  const { userId } = await browser.signUp()
  await connected(browser, userId)
  const { trades } = await browser.call(recordRoutes.getTrades, { query: { userId } })
  const account = trades[0]?.account
  const known = trades.filter((trade) => trade.account === account)
  const wall = (time: string): string => localText(newYork, Date.parse(time) - earlier)
  const rows = known.flatMap(({ symbol, side, qty, entryPrice, exitPrice, entryTime, exitTime }) => [
    [wall(entryTime), symbol, side === 'long' ? 'in' : 'out', qty, entryPrice, account],
    [wall(exitTime), symbol, side === 'long' ? 'out' : 'in', qty, exitPrice, account],
  ])
  const content = [fillFields.map((field) => `My ${field}`), ...rows].map((cells) => cells.join(',')).join('\n')

  const own = await newBrowser()
  const { userId: other } = await own.signUp('other@example.com')
  const journal = callsOf(own, other)
  await journal.mapBy({ ...formatOf('fills', fillFields), dates: 'mdy', decimals: 'point' })
  await journal.bring(content, zone)
  const [noted, removed] = await journal.rows()
  const shift = (zone === chicago ? 60 * minute : 0) - earlier
  const notesOf = async (row: typeof noted): Promise<readonly string[]> => {
    const openedAt = new Date(Date.parse(row?.entryTime ?? '') - shift).toISOString().slice(0, 19)
    return (await journal.rows()).flatMap(({ symbol, entryTime, entryPrice, exitPrice, notes }) => (symbol === row?.symbol && entryPrice === row.entryPrice && exitPrice === row.exitPrice && entryTime.startsWith(openedAt) ? [notes] : []))
  }
  await journal.write(noted?.id ?? '', 'mine')
  await journal.remove(removed?.id ?? '')
  await connected(own, other)
  expect([await notesOf(noted), await notesOf(removed), await journal.left()]).toEqual([['mine'], [], []])
  expect((await journal.rows()).filter((trade) => trade.account === account)).toHaveLength(known.length - 1)
})

test('notes and removals follow corrected times on another computer too', { tags: 'long' }, async () => {
  const cloud = await startOwnCloud()
  onTestFinished(async () => {
    await cloud.stop()
  })
  const [here, there] = [await startComputer({ email: 'ava@example.com', cloudUrl: cloud.url }), await startComputer({ email: 'ava@example.com', cloudUrl: cloud.url })]
  const [journal, other] = [here, there].map(({ browser, userId }) => callsOf(browser, userId))
  if (journal === undefined || other === undefined) throw new Error('No computer')
  await journal.mapBy({ ...formatOf('fills', fillFields), dates: 'mdy', decimals: 'point' })
  await journal.bring(mapped('fills'), chicago)
  const [first, removed] = await journal.rows()
  await journal.write(first?.id ?? '', 'first')
  await comeTo('the note there', [here, there], async () => (await other.rows()).some(({ notes }) => notes === 'first'))
  await there.remove(removed?.id ?? '')
  await comeTo('the removal here', [here, there], async () => (await journal.rows()).length === traded.length - 1)
  await journal.bring(fillsReport, newYork)
  const shown = async (calls: typeof journal) => (await calls.rows()).map(({ entryTime, notes }) => [Date.parse(entryTime), notes])
  const expected = [0, 2, 3, 4].map((trade) => [legs[2 * trade]?.time, trade === 0 ? 'first' : ''])
  expect(await shown(journal)).toEqual(expected)
  await comeTo('the same there', [here, there], async () => JSON.stringify(await shown(other)) === JSON.stringify(expected))
  expect(await other.left()).toEqual([])
})
