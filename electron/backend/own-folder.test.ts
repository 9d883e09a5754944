import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { isOpenToOthers, requireOwnFolder } from './own-folder.ts'

const unix = test.skipIf(process.platform === 'win32')
// Only root can give a file away.
const asRoot = test.runIf(process.getuid?.() === 0)
const nobody = 65_534

const made = (mode: number): string => {
  const folder = mkdtempSync(join(tmpdir(), 'fillbook-own-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  chmodSync(folder, mode)
  return folder
}
const modeOf = (path: string): number => statSync(path).mode & 0o7777
const codeOf = (work: () => unknown): string | null => {
  try {
    work()
    return null
  } catch (error) {
    return (error as Error & { code: string }).code
  }
}

unix('a data folder is closed to the writing of others, and its databases to their eyes', () => {
  const folder = made(0o777)
  for (const name of ['journal.db', 'journal.db-wal', 'copier.db', 'notes.txt']) writeFileSync(join(folder, name), '', { mode: 0o666 })
  for (const name of ['journal.db', 'notes.txt']) chmodSync(join(folder, name), 0o755)
  requireOwnFolder(folder)
  expect(['', 'journal.db', 'journal.db-wal', 'copier.db', 'notes.txt'].map((name) => modeOf(join(folder, name)).toString(8))).toEqual(['755', '700', '600', '600', '755'])
})

unix('a folder for all, and one that is not there yet, are left as they are', () => {
  const shared = made(0o1777)
  expect(codeOf(() => requireOwnFolder(shared))).toBe('strangers')
  expect(modeOf(shared)).toBe(0o1777)
  requireOwnFolder(join(shared, 'new'))
})

asRoot('files of another user in it stop the start, unless the whole folder is theirs and the administrator starts', () => {
  for (const make of [(path: string) => { writeFileSync(path, '') }, (path: string) => { mkdirSync(path) }]) {
    const folder = made(0o755)
    make(join(folder, 'backups'))
    chownSync(join(folder, 'backups'), nobody, nobody)
    expect(codeOf(() => requireOwnFolder(folder))).toBe('strangers')
    chownSync(folder, nobody, nobody)
    expect(codeOf(() => requireOwnFolder(folder))).toBeNull()
  }
})

asRoot("another user's folder, and settings in it, are trusted only by the administrator", () => {
  const folder = made(0o755)
  const file = join(folder, 'settings.json')
  writeFileSync(file, '{}')
  for (const path of [folder, file]) chownSync(path, nobody, nobody)
  expect([codeOf(() => requireOwnFolder(folder)), isOpenToOthers(file)]).toEqual([null, false])
  vi.spyOn(process, 'getuid').mockReturnValue(1_000)
  onTestFinished(() => { vi.restoreAllMocks() })
  expect([codeOf(() => requireOwnFolder(folder)), isOpenToOthers(file)]).toEqual(['strangers', true])
})

asRoot('settings are believed of their user and of the administrator alone', () => {
  const file = join(made(0o755), 'settings.json')
  writeFileSync(file, '{}', { mode: 0o664 })
  expect(isOpenToOthers(file)).toBe(false)
  chmodSync(file, 0o666)
  expect(isOpenToOthers(file)).toBe(true)
  chmodSync(file, 0o600)
  chownSync(file, nobody, nobody)
  expect(isOpenToOthers(file)).toBe(true)
})
