// @module-tag slow
import { expect, test } from 'vitest'
import { specOf } from '#backend/fills/specs.ts'
import { contractSpecOf } from '#shared/market/contract-spec.ts'
import type { MirrorRecord } from '#shared/mirror/record.ts'
import type { Amount, Currency } from '#shared/money/money.ts'
import { everyTrade } from '#shared/stats/filter.ts'
import { fillRow, importRows, pairRow } from '#tests/helpers/imports.ts'
import { listedCloud, pull, push, sharedRows, waiting, type ListedCloud } from '#tests/helpers/listed-cloud.ts'
import { account, day, fill, minute, monday, openEmptyStore, openStore, other, rowsOf, take, user, type TestStore } from '#tests/helpers/store.ts'

const page = { ...user, filter: everyTrade, offset: 0, limit: 100, sort: 'exitTime', direction: 'asc' } as const
const pairs = (store: TestStore) => store.read.pairPage(page).rows
const id = `${account}/1/2`
const round = [fill(1, 'buy', 1, 6750), fill(2, 'sell', 1, 6751)]
const edit = (store: TestStore, at: number, updates: object) => store.write.updateTrade({ ...user, at, id, updates })
const names = (store: TestStore) => waiting(store).records.map((record) => `${record.entity} ${record.id}`)
const mirror = async (store: TestStore, cloud: ListedCloud) => {
  await pull(store, cloud)
  await push(store, cloud)
}

/** Two computers with one trade, mirrored, and the cloud between them. */
const two = async () => {
  const cloud = listedCloud()
  const [one, another] = [openStore(), openEmptyStore()]
  await take(one, ...round)
  await push(one, cloud)
  await mirror(another, cloud)
  return { cloud, one, another }
}

test('a second computer gets the journal, and its derived pairs need not be sent', async () => {
  const { one, another } = await two()
  expect(sharedRows(another)).toEqual(sharedRows(one))
  expect(pairs(another)).toEqual(pairs(one))
  expect(names(another)).toEqual([])
})

test('fees in other currencies are mirrored, even if nothing else changed', async () => {
  const { cloud, one, another } = await two()
  const charged = (amount: number) => ({ otherFees: [{ currency: 'EUR' as Currency, amount: amount as Amount }] })
  for (const [amount, text] of [[20_000, '4.00'], [25_000, '5.00']] as const) {
    await take(one, ...round.map((each) => ({ ...each, ...charged(amount) })))
    expect(names(one)).toEqual([`fill ${account}/1`, `fill ${account}/2`, `pair ${id}`])
    await push(one, cloud)
    await mirror(another, cloud)
    for (const store of [one, another]) expect(pairs(store)).toMatchObject([{ otherFees: [{ currency: 'EUR', amount: text }] }])
    expect(cloud.find('pair', id)?.content).toMatchObject({ otherFees: [{ currency: 'EUR', amount: 2 * amount }] })
    // What came is no news for the cloud.
    expect(names(another)).toEqual([])
    expect(sharedRows(another)).toEqual(sharedRows(one))
  }
})

test('a fill of a program that knows no fees in other currencies takes none away, and they are sent to the cloud again', async () => {
  const { cloud, one } = await two()
  await take(one, ...round.map((each) => ({ ...each, otherFees: [{ currency: 'EUR' as Currency, amount: 20_000 as Amount }] })))
  await push(one, cloud)
  const sent = cloud.find('fill', `${account}/1`)
  if (sent?.entity !== 'fill' || sent.content === null) throw new Error('The cloud has the fill')
  await one.write.mergePulled({ ...user, at: monday, records: [{ ...sent, content: { ...sent.content, otherFees: null } }], journal: cloud.journal, cursor: null })
  expect(pairs(one)).toMatchObject([{ otherFees: [{ currency: 'EUR', amount: '4.00' }] }])
  expect(names(one)).toEqual([`fill ${account}/1`])
})

