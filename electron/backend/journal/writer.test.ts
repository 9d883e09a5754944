// @module-tag slow
import { statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { migrationsFolder, temporaryFolder } from '#tests/helpers/store.ts'
import { openWriter } from './writer.ts'

test('a lock file with foreign content is emptied: the journal is not taken for damaged, and is locked', async () => {
  const folder = temporaryFolder()
  const place = { file: path.join(folder, 'journal.db'), migrationsFolder, backupFolder: path.join(folder, 'backups') }
  const first = await openWriter(place)
  first.close()
  writeFileSync(`${place.file}.lock`, 'x'.repeat(5_000))
  const again = await openWriter(place)
  onTestFinished(again.close)
  expect(statSync(`${place.file}.lock`).size).toBe(0)
  await expect(openWriter(place)).rejects.toMatchObject({ code: 'busy' })
})
