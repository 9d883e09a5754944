// @module-tag slow
import { expect, test } from 'vitest'
import type { NewTrade } from '#shared/api/records.ts'
import { everyTrade } from '#shared/stats/filter.ts'
import { statisticsOf } from '#tests/helpers/statistics.ts'
import { account, addProfile, day, fill, minute, monday, openStore, other, take, user, type TestStore } from '#tests/helpers/store.ts'

const page = { ...user, filter: everyTrade, offset: 0, limit: 100, sort: 'exitTime', direction: 'asc' } as const
const pairs = (store: TestStore) => store.read.pairPage(page).rows
const trades = (store: TestStore) => store.read.tradePage(page).rows
const entered: NewTrade = {
  id: 'mine', symbol: 'MESM6', account: 'Paper', accountId: 'paper', qty: 2, entryPrice: 6750, exitPrice: 6751.5, platform: 'Sierra',
  entryTime: '2026-01-05T15:00:00Z', exitTime: '2026-01-06T02:00:00Z',
}
const add = (store: TestStore, more: Partial<NewTrade> = {}) => store.write.addTrade({ ...user, at: monday, trade: { ...entered, ...more } })
const update = (store: TestStore, id: string, updates: object) => store.write.updateTrade({ ...user, at: monday, id, updates })
const remove = (store: TestStore, id: string) => store.write.removeTrade({ ...user, at: monday, id })

test("a fill pair's notes survive its recomputation, removal and return", async () => {
  const store = openStore()
  await take(store, fill(1, 'buy', 1, 6750), fill(2, 'sell', 1, 6751))
  const id = `${account}/1/2`
  const written = { notes: 'too early', tags: ['opening drive'], stop: '6745.25', screenshot: 'a.png', screenshotHeadline: 'plan', screenshot2: 'b.png', screenshot2Headline: 'result', drawings: [{ kind: 'horizontal', at: monday, price: 27_000 }, { kind: 'note', at: monday, price: 27_004, text: 'late' }] }
  expect(update(store, id, written)).toMatchObject({ ok: true, value: { id, ...written } })
  await take(store, fill(2, 'sell', 1, 6751, { feeText: '0.5' }))
  expect(pairs(store)).toMatchObject([{ id, feeSource: 'mixed', ...written }])
  await take(store, fill(2, 'sell', 1, 6751, { active: false }))
  expect(pairs(store)).toEqual([])
  // The exchange busts a fill for good; what it puts in its place is another fill of the same order.
  await take(store, fill(20, 'sell', 1, 6751, { orderId: 2, time: monday + 2 * 60_000 }))
  const again = `${account}/1/20`
  expect(pairs(store)).toMatchObject([{ id: again, ...written }])
  expect(update(store, again, { stop: null })).toMatchObject({ value: { ...written, stop: null } })
  const cleared = update(store, again, { drawings: [] })
  expect(cleared.ok && 'drawings' in cleared.value).toBe(false)
})

test('rows of the logbook carry R by their stops, a trade only where each of its fill pairs has one, and its pictures', async () => {
  const store = openStore()
  await take(store, fill(1, 'buy', 2, 6750), fill(2, 'sell', 1, 6751), fill(3, 'sell', 1, 6752), fill(4, 'buy', 1, 6750), fill(5, 'sell', 1, 6749))
  const r = () => [pairs(store), trades(store)].map((rows) => Object.fromEntries(rows.map((row) => [row.id, row.r])))
  const [first, second, third] = [`${account}/1/2`, `${account}/1/3`, `${account}/4/5`]
  const [one, two] = [`${account}/1`, `${account}/4`]
  expect(r()).toEqual([{ [first]: null, [second]: null, [third]: null }, { [one]: null, [two]: null }])
  // Two points of MES are 10 dollars a contract; the nets are 3.10, 8.10 and -6.90.
  update(store, first, { stop: '6748', screenshot: 'a.png', screenshot2: 'b.png' })
  update(store, third, { stop: '6748' })
  expect(r()).toEqual([{ [first]: 0.31, [second]: null, [third]: -0.69 }, { [one]: null, [two]: -0.69 }])
  update(store, second, { stop: '6748', screenshot: 'c.png' })
  expect(r()).toEqual([{ [first]: 0.31, [second]: 0.81, [third]: -0.69 }, { [one]: 0.56, [two]: -0.69 }])
  expect(trades(store).map(({ id, pictures }) => [id, pictures])).toEqual([[one, 3], [two, 0]])
  // A stop where only a profit would be stopped tells no risk, of a trade as of a pair.
  update(store, third, { stop: '6752' })
  expect(r()).toMatchObject([{ [third]: null }, { [two]: null }])
  update(store, third, { stop: '6748' })
  expect(store.read.tradeById({ ...user, id: one })).toEqual(trades(store).find(({ id }) => id === one))
  expect(store.read.tradeById({ ...user, id: 'nothing' })).toBeNull()
})