test('different fields of one fill pair are merged, of one field the later wins', async () => {
  const { cloud, one, another } = await two()
  edit(one, monday + 2 * day, { notes: 'later', tags: ['one'] })
  edit(another, monday + day, { notes: 'earlier', stop: '6740.00' })
  await mirror(one, cloud)
  await mirror(another, cloud)
  await mirror(one, cloud)
  for (const store of [one, another]) expect(pairs(store)).toMatchObject([{ notes: 'later', tags: ['one'], stop: '6740.00' }])
})

test('drawings travel, and survive a computer that knows none', async () => {
  const { cloud, one, another } = await two()
  const drawings = [{ kind: 'trend', at: monday, price: 27_000, to: { at: monday + minute, price: 27_004 } }]
  edit(one, monday + day, { drawings, notes: 'n' })
  await mirror(one, cloud)
  await mirror(another, cloud)
  expect(pairs(another)).toMatchObject([{ drawings, notes: 'n' }])
  expect(sharedRows(another)).toEqual(sharedRows(one))
  edit(another, monday + 2 * day, { notes: 'older program' })
  const [sent] = waiting(another).records
  if (sent?.entity !== 'edit') throw new Error('An edit waits')
  const { drawings: unknown, ...known } = sent.content
  expect(unknown?.value).toEqual(drawings)
  await one.write.mergePulled({ ...user, at: monday, records: [{ ...sent, content: known, seq: 99 }], journal: cloud.journal, cursor: null })
  expect(pairs(one)).toMatchObject([{ drawings, notes: 'older program' }])
  expect(names(one)).toEqual([`edit ${id}`])
})

test('an edit made after seeing a change wins over it, however slow the clock', async () => {
  const { cloud, one, another } = await two()
  edit(one, monday + 9 * day, { notes: 'from a clock that is days ahead' })
  await mirror(one, cloud)
  await mirror(another, cloud)
  edit(another, monday, { notes: 'seen and corrected' })
  await mirror(another, cloud)
  await mirror(one, cloud)
  expect(pairs(one)).toMatchObject([{ notes: 'seen and corrected' }])
})

test('on a tie the cloud’s value wins', async () => {
  const { cloud, one } = await two()
  edit(one, monday + day, { notes: 'here' })
  const [sent] = waiting(one).records
  if (sent?.entity !== 'edit' || sent.content.notes === undefined) throw new Error('An edit waits')
  const record: MirrorRecord = { ...sent, content: { ...sent.content, notes: { ...sent.content.notes, value: 'there' } } }
  await one.write.mergePulled({ ...user, at: monday, records: [{ ...record, seq: 99 }], journal: cloud.journal, cursor: null })
  expect(pairs(one)).toMatchObject([{ notes: 'there' }])
  expect(names(one)).toEqual([])
})

test('a fill pair that one computer removes and the other annotates is removed, and keeps the note', async () => {
  const { cloud, one, another } = await two()
  one.write.removeTrade({ ...user, at: monday + day, id })
  edit(another, monday + 2 * day, { notes: 'mine' })
  await mirror(another, cloud)
  await mirror(one, cloud)
  await mirror(another, cloud)
  expect([pairs(one), pairs(another), rowsOf(another, 'trades')]).toEqual([[], [], []])
  expect(rowsOf(one, 'pair_edits')).toMatchObject([{ notes: 'mine', removed_at: monday + day }])
  expect(sharedRows(another)).toEqual(sharedRows(one))
})

test('of two balances the newer wins, on the finance too', async () => {
  const { cloud, one, another } = await two()
  const save = (store: TestStore, amount: number, time: number) => store.write.saveBalances({ ...user, at: monday, balances: [{ account, amount: amount as Amount, currency: 'USD' as Currency, time }] })
  save(one, 10_000, monday + 1)
  save(another, 20_000, monday)
  await mirror(one, cloud)
  await mirror(another, cloud)
  for (const store of [one, another]) expect(store.read.finances(user)[0]).toMatchObject({ id: account, balance: 1 })
  save(another, 30_000, monday + 2)
  save(one, 40_000, monday + 3)
  await mirror(another, cloud)
  await mirror(one, cloud)
  expect(cloud.find('balance', account)?.content).toMatchObject({ balance: 40_000, balanceAt: monday + 3 })
  // One of a clock that was far ahead gives way to any other, on both computers.
  save(one, 90_000, monday + 400 * day)
  await mirror(one, cloud)
  await mirror(another, cloud)
  save(another, 50_000, monday + 4)
  await mirror(another, cloud)
  await mirror(one, cloud)
  for (const store of [one, another]) expect(store.read.finances(user)[0]).toMatchObject({ id: account, balance: 5 })
})

