/**
 * @module-tag long
 * @module-tag nightly
 */

import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { testFolder } from '#tests/helpers/app.ts'
import { audit } from '../../build/audit.ts'

const bulk = '/-/npm/v1/security/advisories/bulk'

type Advisory = { readonly id: number; readonly url: string; readonly title: string; readonly severity: string; readonly vulnerable_versions: string; readonly cwe: readonly string[]; readonly cvss: { readonly score: number; readonly vectorString: string } }
const advisory = (id: number, ghsa: string, severity: string, below: string): Advisory => ({ id, url: `https://github.com/advisories/${ghsa}`, title: `A fault before ${below}`, severity, vulnerable_versions: `<${below}`, cwe: ['CWE-400'], cvss: { score: 7.5, vectorString: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H' } })
const lodash = { lodash: [advisory(1, 'GHSA-aaaa-aaaa-aaaa', 'critical', '4.17.12')] }
const ofShipped = { ws: [advisory(2, 'GHSA-bbbb-bbbb-bbbb', 'low', '8.17.1')] }
const ofTools = { eslint: [advisory(3, 'GHSA-cccc-cccc-cccc', 'critical', '9.0.0')] }

/** What a registry says to a question about advisories. */
type Answer = { readonly status?: number; readonly body: string } | 'silence'

/** A registry that is asked about packages by name and version, and knows of each no more than its name. */
const registry = async (answer: (asked: Record<string, readonly string[]>) => Answer) => {
  const asked: Record<string, readonly string[]>[] = []
  const read = async (request: IncomingMessage): Promise<Record<string, readonly string[]>> => {
    const body = await buffer(request)
    return JSON.parse((request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString('utf8')) as Record<string, readonly string[]>
  }
  const server = createServer((request, response) => {
    if (request.method !== 'POST' || request.url !== bulk) return void response.writeHead(404, { 'content-type': 'application/json' }).end('{}')
    void read(request).then((question) => {
      asked.push(question)
      const report = answer(question)
      if (report !== 'silence') response.writeHead(report.status ?? 200, { 'content-type': 'application/json' }).end(report.body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  // Silent, as everything is below `npm run -s`, with which the release asks.
  const settings = { npm_config_registry: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`, npm_config_cache: testFolder(), npm_config_update_notifier: 'false', npm_config_loglevel: 'silent' }
  return { asked, settings }
}

/** A project of one package that is shipped, and one that is a tool. */
const project = (): string => {
  const folder = join(testFolder(), 'project')
  mkdirSync(folder, { recursive: true })
  const own = { name: 'project', version: '1.0.0', dependencies: { ws: '^8.0.0' }, devDependencies: { eslint: '^8.0.0' } }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(own))
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ name: 'project', version: '1.0.0', lockfileVersion: 3, packages: { '': own, 'node_modules/ws': { version: '8.0.0' }, 'node_modules/eslint': { version: '8.0.0', dev: true } } }))
  return folder
}

const among = (known: Record<string, readonly Advisory[]>) => (asked: Record<string, readonly string[]>): Answer => ({ body: JSON.stringify(Object.fromEntries(Object.entries(known).filter(([name]) => name in asked))) })

test('advisories are listed unchanged, those of shipped packages first', async () => {
  const { asked, settings } = await registry(among({ ...lodash, ...ofTools, ...ofShipped }))
  expect(await audit(project(), 60_000, settings)).toEqual({
    ran: true,
    findings: [
      { advisory: 'GHSA-bbbb-bbbb-bbbb', package: 'ws', severity: 'low', title: 'A fault before 8.17.1', url: 'https://github.com/advisories/GHSA-bbbb-bbbb-bbbb', shipped: true },
      { advisory: 'GHSA-cccc-cccc-cccc', package: 'eslint', severity: 'critical', title: 'A fault before 9.0.0', url: 'https://github.com/advisories/GHSA-cccc-cccc-cccc', shipped: false },
    ],
  })
  expect(asked).toEqual([{ lodash: ['4.17.4'] }, { ws: ['8.0.0'], eslint: ['8.0.0'] }])
})

test('a service that knows advisories, but none for these packages, gives a clean audit', async () => {
  const { settings } = await registry(among(lodash))
  expect(await audit(project(), 60_000, settings)).toEqual({ ran: true, findings: [] })
})

const refusals = [
  ['refuses', { status: 405, body: '' }, /405/],
  ['says nothing of any package', { body: '{}' }, /finds nothing in lodash 4\.17\.4/],
  ['is broken', { status: 500, body: '{"error":"oops"}' }, /500/],
  ['answers with a page', { body: '<!doctype html><title>Sign in</title>' }, /./],
  ['answers with something else', { body: '["clean"]' }, /./],
  ['answers with nothing', { body: '' }, /./],
] as const
const isNotRun = async (answer: Answer, why: RegExp): Promise<void> => {
  const { settings } = await registry(() => answer)
  expect(await audit(project(), 60_000, settings)).toEqual({ ran: false, why: expect.stringMatching(why) as string })
}
test.each(refusals.slice(0, 2))('where the service %s, the audit was not run', (_, answer, why) => isNotRun(answer, why))
test.each(refusals.slice(2))('where the service %s, the audit was not run', { tags: 'long' }, (_, answer, why) => isNotRun(answer, why))

test('if the service does not answer, the audit was not run', async () => {
  const { settings } = await registry(() => 'silence')
  expect(await audit(project(), 2_000, settings)).toEqual({ ran: false, why: 'no answer within 2 seconds' })
})

test('if it stops answering later, or npm is set offline, the audit was not run', { tags: 'long' }, async () => {
  const later = await registry((asked) => ('lodash' in asked ? among(lodash)(asked) : 'silence'))
  expect(await audit(project(), 5_000, later.settings)).toEqual({ ran: false, why: 'no answer within 5 seconds' })
  const offline = await registry(among(lodash))
  expect((await audit(project(), 60_000, { ...offline.settings, npm_config_offline: 'true' })).ran).toBe(false)
  expect(offline.asked).toEqual([])
})
