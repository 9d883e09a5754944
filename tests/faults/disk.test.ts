import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sqliteFault } from '#backend/db/sqlite-fault.ts'
import { backupRoutes } from '#shared/api/backups.ts'
import { uploadPath } from '#shared/api/imports.ts'
import { journalFilePath } from '#shared/api/journal-file.ts'
import { recordRoutes } from '#shared/api/journal.ts'
import { problem } from '#shared/api/problems.ts'
import { sessionRoutes } from '#shared/api/session.ts'
import { syncRoutes, type SyncReceipt } from '#shared/api/sync.ts'
import { testFolder } from '#tests/helpers/app.ts'
import { openBrowser, type Browser } from '#tests/helpers/browser.ts'
import { fault } from '#tests/helpers/fault.ts'
import { journalRows, type JournalRows } from '#tests/helpers/journal-rows.ts'
import { brokerSettings, connect, startBroker } from '#tests/helpers/own-broker.ts'
import { runBare } from '#tests/helpers/run-door.ts'
import { fillUp, mountSmallDisk } from '#tests/helpers/small-disk.ts'
import { fill, openStore, take } from '#tests/helpers/store.ts'
import { words } from '#tests/helpers/words.ts'

const moments = ['group-begun', 'fills-written'] as const
const noLimit = 1_073_741_823
const login = 'ben.keller'

test('a disk that is full at any moment of a group saves all of it or nothing, and all of it once there is room', { tags: 'fault' }, async ({ task }) => {
  const count = fault(task, 'disk-full')
  const fills = Array.from({ length: 1_500 }, (_, index) => fill(index + 1, index % 2 === 0 ? 'buy' : 'sell', 1, 6_750.25))
  const [first, rest] = [fills.slice(0, 100), fills.slice(100)]
  const undisturbed = openStore()
  for (const part of [first, rest]) await take(undisturbed, ...part)
  const whole = journalRows(undisturbed.file)
  for (const moment of moments) {
    let armed = false
    const store = openStore((name, database) => {
      if (armed && name === moment) database.pragma(`max_page_count = ${String(database.pragma('page_count', { simple: true }))}`)
    })
    await take(store, ...first)
    const before = journalRows(store.file)
    armed = true
    let code = 'none'
    try {
      await take(store, ...rest)
    } catch (error) {
      code = sqliteFault(error).code
    }
    expect([moment, code]).toEqual([moment, 'disk-full'])
    count.tried()
    count.sees(words('problems', `code.${code}`))
    expect(journalRows(store.file)).toEqual(before)
    armed = false
    store.writer.database.pragma(`max_page_count = ${String(noLimit)}`)
    await take(store, ...rest)
    count.compare(journalRows(store.file), whole)
    expect(journalRows(store.file)).toEqual(whole)
  }
})

/** A small disk of the test's own; null where none can be had. */
const smallDisk = (size = 'size=128m'): string | null => {
  const place = testFolder()
  const unmount = mountSmallDisk(place, size)
  if (unmount === null) return null
  onTestFinished(unmount)
  return place
}

const synced = async (browser: Browser): Promise<SyncReceipt> => {
  const events = await browser.events()
  await browser.call(syncRoutes.syncNow)
  const { receipt } = await events.next('sync-ended')
  events.close()
  return receipt
}

/** The headers of an uploaded file; it is larger than the system's socket buffers. */
const refusedFile = async (browser: Browser, path: string): Promise<{ readonly status: number; readonly code: string }> => {
  const answer = await fetch(`${browser.origin}${path}`, { method: 'POST', body: 'x'.repeat(1_000_000), headers: browser.own() })
  return { status: answer.status, code: problem.parse(await answer.json()).code }
}

const trade = (id: string) => ({ id, symbol: 'MESZ6', qty: 1, entryPrice: 6700, exitPrice: 6701, entryTime: '2026-11-02T15:00:00Z', exitTime: '2026-11-02T15:05:00Z' })

test('a real disk that fills up under the whole program: it keeps running, says so, and continues once there is room', { tags: ['long', 'nightly', 'fault'] }, async ({ task, skip }) => {
  const place = smallDisk()
  if (place === null) return skip('no disk of its own can be mounted here')
  const count = fault(task, 'disk-full')
  /** Walks two stops with the given action between them; returns the journal at the end. */
  const walked = async (dataDir: string, between: (browser: Browser, userId: string) => Promise<void>): Promise<JournalRows> => {
    const { broker } = await startBroker()
    const [one, two] = broker.walk
    broker.clock.set(one?.at ?? NaN)
    const door = runBare(dataDir, { env: brokerSettings(broker) })
    const browser = await openBrowser(/http:\/\/\S+/.exec((await door.line()) ?? '')?.[0] ?? '')
    const { userId } = await browser.signUp()
    const events = await browser.events()
    await connect(browser, userId, login)
    await events.next('sync-ended')
    events.close()
    broker.clock.set(two?.at ?? NaN)
    await between(browser, userId)
    expect(await synced(browser)).toMatchObject({ outcome: 'complete', troubles: [] })
    await browser.call(recordRoutes.addTrade, { body: { userId, trade: trade('kept') } })
    door.kill('SIGTERM')
    expect(await door.ended).toBe(0)
    const rows = journalRows(join(dataDir, 'journal.db'))
    // When it was entered is another moment each time.
    return { ...rows, fill_pairs: (rows['fill_pairs'] ?? []).map((row) => ({ ...row, stamp: null })) }
  }
  const whole = await walked(join(testFolder(), 'data'), () => Promise.resolve())
  const found = await walked(join(place, 'data'), async (browser, userId) => {
    const { name } = await browser.call(backupRoutes.makeBackup)
    const makeRoom = fillUp(place)
    const refusedAlike = [
      await browser.fail(backupRoutes.makeBackup),
      await browser.fail(backupRoutes.restoreBackup, { body: { name } }),
      await refusedFile(browser, `${uploadPath}?name=Fills.csv`),
      await refusedFile(browser, journalFilePath),
    ]
    for (const { status, code } of refusedAlike) {
      expect([status, code]).toEqual([507, 'disk-full'])
      count.sees(words('problems', `code.${code}`))
      count.tried()
    }
    expect((await browser.call(backupRoutes.backups)).backups.map((backup) => backup.name)).toEqual([name])
    for (let times = 0; times < 3; times += 1) {
      const receipt = await synced(browser)
      expect(receipt.outcome).not.toBe('complete')
      for (const { code } of receipt.troubles) count.sees(words('sync', `trouble.${code}`))
      if (receipt.troubles.length === 0) count.sees(words('sync', `outcome.${receipt.outcome}`))
      // Whatever room a log still had is gone by the second time.
      const failed = await browser.fail(recordRoutes.addTrade, { body: { userId, trade: { ...trade('kept'), notes: 'x'.repeat(10_000) } } })
      expect(failed).toMatchObject({ status: 507, code: 'disk-full' })
      count.sees(words('problems', `code.${failed.code}`))
      count.tried()
    }
    makeRoom()
  })
  count.compare(found, whole)
  expect(found).toEqual(whole)
})