test('a tag goes to every fill pair that lacks it, and only those lose it again', async () => {
  const store = openStore()
  await take(store, fill(1, 'buy', 2, 6750), fill(2, 'sell', 1, 6751), fill(3, 'sell', 1, 6752), fill(4, 'buy', 1, 6750), fill(5, 'sell', 1, 6751))
  const [first, second, third] = [`${account}/1/2`, `${account}/1/3`, `${account}/4/5`]
  update(store, first, { tags: ['breakout'], notes: 'kept' })
  update(store, third, { tags: Array.from({ length: 50 }, (_, n) => `tag ${String(n)}`) })
  const idsOf = (unit: 'pairs' | 'trades', except: readonly string[] = [], filter = everyTrade) => store.read.pairIdsOf({ ...user, unit, filter, except }).toSorted()
  expect([idsOf('pairs'), idsOf('trades')]).toEqual([[first, second, third], [first, second, third]])
  expect([idsOf('pairs', [second]), idsOf('trades', [`${account}/1`])]).toEqual([[first, third], [third]])
  // A trade is tagged as a whole where the filter knows one of its fill pairs.
  expect(idsOf('trades', [], { ...everyTrade, tags: ['breakout'] })).toEqual([first, second])
  const tagged = (change: 'add' | 'remove', ids: readonly string[]) => store.write.tagPairs({ ...user, at: monday, ids, tag: 'breakout', change })
  const changed = tagged('add', [first, second, third, 'gone'])
  expect(changed).toEqual([second])
  expect(pairs(store).find(({ id }) => id === first)).toMatchObject({ notes: 'kept', tags: ['breakout'] })
  expect(tagged('add', [first, second])).toEqual([])
  expect(tagged('remove', changed)).toEqual([second])
  expect(pairs(store).filter(({ tags }) => tags.includes('breakout')).map(({ id }) => id)).toEqual([first])
})

test("the broker's fields of a fill pair can't be changed", async () => {
  const store = openStore()
  await take(store, fill(1, 'buy', 1, 6750), fill(2, 'sell', 1, 6751))
  expect(update(store, `${account}/1/2`, { qty: 3, notes: 'x' })).toEqual({ ok: false, error: 'read-only-field' })
  expect(pairs(store)).toMatchObject([{ qty: 1, notes: '' }])
  expect(update(store, 'nothing', { notes: 'x' })).toEqual({ ok: false, error: 'not-found' })
})

test('a removed fill pair stays removed when derived again, and its trade is sent without it', async () => {
  const store = openStore()
  await take(store, fill(1, 'buy', 2, 6750), fill(2, 'sell', 1, 6751), fill(3, 'sell', 1, 6753))
  expect(remove(store, `${account}/1/2`)).toBe(true)
  expect(remove(store, `${account}/1/2`)).toBe(false)
  const left = { qty: 1, pairs: 1, grossPnl: '15.00', commission: '1.90', netPnl: '13.10', exitPrice: 6753 }
  expect(trades(store)).toMatchObject([left])
  await take(store, fill(4, 'buy', 1, 6760), fill(5, 'sell', 1, 6760))
  expect(pairs(store).map(({ id }) => id)).toEqual([`${account}/1/3`, `${account}/4/5`])
  expect(trades(store)[0]).toMatchObject(left)
  expect(statisticsOf(store, 'trades').days.map(({ money }) => money)).toEqual(statisticsOf(store, 'pairs').days.map(({ money }) => money))
  remove(store, `${account}/1/3`)
  expect(trades(store).map(({ id }) => id)).toEqual([`${account}/4`])
})

