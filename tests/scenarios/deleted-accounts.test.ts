import { appendFileSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createCloudClient } from '#backend/cloud/client.ts'
import { createDevelopmentIdentity } from '#backend/cloud/development-identity.ts'
import { createCloudMirror } from '#backend/cloud/mirror-calls.ts'
import { deleteCloudAccount } from '#shared/api/cloud.ts'
import { recordRoutes } from '#shared/api/journal.ts'
import { mirrorRoutes } from '#shared/api/mirror.ts'
import { mirrorStateRoutes } from '#shared/api/mirror-state.ts'
import { sessionRoutes } from '#shared/api/session.ts'
import { ok } from '#shared/base/result.ts'
import { startCloud, type RunningCloud } from '../helpers/cloud.ts'
import { cloudUser } from '../helpers/cloud-client.ts'
import { comeTo, holdTheSame, startComputer, until } from '../helpers/computer.ts'
import { dumpCloud } from '../helpers/cloud-dump.ts'
import { mirrorDevice } from '../helpers/mirror-device.ts'
import { queryRows, sharedPostgres } from '../helpers/postgres.ts'
import { openStore } from '../helpers/store.ts'

test('a deleted account stays deleted after an older dump is restored: none of its data is there, and its other computer stops mirroring', { tags: ['long', 'nightly'] }, async () => {
  const postgres = await sharedPostgres()
  onTestFinished(() => postgres.stop())
  const databaseUrl = await postgres.newDatabase()
  const list = join(mkdtempSync(join(tmpdir(), 'fillbook-deleted-')), 'deleted-accounts.txt')
  const start = (): Promise<RunningCloud> => startCloud({ databaseUrl, env: { FILLBOOK_CLOUD_DELETED_ACCOUNTS_FILE: list } })
  let cloud = await start()
  onTestFinished(async () => void (await cloud.stop()))
  const email = 'leaver@example.com'
  const other = mirrorDevice(createCloudMirror(createCloudClient(createDevelopmentIdentity({ url: () => Promise.resolve(ok(cloud.url)), email }))), { store: openStore() })
  const stayer = await cloudUser(cloud, 'stayer@example.com')
  await stayer.tell([{ entity: 'profile', id: 'profile', content: { timeZone: 'UTC' } }])
  expect(await other.turn()).toEqual(ok(null))
  const { putBack } = await dumpCloud(databaseUrl)

  const leaver = await cloudUser(cloud, email)
  const body = { userId: leaver.userId }
  expect(await leaver.call(deleteCloudAccount, { body })).toEqual({ success: true })
  expect(await leaver.call(deleteCloudAccount, { body })).toEqual({ success: true })
  // The second line was cut off by a power cut.
  appendFileSync(list, '1234 "stay')
  expect(readFileSync(list, 'utf8').split(leaver.userId)).toHaveLength(2)

  await cloud.stop()
  await putBack()
  cloud = await start()
  const rows = async (table: string): Promise<unknown[]> => queryRows(databaseUrl, `SELECT 1 FROM ${table} WHERE user_id = $1`, [leaver.userId])
  expect([await rows('records'), await rows('journals'), (await rows('deleted_accounts')).length]).toEqual([[], [], 1])
  expect(await other.turn()).toMatchObject({ ok: false, error: { kind: 'refused', status: 401 } })
  expect(await rows('records')).toEqual([])
  expect(await queryRows(databaseUrl, 'SELECT 1 FROM records WHERE user_id = $1', [stayer.userId])).toHaveLength(1)
  // Once more there is nothing to do.
  await cloud.stop()
  cloud = await start()
  expect(cloud.stderr()).not.toContain('deleted again')
})

const password = 'correct horse'

