// @module-tag slow
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { cruise, type ICruiseOptions, type ICruiseResult } from 'dependency-cruiser'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

const root = new URL('..', import.meta.url).pathname
type Law = { forbidden: { name: string }[]; options: Record<string, unknown> }
const require = createRequire(import.meta.url)
const law = require('./dependency-cruiser.cjs') as Law
const features = require('./features.json') as string[]
// They serve every feature and have rules of their own, or join the features' reads and writes.
const belowFeatures = ['brokers', 'cloud', 'db', 'http', 'journal', 'secrets', 'threads']

const nosyFile = (feature: string) => `electron/backend/${feature}/nosy.ts`

/** One planted violation a rule: the file that breaks it and what it imports. */
const planted: Record<string, [file: string, imports: string]> = {
  ...Object.fromEntries(features.slice(0, -1).map((feature, place): [string, [string, string]] => [`${feature.replace('/', '-')}-knows-no-feature-above`, [nosyFile(feature), relative(`electron/backend/${feature}`, nosyFile(features[place + 1] ?? ''))]])),
  'no-cycle': ['shared/base/a.ts', './b.ts'],
  'no-orphan': ['electron/backend/alone.ts', ''],
  'no-unresolved': ['electron/backend/lost.ts', './nowhere.ts'],
  'shared-is-pure': ['shared/money/impure.ts', 'node:fs'],
  'backend-is-host-blind': ['electron/backend/seeing.ts', '../desktop/main.ts'],
  'edges-know-one-thing': ['electron/backend/brokers/tradovate/nosy.ts', '../../sync/service.ts'],
  'port-knows-no-broker': ['electron/backend/brokers/port.ts', './tradovate/login.ts'],
  'database-knows-no-feature': ['electron/backend/db/nosy.ts', '../sync/service.ts'],
  'only-routes-speak-http': ['electron/backend/sync/web.ts', '../http/app.ts'],
  'routes-ask-services': ['electron/backend/sync/routes.ts', '../db/database.ts'],
  'services-speak-no-sql': ['electron/backend/mirror/service.ts', 'drizzle-orm'],
  'nothing-knows-the-composition': ['electron/backend/sync/upward.ts', '../backend.ts'],
  'demo-is-a-stand-in': ['electron/backend/sync/knowing.ts', '../../demo-broker/broker.ts'],
  'demo-broker-is-isolated': ['electron/demo-broker/sharing.ts', '../backend/host.ts'],
  'doors-are-thin': ['electron/cli/deep.ts', '../backend/db/database.ts'],
  'preload-is-a-bridge': ['electron/preload/fat.ts', '../backend/host.ts'],
  'only-desktop-says-electron': ['electron/cli/windowed.ts', 'electron'],
  'remote-is-for-diagnostics': ['electron/preload/main.ts', '@electron/remote'],
  'diagnostics-is-a-page': ['electron/desktop/diagnostics-page/page.ts', '../main.ts'],
  'renderer-is-a-page': ['renderer/lib/deep.ts', '../../electron/backend/host.ts'],
  'renderer-no-node': ['renderer/lib/node.ts', 'node:path'],
  'features-are-strangers': ['renderer/features/one/peek.ts', '../two/page.ts'],
  'parts-know-no-screen': ['renderer/ui/knowing.ts', '../features/two/page.ts'],
  'cloud-is-isolated': ['cloud/leaning.ts', '../electron/backend/host.ts'],
  'nothing-ships-a-tool': ['cloud/tooled.ts', 'a-tool'],
  'nothing-ships-tests': ['shared/pnl/tested.ts', '../../tests/helpers/help.ts'],
}

const plain = [
  'electron/desktop/main.ts', 'electron/backend/sync/service.ts', 'electron/backend/db/database.ts', 'electron/backend/backend.ts',
  'electron/backend/http/app.ts', 'electron/backend/brokers/tradovate/login.ts', 'electron/demo-broker/broker.ts', 'electron/backend/host.ts', 'renderer/features/two/page.ts', 'tests/helpers/help.ts',
  nosyFile(features.at(-1) ?? ''),
]

