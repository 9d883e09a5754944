import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#tests/helpers/store.ts'
import { bytesOf, freeBytes } from './free-room.ts'

test('a copy takes what its file and the log beside it hold', () => {
  const file = path.join(temporaryFolder(), 'journal.db')
  expect(bytesOf(file)).toBe(0)
  writeFileSync(file, 'x'.repeat(100))
  writeFileSync(`${file}-wal`, 'x'.repeat(20))
  writeFileSync(`${file}-shm`, 'x'.repeat(3))
  expect(bytesOf(file)).toBe(120)
})

test('a folder that does not exist yet has the room of its parent; where it cannot be read the room is unknown', () => {
  const folder = temporaryFolder()
  expect(freeBytes(folder)).toBeGreaterThan(0)
  expect(freeBytes(path.join(folder, 'backups', 'of-later'))).toBeGreaterThan(0)
  const inItsPlace = path.join(folder, 'file')
  writeFileSync(inItsPlace, '')
  expect(freeBytes(path.join(inItsPlace, 'backups'))).toBeNull()
})
