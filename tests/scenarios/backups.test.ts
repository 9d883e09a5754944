import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { backupName } from '#backend/db/backup-names.ts'
import { checked } from '#backend/db/database.ts'
import { backupThreads } from '#backend/backups/run-backup.ts'
import type { NewFill } from '#backend/db/rows.ts'
import { openWhole } from '#tests/helpers/rich-journal.ts'
import { account, fill, minute, monday, temporaryFolder } from '#tests/helpers/store.ts'

const bought = (batch: number, index: number): NewFill => fill(batch * 100 + index, index % 2 === 0 ? 'buy' : 'sell', 1, 6750 + (index % 7), { time: monday + (batch * 100 + index) * minute, id: `f${String(batch)}-${String(index)}` })

test('a backup made during a sync is one consistent state of the journal, and neither waits for the other', { tags: ['long', 'nightly'] }, async () => {
  const folder = temporaryFolder()
  const { journal, userId, file, close } = await openWhole(folder)
  await journal.write.saveLogin({ userId, at: monday, id: 'login', brokerUserId: '9001', name: 'demo.user', hosts: null })
  await journal.write.saveAccounts({ userId, at: monday, loginId: 'login', accounts: [{ key: account, environment: 'demo', brokerAccountId: '700101', name: 'EVAL-101' }], reconnect: true })
  const threads = backupThreads()
  const backups = join(folder, 'backups')
  mkdirSync(backups, { recursive: true })
  let written = 0
  const meanwhile: number[] = []
  const ended = new AbortController()
  const syncing = (async () => {
    while (!ended.signal.aborted) {
      await journal.write.saveFills({ userId, at: monday, fills: Array.from({ length: 100 }, (_, index) => bought(written, index)), specs: [] })
      written += 1
    }
  })()
  for (let made = 0; made < 3; made += 1) {
    const before = written
    await threads.make({ file, folder: backups, name: backupName('journal', monday + made * 1_000, 'by-hand'), unlessLike: null })
    meanwhile.push(written - before)
  }
  ended.abort()
  await syncing
  await threads.close()
  await close()

  // Batches went on being written while each was made.
  expect(Math.min(...meanwhile)).toBeGreaterThan(0)
  const found = readdirSync(backups).toSorted().map((name) => {
    const copy = join(backups, name)
    expect(checked(copy)).toBe(true)
    const database = new Sqlite(copy, { readonly: true })
    const count = (table: string): number => Number(database.prepare(`SELECT count(*) FROM ${table}`).pluck().get())
    const counted = { fills: count('fills'), pairs: count('fill_pairs') }
    database.close()
    return counted
  })
  expect(found).toHaveLength(3)
  // Fills and what follows from them are of one moment: two of each hundred make a pair.
  for (const { fills, pairs } of found) expect([fills % 100, pairs]).toEqual([0, fills / 2])
})
