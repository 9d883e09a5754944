/** @module-tag long */

import { expect, test } from 'vitest'
import { brokerageRoutes } from '#shared/api/brokerage.ts'
import { importRoutes } from '#shared/api/imports.ts'
import { journalRoutes, recordRoutes } from '#shared/api/journal.ts'
import { leftOverRoutes } from '#shared/api/left-over.ts'
import { ownDataRoutes } from '#shared/api/own-data.ts'
import { startApp } from '#tests/helpers/app.ts'
import { dollarProducts } from '#tests/helpers/exports/products.ts'
import { plainBytes } from '#tests/helpers/exports/three-files.ts'
import { fillsTable, ordersTable, performanceTable, type Hand } from '#tests/helpers/exports/tradovate-files.ts'
import { truthOf } from '#tests/helpers/exports/truth.ts'
import { drawWorld } from '#tests/helpers/exports/world.ts'
import { uploadAll, importRequest } from '#tests/helpers/upload.ts'

const zone = 'America/New_York'
const hand: Hand = { zone, money: 'dollars', year2026: true }
const [product] = dollarProducts
const world = drawWorld(21, { accounts: 1, sessions: 3, allFlat: true, temper: 'calm', products: product === undefined ? [] : [product] })
const truth = truthOf(world)
const name = world.accounts[0]?.name ?? ''
const files = { Performance: plainBytes(performanceTable(truth.pairs, hand)), Orders: plainBytes(ordersTable(world.orders, hand)), Fills: plainBytes(fillsTable(world.fills, hand)) }

/** A journal of its own with the calls that these tests make. */
const openJournal = async () => {
  const { browser, stop } = await startApp({ env: { FILLBOOK_DEMO: 'off' } })
  const { userId } = await browser.signUp()
  const rows = async () => (await browser.call(journalRoutes.pairPage, { query: { sort: 'exitTime', direction: 'asc', limit: 500 } })).rows
  return {
    browser, userId, stop, rows,
    bring: async (kind: keyof typeof files, account: string | null = null): Promise<string> => {
      const uploads = await uploadAll(browser, { [`${kind}.csv`]: files[kind] })
      return (await browser.call(importRoutes.addImport, { body: importRequest(uploads, zone, account) })).imported?.id ?? ''
    },
    undo: (id: string) => browser.call(importRoutes.undoImport, { body: { id } }),
    left: async () => (await browser.call(leftOverRoutes.leftOverNotes, { query: {} })).notes,
    write: (id: string, updates: { notes: string; tags?: string[]; stop?: string }) => browser.call(recordRoutes.updateTrade, { body: { userId, id, updates } }),
    remove: (id: string) => browser.call(recordRoutes.removeTrade, { body: { userId, id } }),
  }
}

type Row = Awaited<ReturnType<Awaited<ReturnType<typeof openJournal>>['rows']>>[number]

/** The fields that identify a fill pair, and its notes. */
const written = ({ symbol, side, qty, entryTime, exitTime, entryPrice, exitPrice, notes, tags, stop }: Row) => [symbol, side, qty, entryTime.slice(0, 19), exitTime.slice(0, 19), entryPrice, exitPrice, notes, tags, stop].join(' ')

test.each([['Fills', null], ['Fills', 'Mine'], ['Orders', null]] as const)('notes on fill pairs of an unnamed account follow them when %s names the account (given: %s), and return with them', async (kind, given) => {
  const { browser, userId, stop, rows, bring, undo, left, write, remove } = await openJournal()
  await bring('Performance', given)
  const unnamed = `file:${given ?? 'unnamed'}`
  const first = await rows()
  expect(new Set(first.map(({ accountId }) => accountId))).toEqual(new Set([unnamed]))
  for (const [number, { id, entryPrice }] of first.entries()) await write(id, { notes: `note ${String(number)}.`, tags: [`tag ${String(number)}`], stop: String(entryPrice) })
  for (const { id } of first.slice(0, 3)) await remove(id)
  const { trades: [one] } = await browser.call(recordRoutes.getTrades, { query: { userId } })
  if (one === undefined) throw new Error('No trade')
  await browser.call(recordRoutes.addTrade, { body: { userId, trade: { id: 'by-hand', accountId: unnamed, symbol: one.symbol, qty: 1, entryPrice: one.entryPrice, exitPrice: one.exitPrice, entryTime: one.entryTime, exitTime: one.exitTime, notes: 'by hand' } } })
  await browser.call(recordRoutes.addFinance, { body: { userId, finance: { id: unnamed, type: 'Funded Account', firm: 'Apex Trader Funding' } } })
  await browser.call(recordRoutes.addFinance, { body: { userId, finance: { id: 'fee', type: 'expense', amount: 85, account: unnamed } } })
  await browser.call(ownDataRoutes.setCommission, { body: { of: { scope: 'account', accountId: unnamed }, product: product?.root ?? '', perSide: '1.25' } })
  const before = (await rows()).map(written).sort()
  expect(before).toHaveLength(first.length - 3 + 1)

  const stands = async (account: string, own: string) => {
    expect((await rows()).map(written).sort()).toEqual(before)
    expect(await left()).toEqual([])
    expect(new Set((await rows()).map(({ accountId }) => accountId))).toEqual(new Set([account]))
    expect((await browser.call(brokerageRoutes.connectedAccounts)).accounts.map((known) => known.name)).toEqual([own])
    const { finances } = await browser.call(recordRoutes.getFinances, { query: { userId } })
    expect(finances.map(({ id, type, firm }) => [id, type, firm])).toEqual(expect.arrayContaining([[account, 'Funded Account', 'Apex Trader Funding']]))
    expect(finances.find(({ id }) => id === 'fee')).toMatchObject({ account })
    expect((await browser.call(ownDataRoutes.commissions)).own).toContainEqual({ of: { scope: 'account', accountId: account }, product: product?.root ?? '', perSide: '1.25', currency: 'USD' })
  }
  await stands(unnamed, given ?? 'unnamed')
  for (let round = 0; round < 2; round += 1) {
    const named = await bring(kind)
    await stands(`file:${name}`, name)
    await undo(named)
    await stands(unnamed, given ?? 'unnamed')
  }
  await stop()
})

test('a removed fill pair stays removed, whatever notes it had under other ids', async () => {
  const { rows, bring, undo, left, write, remove } = await openJournal()
  const performance = await bring('Performance', name)
  const first = await rows()
  // Two fill pairs that one fill opened.
  const openedBy = ({ id }: Row): string => id.split('/')[1] ?? ''
  const one = first.find((row) => first.some((other) => other.id !== row.id && openedBy(other) === openedBy(row)))
  if (one === undefined) throw new Error('No two trades share an opening')
  await write(one.id, { notes: 'mine' })
  await undo(performance)
  await bring('Orders')
  const noted = (await rows()).filter(({ notes }) => notes === 'mine')
  expect(noted).toHaveLength(1)
  await remove(noted[0]?.id ?? '')
  const others = (await rows()).map(written).sort()
  expect(others).toHaveLength(first.length - 1)
  await bring('Fills')
  expect((await rows()).map(written).sort()).toEqual(others)
  expect(await left()).toEqual([])
})
