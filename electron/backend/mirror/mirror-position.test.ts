// @module-tag slow
import { expect, test } from 'vitest'
import { stampText } from '#shared/mirror/stamp.ts'
import { waiting } from '#tests/helpers/listed-cloud.ts'
import { account, day, fill, minute, monday, openEmptyStore, openStore, other, take, user, type TestStore } from '#tests/helpers/store.ts'

const journal = '0c9a6a3e-6f0f-4a54-9d61-2f3f6f1f0001'
const names = (store: TestStore) => waiting(store).records.map(({ entity, id }) => `${entity} ${id}`)
const sent = (store: TestStore, seqs: readonly number[], head = 1) => {
  store.write.recordPushed({ ...user, at: monday, seqs, journal, head })
}

test('every change of a record is sent, in the order of the changes, as the record then is', async () => {
  const store = openStore()
  sent(store, waiting(store).seqs)
  await take(store, fill(1, 'buy', 2, 6750, { feeText: '1.24' }), fill(2, 'sell', 2, 6751))
  const id = `${account}/1/2`
  store.write.updateTrade({ ...user, at: monday + day, id, updates: { notes: 'früh', tags: ['a', 'b'] } })
  const { records } = waiting(store)
  expect(records.map((record) => [record.entity, record.id])).toEqual([
    ['fill', `${account}/1`],
    ['fill', `${account}/2`],
    ['pair', id],
    ['edit', id],
  ])
  const stamp = stampText.parse(`${String(monday + day).padStart(15, '0')}-00000-${deviceOf(store)}`)
  expect(records[0]?.content).toEqual({
    account, contract: 'MESM6', time: monday + minute, side: 'buy', qty: 2, price: 27_000, tickSize: '0.25', fee: 12_400, active: true,
    source: 'api', orderId: '1', contractId: '4400001', tradeDate: '2026-01-05', otherFees: null,
  })
  expect(records[2]?.content).toMatchObject({ qty: 2, gross: 100_000, commission: 31_400, net: 68_600, warnings: [], tripId: `${account}/1`, date: '2026-01-05' })
  expect(records[3]?.content).toMatchObject({ notes: { value: 'früh', stamp }, tags: { value: ['a', 'b'], stamp }, place: { value: { account, contract: 'MESM6', opening: { fill: '1', order: '1' }, closing: { fill: '2', order: '2' } }, stamp } })
  await take(store, fill(2, 'sell', 2, 6751, { active: false }))
  // It goes to the end, and says that it is gone.
  expect(waiting(store).records.slice(-2)).toMatchObject([{ entity: 'fill', content: { active: false } }, { entity: 'pair', id, content: null }])
})

const deviceOf = (store: TestStore) => (store.writer.database.prepare('SELECT id FROM device').get() as { id: string }).id

test('accounts, labels, balances, figures, entered trades and pictures are sent', () => {
  const store = openStore()
  store.write.addTrade({ ...user, at: monday, trade: { id: 'mine', symbol: 'MESM6', account: 'Paper', accountId: 'paper', qty: 1, entryPrice: 6750, exitPrice: 6751, platform: '', entryTime: '2026-01-05T15:00:00Z', exitTime: '2026-01-05T16:00:00Z' } })
  store.write.addPicture({ ...user, at: monday, name: 'a.png', type: 'image/png', bytes: 5 })
  store.write.addPicture({ ...user, at: monday, name: 'a.png', type: 'image/png', bytes: 5 })
  expect(names(store)).toEqual(['profile profile', `finance ${account}`, `account ${account}`, `finance ${other}`, `account ${other}`, 'trade mine', 'picture a.png'])
  expect(store.read.pictures(user)).toEqual([{ name: 'a.png', type: 'image/png', bytes: 5 }])
  expect(waiting(store).records).toMatchObject([{ content: { timeZone: 'America/New_York' } }, {}, { content: { name: 'EVAL-101', loginName: 'demo.user', removedAt: null } }, {}, {}, { content: { account: 'Paper', net: 31_000 } }, {}])
})

test('saving the same values twice is no change, and gets no new stamp', async () => {
  const store = openStore()
  const label = { id: account, type: 'Funded Account', amount: 0, name: 'x', balance: 0, platform: 'Tradovate', firm: 'Tradeify' } as const
  const enter = (notes: string) => store.write.addTrade({ ...user, at: monday, trade: { id: 'mine', symbol: 'MESM6', account: 'Paper', accountId: 'paper', qty: 1, entryPrice: 6750, exitPrice: 6751, platform: '', entryTime: '2026-01-05T15:00:00Z', exitTime: '2026-01-05T16:00:00Z', notes } })
  store.write.addFinance({ ...user, at: monday, finance: label })
  enter('a')
  sent(store, waiting(store).seqs)
  store.write.addFinance({ ...user, at: monday + day, finance: label })
  enter('a')
  expect(names(store)).toEqual([])
  enter('b')
  expect(names(store)).toEqual(['edit mine'])
})

test('a record that changes while it is being sent stays in the outbox', async () => {
  const store = openStore()
  const { seqs, records } = waiting(store)
  expect(records).toHaveLength(5)
  store.write.removeAccount({ ...user, at: monday + minute, account })
  sent(store, seqs, 5)
  expect(names(store)).toEqual([`account ${account}`])
  expect(store.read.mirror(user)).toEqual({ cloudUser: null, journal, cursor: 5, proof: null, waiting: 1, waitingSince: monday + minute, setAside: 0, lastSentAt: monday, empty: false })
})

test('a journal that nobody used is empty, whatever its profile is', () => {
  expect(openEmptyStore().read.mirror(user)).toEqual({ cloudUser: null, journal: null, cursor: 0, proof: null, waiting: 1, waitingSince: monday, setAside: 0, lastSentAt: null, empty: true })
})

test('records are sent up to the requested count, and not much more than 4 MB at once', { tags: 'long' }, () => {
  const store = openStore()
  const long = 'ü'.repeat(20_000)
  const enter = (id: string) => store.write.addTrade({ ...user, at: monday, trade: { id, symbol: 'MESM6', account: '', accountId: '', qty: 1, entryPrice: 1, exitPrice: 2, platform: '', entryTime: '2026-01-05T15:00:00Z', exitTime: '2026-01-05T16:00:00Z', notes: long } })
  for (let count = 0; count < 120; count += 1) enter(`trade-${String(count)}`)
  expect(waiting(store, 3).seqs).toHaveLength(3)
  const { seqs, records } = store.read.outgoing({ ...user, limit: 1_000 })
  expect(records.byteLength).toBeGreaterThan(3_900_000)
  expect(records.byteLength).toBeLessThan(4_050_000)
  sent(store, seqs)
  const rest = waiting(store)
  expect(seqs.length + rest.seqs.length).toBe(5 + 240)
})

test('with another journal in the cloud everything is sent again', async () => {
  const store = openStore()
  await take(store, fill(1, 'buy', 1, 6750), fill(2, 'sell', 1, 6751), fill(3, 'sell', 1, 6751))
  store.write.updateTrade({ ...user, at: monday, id: `${account}/1/2`, updates: { notes: 'x' } })
  const before = names(store).sort()
  sent(store, waiting(store).seqs, 9)
  expect(names(store)).toEqual([])
  store.write.resetMirror({ ...user, at: monday + day, journal: null })
  expect(names(store).sort()).toEqual(before)
  expect(store.read.mirror(user)).toMatchObject({ journal: null, cursor: 0, waitingSince: monday + day, lastSentAt: null })
})