test('a removal can be undone: the fill pair, its notes and every figure are as before', async () => {
  const store = openStore()
  await take(store, fill(1, 'buy', 2, 6750), fill(2, 'sell', 1, 6751), fill(3, 'sell', 1, 6753))
  add(store, { notes: 'on paper' })
  update(store, `${account}/1/2`, { notes: 'too early' })
  const before = { pairs: pairs(store), trades: trades(store), days: statisticsOf(store, 'trades').days }
  const restore = (id: string) => store.write.restorePair({ ...user, at: monday + minute, id })
  // With its last pair a trade goes as a whole.
  for (const id of [`${account}/1/2`, `${account}/1/3`, 'mine']) expect(remove(store, id)).toBe(true)
  expect([pairs(store), trades(store)]).toEqual([[], []])
  for (const id of ['mine', `${account}/1/3`, `${account}/1/2`]) expect(restore(id)).toBe(true)
  expect({ pairs: pairs(store), trades: trades(store), days: statisticsOf(store, 'trades').days }).toEqual(before)
  addProfile(store, 'another')
  expect([restore('mine'), restore('nothing'), store.write.restorePair({ userId: 'another', at: monday, id: 'mine' })]).toEqual([true, false, false])
})

test('removing a pair of the first day corrects a trade that was closed on the second', async () => {
  const store = openStore()
  await take(store, fill(1, 'buy', 2, 6750), fill(2, 'sell', 1, 6751), fill(3, 'sell', 1, 6760, { time: monday + day }))
  remove(store, `${account}/1/2`)
  expect(trades(store)).toMatchObject([{ qty: 1, pairs: 1, grossPnl: '50.00', date: '2026-01-06' }])
})

test('a trade that a late fill closes a day earlier is sent, though the fill pair that closed it before was removed', async () => {
  const store = openStore()
  await take(store, fill(1, 'buy', 1, 6750), fill(3, 'sell', 1, 6760, { time: monday + day }))
  remove(store, `${account}/1/3`)
  await take(store, fill(2, 'sell', 1, 6751, { time: monday + minute }))
  expect(pairs(store).map(({ id }) => id)).toEqual([`${account}/1/2`])
  expect(trades(store)).toMatchObject([{ id: `${account}/1`, qty: 1, pairs: 1, grossPnl: '5.00', date: '2026-01-05' }])
})

test('a trade entered by hand is worked out from prices and the contract table', () => {
  const store = openStore()
  expect(add(store)).toMatchObject({
    ok: true,
    value: { side: 'long', grossPnl: '15.00', commission: '3.80', netPnl: '11.20', pnl: 11.2, currency: 'USD', date: '2026-01-05', tradingDay: '2026-01-06', account: 'Paper', origin: 'manual', tradeId: null, multiplierSource: 'table', feeSource: 'table', notes: '', tags: [] },
  })
})

test('an entered result is kept exactly, and determines the side', () => {
  const store = openStore()
  expect(add(store, { pnl: -12.34, commission: '2.5', notes: 'fat finger' })).toMatchObject({ value: { side: 'short', pnl: -12.34, netPnl: '-12.34', grossPnl: '-9.84', commission: '2.50', multiplierSource: 'entered', feeSource: 'entered', notes: 'fat finger' } })
  expect(update(store, 'mine', { qty: 4 })).toMatchObject({ value: { qty: 4, pnl: -12.34, commission: '2.50' } })
  expect(update(store, 'mine', { pnl: 20 })).toMatchObject({ value: { pnl: 20, grossPnl: '22.50', side: 'short' } })
})

test('an average price between ticks and an unknown symbol are accepted', () => {
  const store = openStore()
  expect(add(store, { entryPrice: 6750.125, exitPrice: 6751.3 })).toMatchObject({ value: { entryPrice: 6750.125, exitPrice: 6751.3, grossPnl: '11.75' } })
  expect(add(store, { id: 'odd', symbol: 'WHAT', entryPrice: 1.5, exitPrice: 1 })).toMatchObject({ value: { grossPnl: '-1.00', commission: '0.00', warnings: ['unknown-contract'] } })
  expect(add(store, { id: 'huge', entryPrice: 9e11 })).toEqual({ ok: false, error: 'too-large' })
})

test('repeating a save does not double the trade, and never replaces a fill pair of the broker', async () => {
  const store = openStore()
  await take(store, fill(1, 'buy', 1, 6750), fill(2, 'sell', 1, 6751))
  add(store)
  add(store)
  expect(pairs(store)).toHaveLength(2)
  expect(add(store, { id: `${account}/1/2` })).toEqual({ ok: false, error: 'id-taken' })
  remove(store, 'mine')
  expect(pairs(store)).toHaveLength(1)
  add(store, { qty: 1 })
  expect(pairs(store)).toHaveLength(2)
})

