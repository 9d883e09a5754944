// @module-tag slow
import { describe, expect, it } from 'vitest'
import type { Stamp } from '#shared/mirror/stamp.ts'
import { everyTrade } from '#shared/stats/filter.ts'
import { fillRow, importRows, orderRow, pairRow } from '#tests/helpers/imports.ts'
import { account, fill, minute, monday, openStore, take, user, type TestStore } from '#tests/helpers/store.ts'

describe('notes follow fills that turn out to belong to another account', () => {
  const at = { ...user, at: monday }
  const pairs = (store: TestStore) => store.read.pairPage({ ...user, filter: everyTrade, offset: 0, limit: 100, sort: 'exitTime', direction: 'asc' }).rows
  const undo = (store: TestStore, importId: string) => store.write.undoImport({ ...at, importId })
  const roundTrip = (name: string) => [fillRow(name, 1, 'buy', 1, 6750), fillRow(name, 2, 'sell', 1, 6751)]
  const write = (store: TestStore, id: string, notes: string) => { expect(store.write.updateTrade({ ...at, id, updates: { notes } })).toMatchObject({ ok: true }) }
  const notes = (store: TestStore) => pairs(store).map(({ id, notes: text }) => [id, text])
  const left = (store: TestStore) => store.read.leftOverNotes(user).map(({ id }) => id)

  it('goes to the connected account that the broker lists them in, with the removals', async () => {
    const store = openStore()
    await importRows(store, 'pairs', [pairRow(null, [1, 6750], [2, 6751], 1), pairRow(null, [3, 6750], [4, 6751], 1)])
    write(store, 'file:unnamed/1/2', 'mine')
    expect(store.write.removeTrade({ ...at, id: 'file:unnamed/3/4' })).toBe(true)
    await take(store, fill(1, 'buy', 1, 6750), fill(2, 'sell', 1, 6751), fill(3, 'buy', 1, 6750), fill(4, 'sell', 1, 6751))
    await store.write.settleImports(at)
    expect([notes(store), left(store)]).toEqual([[[`${account}/1/2`, 'mine']], []])
  })

  it('is joined with what another computer wrote on the same trade of the connected account', async () => {
    const store = openStore()
    await importRows(store, 'pairs', [pairRow(null, [1, 6750], [2, 6751], 1)])
    write(store, 'file:unnamed/1/2', 'mine')
    const stamp = '000000000000001-00000-0000000b' as Stamp
    const theirs = { seq: 1, entity: 'edit' as const, id: `${account}/1/2`, content: { notes: { value: 'theirs', stamp }, tags: { value: ['b'], stamp }, stop: { value: '6740', stamp } } }
    await store.write.mergePulled({ ...at, journal: null, cursor: null, records: [theirs] })
    expect(store.write.updateTrade({ ...at, id: 'file:unnamed/1/2', updates: { tags: ['a'], stop: '6745' } })).toMatchObject({ ok: true })
    await take(store, fill(1, 'buy', 1, 6750), fill(2, 'sell', 1, 6751))
    await store.write.settleImports(at)
    expect(pairs(store).map(({ id, notes: text, tags, stop }) => [id, text, tags, stop])).toEqual([[`${account}/1/2`, 'theirs\n\nmine', ['b', 'a'], '6740']])
    expect(store.read.leftOverNotes(user).map(({ id, stop }) => [id, stop])).toEqual([['file:unnamed/1/2', '6745']])
  })

  it('goes to two accounts where two files without a name become known', async () => {
    const store = openStore()
    await importRows(store, 'one', [pairRow(null, [1, 6750], [2, 6751], 1)])
    await importRows(store, 'two', [pairRow(null, [11, 6750], [12, 6751], 1)], 'unnamed')
    write(store, 'file:unnamed/1/2', 'first')
    write(store, 'file:unnamed/11/12', 'second')
    await importRows(store, 'fills', [...roundTrip('PA-7'), fillRow('PA-8', 11, 'buy', 1, 6750), fillRow('PA-8', 12, 'sell', 1, 6751)])
    expect([notes(store), left(store)]).toEqual([[['file:PA-7/1/2', 'first'], ['file:PA-8/11/12', 'second']], []])
  })

  it('never goes to the copies of its trades in another account', async () => {
    const store = openStore()
    const copy = [fillRow('PA-8', 11, 'buy', 1, 6750, { time: monday + minute }), fillRow('PA-8', 12, 'sell', 1, 6751, { time: monday + 2 * minute })]
    await importRows(store, 'orders', [orderRow('PA-7', 1, 'buy', 1, 6750), orderRow('PA-7', 2, 'sell', 1, 6751)])
    write(store, 'file:PA-7/order:1/order:2', 'mine')
    await importRows(store, 'fills', [...roundTrip('PA-7'), ...copy])
    expect(notes(store).sort()).toEqual([['file:PA-7/1/2', 'mine'], ['file:PA-8/11/12', '']])
    await undo(store, 'fills')
    await undo(store, 'orders')
    await importRows(store, 'copy', copy)
    expect([notes(store), left(store)]).toEqual([[['file:PA-8/11/12', '']], ['file:PA-7/order:1/order:2']])
  })
})
