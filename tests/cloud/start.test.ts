/** @module-tag long */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { runCloud, startCloud } from '../helpers/cloud.ts'
import { queryRows, sharedPostgres } from '../helpers/postgres.ts'
import type { PostgresServer } from '../helpers/postgres.ts'
import { programFile } from '../helpers/program.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
let server: PostgresServer

beforeAll(async () => {
  server = await sharedPostgres()
})
afterAll(() => server.stop())

const emptyFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'fillbook-cloud-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

test('in production it exits at once without an identity provider, and touches nothing', async () => {
  const dataDir = await emptyFolder()
  const { ended, stderr } = runCloud({ dataDir })
  expect(await ended).toBe(2)
  expect(stderr()).toMatch(/^Fillbook Cloud did not start\.\n\n {2}FILLBOOK_CLOUD_JWKS_URL\n {4}must be an https:\/\//)
  for (const name of ['FILLBOOK_CLOUD_ISSUER', 'FILLBOOK_CLOUD_AUDIENCE']) expect(stderr()).toContain(`\n  ${name}\n    must be `)
  expect(await readdir(dataDir)).toEqual([])
})

test('the development issuer is refused in production', async () => {
  const asked = [
    { mode: 'production', env: { FILLBOOK_CLOUD_JWKS_URL: 'http://127.0.0.1:1/jwks', FILLBOOK_CLOUD_ISSUER: 'fillbook-development', FILLBOOK_CLOUD_AUDIENCE: 'fillbook-cloud' } },
    { mode: 'development', env: { NODE_ENV: 'production' } },
    { mode: 'development', env: { FILLBOOK_CLOUD_HOST: '0.0.0.0' } },
  ] as const
  for (const options of asked) {
    const { ended, stderr } = runCloud({ dataDir: await emptyFolder(), ...options })
    expect(await ended, stderr()).toBe(2)
    expect(stderr()).toContain('did not start')
  }
})

test('wrong settings are reported by name, format, and remedy, without a value', async () => {
  const { ended, stderr } = runCloud({ mode: 'development', databaseUrl: 'mysql://somebody:topsecret@db/x', env: { FILLBOOK_CLOUD_POOL_SIZE: '0', FILLBOOK_CLOUD_JWKS: 'topsecret', FILLBOOK_CLOUD_LOG_LEVEL: 'topsecret' } })
  expect(await ended).toBe(2)
  for (const name of ['DATABASE_URL', 'FILLBOOK_CLOUD_POOL_SIZE', 'FILLBOOK_CLOUD_JWKS', 'FILLBOOK_CLOUD_LOG_LEVEL']) expect(stderr()).toMatch(new RegExp(`\\n {2}${name}\\n {4}must be .+\\n {4}.+`))
  expect(stderr()).not.toContain('topsecret')
})

test('a database that does not answer, a newer one, and an occupied port are each reported in one block', { tags: ['long', 'nightly'] }, async () => {
  const databaseUrl = await server.newDatabase()
  const running = await startCloud({ databaseUrl })
  const taken = runCloud({ mode: 'development', databaseUrl, port: Number(new URL(running.url).port) })
  expect([await taken.ended, taken.stderr()]).toEqual([1, expect.stringMatching(/^Fillbook Cloud did not start\.\n\n {2}port \d+\n/)])
  const nobody = runCloud({ mode: 'development', databaseUrl: databaseUrl.replace(/fillbook_\d+$/, 'nobody') })
  expect([await nobody.ended, nobody.stderr()]).toEqual([1, expect.stringMatching(/^Fillbook Cloud did not start\.\n\n {2}DATABASE_URL\n/)])
  expect(await running.stop()).toBe(0)

  await queryRows(databaseUrl, "UPDATE schema_migrations SET checksum = 'another'")
  const changed = runCloud({ mode: 'development', databaseUrl })
  expect([await changed.ended, changed.stderr()]).toEqual([1, expect.stringContaining('made by a released version')])
  await queryRows(databaseUrl, "INSERT INTO schema_migrations VALUES (9999, '9999-later.sql', 'x'), (9998, '9998-late.sql', 'x')")
  const newer = runCloud({ mode: 'development', databaseUrl })
  expect([await newer.ended, newer.stderr()]).toEqual([1, expect.stringContaining('A newer version')])
})

test('an unknown argument prints the usage', async () => {
  const child = spawn(process.execPath, [programFile('cloud/main.ts'), '--prot', '1'], { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] })
  let stderr = ''
  child.stderr.on('data', (part: Buffer) => (stderr += part.toString()))
  expect(await once(child, 'close')).toEqual([2, null])
  expect(stderr).toContain('usage: npm run cloud -- [--port P]')
})
