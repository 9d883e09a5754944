// @module-tag slow
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { showsTray } from './tray-host.ts'

const bus = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' }
const answering = (script: string): NodeJS.ProcessEnv => {
  const folder = mkdtempSync(join(tmpdir(), 'fillbook-bus-'))
  onTestFinished(() => { rmSync(folder, { recursive: true }) })
  writeFileSync(join(folder, 'gdbus'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return { ...bus, PATH: folder }
}

test('a Linux desktop without a tray host shows no tray', async () => {
  expect(await showsTray('linux', answering("echo '(false,)'"))).toBe(false)
  expect(await showsTray('linux', answering("echo '(true,)'"))).toBe(true)
})

test('if it cannot be determined, and on every other system, there is a tray', async () => {
  expect(await showsTray('linux', answering('echo broken >&2; exit 1'))).toBe(true)
  expect(await showsTray('linux', { ...bus, PATH: '/nowhere' })).toBe(true)
  const saysNone = answering("echo '(false,)'")
  expect(await showsTray('linux', { PATH: saysNone['PATH'] })).toBe(true)
  expect(await showsTray('darwin', saysNone)).toBe(true)
  expect(await showsTray('win32', saysNone)).toBe(true)
})
