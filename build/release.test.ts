import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { carriesFeed } from './pack-rules.ts'

// The packer's own reader of YAML.
const { load } = createRequire(createRequire(import.meta.url).resolve('app-builder-lib'))('js-yaml') as { load: (text: string) => unknown }
const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

const step = z.strictObject({ name: z.string().optional(), if: z.string().optional(), uses: z.string().regex(/^actions\/[\w-]+@v\d+$/).optional(), run: z.string().optional(), shell: z.string().optional(), with: z.record(z.string(), z.unknown()).optional(), env: z.record(z.string(), z.string()).optional() })
const job = z.strictObject({
  'runs-on': z.string(),
  'timeout-minutes': z.number(),
  needs: z.string().optional(),
  if: z.string().optional(),
  permissions: z.record(z.string(), z.enum(['read', 'write'])).optional(),
  strategy: z.strictObject({ 'fail-fast': z.boolean(), matrix: z.strictObject({ os: z.array(z.string()) }) }).optional(),
  steps: z.array(step.refine(({ uses, run }) => (uses === undefined) !== (run === undefined), 'a step uses or runs')).min(1),
})
const workflow = z.strictObject({ name: z.string(), on: z.strictObject({ push: z.strictObject({ tags: z.array(z.string()) }), workflow_dispatch: z.null() }), permissions: z.strictObject({ contents: z.literal('read') }), concurrency: z.record(z.string(), z.unknown()), jobs: z.record(z.string(), job) })

const text = read('.github/workflows/release.yml')
const { jobs } = workflow.parse(load(text))
const steps = Object.values(jobs).flatMap((one) => one.steps)

test('every job waits for one that exists, and only asks for scripts that exist', () => {
  for (const { needs } of Object.values(jobs)) if (needs !== undefined) expect(Object.keys(jobs)).toContain(needs)
  const { scripts } = z.object({ scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(read('package.json')))
  const asked = steps.flatMap(({ run = '' }) => [...run.matchAll(/npm (?:run (?:-s )?([\w:]+)|(test)\b)/g)].map(([, script, plain]) => script ?? plain ?? ''))
  expect(new Set(asked)).toEqual(new Set(['test', 'audit', 'bill', 'test:electron', 'dist']))
  for (const script of asked) expect(Object.keys(scripts)).toContain(script)
})

test('the installers are made on the three systems, after the tests, and attested', () => {
  const { installers } = jobs
  expect(installers?.strategy?.matrix.os.map((os) => os.split('-')[0])).toEqual(['windows', 'macos', 'ubuntu'])
  expect(installers?.needs).toBe('materials')
  expect(installers?.permissions).toEqual({ contents: 'read', 'id-token': 'write', attestations: 'write' })
  expect(installers?.steps.map(({ uses }) => uses?.split('@')[0])).toContain('actions/attest-build-provenance')
})

test('no installer is made that an advisory speaks against, and the bill of materials is attested and released with them', () => {
  const { materials, installers, release } = jobs
  expect(materials?.needs).toBe('test')
  // An audit that nobody answered ends with 2, and only that is let pass.
  expect(materials?.steps.flatMap(({ run }) => run ?? [])).toEqual(['npm ci', 'npm run -s audit || test $? = 2', 'npm run -s bill'])
  const path = 'dist/fillbook.cdx.json'
  expect(materials?.steps.at(-1)).toMatchObject({ with: { name: 'bill-of-materials', path, 'if-no-files-found': 'error' } })
  const given = (action: string) => installers?.steps.find(({ uses }) => uses?.startsWith(`actions/${action}@`))?.with
  expect(given('download-artifact')).toEqual({ name: 'bill-of-materials', path: 'dist' })
  expect(given('attest-sbom')).toEqual({ 'sbom-path': path, 'subject-path': given('attest-build-provenance')?.['subject-path'] })
  expect(release?.steps[0]?.with).toEqual({ path: 'installers', 'merge-multiple': true })
})

test('secrets are named in environments alone, never in a command, and only one job may write', () => {
  for (const { run = '', with: given = {} } of steps) expect(run + JSON.stringify(given)).not.toMatch(/\$\{\{[^}]*secrets\./)
  expect([...new Set([...text.matchAll(/secrets\.(\w+)/g)].map(([, name]) => name))].toSorted()).toEqual(['APPLE_API_ISSUER', 'APPLE_API_KEY_BASE64', 'APPLE_API_KEY_ID', 'MAC_CSC_KEY_PASSWORD', 'MAC_CSC_LINK', 'WIN_CSC_KEY_PASSWORD', 'WIN_CSC_LINK'])
  expect(Object.entries(jobs).filter(([, { permissions }]) => permissions?.['contents'] === 'write').map(([name]) => name)).toEqual(['release'])
  // What a stranger may write into a tag's name is data, not a part of a command.
  for (const { run = '' } of steps) expect(run).not.toContain('${{ github.')
})

test('the packed manifest has what the program needs', () => {
  const config = z.looseObject({ protocols: z.array(z.object({ schemes: z.array(z.string()) })), publish: z.object({ provider: z.string(), url: z.string() }), mac: z.looseObject({ hardenedRuntime: z.boolean(), entitlements: z.string() }), nsis: z.looseObject({ perMachine: z.boolean(), allowToChangeInstallationDirectory: z.boolean() }) }).parse(load(read('electron-builder.yml')))
  expect(config.protocols.flatMap(({ schemes }) => schemes)).toEqual(['fillbook'])
  expect(config.publish).toEqual({ provider: 'generic', url: '${env.FILLBOOK_UPDATES_URL}' })
  expect([config.mac.hardenedRuntime, config.nsis.perMachine, config.nsis.allowToChangeInstallationDirectory]).toEqual([true, false, true])
  // Only what V8 cannot do without is given up of the hardened runtime.
  expect([...read(config.mac.entitlements).matchAll(/<key>([^<]+)<\/key>/g)].map(([, key]) => key)).toEqual(['com.apple.security.cs.allow-jit'])
})

test('a program is packed with no feed that somebody on the way could answer for', () => {
  expect([undefined, '', 'https://updates.example/fillbook/'].map(carriesFeed)).toEqual([false, false, true])
  for (const address of ['http://updates.example/', 'http://127.0.0.1:8080/', 'file:///srv/updates', 'updates.example']) expect(() => carriesFeed(address), address).toThrow('https://')
})