test.for(['on', 'off'])('a program that was killed on a full disk starts there again, or says in words that it needs room, and with room all is back: the demo %s', { tags: ['long', 'nightly', 'fault'] }, async (demo, { task, skip }) => {
  const place = smallDisk()
  if (place === null) return skip('no disk of its own can be mounted here')
  const count = fault(task, 'disk-full')
  const dataDir = join(place, 'data')
  const env = { FILLBOOK_DEMO: demo }
  const known = { email: 'ann@example.com', password: 'correct horse' }
  const addressOf = (line: string | null): string => /http:\/\/\S+/.exec(line ?? '')?.[0] ?? ''
  const door = runBare(dataDir, { env })
  const browser = await openBrowser(addressOf(await door.line()))
  const { userId } = await browser.signUp(known.email, known.password)
  for (const id of ['a', 'b']) await browser.call(recordRoutes.addTrade, { body: { userId, trade: trade(id) } })
  const makeRoom = fillUp(place)
  await browser.call(sessionRoutes.signOut)
  expect(await browser.call(sessionRoutes.session)).toMatchObject({ currentUser: null })
  door.kill('SIGKILL')
  await door.ended
  // What the index of its log freed is taken too.
  const makeMore = fillUp(place, 'more')
  const full = runBare(dataDir, { env })
  const line = await full.line()
  count.tried()
  if (line === null) {
    expect(full.output().stderr).toContain('must be a folder with room left')
    expect(full.output().stderr).not.toMatch(/^\s+at /m)
    count.sees(full.output().stderr.replaceAll(dataDir, '…').replaceAll(/(must be .*)\n/g, '$1. ').replaceAll(/\s+/g, ' ').trim())
  }
  full.kill('SIGKILL')
  await full.ended
  makeRoom()
  makeMore()
  const again = runBare(dataDir, { env })
  const later = await openBrowser(addressOf(await again.line()))
  await later.call(sessionRoutes.signIn, { body: known })
  const found = (await later.call(recordRoutes.getTrades, { query: { userId } })).trades.map(({ id }) => id).toSorted()
  count.compare(found, ['a', 'b'])
  expect(found).toEqual(['a', 'b'])
})

test('a disk without free inodes is reported as full: at the first start, at a later one, and by a backup', { tags: ['long', 'nightly'] }, async ({ skip }) => {
  const place = smallDisk('size=128m,nr_inodes=400')
  if (place === null) return skip('no disk of its own can be mounted here')
  const fillers = join(place, 'fillers')
  const takeAll = (): void => {
    mkdirSync(fillers, { recursive: true })
    for (let number = 0, isFull = false; !isFull; number += 1) {
      try {
        writeFileSync(join(fillers, String(number)), '', { flag: 'a' })
      } catch {
        isFull = true
      }
    }
  }
  const dataDir = join(place, 'data')
  const refused = async (): Promise<void> => {
    const door = runBare(dataDir, { env: { FILLBOOK_DEMO: 'off' } })
    expect(await door.line()).toBeNull()
    expect(door.output().stderr).toContain('must be a folder with room left')
  }
  takeAll()
  await refused()
  rmSync(fillers, { recursive: true })
  const door = runBare(dataDir, { env: { FILLBOOK_DEMO: 'off' } })
  const browser = await openBrowser(/http:\/\/\S+/.exec((await door.line()) ?? '')?.[0] ?? '')
  await browser.signUp()
  takeAll()
  expect(await browser.fail(backupRoutes.makeBackup)).toMatchObject({ status: 507, code: 'disk-full' })
  expect(await refusedFile(browser, `${uploadPath}?name=Fills.csv`)).toEqual({ status: 507, code: 'disk-full' })
  // Room for the copy and for nothing beside it.
  rmSync(join(fillers, '0'))
  expect(await browser.fail(backupRoutes.makeBackup)).toMatchObject({ status: 507, code: 'disk-full' })
  door.kill('SIGTERM')
  await door.ended
  takeAll()
  await refused()
})
