import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { StartFault } from '../start-problem.ts'
import { makePrivate } from './private-folder.ts'

const openFolder = (): string => {
  const umask = process.umask(0o022)
  onTestFinished(() => void process.umask(umask))
  const folder = mkdtempSync(join(tmpdir(), 'fillbook-private-'))
  onTestFinished(() => { rmSync(folder, { recursive: true, force: true }) })
  mkdirSync(join(folder, 'base'))
  writeFileSync(join(folder, 'base', 'pages'), 'rows')
  chmodSync(folder, 0o755)
  return folder
}
const modeOf = (...path: readonly string[]): number => statSync(join(...path)).mode & 0o777

test.skipIf(process.platform === 'win32')('a folder that was open to others is closed with all that lies in it, and what is written later is closed too', () => {
  const folder = openFolder()
  expect([modeOf(folder), modeOf(folder, 'base'), modeOf(folder, 'base', 'pages')]).toEqual([0o755, 0o755, 0o644])
  makePrivate(folder)
  writeFileSync(join(folder, 'later'), 'rows')
  expect([modeOf(folder), modeOf(folder, 'base'), modeOf(folder, 'base', 'pages'), modeOf(folder, 'later')]).toEqual([0o700, 0o700, 0o600, 0o600])
})

test.skipIf(process.platform !== 'linux')('a folder that cannot be closed stops the start with its name', () => {
  openFolder()
  // Nobody changes the modes of the kernel's files.
  expect(() => { makePrivate('/proc/self/ns') }).toThrow(StartFault)
})