test('the better source of a fill wins, whichever came first, and missing fields come from the other', async () => {
  const { cloud, one, another } = await two()
  await take(one, fill(3, 'buy', 1, 6760, { source: 'orders-file', tradeDate: '2026-01-05' }))
  await take(another, fill(3, 'buy', 1, 6761, { orderId: null, tradeDate: null }))
  await mirror(another, cloud)
  await mirror(one, cloud)
  await mirror(another, cloud)
  for (const store of [one, another]) expect(rowsOf(store, 'fills')).toContainEqual(expect.objectContaining({ id: '3', price: 27_044, source: 'api', order_id: '3', trade_date: '2026-01-05' }))
  expect(sharedRows(another)).toEqual(sharedRows(one))
})

test('a fill that was corrected while its answer got lost is not set back by its own echo', async () => {
  const { cloud, one, another } = await two()
  await take(one, fill(3, 'buy', 1, 6760), fill(4, 'sell', 1, 6761))
  await push(one, cloud, monday, { loseAnswer: true })
  await take(one, fill(4, 'sell', 1, 6761, { active: false }))
  await push(one, cloud)
  expect(cloud.find('fill', `${account}/4`)?.content).toMatchObject({ active: false })
  // Where nothing else is known, what the cloud has stands.
  await mirror(another, cloud)
  expect(sharedRows(another)).toEqual(sharedRows(one))
  expect(pairs(another)).toHaveLength(1)
})

test('a fill that the broker busted stays busted against an older reading that another computer sends later', async () => {
  const { cloud, one, another } = await two()
  await take(another, fill(2, 'sell', 1, 6751, { feeText: '0.62' }))
  await take(one, fill(2, 'sell', 1, 6751, { active: false }))
  await push(one, cloud)
  await mirror(another, cloud)
  await mirror(one, cloud)
  for (const store of [one, another]) {
    expect(pairs(store)).toEqual([])
    expect(rowsOf(store, 'fills')).toContainEqual(expect.objectContaining({ id: '2', active: 0, fee: 6_200 }))
  }
  expect(names(another)).toEqual([])
  expect(sharedRows(another)).toEqual(sharedRows(one))
})

test('what an import adds to fills of the broker goes with it on every computer once it is undone', async () => {
  const { cloud, one, another } = await two()
  const rows = [fillRow('EVAL-101', 1, 'buy', 1, 6750, { fee: 6_200 as Amount }), fillRow('EVAL-101', 2, 'sell', 1, 6751, { fee: 6_200 as Amount, active: false })]
  await importRows(one, 'file', rows)
  await mirror(one, cloud)
  await mirror(another, cloud)
  const facts = (store: TestStore) => store.read.knownFills({ ...user, accounts: [account], ids: ['1', '2'] }).map(({ fee, active }) => [fee, active])
  expect([facts(one), facts(another)]).toEqual([[[6_200, true], [6_200, false]], [[6_200, true], [6_200, false]]])
  await one.write.undoImport({ ...user, at: monday, importId: 'file' })
  for (const store of [one, another, one, another]) await mirror(store, cloud)
  expect([facts(one), facts(another)]).toEqual([[[null, true], [null, true]], [[null, true], [null, true]]])
  expect(sharedRows(another)).toEqual(sharedRows(one))
})

