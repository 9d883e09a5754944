import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { openShellStore } from './shell-state.ts'

const defaults = { theme: 'dark', language: null, staysInTray: true, toldAboutTray: false, window: null }
let folder: string
let warnings: string[]
const log = { debug: () => undefined, info: () => undefined, warn: (_fields: unknown, message: string) => void warnings.push(message), error: () => undefined }
const open = () => openShellStore(join(folder, 'desktop.json'), log)

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fillbook-shell-'))
  warnings = []
  return () => { rmSync(folder, { recursive: true, force: true }) }
})

test('the first start has the defaults, including the dark theme, and logs nothing', () => {
  expect(open().read()).toEqual(defaults)
  expect(warnings).toEqual([])
  expect(readdirSync(folder)).toEqual([])
})

test('a change applies at once and after a restart', () => {
  const store = open()
  store.change({ theme: 'light', window: { x: -20, y: 30, width: 1200, height: 800, maximised: true } })
  store.change({ toldAboutTray: true })
  const expected = { ...defaults, theme: 'light', toldAboutTray: true, window: { x: -20, y: 30, width: 1200, height: 800, maximised: true } }
  expect(store.read()).toEqual(expected)
  expect(open().read()).toEqual(expected)
  expect(readdirSync(folder)).toEqual(['desktop.json'])
  expect(statSync(join(folder, 'desktop.json')).mode & 0o777).toBe(0o600)
})

test.each([
  ['no JSON', '{"theme":"li'],
  ['empty', ''],
  ['another shape', '[]'],
  ['an unknown look', '{"theme":"pink"}'],
  ['a window without a size', '{"window":{"x":1,"y":2}}'],
  ['a window of half a pixel', '{"window":{"x":0.5,"y":2,"width":10,"height":10,"maximised":false}}'],
])('a damaged file (%s) gives the defaults and is logged; the next change mends it', (_how, content) => {
  writeFileSync(join(folder, 'desktop.json'), content)
  const store = open()
  expect(store.read()).toEqual(defaults)
  expect(warnings).toHaveLength(1)
  store.change({ theme: 'system' })
  expect(open().read()).toEqual({ ...defaults, theme: 'system' })
  expect(warnings).toHaveLength(1)
})

test('fields of a later version are dropped, and missing fields take their defaults', () => {
  writeFileSync(join(folder, 'desktop.json'), '{"theme":"light","sounds":true}')
  expect(open().read()).toEqual({ ...defaults, theme: 'light' })
})

test('a change that cannot be written applies until the program exits', () => {
  const store = open()
  rmSync(folder, { recursive: true })
  writeFileSync(folder, 'a file where the folder was')
  chmodSync(folder, 0o600)
  onTestFinished(() => { rmSync(folder, { force: true }) })
  store.change({ theme: 'light' })
  expect(store.read().theme).toBe('light')
  expect(warnings).toHaveLength(1)
  expect(readFileSync(folder, 'utf8')).toBe('a file where the folder was')
})
