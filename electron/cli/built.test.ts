// @module-tag slow
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { beforeEach, expect, test, vi } from 'vitest'
import { testFolder } from '#tests/helpers/app.ts'
import { ensureBuilt, ensureBuiltAnywhere, type Built } from './built.ts'

let root = ''
const write = (path: string, text: string): void => writeFileSync(join(root, path), text)
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const builds = (): number => (existsSync(join(root, 'builds')) ? read('builds').length : 0)
const kept = (): readonly string[] => readdirSync(join(root, 'dist', 'kept')).filter((name) => !name.endsWith(`.${String(process.pid)}`))
const thing = (): Built => ({ root, name: 'thing', sources: ['source', 'lock', 'missing'], build: (fresh) => ['builder.mjs', fresh], failed: (code) => `it ended with ${String(code)}` })
const ensure = (): Promise<string> => ensureBuilt(thing())
/** What the builder does before it ends. */
const builder = (last: string): void =>
  write('builder.mjs', `import { appendFileSync, cpSync, writeFileSync } from 'node:fs'\nappendFileSync('builds', '.')\ncpSync('source', process.argv[2], { recursive: true })\n${last}\n`)
/** Only what no running process uses is deleted, and this test is one. */
const letGo = (folder: string): void => rmSync(`${folder}.${String(process.pid)}`)

beforeEach(() => {
  root = testFolder()
  mkdirSync(join(root, 'source', 'deep'), { recursive: true })
  write('source/deep/a.ts', 'one')
  write('lock', '1')
  builder('')
})

test('the same sources are built once, whatever their times say; tests in them do not count', async () => {
  const folder = await ensure()
  expect(readFileSync(join(folder, 'deep', 'a.ts'), 'utf8')).toBe('one')
  utimesSync(join(root, 'source/deep/a.ts'), 4e9, 4e9)
  write('source/deep/a.test.ts', 'a test')
  expect([await ensure(), builds()]).toEqual([folder, 1])
})

test('a build is announced when it begins, and a finished one is not', async () => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  await ensureBuilt({ ...thing(), notice: 'Building, this once…' })
  await ensureBuilt({ ...thing(), notice: 'Building, this once…' })
  const written = write.mock.calls.map(([text]) => text)
  write.mockRestore()
  expect(written).toEqual(['Building, this once…\n'])
})

test.each([
  ['a source', 'source/deep/a.ts', 'two'],
  ['a new source', 'source/b.ts', ''],
  ['the lockfile', 'lock', '2'],
])('%s that changed is built, also where its time is old, and the build before is deleted', async (_, path, text) => {
  const before = await ensure()
  write(path, text)
  utimesSync(join(root, path), 0, 0)
  letGo(before)
  const after = await ensure()
  expect([builds(), after === before, kept()]).toEqual([2, false, [basename(after)]])
})

test('a build that a running process uses stays; what a dead one left of its build is deleted', async () => {
  const used = await ensure()
  write('lock', '2')
  // No process has this number: Linux stops at 4,194,304.
  mkdirSync(join(root, 'dist/kept/building-thing.99999999'))
  await ensure()
  expect([existsSync(used), existsSync(join(root, 'dist/kept/building-thing.99999999'))]).toEqual([true, false])
  letGo(used)
  writeFileSync(`${used}.99999999`, '')
  await ensure()
  expect([existsSync(used), existsSync(`${used}.99999999`)]).toEqual([false, false])
})

test('two that build at the same time get one whole build', { tags: 'long' }, async () => {
  write('door.mjs', `import { ensureBuilt } from ${JSON.stringify(new URL('./built.ts', import.meta.url).href)}
process.stdout.write(await ensureBuilt({ root: ${JSON.stringify(root)}, name: 'thing', sources: ['source', 'lock', 'missing'], build: (fresh) => ['builder.mjs', fresh], failed: String }))`)
  builder(`const { readFileSync } = await import('node:fs')\nwhile (readFileSync('builds', 'utf8').length < 2) await new Promise((resolve) => setTimeout(resolve, 5))`)
  const given = await Promise.all([1, 2].map(() => promisify(execFile)(process.execPath, [join(root, 'door.mjs')])))
  const [folder = '', other] = given.map(({ stdout }) => stdout)
  expect([other, builds(), kept()]).toEqual([folder, 2, [basename(folder)]])
  expect(readFileSync(join(folder, 'deep', 'a.ts'), 'utf8')).toBe('one')
})

test('a source that changes during the build is in the result', async () => {
  builder(`const { readFileSync } = await import('node:fs')\nif (readFileSync('builds', 'utf8').length === 1) writeFileSync('source/deep/a.ts', 'two')`)
  expect(readFileSync(join(await ensure(), 'deep', 'a.ts'), 'utf8')).toBe('two')
  expect(builds()).toBe(2)
})

test('a build that fails is kept nowhere, and the next start tries again', async () => {
  builder('process.exit(3)')
  await expect(ensure()).rejects.toThrow('it ended with 3')
  expect(kept()).toEqual([])
  builder('')
  expect(existsSync(await ensure())).toBe(true)
})

test('a project that cannot be written to gives the build that it has, and where it has none builds into a temporary folder what may lie there', async () => {
  const folder = await ensure()
  letGo(folder)
  mkdirSync(`${folder}.${String(process.pid)}`)
  expect([await ensure(), builds()]).toEqual([folder, 1])
  rmSync(join(root, 'dist'), { recursive: true })
  write('dist', 'a file in the way')
  await expect(ensure()).rejects.toThrow(/ENOTDIR|EEXIST/)
  expect(builds()).toBe(1)
  const temporary = await ensureBuiltAnywhere(thing())
  expect(readFileSync(join(temporary, 'deep', 'a.ts'), 'utf8')).toBe('one')
  rmSync(dirname(temporary), { recursive: true })
})
