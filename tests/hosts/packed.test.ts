/** @module-tag long */

import { createHash } from 'node:crypto'
import { globSync, readFileSync, rmSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { getRawHeader } from '@electron/asar'
import { FuseState, FuseV1Options, FuseVersion, getCurrentFuseWire } from '@electron/fuses'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { copierRoutes } from '#shared/api/copier.ts'
import { recordRoutes } from '#shared/api/journal.ts'
import { mirrorStateRoutes } from '#shared/api/mirror-state.ts'
import { positionRoutes } from '#shared/api/positions.ts'
import { sessionRoutes } from '#shared/api/session.ts'
import { testFolder } from '#tests/helpers/app.ts'
import { openBrowser } from '#tests/helpers/browser.ts'
import { connect } from '#tests/helpers/own-broker.ts'
import { startPackedBackend } from '#tests/helpers/packed-backend.ts'
import { filesBelow, filesInArchive, layOutAsSeen, openPackedProject, weightOf, type PackedProject } from '#tests/helpers/packed.ts'
import { reportOf } from '#tests/helpers/reports.ts'
import { until } from '#tests/helpers/until.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

let project: PackedProject
let packed: { linux: string; win32: string }
beforeAll(async () => {
  project = await openPackedProject()
  packed = { linux: await project.packFor('linux'), win32: await project.packFor('win32') }
})
afterAll(() => project.remove())

/** What may lie in the archive and beside it, each rule a kind of file; every file keeps one, and every rule is kept by one. */
const archiveRules = (system: string): Record<string, RegExp> => ({
  'the program': /^(main|backend)\.js$/,
  'files that both share': /^main-[\w-]{8}\.js$/,
  'what is loaded beside pages': /^(diagnostics-)?preload\.cjs$/,
  'the Diagnostics page': /^diagnostics\/index\.html$/,
  'the tray': /^icons\/tray(Template(@2x)?\.png|-(dark|light)(\.ico|(@2x)?\.png))$/,
  'the manifest': /^package\.json$/,
  'the threads of the journal': /^beside: electron-backend-(journal-(reader|writer)|journal-file-whole-journal|reports-report|backups-backup)-worker\.js$/,
  'the threads of sync and mirror': /^beside: electron-backend-(sync|mirror)-worker\.js$/,
  'the threads of the copier': /^beside: electron-backend-copier-engine-(ledger-)?worker\.js$/,
  'the thread of the odds': /^beside: electron-backend-rules-odds-worker\.js$/,
  'the thread of prices': /^beside: electron-backend-prices-prices-worker\.js$/,
  'the thread of PDFs': /^beside: electron-backend-reports-pdf-worker\.js$/,
  "the demo's cloud": /^beside: cloud-main\.js$/,
  'what threads share': /^beside: thread-[\w-]{8}\.js$/,
  'SQLite': new RegExp(`^beside: node_modules/better-sqlite3/(package\\.json|LICENSE|lib/.+\\.js|prebuilds/${system}-x64\\.node)$`),
  'the keychain': new RegExp(`^beside: node_modules/keytar/(package\\.json|LICENSE\\.md|lib/keytar\\.js|prebuilds/${system}-x64/keytar\\.node)$`),
  'the type of PDFs': /^beside: node_modules\/@expo-google-fonts\/(inter|anek-malayalam)\/(package\.json|LICENSE_FONT|(400Regular|600SemiBold)\/(Inter|AnekMalayalam)_(400Regular|600SemiBold)\.ttf)$/,
  "the database of the demo's cloud": /^beside: node_modules\/@electric-sql\/pglite\/(package\.json|LICENSE|dist\/[\w-]+\.(js|wasm|data)|dist\/fs\/[\w-]+\.js)$/,
  'the empty cluster of that database': /^beside: node_modules\/@electric-sql\/pglite-prepopulatedfs\/(package\.json|LICENSE|dist\/index\.js|dist\/prepopulatedfs\.tgz)$/,
})
const outsideRules: Record<string, RegExp> = {
  'the archive': /^resources\/app\.asar$/,
  'files beside it': /^resources\/app\.asar\.unpacked\//,
  'the page': /^resources\/pages\/(index\.html|favicon\.svg|first-paint\.js|licenses\.json|assets\/[\w.-]+\.(js|css|woff2|svg|webp))$/,
  'the migrations': /^resources\/migrations\/(sqlite|postgres|copier|prices)\/\d{4}-[\w-]+\.sql$/,
  'the runtime': /^(fillbook|chrome_crashpad_handler|libffmpeg\.so|Fillbook\.exe|ffmpeg\.dll|icudtl\.dat|resources\.pak|version|LICENSE\.electron\.txt|LICENSES\.chromium\.html)$/,
  'the languages that the app speaks': /^locales\/(en-US|ml)\.pak$/,
}

const broken = (files: readonly string[], rules: Record<string, RegExp>): string[] => [
  ...files.filter((file) => !Object.values(rules).some((rule) => rule.test(file))).map((file) => `no rule allows ${file}`),
  ...Object.entries(rules).filter(([, rule]) => !files.some((file) => rule.test(file))).map(([name]) => `nothing is there for ${name}`),
]

describe.each(['linux', 'win32'] as const)('the installed files on %s', (system) => {
  const archive = (): string => join(packed[system], 'resources', 'app.asar')

  test('has exactly the expected files', () => {
    expect(broken(filesInArchive(archive()), archiveRules(system))).toEqual([])
    expect(broken(filesBelow(packed[system]), outsideRules)).toEqual([])
  })

  test('holds no build path, no source map and no key', () => {
    const resources = join(packed[system], 'resources')
    for (const file of filesBelow(resources)) {
      const text = readFileSync(join(resources, file), 'latin1')
      expect([file, [root, 'fillbook-packed-', 'sourcesContent', 'sourceMappingURL=data:'].filter((never) => text.includes(never))]).toEqual([file, []])
      expect([file, /\b(sk|rk)_live_\w{16,}|\bwhsec_\w{16,}/.exec(text)]).toEqual([file, null])
    }
  })

  test('stays within its size limit beside the runtime', () => {
    const megabytes = weightOf(join(packed[system], 'resources')) / 1e6
    process.stderr.write(`beside the runtime, ${system}: ${megabytes.toFixed(1)} MB\n`)
    expect(megabytes).toBeGreaterThan(20)
    expect(megabytes).toBeLessThan(45)
  })

  test('has its fuses set', async () => {
    const wire = await getCurrentFuseWire(join(packed[system], system === 'linux' ? 'fillbook' : 'Fillbook.exe'))
    const on = (fuse: FuseV1Options): boolean => wire[fuse] === FuseState.ENABLE
    expect(wire.version).toBe(FuseVersion.V1)
    expect({
      runAsNode: on(FuseV1Options.RunAsNode),
      cookieEncryption: on(FuseV1Options.EnableCookieEncryption),
      nodeOptions: on(FuseV1Options.EnableNodeOptionsEnvironmentVariable),
      inspect: on(FuseV1Options.EnableNodeCliInspectArguments),
      asarIntegrity: on(FuseV1Options.EnableEmbeddedAsarIntegrityValidation),
      onlyAsar: on(FuseV1Options.OnlyLoadAppFromAsar),
      filePrivileges: on(FuseV1Options.GrantFileProtocolExtraPrivileges),
    }).toEqual({ runAsNode: false, cookieEncryption: true, nodeOptions: false, inspect: false, asarIntegrity: true, onlyAsar: true, filePrivileges: false })
  })
})

test('the installation holds the licenses of everything in it', () => {
  const nameOf = (manifest: string): string => (JSON.parse(readFileSync(manifest, 'utf8')) as { name: string }).name
  for (const resources of Object.values(packed).map((folder) => join(folder, 'resources'))) {
    const { packages } = JSON.parse(readFileSync(join(resources, 'pages', 'licenses.json'), 'utf8')) as { packages: { name: string }[] }
    const laid = globSync('app.asar.unpacked/node_modules/{*,@*/*}/package.json', { cwd: resources }).map((path) => nameOf(join(resources, path)))
    expect(laid).toHaveLength(6)
    expect(packages.map(({ name }) => name)).toEqual(expect.arrayContaining([...laid, 'electron', 'react', 'express', 'stripe', 'tailwindcss', '@fontsource-variable/inter', 'vite', 'PostgreSQL (@electric-sql/pglite)']))
  }
})

test('the archive imports only the runtime, Node and the packages beside it', () => {
  const resources = join(testFolder(), 'resources')
  layOutAsSeen(packed.linux, resources)
  const asked = (file: string): string[] => [...readFileSync(join(resources, file), 'utf8').matchAll(/^(?:import|export)\b[^\n"]*"([^"\n]+)";$|\b(?:import|__require|require)\("([^"\n]+)"\)/gm)].map(([, one, other]) => one ?? other ?? '').filter((name) => !name.startsWith('.') && !isBuiltin(name))
  const programs = ['app.asar', 'app.asar.unpacked'].flatMap((place) => globSync('*.js', { cwd: join(resources, place) }).map((file) => join(place, file)))
  expect(new Set(programs.flatMap(asked))).toEqual(new Set(['electron', '@electric-sql/pglite', '@electric-sql/pglite-prepopulatedfs', 'better-sqlite3', 'keytar']))
  // A preload in a sandbox gets nothing else.
  expect(new Set(asked('app.asar/preload.cjs'))).toEqual(new Set(['electron']))
})

test('the Windows program checks its archive by hash', () => {
  const hash = createHash('sha256').update(getRawHeader(join(packed.win32, 'resources', 'app.asar')).headerString).digest('hex')
  const program = readFileSync(join(packed.win32, 'Fillbook.exe'), 'latin1')
  expect(program).toContain(JSON.stringify({ file: 'resources\\app.asar', alg: 'SHA256', value: hash }))
})

test("the program carries the update feed's address, or none without a feed", { tags: ['long', 'nightly'] }, async () => {
  expect(filesBelow(packed.linux)).not.toContain('resources/app-update.yml')
  const before = process.env['FILLBOOK_UPDATES_URL']
  process.env['FILLBOOK_UPDATES_URL'] = 'https://updates.example.com/fillbook/'
  onTestFinished(() => {
    if (before === undefined) delete process.env['FILLBOOK_UPDATES_URL']
    else process.env['FILLBOOK_UPDATES_URL'] = before
  })
  const other = await project.packFor('linux', { directories: { output: 'dist/with-feed' } })
  expect(readFileSync(join(other, 'resources', 'app-update.yml'), 'utf8')).toContain('url: https://updates.example.com/fillbook/')
})

test('a configuration with an unknown key is refused', async () => {
  await expect(project.packFor('linux', { asarUnpackk: [] } as object)).rejects.toThrow(/unknown property 'asarUnpackk'/)
})

test('the packed backend runs in a plain Node: sign-up, the demo, a sync, its trades, their copy in the cloud, the copier, and a report as PDF', { tags: ['long', 'nightly'] }, async () => {
  const resources = join(testFolder(), 'resources')
  layOutAsSeen(packed.linux, resources)
  const app = startPackedBackend(resources)

  const browser = await openBrowser(await app.launchUrl())
  expect((await browser.send('/')).body).toContain('<div id="root">')
  const { userId } = await browser.signUp()
  expect((await browser.call(recordRoutes.getTrades, { query: { userId } })).trades).toEqual([])
  await browser.call(sessionRoutes.signInDemo)
  const events = await browser.events()
  await connect(browser, 'demo', 'ava.morgan')
  const { receipt } = await events.next('sync-ended')
  expect(receipt).toMatchObject({ outcome: 'complete', accounts: 3, troubles: [] })
  expect((await browser.call(recordRoutes.getTrades, { query: { userId: 'demo' } })).trades.length).toBeGreaterThan(100)
  await until(async () => ((await browser.call(mirrorStateRoutes.mirrorState)).state === 'up-to-date' ? true : null), 'the copy in the cloud', 120_000)
  // The copier's workers start with their first call.
  expect((await browser.call(positionRoutes.positions)).accounts).toHaveLength(3)
  expect(await browser.call(copierRoutes.ledger, { query: {} })).toEqual({ rows: [], more: false })
  // So do the threads of reports, and what speaks to a language model.
  const { facts, pdf, tried } = await reportOf(browser)
  expect([facts > 5, pdf.includes('≤ −1.50 €'), tried]).toEqual([true, true, { ok: true, failure: null, models: ['another', 'story-teller'] }])
  events.close()

  app.stop()
  expect(await app.ended).toMatchObject({ code: 0, output: '' })
})

test('if a worker is missing beside the archive, the packed backend does not start', { tags: 'long' }, async () => {
  const resources = join(testFolder(), 'resources')
  layOutAsSeen(packed.linux, resources)
  rmSync(join(resources, 'app.asar.unpacked', 'electron-backend-journal-writer-worker.js'))
  const { code, logged } = await startPackedBackend(resources).ended
  expect(code).not.toBe(0)
  expect(logged()).toContain('Cannot find module')
  expect(logged()).toContain('electron-backend-journal-writer-worker.js')
})