test('no trade is entered for, or moved to, an account that was removed, where nobody would see it', async () => {
  const store = openStore()
  await take(store, fill(1, 'buy', 1, 6750), fill(2, 'sell', 1, 6751))
  add(store)
  store.write.removeTradesOfAccount({ ...user, at: monday, accountId: account })
  expect(add(store, { id: 'late', accountId: account })).toEqual({ ok: false, error: 'account-removed' })
  expect(update(store, 'mine', { accountId: account })).toEqual({ ok: false, error: 'account-removed' })
  expect(pairs(store)).toMatchObject([{ id: 'mine', accountId: 'paper' }])
})

test('trades of an account that was never connected are removed one and all', () => {
  const store = openStore()
  add(store)
  add(store, { id: 'second' })
  add(store, { id: 'third', accountId: 'elsewhere' })
  store.write.removeTradesOfAccount({ ...user, at: monday, accountId: 'paper' })
  expect(pairs(store).map(({ id }) => id)).toEqual(['third'])
})

test('a page is sorted, filtered without regard to case, and ordered by id where rows tie', async () => {
  const store = openStore()
  for (let count = 0; count < 7; count += 1) add(store, { id: `tie-${String(count)}` })
  const names = (input: object) => store.read.pairPage({ ...page, ...input }).rows.map(({ id }) => id)
  const windows = [0, 3, 6].flatMap((offset) => names({ offset, limit: 3 }))
  expect(windows).toEqual(['tie-0', 'tie-1', 'tie-2', 'tie-3', 'tie-4', 'tie-5', 'tie-6'])
  expect(names({ direction: 'desc', limit: 2 })).toEqual(['tie-6', 'tie-5'])

  await take(store, fill(1, 'buy', 1, 6750, { contract: 'ESM6', account: other }), fill(2, 'sell', 1, 6751, { contract: 'ESM6', account: other }))
  expect(store.read.pairPage({ ...page, filter: { ...everyTrade, symbol: 'esM', account: 'FÜND' } })).toMatchObject({ total: 1, rows: [{ symbol: 'ESM6', account: 'Fünded-202' }] })
  expect(store.read.tradePage({ ...page, filter: { ...everyTrade, symbol: 'ES', account: 'fünd' } })).toMatchObject({ total: 1 })
  expect(store.read.pairPage({ ...page, filter: { ...everyTrade, symbol: '%' } }).total).toBe(0)
  expect(names({ sort: 'netPnl', direction: 'desc', limit: 1 })).toEqual([`${other}/1/2`])
  for (const sort of ['exitTime', 'entryTime', 'symbol', 'account', 'side', 'qty', 'entryPrice', 'exitPrice', 'commission', 'netPnl'] as const) {
    expect(store.read.pairPage({ ...page, sort }).rows).toHaveLength(8)
    expect(store.read.tradePage({ ...page, sort }).rows).toHaveLength(8)
  }
})

test('a trade entered by hand counts as a trade of its own, under the account that was entered', async () => {
  const store = openStore()
  await take(store, fill(1, 'buy', 1, 6750), fill(2, 'sell', 1, 6751))
  add(store)
  expect(trades(store)).toMatchObject([{ id: expect.any(String) as unknown }, { id: 'mine', account: 'Paper', qty: 2, pairs: 1, entryPrice: 6750, exitPrice: 6751.5, grossPnl: '15.00' }])
  expect(store.read.tradePage({ ...page, filter: { ...everyTrade, account: 'pap' } })).toMatchObject({ total: 1, rows: [{ id: 'mine' }] })
  expect(store.read.tradePairs({ ...user, tradeId: 'mine' }).rows).toMatchObject([{ id: 'mine', origin: 'manual' }])
  expect(statisticsOf(store, 'trades').all).toMatchObject({ count: 2, money: [{ grossPnl: '20.00' }] })
  remove(store, 'mine')
  expect(trades(store)).toHaveLength(1)
  expect(statisticsOf(store, 'trades').all.count).toBe(1)
})

test('a trade with its exit before its entry is refused, also as a change', () => {
  const store = openStore()
  expect(add(store, { exitTime: '2026-01-05T14:59:59Z' })).toEqual({ ok: false, error: 'exit-before-entry' })
  add(store)
  expect(update(store, 'mine', { entryTime: '2026-02-01T00:00:00Z' })).toEqual({ ok: false, error: 'exit-before-entry' })
  expect(pairs(store)).toMatchObject([{ entryTime: '2026-01-05T15:00:00.000Z' }])
})

