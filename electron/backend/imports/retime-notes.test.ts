// @module-tag slow
import { expect, it } from 'vitest'
import { everyTrade } from '#shared/stats/filter.ts'
import { fillRow, importRows } from '#tests/helpers/imports.ts'
import { minute, monday, openStore, user } from '#tests/helpers/store.ts'

const at = { ...user, at: monday }
const second = 1_000

/** The trades that show a note once its import gives way to another one, with the noted trade under other ids at these times (ms) beside its own. */
const shownOn = async (...apart: readonly number[]): Promise<{ readonly on: readonly string[]; readonly left: number }> => {
  const store = openStore()
  const trade = (id: number, prices: readonly [number, number], moved = 0) => [
    fillRow('PA-7', id, 'buy', 1, prices[0], { time: monday + id * minute + moved }),
    fillRow('PA-7', id + 1, 'sell', 1, prices[1], { time: monday + (id + 1) * minute + moved }),
  ]
  await importRows(store, 'better', [...trade(1, [6750, 6751]), ...trade(3, [6752, 6753])])
  expect(store.write.updateTrade({ ...at, id: 'file:PA-7/1/2', updates: { notes: 'mine' } })).toMatchObject({ ok: true })
  // Both change in one settling.
  store.writer.database.prepare("UPDATE imports SET state = 'undone' WHERE id = 'better'").run()
  const renamed = (rows: ReturnType<typeof trade>, by: number) => rows.map((row) => ({ ...row, fillId: String(Number(row.fillId) + by), orderId: null }))
  await importRows(store, 'other', [...apart.flatMap((moved, index) => renamed(trade(1, [6750, 6751], moved), 100 * (index + 1))), ...renamed(trade(3, [6752, 6753], apart[0]), 50)])
  await store.write.settleImports(at)
  const { rows } = store.read.pairPage({ ...user, filter: everyTrade, offset: 0, limit: 100, sort: 'exitTime', direction: 'asc' })
  return { on: rows.flatMap(({ id, notes }) => (notes === 'mine' ? [id] : [])), left: store.read.leftOverNotes(user).length }
}

it('notes follow fills to those that come in their place at another time, not if these may be two', async () => {
  expect(await shownOn(30 * minute)).toEqual({ on: ['file:PA-7/101/102'], left: 0 })
  expect(await shownOn(30 * minute + second)).toEqual({ on: ['file:PA-7/101/102'], left: 0 })
  expect(await shownOn(30 * minute, 9 * minute)).toEqual({ on: ['file:PA-7/101/102'], left: 0 })
  expect(await shownOn(30 * minute - second, 30 * minute + second)).toEqual({ on: [], left: 1 })
  expect(await shownOn(7 * minute)).toEqual({ on: [], left: 1 })
})
