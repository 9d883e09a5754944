import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, test } from 'vitest'
import { makeFolder } from './make-folder.ts'

let folder: string
beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'fillbook-folder-')) })
afterEach(() => { rmSync(folder, { recursive: true }) })

test('a folder is made with those above it, and once', () => {
  const deep = join(folder, 'a', 'b', 'c')
  makeFolder(deep)
  makeFolder(deep)
  expect(statSync(deep).isDirectory()).toBe(true)
})

test('a file in its way, or in that of a folder above, is an error', () => {
  writeFileSync(join(folder, 'file'), '')
  for (const wrong of ['file', 'file/below']) expect(() => { makeFolder(join(folder, wrong)) }).toThrow(/EEXIST|ENOTDIR/)
})

it.runIf(process.platform === 'linux')('a folder below /proc fails, where plain Node would retry forever', () => {
  for (const wrong of ['/proc/fillbook', '/proc/fillbook/logs']) expect(() => { makeFolder(wrong) }).toThrow('ENOENT')
})