test('two forms on one fill pair save side by side: different fields merge, tags are united, and a field that both changed is written by neither of the later', async () => {
  const store = openStore()
  await take(store, fill(1, 'buy', 2, 6750), fill(2, 'sell', 1, 6751), fill(3, 'sell', 1, 6752))
  const [first, second] = [`${account}/1/2`, `${account}/1/3`]
  const save = (...edits: readonly { id: string; updates: object; base: object }[]) => store.write.savePairs({ ...user, at: monday, edits })
  const written = () => pairs(store).map(({ id, notes, tags, stop }) => [id, notes, tags, stop])
  expect(save({ id: first, updates: { notes: 'one', tags: ['a'] }, base: { notes: '', tags: [] } })).toMatchObject({ ok: true, value: { conflicts: [] } })
  expect(save({ id: first, updates: { stop: '6745', tags: ['b'] }, base: { stop: null, tags: [] } })).toMatchObject({ ok: true, value: { conflicts: [] } })
  expect(written()).toEqual([[first, 'one', ['a', 'b'], '6745'], [second, '', [], null]])
  // A stop that differs in one fill pair is written in none, the rest is.
  const answer = save({ id: first, updates: { stop: '6740', notes: 'two' }, base: { stop: null, notes: 'one' } }, { id: second, updates: { stop: '6740' }, base: { stop: null } })
  expect(answer).toMatchObject({ ok: true, value: { conflicts: ['stop'], pairs: [{ id: first, notes: 'two', stop: '6745' }, { id: second, stop: null }] } })
  expect(written()).toEqual([[first, 'two', ['a', 'b'], '6745'], [second, '', [], null]])
  // One that is gone holds up no other.
  expect(save({ id: 'gone', updates: { stop: '1' }, base: { stop: null } }, { id: second, updates: { stop: '6741' }, base: { stop: null } })).toMatchObject({ value: { pairs: [{ id: second, stop: '6741' }] } })
  expect(save({ id: 'gone', updates: { stop: '1' }, base: { stop: null } })).toEqual({ ok: false, error: 'not-found' })
  expect(save({ id: first, updates: { qty: 3 }, base: { qty: 1 } })).toEqual({ ok: false, error: 'read-only-field' })
})

test('of edits that are saved together one that is refused leaves none written', () => {
  const store = openStore()
  add(store)
  add(store, { id: 'second' })
  const edit = (id: string, updates: object, base: object) => ({ id, updates, base })
  const edits = [edit('mine', { qty: 5, notes: 'kept?' }, { qty: 2, notes: '' }), edit('second', { exitTime: '2026-01-01T00:00:00.000Z' }, { exitTime: '2026-01-06T02:00:00.000Z' })]
  expect(store.write.savePairs({ ...user, at: monday, edits })).toEqual({ ok: false, error: 'exit-before-entry' })
  expect(pairs(store).map(({ id, qty, notes }) => [id, qty, notes])).toEqual([['mine', 2, ''], ['second', 2, '']])
})

test('notes on a fill pair that disappeared while it was edited move to its replacement, beside the notes there, or are left over without one', async () => {
  const store = openStore()
  await take(store, fill(2, 'buy', 1, 6750), fill(3, 'sell', 1, 6751))
  const [seen] = pairs(store)
  const gone = `${account}/2/3`
  const save = (notes: string, base: string, tags: readonly string[] = []) => store.write.savePairs({ ...user, at: monday, edits: [{ id: gone, updates: { notes, tags: [...tags] }, base: { notes: base, tags: [] }, seen }] })
  expect(save('one', '')).toMatchObject({ value: { pairs: [{ notes: 'one' }], kept: [] } })
  // A fill of the entry comes late, and the exit closes it instead.
  await take(store, fill(1, 'buy', 1, 6749))
  const heir = `${account}/1/3`
  expect(save('one two', 'one', ['late'])).toMatchObject({ value: { pairs: [], kept: [{ id: gone, on: heir }] } })
  expect(pairs(store)).toMatchObject([{ id: heir, notes: 'one two', tags: ['late'] }])
  update(store, heir, { notes: 'of another page' })
  expect(save('one two three', 'one two')).toMatchObject({ value: { kept: [{ id: gone, on: heir }] } })
  expect(pairs(store)).toMatchObject([{ id: heir, notes: 'of another page\n\none two three' }])
  await take(store, fill(3, 'sell', 1, 6751, { active: false }))
  expect(save('four', 'one two three')).toMatchObject({ value: { kept: [{ id: gone, on: null }] } })
  expect(store.read.leftOverNotes(user).map(({ id, notes }) => [id, notes])).toContainEqual([gone, 'four'])
})