test('an undone import leaves nothing of its fills where another import has them from a less trusted file', async () => {
  const { cloud, one, another } = await two()
  await importRows(one, 'pairs', [pairRow('Paper', [3, 6750], [4, 6751], 1)])
  await importRows(one, 'fills', [fillRow('Paper', 3, 'buy', 2, 6750, { fee: 6_200 as Amount }), fillRow('Paper', 4, 'sell', 2, 6751, { fee: 6_200 as Amount })])
  await mirror(one, cloud)
  await mirror(another, cloud)
  await one.write.undoImport({ ...user, at: monday, importId: 'fills' })
  for (const store of [one, another, one, another]) await mirror(store, cloud)
  for (const store of [one, another]) expect(pairs(store)).toContainEqual(expect.objectContaining({ id: 'file:Paper/3/4', qty: 1, feeSource: 'table' }))
  expect(sharedRows(another)).toEqual(sharedRows(one))
  await one.write.undoImport({ ...user, at: monday, importId: 'pairs' })
  for (const store of [one, another, one, another]) await mirror(store, cloud)
  for (const store of [one, another]) expect(pairs(store)).toHaveLength(1)
})

test("the broker's figures stand against those of the table, and what they change is derived again", async () => {
  const { cloud, one, another } = await two()
  const unknown = ['ZZZQ9'].map(contractSpecOf)
  const odd = [fill(5, 'buy', 1, 100.5, { contract: 'ZZZQ9' }), fill(6, 'sell', 1, 101.75, { contract: 'ZZZQ9' })]
  await one.write.saveFills({ ...user, at: monday, fills: odd, specs: unknown })
  const spec = { ...contractSpecOf('ZZZQ9'), tickSize: '0.25', tickValue: { num: 12_500, den: 1 }, source: 'broker' as const }
  another.write.saveContracts({ ...user, at: monday, contracts: [{ environment: 'demo', brokerContractId: '7', spec }] })
  await mirror(one, cloud)
  await mirror(another, cloud)
  await mirror(one, cloud)
  for (const store of [one, another]) expect(pairs(store)[1]).toMatchObject({ entryPrice: 100.5, exitPrice: 101.75, grossPnl: '6.25', multiplierSource: 'broker' })
  expect(sharedRows(another)).toEqual(sharedRows(one))
})

test("an earlier version's dollars of a contract that only NinjaTrader names are not taken", async () => {
  const { cloud, one, another } = await two()
  const unknown = { ...contractSpecOf('ZZZQ9'), root: 'ZZZ', tickSize: '1' }
  await one.write.saveFills({ ...user, at: monday, fills: [fill(5, 'buy', 1, 100, { contract: 'ZZZQ9' }), fill(6, 'sell', 1, 101, { contract: 'ZZZQ9' })], specs: [unknown] })
  await mirror(one, cloud)
  const spec = { ...unknown, tickValue: { num: 500_000, den: 1 }, source: 'broker' as const }
  another.write.saveContracts({ ...user, at: monday, contracts: [{ environment: 'live', brokerContractId: 'ninjatrader:ZZZQ9', spec }] })
  await mirror(another, cloud)
  await mirror(one, cloud)
  expect(pairs(one)[1]).toMatchObject({ symbol: 'ZZZQ9', warnings: ['unknown-contract'] })
  // As long as the other computer has them, neither sends its own by turns.
  expect(names(one)).toEqual([])
})

test('a fill that lies on no tick of its contract here is left to the cloud, and holds nothing up', async () => {
  const { cloud, another } = await two()
  const sent = cloud.find('fill', `${account}/1`)
  if (sent?.entity !== 'fill' || sent.content === null) throw new Error('The cloud has the fill')
  const off = { ...sent, id: `${account}/9`, content: { ...sent.content, price: 67_501, tickSize: '0.1' } }
  await another.write.mergePulled({ ...user, at: monday, records: [off, { ...sent, id: `${account}/10` }], journal: cloud.journal, cursor: 50 })
  expect((rowsOf(another, 'fills') as { id: string }[]).map((row) => row.id)).toEqual(['1', '10', '2'])
  expect(another.read.mirror(user).cursor).toBe(50)
})