describe('the import law', () => {
  const tree = mkdtempSync(join(root, 'node_modules/.law-'))
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(tree, file)), { recursive: true })
    writeFileSync(join(tree, file), text)
  }
  let broken: Set<string>

  beforeAll(async () => {
    for (const file of plain) write(file, 'export const here = 1\n')
    for (const [file, imports] of Object.values(planted)) write(file, imports === '' ? 'export const here = 1\n' : `import '${imports}'\nexport const here = 1\n`)
    // One side of the cycle is a type.
    write('shared/base/b.ts', "import type { here } from './a.ts'\nexport type There = typeof here\n")
    write('node_modules/drizzle-orm/package.json', '{"name":"drizzle-orm","main":"index.js"}')
    write('node_modules/drizzle-orm/index.js', '')
    for (const name of ['electron', '@electron/remote']) {
      write(`node_modules/${name}/package.json`, JSON.stringify({ name, main: 'index.js' }))
      write(`node_modules/${name}/index.js`, '')
    }
    write('node_modules/a-tool/package.json', '{"name":"a-tool","main":"index.js"}')
    write('node_modules/a-tool/index.js', '')
    write('package.json', '{"type":"module","dependencies":{"drizzle-orm":"1","electron":"1","@electron/remote":"1"},"devDependencies":{"a-tool":"1"}}')
    const options = { ...law.options, cache: false, tsConfig: undefined }
    const result = await cruise(['shared', 'electron', 'cloud', 'renderer'], {
      ...(options as unknown as ICruiseOptions),
      baseDir: tree,
      validate: true,
      ruleSet: { forbidden: law.forbidden } as never,
    })
    broken = new Set((result.output as ICruiseResult).summary.violations.map(({ rule, from }) => `${rule.name} ${from}`))
  }, 60_000)
  afterAll(() => {
    rmSync(tree, { recursive: true, force: true })
  })

  it('gives every folder of the backend a place in the order of features', () => {
    const folders = readdirSync(join(root, 'electron/backend'), { withFileTypes: true }).filter((one) => one.isDirectory()).map(({ name }) => name)
    expect(folders.filter((name) => !belowFeatures.includes(name)).sort()).toEqual(features.filter((name) => !name.includes('/')).sort())
  })
  it('has a planted violation for every rule', () => {
    expect(Object.keys(planted).sort()).toEqual(law.forbidden.map(({ name }) => name).sort())
  })
  it.each(Object.entries(planted))('turns red at %s', (rule, [file]) => {
    expect([...broken]).toContain(`${rule} ${file}`)
  })
})

describe('the lint', () => {
  /** What the lint says of a file with this text at this place. */
  const rulesBrokenBy = (file: string, text: string): string => {
    const folder = mkdtempSync(join(tmpdir(), 'fillbook-lint-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    copyFileSync(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'))
    mkdirSync(join(folder, dirname(file)), { recursive: true })
    writeFileSync(join(folder, file), text)
    return spawnSync(process.execPath, [join(root, 'node_modules/oxlint/bin/oxlint'), '--format', 'unix'], { cwd: folder, encoding: 'utf8' }).stdout
  }

  it.each([
    ['a default export', 'renderer/ui/x.ts', 'export default 1\n', 'no-default-export'],
    ['a barrel', 'shared/base/x.ts', "export * from './y.ts'\n", 'no-barrel-file'],
    ['any', 'shared/base/x.ts', 'export const f = (a: any) => a\n', 'no-explicit-any'],
    ['Date in shared/', 'shared/base/x.ts', 'export const now = () => new Date()\n', 'never reads a clock'],
    ['chance in shared/', 'shared/base/x.ts', 'export const dice = () => Math.random()\n', 'no-restricted-properties'],
  ])('refuses %s', (_what, file, text, expected) => {
    expect(rulesBrokenBy(file, text)).toContain(expected)
  })
  it('lets the backend read a clock', () => {
    expect(rulesBrokenBy('electron/backend/x.ts', 'export const now = () => Date.now()\n')).toBe('')
  })
})
