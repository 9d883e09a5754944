import { appendFileSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createCloudClient } from '#backend/cloud/client.ts'
import { createDevelopmentIdentity } from '#backend/cloud/identity.ts'
import { createCloudMirror } from '#backend/cloud/mirror-calls.ts'
import { deleteCloudAccount } from '#shared/api/cloud.ts'
import { ok } from '#shared/base/result.ts'
import { startCloud, type RunningCloud } from '../helpers/cloud.ts'
import { cloudUser } from '../helpers/cloud-client.ts'
import { dumpCloud } from '../helpers/cloud-dump.ts'
import { mirrorDevice } from '../helpers/mirror-device.ts'
import { queryRows, startPostgres } from '../helpers/postgres.ts'
import { openStore } from '../helpers/store.ts'

test('an account that was deleted stays so after a dump of before was put back: nothing of it is there, and its other computer mirrors no more', async () => {
  const postgres = await startPostgres()
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
  expect(cloud.said()).not.toContain('deleted again')
})