test('notes on a fill pair whose fills an import moved to another account go to the same fill pair there', async () => {
  const store = openStore()
  await take(store, fill(1, 'buy', 1, 6750), fill(2, 'sell', 1, 6751))
  const seen = pairs(store).find(({ accountId }) => accountId === account)
  await take(store, fill(1, 'buy', 1, 6750, { account: other }), fill(2, 'sell', 1, 6751, { account: other }))
  await take(store, fill(1, 'buy', 1, 6750, { active: false }), fill(2, 'sell', 1, 6751, { active: false }))
  const heir = `${other}/1/2`
  update(store, heir, { notes: 'meanwhile', stop: '6740' })
  const answer = store.write.savePairs({ ...user, at: monday, edits: [{ id: `${account}/1/2`, updates: { notes: 'typed', tags: ['late'], stop: '6741' }, base: { notes: '', tags: [], stop: null }, seen }] })
  expect(answer).toMatchObject({ value: { kept: [{ id: `${account}/1/2`, on: heir }] } })
  expect(pairs(store)).toMatchObject([{ id: heir, notes: 'meanwhile\n\ntyped', tags: ['late'], stop: '6741' }])
})

test('words for which there is no room beside those of another page are refused, so that their form keeps them', async () => {
  const store = openStore()
  await take(store, fill(1, 'buy', 1, 6750), fill(2, 'sell', 1, 6751))
  const seen = pairs(store).find(({ accountId }) => accountId === account)
  const id = `${account}/1/2`
  const [theirs, mine] = ['t'.repeat(15_000), 'm'.repeat(15_000)]
  const save = (updates: object, base: object) => store.write.savePairs({ ...user, at: monday, edits: [{ id, updates, base, seen }] })
  update(store, id, { notes: theirs, tags: Array.from({ length: 40 }, (_, index) => `their ${String(index)}`) })
  await take(store, fill(1, 'buy', 1, 6750, { active: false }), fill(2, 'sell', 1, 6751, { active: false }))
  const noRoom = { ok: false, error: 'no-room' }
  expect(save({ notes: mine, stop: '6740' }, { notes: '', stop: null })).toEqual(noRoom)
  expect(save({ tags: Array.from({ length: 40 }, (_, index) => `my ${String(index)}`) }, { tags: [] })).toEqual(noRoom)
  expect(store.read.leftOverNotes(user)).toMatchObject([{ id, notes: theirs, stop: null }])
  await take(store, fill(1, 'buy', 1, 6750, { account: other }), fill(2, 'sell', 1, 6751, { account: other }))
  update(store, `${other}/1/2`, { notes: theirs })
  expect(save({ notes: mine }, { notes: '' })).toEqual(noRoom)
  expect(pairs(store)).toMatchObject([{ notes: theirs }])
})

test('the commission of a trade by hand conflicts only with another that was entered, not with one that followed from the rest', () => {
  const store = openStore()
  add(store)
  expect(update(store, 'mine', { qty: 3 })).toMatchObject({ ok: true })
  const save = (commission: string, base: string | null) => store.write.savePairs({ ...user, at: monday, edits: [{ id: 'mine', updates: { commission }, base: { commission: base } }] })
  expect(save('1.50', null)).toMatchObject({ value: { conflicts: [], pairs: [{ qty: 3, commission: '1.50' }] } })
  expect(save('2.50', null)).toMatchObject({ value: { conflicts: ['commission'], pairs: [{ commission: '1.50' }] } })
})

test('an entered fee goes back to the rate, which follows the quantity again', () => {
  const store = openStore()
  add(store)
  const [{ commission: rate = '' } = {}] = pairs(store)
  expect(update(store, 'mine', { commission: '1.50' })).toMatchObject({ ok: true, value: { commission: '1.50', feeSource: 'entered' } })
  expect(store.write.savePairs({ ...user, at: monday, edits: [{ id: 'mine', updates: { commission: null }, base: { commission: '1.50' } }] })).toMatchObject({ ok: true, value: { conflicts: [], pairs: [{ commission: rate, feeSource: 'table' }] } })
  expect(update(store, 'mine', { notes: 'still' })).toMatchObject({ value: { feeSource: 'table' } })
})