test('a page can be applied twice, and an interrupted journal continues where it stopped', async () => {
  const { cloud, one } = await two()
  for (let count = 3; count < 20; count += 1) await take(one, fill(count, count % 2 === 0 ? 'buy' : 'sell', 1, 6750 + count))
  edit(one, monday, { notes: 'x' })
  await push(one, cloud)
  const fresh = openEmptyStore()
  for (let breakOff = 1; !(await pull(fresh, cloud, monday, { page: 3, breakOff })); breakOff += 1) {
    const { cursor } = fresh.read.mirror(user)
    expect(cursor).toBeLessThanOrEqual(cloud.head())
    const before = [sharedRows(fresh), names(fresh).sort()]
    const again = cloud.changes('rest', 0, cursor)
    await fresh.write.mergePulled({ ...user, at: monday, records: again, journal: cloud.journal, cursor: null })
    expect([sharedRows(fresh), names(fresh).sort()]).toEqual(before)
    expect(fresh.read.mirror(user).cursor).toBe(cursor)
  }
  expect(sharedRows(fresh)).toEqual(sharedRows(one))
  const head = cloud.head()
  await push(fresh, cloud)
  expect([cloud.head(), names(fresh)]).toEqual([head, []])
})

test('derived pairs that the cloud has otherwise, or not at all, are sent', async () => {
  const { cloud, another } = await two()
  const pair = cloud.find('pair', id)
  if (pair?.entity !== 'pair' || pair.content === null) throw new Error('The cloud has the pair')
  const compare = (record: typeof pair) => another.write.mergePulled({ ...user, at: monday, records: [record], journal: cloud.journal, cursor: null })
  await compare({ ...pair, content: { ...pair.content, net: 1 } })
  expect(names(another)).toEqual([`pair ${id}`])
  await compare(pair)
  expect(names(another)).toEqual([])
  await compare({ ...pair, id: `${account}/7/8` })
  expect(waiting(another).records).toEqual([{ entity: 'pair', id: `${account}/7/8`, content: null }])
})

const accountRow = (store: TestStore) => store.writer.database.prepare('SELECT login_id, login_name, watched_since, removed_at FROM accounts WHERE key = ?').get(account)
const connect = (store: TestStore, reconnect: boolean, at: number) => {
  store.write.saveLogin({ ...user, at, id: 'second', brokerUserId: '9001', name: 'demo.user', hosts: null })
  return store.write.saveAccounts({ ...user, at, loginId: 'second', reconnect, accounts: [{ key: account, environment: 'demo', brokerAccountId: '700101', name: 'EVAL-101' }] })
}

test('an account from the cloud gets its login when it is connected here, and keeps its labels and notes', async () => {
  const { cloud, one, another } = await two()
  one.write.addFinance({ ...user, at: monday, finance: { id: account, type: 'Funded Account', amount: 0, name: '', balance: 0, platform: '', firm: 'Tradeify' } })
  edit(one, monday, { notes: 'kept' })
  await mirror(one, cloud)
  await mirror(another, cloud)
  expect(accountRow(another)).toEqual({ login_id: '', login_name: 'demo.user', watched_since: null, removed_at: null })
  expect(connect(another, true, monday + day)).toEqual({ added: [], returned: [], skipped: [] })
  expect(accountRow(another)).toEqual({ login_id: 'second', login_name: 'demo.user', watched_since: monday + day, removed_at: null })
  expect(another.read.finances(user)[0]).toMatchObject({ type: 'Funded Account', firm: 'Tradeify' })
  expect(pairs(another)).toMatchObject([{ notes: 'kept' }])
  // Nothing of that is news for the cloud.
  expect(names(another)).toEqual([])
})

