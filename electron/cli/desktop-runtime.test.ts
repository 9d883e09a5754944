import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findRuntime } from './desktop-runtime.ts'

const project = (): string => {
  const root = mkdtempSync(join(tmpdir(), 'fillbook-runtime-'))
  onTestFinished(() => { rmSync(root, { recursive: true }) })
  writeFileSync(join(root, 'package.json'), '{}')
  return root
}
const install = (root: string): string => {
  const folder = join(root, 'node_modules', 'electron')
  mkdirSync(join(folder, 'dist'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"name":"electron","version":"45.4.1","main":"index.js"}')
  writeFileSync(join(folder, 'index.js'), 'throw new Error("this would start a download")')
  return folder
}
const shown = { WAYLAND_DISPLAY: 'wayland-0' }

test('without a display the runtime is not even looked for', () => {
  const root = project()
  install(root)
  expect(findRuntime(root, {}, 'linux')).toEqual({ found: 'nothing', missing: 'display' })
  expect(findRuntime(root, {}, 'darwin').found).toBe('package')
  expect(findRuntime(root, { DISPLAY: ':0' }, 'linux').found).toBe('package')
})

test('the runtime is there once its program can be run, and looking never loads the package', () => {
  const root = project()
  expect(findRuntime(root, shown, 'linux')).toEqual({ found: 'nothing', missing: 'runtime' })
  const folder = install(root)
  const program = join(folder, 'dist', 'electron')
  expect(findRuntime(root, shown, 'linux').found).toBe('package')
  writeFileSync(join(folder, 'path.txt'), 'electron')
  expect(findRuntime(root, shown, 'linux').found).toBe('package')
  writeFileSync(program, '')
  expect(findRuntime(root, shown, 'linux').found).toBe('package')
  chmodSync(program, 0o755)
  expect(findRuntime(root, shown, 'linux')).toEqual({ found: 'program', program })
})

test('a runtime elsewhere is taken where its own variable names it', () => {
  const root = project()
  install(root)
  const elsewhere = join(root, 'elsewhere')
  mkdirSync(elsewhere)
  writeFileSync(join(elsewhere, 'electron'), '', { mode: 0o755 })
  expect(findRuntime(root, { ...shown, ELECTRON_OVERRIDE_DIST_PATH: elsewhere }, 'linux')).toEqual({ found: 'program', program: join(elsewhere, 'electron') })
})

test.each([
  [{}, 'https://github.com/electron/electron/releases/download/v45.4.1/electron-v45.4.1-linux-x64.zip'],
  [{ ELECTRON_MIRROR: 'https://mirror.example/' }, 'https://mirror.example/v45.4.1/electron-v45.4.1-linux-x64.zip'],
  [{ ELECTRON_MIRROR: 'https://other.example/', npm_config_electron_mirror: 'https://mirror.example/', ELECTRON_CUSTOM_DIR: '{{ version }}' }, 'https://mirror.example/45.4.1/electron-v45.4.1-linux-x64.zip'],
  [{ ELECTRON_CUSTOM_FILENAME: 'own.zip' }, 'https://github.com/electron/electron/releases/download/v45.4.1/own.zip'],
])('with %o its binary comes from %s', (env, source) => {
  const root = project()
  const folder = install(root)
  expect(findRuntime(root, { ...shown, ...env }, 'linux', 'x64')).toEqual({ found: 'package', installer: join(folder, 'install.js'), source })
})
