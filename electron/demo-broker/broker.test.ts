import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { grantsFile } from './broker.ts'

test('a damaged logins file is recreated', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fillbook-logins-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'logins.json')
  for (const content of ['', '{"sessions":[{"id"', '[]', '\0\0']) {
    writeFileSync(path, content)
    expect(grantsFile(path).load()).toBeNull()
  }
})