test('an account that was removed on another computer is left alone by the sync of this one, and comes back with its connection', async () => {
  const { cloud, one, another } = await two()
  another.write.removeAccount({ ...user, at: monday + day, account })
  await mirror(another, cloud)
  await mirror(one, cloud)
  expect(pairs(one)).toEqual([])
  expect(one.read.finances(user).map((finance) => finance.id)).toEqual([other])
  expect(accountRow(one)).toMatchObject({ removed_at: monday + day, watched_since: null })
  expect(connect(one, false, monday + 2 * day)).toEqual({ added: [], returned: [], skipped: [account] })
  expect(await take(one, fill(3, 'buy', 1, 6750))).toMatchObject({ fills: { skipped: 1 } })
  expect(connect(one, true, monday)).toEqual({ added: [], returned: [account], skipped: [] })
  await mirror(one, cloud)
  await mirror(another, cloud)
  // Its clock is behind, but it had seen the removal.
  expect(pairs(another)).toHaveLength(1)
})

test('an account that a sync finds does not bring back what the user removed elsewhere', async () => {
  const { cloud, one } = await two()
  const late = openEmptyStore()
  connect(late, false, monday + 9 * day)
  one.write.removeAccount({ ...user, at: monday + day, account })
  await mirror(one, cloud)
  await mirror(late, cloud)
  expect(accountRow(late)).toMatchObject({ removed_at: monday + day })
})

test('fills that come before their account are kept out of view until it comes', async () => {
  const { cloud, one } = await two()
  const fresh = openEmptyStore()
  await fresh.write.mergePulled({ ...user, at: monday, records: cloud.changes('rest', 0, cloud.head()), journal: cloud.journal, cursor: null })
  expect(rowsOf(fresh, 'fills')).toHaveLength(2)
  expect([pairs(fresh), fresh.read.connectedAccounts(user), fresh.read.totals(user).fills]).toEqual([[], [], 0])
  expect(names(fresh)).not.toContain(`account ${account}`)
  await pull(fresh, cloud)
  expect(sharedRows(fresh)).toEqual(sharedRows(one))
})

test("a journal that is not empty takes the cloud's zone: its fills move to their dates there", async () => {
  const { cloud, one } = await two()
  const abroad = openEmptyStore('Asia/Tokyo')
  connect(abroad, true, monday)
  const late = [fill(600, 'buy', 1, 6750), fill(601, 'sell', 1, 6752), fill(1_500, 'buy', 1, 6760, { time: monday + 20 * 60 * minute }), fill(1_501, 'sell', 1, 6763, { time: monday + 21 * 60 * minute })]
  await take(abroad, ...late)
  expect(pairs(abroad).map(({ date }) => date)).toEqual(['2026-01-06', '2026-01-06'])
  await mirror(abroad, cloud)
  await mirror(one, cloud)
  expect(abroad.read.profile({ id: user.userId })?.timeZone).toBe('America/New_York')
  expect(pairs(abroad).map(({ date }) => date)).toEqual(['2026-01-05', '2026-01-05', '2026-01-06'])
  await mirror(abroad, cloud)
  expect(sharedRows(abroad)).toEqual(sharedRows(one))
})

test.each([
  ['a worth of its own for a known product', 'ESZ6', { tickSize: '0.25', tickValue: { num: 125_000_000, den: 1 }, currency: 'USD' }],
  ['another currency', 'ESZ6', { tickSize: '0.25', tickValue: { num: 125_000, den: 1 }, currency: 'EUR' }],
])('a file of a journal is not believed %s', async (_name, contract, figures) => {
  const store = openStore()
  const content = { root: 'ES', rootIsWhole: true, feePerSide: 20_500, source: 'broker', rounding: null, ...figures }
  await store.write.mergeJournalFile({ ...user, at: monday, records: [{ entity: 'spec', id: contract, content } as MirrorRecord], importedSpecs: [] })
  expect(specOf(store.writer, user.userId, contract)).toEqual(contractSpecOf(contract))
})

