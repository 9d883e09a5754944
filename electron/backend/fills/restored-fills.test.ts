// @module-tag slow
import path from 'node:path'
import { expect, test } from 'vitest'
import { everyTrade } from '#shared/stats/filter.ts'
import { fillRow, importRows } from '#tests/helpers/imports.ts'
import { listedCloud, pull, push, sharedRows, type ListedCloud } from '#tests/helpers/listed-cloud.ts'
import { fill, migrationsFolder, monday, openEmptyStore, openStore, take, temporaryFolder, user, type TestStore } from '#tests/helpers/store.ts'
import { makeBackup } from '../backups/make-backup.ts'
import { stageBackup } from '../backups/stage-backup.ts'

const page = { ...user, filter: everyTrade, offset: 0, limit: 100, sort: 'exitTime', direction: 'asc' } as const
const fillsIn = (cloud: ListedCloud) => cloud.records().filter(({ entity, content }) => entity === 'fill' && content !== null)
const pairs = (store: TestStore): string[] => store.read.pairPage(page).rows.map(({ id, notes }) => `${id} ${notes}`)
const name = 'journal-2026-01-05T16-00-00Z.db'
const inFile = [fillRow('PA-7', 1, 'buy', 1, 6750), fillRow('PA-7', 2, 'sell', 1, 6751)]
const fromFile = 'file:PA-7/1/2'

const backUp = (store: TestStore): (() => Promise<void>) => {
  const folder = temporaryFolder()
  makeBackup({ file: store.file, folder, name, unlessLike: null })
  return async () => {
    const staged = await stageBackup({ backup: path.join(folder, name), folder: path.join(folder, 'staging'), migrationsFolder, at: monday + 1 })
    await store.write.restoreJournal({ ...user, at: monday + 1, staged })
  }
}
const mirror = async (cloud: ListedCloud, ...stores: readonly TestStore[]): Promise<void> => {
  for (const store of stores) {
    await pull(store, cloud)
    await push(store, cloud)
  }
}

/** A computer that read a file, another that heard of it in the cloud, and a copy of the other's journal of then. */
const begin = async () => {
  const cloud = listedCloud()
  const [reader, other] = [openStore(), openEmptyStore()]
  await importRows(reader, 'one', inFile)
  await mirror(cloud, reader, other)
  other.write.updateTrade({ ...user, at: monday, id: fromFile, updates: { notes: 'then' } })
  await mirror(cloud, other, reader)
  return { cloud, reader, other, restore: backUp(other) }
}
const undo = (store: TestStore) => store.write.undoImport({ ...user, at: monday, importId: 'one' })

test('fills of an import that another computer undid stand after a restore, there, in the cloud and here, each once', async () => {
  const { cloud, reader, other, restore } = await begin()
  await undo(reader)
  await mirror(cloud, reader, other)
  expect([pairs(reader), pairs(other)]).toEqual([[], []])
  await restore()
  expect(pairs(other)).toEqual([`${fromFile} then`])
  await mirror(cloud, other, reader, other)
  expect([pairs(reader), pairs(other)]).toEqual([[`${fromFile} then`], [`${fromFile} then`]])
  expect(sharedRows(reader)).toEqual(sharedRows(other))
  expect(fillsIn(cloud)).toHaveLength(2)
  // The file once more changes nothing, and its undoing leaves what the restore said.
  await importRows(reader, 'two', inFile)
  await mirror(cloud, reader, other)
  expect(pairs(other)).toEqual([`${fromFile} then`])
  await reader.write.undoImport({ ...user, at: monday + 2, importId: 'two' })
  await mirror(cloud, reader, other, reader)
  expect([pairs(reader), pairs(other)]).toEqual([[`${fromFile} then`], [`${fromFile} then`]])
})

test('also where it was undone while nobody here had heard of it, and where the way to the cloud is cut after any page', { tags: 'long' }, async () => {
  for (const breakOff of [0, 1, 2, 4, 7]) {
    const { cloud, reader, other, restore } = await begin()
    await undo(reader)
    await mirror(cloud, reader)
    await restore()
    await pull(other, cloud, monday, { page: 2, breakOff })
    await push(other, cloud, monday, { page: 1, loseAnswer: true })
    await mirror(cloud, reader, other, reader)
    expect([pairs(reader), pairs(other)], `after ${String(breakOff)} pages`).toEqual([[`${fromFile} then`], [`${fromFile} then`]])
    expect(sharedRows(reader)).toEqual(sharedRows(other))
  }
})

test('a restored fill that an import has too is a fill like any other: once the import is undone, it goes', async () => {
  const { cloud, reader, other, restore } = await begin()
  await restore()
  await mirror(cloud, other, reader)
  // The import stays there all the time.
  await undo(reader)
  await mirror(cloud, reader)
  // Sending everything again says nothing about a restore.
  other.write.resetMirror({ ...user, at: monday + 2, journal: cloud.journal })
  await mirror(cloud, other)
  expect([pairs(reader), pairs(other), fillsIn(cloud)]).toEqual([[], [], []])
})

test('an import that was undone here is back, and what the broker sent since stays', async () => {
  const { cloud, reader, other } = await begin()
  const restore = backUp(reader)
  await undo(reader)
  await take(reader, fill(7, 'buy', 1, 6750), fill(8, 'sell', 1, 6752))
  await mirror(cloud, reader, other)
  expect(pairs(other)).toHaveLength(1)
  await restore()
  await mirror(cloud, reader, other, reader)
  expect(pairs(reader)).toHaveLength(2)
  expect(pairs(other).toSorted()).toEqual(pairs(reader).toSorted())
  expect(reader.read.imports(user)).toMatchObject([{ id: 'one', undoneAt: null }])
  expect(sharedRows(reader)).toEqual(sharedRows(other))
})
