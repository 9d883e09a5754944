import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request, type IncomingMessage, type RequestOptions } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import updating from 'electron-updater'
import { ElectronHttpExecutor } from 'electron-updater/out/electronHttpExecutor.js'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Log } from '#shared/base/log.ts'
import { until } from '#tests/helpers/until.ts'
import { checkIntervalMs, watchForUpdates } from './updates.ts'

// Without Electron's network stack; everything else of a download is real.
class NodeNetwork extends ElectronHttpExecutor {
  override createRequest(options: RequestOptions, answer: (response: IncomingMessage) => void) {
    return request(options, answer) as never
  }
}

const program = Buffer.from('a newer program '.repeat(5_000))

/** A feed on loopback, and an AppImage updater of version 1.0.0 with its own folder. */
const openWorld = async (feed: { version: string; sha512?: string }) => {
  const folder = mkdtempSync(join(tmpdir(), 'fillbook-updates-'))
  onTestFinished(() => { rmSync(folder, { recursive: true, force: true }) })
  const requests: { path: string; staging: string | undefined }[] = []
  const server = createServer((request, response) => {
    requests.push({ path: new URL(request.url ?? '', 'http://feed').pathname, staging: request.headers['x-user-staging-id'] as string | undefined })
    if (request.url?.startsWith('/latest')) {
      const sha512 = feed.sha512 ?? createHash('sha512').update(program).digest('base64')
      return void response.end(`version: ${feed.version}\nfiles:\n  - url: Fillbook.AppImage\n    sha512: ${sha512}\n    size: ${String(program.length)}\npath: Fillbook.AppImage\nsha512: ${sha512}\nreleaseDate: '2026-11-21T00:00:00.000Z'\n`)
    }
    if (request.url?.startsWith('/Fillbook.AppImage')) return void response.end(program)
    response.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  writeFileSync(join(folder, 'app-update.yml'), 'provider: generic\nurl: https://packed.example/\nupdaterCacheDirName: fillbook-updater\n')
  const quits: ((code: number) => void)[] = []
  const app = { version: '1.0.0', name: 'Fillbook', isPackaged: true, appUpdateConfigPath: join(folder, 'app-update.yml'), userDataPath: folder, baseCachePath: folder, whenReady: () => Promise.resolve(), relaunch: () => undefined, quit: () => undefined, onQuit: (listener: (code: number) => void) => void quits.push(listener) }
  vi.stubEnv('APPIMAGE', join(folder, 'old.AppImage'))
  onTestFinished(() => { vi.unstubAllEnvs() })
  const updater = new updating.AppImageUpdater(null, app)
  Object.assign(updater, { httpExecutor: new NodeNetwork(), _testOnlyOptions: { platform: 'linux' } })
  const logged: string[] = []
  const log = Object.fromEntries(['debug', 'info', 'warn', 'error'].map((level) => [level, (fields: object) => logged.push(`${level} ${JSON.stringify(fields)}`)])) as unknown as Log
  const ready: string[] = []
  const stop = watchForUpdates({ updater, feedUrl: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`, log, ready: (version) => ready.push(version) })
  onTestFinished(stop)
  return { updater, requests, logged, ready, quits, folder }
}

test('a newer version is downloaded, announced once, and installed on quit', async () => {
  const { updater, requests, ready, quits, folder } = await openWorld({ version: '1.1.0' })
  await until(() => ready[0], 'the newer version')
  expect(ready).toEqual(['1.1.0'])
  expect(readFileSync(join(folder, 'fillbook-updater', 'pending', 'Fillbook.AppImage')).equals(program)).toBe(true)
  expect(quits).toHaveLength(1)
  await updater.checkForUpdates().then((found) => found?.downloadPromise)
  expect(ready).toEqual(['1.1.0'])
  expect(new Set(requests.map(({ staging }) => staging))).toEqual(new Set(['none']))
})

test('the same version and older ones are ignored', async () => {
  for (const version of ['1.0.0', '0.9.0']) {
    const { requests, logged, ready } = await openWorld({ version })
    await until(() => logged.find((line) => line.includes('is not available')), 'the answer of the feed')
    expect([ready, requests.map(({ path }) => path)]).toEqual([[], ['/latest-linux.yml']])
  }
})

test('a download that does not match the feed’s checksum is rejected and logged', async () => {
  const { logged, ready, quits } = await openWorld({ version: '1.1.0', sha512: createHash('sha512').update('another').digest('base64') })
  await until(() => logged.find((line) => line.includes('checksum mismatch')), 'the refusal')
  expect([ready, quits]).toEqual([[], []])
  expect(logged.filter((line) => line.startsWith('error'))).toEqual([])
})

test('it checks at the start and every six hours until it is stopped', () => {
  vi.useFakeTimers()
  onTestFinished(() => { vi.useRealTimers() })
  let looks = 0
  const updater = { checkForUpdates: () => Promise.reject(new Error(`no network at look ${String((looks += 1))}`)), setFeedURL: () => expect.unreachable('it was packed with a feed'), on: () => updater }
  const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }
  const stop = watchForUpdates({ updater: updater as never, feedUrl: null, log, ready: () => undefined })
  expect(looks).toBe(1)
  vi.advanceTimersByTime(2 * checkIntervalMs)
  expect(looks).toBe(3)
  stop()
  vi.advanceTimersByTime(2 * checkIntervalMs)
  expect(looks).toBe(3)
})