test('what a file of a journal says of a product that the table does not have, or as the table has it, is taken', async () => {
  const store = openStore()
  const spec = (id: string, tickSize: string, num: number) => ({ entity: 'spec', id, content: { root: id.slice(0, -2), rootIsWhole: true, currency: 'USD', tickSize, tickValue: { num, den: 1 }, feePerSide: 0, source: 'broker', rounding: null } }) as MirrorRecord
  await store.write.mergeJournalFile({ ...user, at: monday, records: [spec('ESZ6', '0.5', 250_000), spec('QQQZ6', '0.5', 30_000)], importedSpecs: [] })
  expect(specOf(store.writer, user.userId, 'ESZ6')).toMatchObject({ source: 'broker', tickSize: '0.5' })
  expect(specOf(store.writer, user.userId, 'QQQZ6')).toMatchObject({ source: 'broker', tickValue: { num: 30_000, den: 1 } })
})

test('an import undone before the cloud answered stays undone, and one made again before it answered the undo stays', async () => {
  const [cloud, one, another] = [listedCloud(), openStore(), openEmptyStore()]
  const rows = [fillRow('PA-7', 20, 'buy', 1, 6750), fillRow('PA-7', 21, 'sell', 1, 6751)]
  await importRows(one, 'other', [fillRow('PA-7', 30, 'buy', 1, 6750), fillRow('PA-7', 31, 'sell', 1, 6751)])
  for (const store of [one, another]) await mirror(store, cloud)
  await importRows(one, 'first', rows)
  expect(await push(one, cloud, monday, { loseAnswer: true })).toBe(false)
  await one.write.undoImport({ ...user, at: monday, importId: 'first' })
  for (const store of [one, another, one]) await mirror(store, cloud)
  expect([one, another].map((store) => pairs(store).length)).toEqual([1, 1])

  await importRows(one, 'second', rows)
  for (const store of [one, another]) await mirror(store, cloud)
  await one.write.undoImport({ ...user, at: monday, importId: 'second' })
  expect(await push(one, cloud, monday, { loseAnswer: true })).toBe(false)
  await importRows(one, 'third', rows)
  for (const store of [one, another, one]) await mirror(store, cloud)
  expect([one, another].map((store) => pairs(store).length)).toEqual([2, 2])
})

test('a file on one computer says which account a name means: imports on another, which know the name alone, then mean the same one', async () => {
  const { cloud, one, another } = await two()
  const named = { name: 'PA-7', id: '700101' }
  await importRows(one, 'with ids', [fillRow('PA-7', 5, 'buy', 1, 6700, { account: named }), fillRow('PA-7', 6, 'sell', 1, 6701, { account: named })])
  await importRows(another, 'names alone', [fillRow('PA-7', 7, 'buy', 1, 6700), fillRow('PA-7', 8, 'sell', 1, 6702)])
  expect(pairs(another).map(({ accountId }) => accountId).toSorted()).toEqual(['file:PA-7', account])
  for (let turn = 0; turn < 4; turn += 1) for (const store of [another, one]) await mirror(store, cloud)
  for (const store of [one, another]) {
    expect(pairs(store).map(({ accountId }) => accountId)).toEqual([account, account, account])
    expect(names(store)).toEqual([])
  }
  expect(sharedRows(another)).toEqual(sharedRows(one))
})

test('a number of rows that two accounts share does not make them one when another computer undoes an import of one', async () => {
  const { cloud, one, another } = await two()
  const rows = (name: string, id: string | null, price: number) =>
    ([[5, 'buy'], [6, 'sell']] as const).map(([place, side]) => fillRow(name, place, side, 1, price, { account: { name, id }, fillId: `csv-a1b2-${String(place)}` }))
  await importRows(one, 'connected', rows('PA-8', '700101', 6700))
  await importRows(one, 'of files', rows('PA-7', null, 6900))
  await importRows(another, 'of files here', rows('PA-7', null, 6900))
  for (const store of [one, another, one]) await mirror(store, cloud)
  await one.write.undoImport({ ...user, at: monday, importId: 'of files' })
  for (let turn = 0; turn < 3; turn += 1) for (const store of [one, another]) await mirror(store, cloud)
  for (const store of [one, another]) expect(pairs(store).map(({ accountId }) => accountId).toSorted()).toEqual(['file:PA-7', account, account])
})
