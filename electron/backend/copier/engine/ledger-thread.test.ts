// @module-tag slow
import { writeFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { causeOf, copierPaths, follower, intentOf, silent } from '#tests/helpers/copier-samples.ts'
import { openWithGroup } from '#tests/helpers/copier-store.ts'
import { monday, temporaryFolder, user } from '#tests/helpers/store.ts'
import { createLedger } from '../copier-ledger.ts'
import { startLedgerThread } from '../copier-threads.ts'

const start = (folder: string) => {
  const thread = startLedgerThread({ file: copierPaths(folder).file, log: silent })
  onTestFinished(() => thread.stop())
  return { thread, ledger: createLedger({ reads: thread, fees: () => Promise.resolve({ own: { rates: [], firms: [] }, charged: [], accounts: [] }), now: () => monday }) }
}

test('is empty before the copier creates its file, and reads its writes afterward', async () => {
  const folder = temporaryFolder()
  const { ledger } = start(folder)
  const all = () => ledger.ledger(user.userId, { limit: 10 })
  expect(await all()).toEqual({ rows: [], more: false })
  expect(await ledger.csv(user.userId, { after: null })).toEqual({ text: '', next: null })
  expect(await ledger.dryRun(user.userId, { days: 1 })).toMatchObject({ days: [], total: { orders: 0 } })
  const store = openWithGroup(folder)
  store.writeIntents(causeOf(11), [intentOf('a')])
  store.record([{ clOrdId: 'a', stage: 'filled', filled: 1, toWireMs: 1.5 }])
  expect((await all()).rows.map(({ leader, copies }) => [leader.fillId, copies.map(({ clOrdId, status }) => [clOrdId, status])])).toEqual([['11', [['a', 'filled']]]])
  expect((await ledger.figures(user.userId, { days: 1 })).followers).toMatchObject([{ follower: follower(1), toWire: { count: 1, p50: 1.5 } }])
  expect((await ledger.csv(user.userId, { groupId: 'g1', after: null })).text.split('\r\n')).toHaveLength(3)
})

test('an invalid file fails each call but does not end the thread', async () => {
  const folder = temporaryFolder()
  writeFileSync(copierPaths(folder).file, 'this is no database, however long one reads in it')
  const { ledger } = start(folder)
  await expect(ledger.ledger(user.userId, { limit: 10 })).rejects.toThrow('NOTADB')
  await expect(ledger.figures(user.userId, { days: 1 })).rejects.toThrow('NOTADB')
})

test('a call after its end rejects', async () => {
  const { thread, ledger } = start(temporaryFolder())
  await thread.stop()
  await expect(ledger.ledger(user.userId, { limit: 10 })).rejects.toThrow('ended')
})