/** A user with two computers that hold the same, the account deleted from the first. */
const deletedFromTheFirst = async (email: string) => {
  const postgres = await sharedPostgres()
  onTestFinished(() => postgres.stop())
  const cloud = await startCloud({ databaseUrl: await postgres.newDatabase() })
  onTestFinished(async () => void (await cloud.stop()))
  const options = { email, cloudUrl: cloud.url }
  const first = await startComputer(options)
  await first.enter('before')
  const second = await startComputer(options)
  await comeTo('the second has it', [first, second], async () => (await second.trades()).length === 1)
  const old = await cloud.tokenOf(email)
  await first.browser.call(sessionRoutes.deleteAccount, { body: { password } })
  const gone = async (): Promise<void> => until('the second knows', async () => (await second.mirrorNow(), (await second.mirror()).state === 'account-gone'))
  const rowsInCloud = async (): Promise<number> => {
    const { userId } = await cloudUser(cloud, email)
    return Object.values((await (await cloudUser(cloud, email)).call(mirrorRoutes.journal, { query: { userId, rows: 'counted' } })).rows ?? {}).reduce((one, other) => one + other, 0)
  }
  return { cloud, first, second, old, gone, rowsInCloud }
}

test("after another computer deleted the account, the journal stays usable here, and goes to the user's new account once they agree", { tags: ['long', 'nightly'] }, async () => {
  const email = 'again@example.com'
  const { cloud, first, second, old, gone, rowsInCloud } = await deletedFromTheFirst(email)
  await gone()
  await second.enter('after')
  expect((await second.trades()).map(({ id }) => id)).toEqual(['after', 'before'])
  // Nothing of it goes anywhere unasked, whichever accounts there are by now.
  await gone()
  expect((await cloud.tokenOf(email)).userId).not.toBe(old.userId)
  expect(await rowsInCloud()).toBe(0)
  const { userId } = await first.browser.signUp(email, password)
  const again = { ...first, userId, trades: async () => (await first.browser.call(recordRoutes.getTrades, { query: { userId } })).trades.toSorted((a, b) => (a.id < b.id ? -1 : 1)) }
  await first.browser.call(recordRoutes.addFinance, { body: { userId, finance: { id: 'new', type: 'earning', amount: 1, name: 'new', balance: 0, platform: 'other' } } })
  await until('the new account is filled', async () => (await first.mirrorNow(), (await first.mirror()).state === 'up-to-date'))
  await gone()
  expect([(await again.trades()).length, (await second.browser.call(recordRoutes.getFinances, { query: { userId: second.userId } })).finances.length]).toEqual([0, 0])

  await second.browser.call(mirrorStateRoutes.mirrorToNewAccount)
  await comeTo('both hold both', [again, second], async () => (await again.trades()).length === 2)
  await holdTheSame(again, second)
  expect((await second.browser.call(recordRoutes.getFinances, { query: { userId: second.userId } })).finances).toMatchObject([{ id: 'new' }])
  // Only where the account is gone is there another one to send it to.
  await second.browser.call(mirrorStateRoutes.mirrorToNewAccount)
  expect(await second.mirror()).toMatchObject({ state: 'up-to-date', waiting: 0 })
})

test('a journal whose account is gone can be deleted here, and its user can sign up again: the new account of another computer stays', { tags: ['long', 'nightly'] }, async () => {
  const email = 'fresh@example.com'
  const { first, second, gone, rowsInCloud } = await deletedFromTheFirst(email)
  await gone()
  await first.browser.signUp(email, password)
  await until('the new account is filled', async () => (await first.mirrorNow(), (await first.mirror()).state === 'up-to-date'))
  const rows = await rowsInCloud()
  await second.browser.call(sessionRoutes.deleteAccount, { body: { password } })
  expect([rows > 0, await rowsInCloud()]).toEqual([true, rows])
  const { userId } = await second.browser.signUp(email, password)
  await until('the second is in the new account', async () => (await second.mirrorNow(), (await second.mirror()).state === 'up-to-date'))
  expect((await second.browser.call(recordRoutes.getTrades, { query: { userId } })).trades).toEqual([])
})
