/**
 * @module-tag long
 * @module-tag nightly
 */

import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { backupRoutes } from '#shared/api/backups.ts'
import { importRoutes } from '#shared/api/imports.ts'
import { startCloud, type RunningCloud } from '../helpers/cloud.ts'
import { comeTo, holdTheSame, startComputer, type Computer } from '../helpers/computer.ts'
import { threeFiles } from '../helpers/exports/three-files.ts'
import { startPostgres, type PostgresServer } from '../helpers/postgres.ts'
import { uploadAll, importRequest } from '../helpers/upload.ts'

let server: PostgresServer
let cloud: RunningCloud

beforeAll(async () => {
  server = await startPostgres()
  cloud = await startCloud({ databaseUrl: await server.newDatabase() })
})
afterAll(async () => {
  await cloud.stop()
  await server.stop()
})

const notesOf = async (one: Computer) => (await one.trades()).map(({ id, notes }) => `${id} ${notes}`)

test('a restore is mirrored like any change: the restored state reaches the cloud and the other computer, later additions stay, and nothing is lost', async () => {
  const email = 'ann@example.com'
  const first = await startComputer({ email, cloudUrl: cloud.url })
  for (const id of ['t1', 't2', 't3']) await first.enter(id)
  await first.annotate('t1', { notes: 'then' })
  await first.addFinance('f1', 100)
  const { name } = await first.browser.call(backupRoutes.makeBackup)
  const second = await startComputer({ email, cloudUrl: cloud.url })
  await comeTo('both have all', [first, second], async () => (await second.trades()).length === 3)

  await first.annotate('t1', { notes: 'since' })
  await first.remove('t2')
  await comeTo('the other heard of it', [first, second], async () => (await second.trades()).length === 2)
  await second.enter('t4')
  await second.annotate('t3', { notes: 'on the other' })
  await comeTo('both know all', [second, first], async () => isDeepStrictEqual(await notesOf(first), ['t1 since', 't3 on the other', 't4 ']))

  await first.browser.call(backupRoutes.restoreBackup, { body: { name } })
  await comeTo('both stand as then', [first, second], async () => isDeepStrictEqual(await notesOf(second), ['t1 then', 't2 ', 't3 on the other', 't4 ']) && isDeepStrictEqual(await notesOf(first), await notesOf(second)))
  await holdTheSame(first, second)

  // What changes afterwards changes as ever, on both sides.
  await second.annotate('t1', { notes: 'after' })
  await first.remove('t3')
  await comeTo('both go on', [second, first, second], async () => isDeepStrictEqual(await notesOf(second), ['t1 after', 't2 ', 't4 ']) && isDeepStrictEqual(await notesOf(first), await notesOf(second)))
  await holdTheSame(first, second)
})

test('fills of an import that the other computer undid are on both after a restore, each once', async () => {
  const email = 'bob@example.com'
  const reader = await startComputer({ email, cloudUrl: cloud.url })
  const uploads = await uploadAll(reader.browser, { 'Fills.csv': threeFiles().fills })
  const { imported } = await reader.browser.call(importRoutes.addImport, { body: importRequest(uploads) })
  const other = await startComputer({ email, cloudUrl: cloud.url })
  const idsOf = async (one: Computer) => (await one.trades()).map(({ id }) => id)
  const then = await idsOf(reader)
  expect(then.length).toBeGreaterThan(10)
  await comeTo('both have all', [reader, other], async () => isDeepStrictEqual(await idsOf(other), then))
  const { name } = await other.browser.call(backupRoutes.makeBackup)

  await reader.browser.call(importRoutes.undoImport, { body: { id: imported?.id ?? '' } })
  await comeTo('the other heard of it', [reader, other], async () => (await other.trades()).length === 0)
  await other.browser.call(backupRoutes.restoreBackup, { body: { name } })
  expect(await idsOf(other)).toEqual(then)
  await comeTo('both stand as then', [other, reader, other], async () => isDeepStrictEqual(await idsOf(reader), then) && isDeepStrictEqual(await idsOf(other), then))
  await holdTheSame(reader, other)
})
