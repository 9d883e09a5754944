import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { desktopMissing } from './desktop-runtime.ts'

const project = (): string => {
  const root = mkdtempSync(join(tmpdir(), 'fillbook-runtime-'))
  onTestFinished(() => { rmSync(root, { recursive: true }) })
  writeFileSync(join(root, 'package.json'), '{}')
  return root
}
const install = (root: string): string => {
  const folder = join(root, 'node_modules', 'electron')
  mkdirSync(join(folder, 'dist'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"name":"electron","main":"index.js"}')
  writeFileSync(join(folder, 'index.js'), 'throw new Error("this would start a download")')
  return folder
}

test('the runtime is missing until its binary lies there, and looking never loads the package', () => {
  const root = project()
  expect(desktopMissing(root, {}, 'linux')).toBe('runtime')
  const folder = install(root)
  expect(desktopMissing(root, {}, 'linux')).toBe('runtime')
  writeFileSync(join(folder, 'path.txt'), 'electron')
  expect(desktopMissing(root, {}, 'linux')).toBe('runtime')
  writeFileSync(join(folder, 'dist', 'electron'), '')
  expect(desktopMissing(root, {}, 'linux')).toBe('display')
  expect(desktopMissing(root, { WAYLAND_DISPLAY: 'wayland-0' }, 'linux')).toBe('window')
  expect(desktopMissing(root, {}, 'darwin')).toBe('window')
})
