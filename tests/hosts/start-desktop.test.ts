/**
 * @module-tag long
 * @module-tag nightly
 */

import { once } from 'node:events'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { fetchRuntime, findRuntime, isReachable, openDesktopWindow } from '#cli/desktop-runtime.ts'
import { sessionRoutes } from '#shared/api/session.ts'
import { testFolder } from '#tests/helpers/app.ts'
import { openBrowser } from '#tests/helpers/browser.ts'
import { freePort } from '#tests/helpers/free-port.ts'
import { runScript } from '#tests/helpers/run-door.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A program in the place of Electron's, which does with the bundle what `body` says. */
const standIn = (body: string, mode = 0o755): string => {
  const folder = testFolder()
  writeFileSync(join(folder, 'electron'), `#!${process.execPath}\nconst { appendFileSync, readFileSync } = require('node:fs')\nconst bundle = process.argv[2]\n${body}\n`)
  chmodSync(join(folder, 'electron'), mode)
  return folder
}
const start = async (folder: string, env: Record<string, string> = {}) =>
  runScript('start', [], { DISPLAY: ':99', ELECTRON_OVERRIDE_DIST_PATH: folder, FILLBOOK_DATA_DIR: testFolder(), FILLBOOK_PORT: String(await freePort()), ...env })

// Windows starts no script as a program.
const unix = test.skipIf(process.platform === 'win32')

unix('start opens the window with the built bundle, and forwards a signal to the desktop, which then quits', async () => {
  const folder = standIn(`
    const { main } = JSON.parse(readFileSync(bundle + '/package.json', 'utf8'))
    appendFileSync(__dirname + '/heard', readFileSync(bundle + '/' + main, 'utf8').includes('Fillbook is ready') + ' ' + process.env.ELECTRON_RUN_AS_NODE + '\\n')
    process.on('SIGTERM', () => { appendFileSync(__dirname + '/heard', 'SIGTERM\\n'); setTimeout(() => process.exit(0), 200) })
    console.log('something of Chromium')
    console.log('Fillbook is ready at http://127.0.0.1:1')
    setInterval(() => undefined, 1_000)
  `)
  const door = await start(folder, { ELECTRON_RUN_AS_NODE: '1' })
  expect(await door.line()).toBe('Fillbook is ready at http://127.0.0.1:1')
  door.kill('SIGTERM')
  expect(await door.ended).toBe(0)
  expect(readFileSync(join(folder, 'heard'), 'utf8')).toBe('true undefined\nSIGTERM\n')
})

unix('ending start before the desktop is ready ends the desktop too', { tags: 'long' }, async () => {
  const folder = standIn(`appendFileSync(__dirname + '/pid', String(process.pid)); process.on('SIGTERM', () => { appendFileSync(__dirname + '/heard', 'SIGTERM'); process.exit(0) }); setInterval(() => undefined, 1_000)`)
  const door = await start(folder)
  await expect.poll(() => existsSync(join(folder, 'pid')), { timeout: 60_000 }).toBe(true)
  door.kill('SIGTERM')
  expect(await door.ended).toBe(1)
  await expect.poll(() => existsSync(join(folder, 'heard'))).toBe(true)
})

unix('a desktop that quits, or hands over to a running one, ends start with its exit code', { tags: 'long' }, async () => {
  const quit = await start(standIn(`console.log('Fillbook is ready at http://127.0.0.1:1'); setTimeout(() => process.exit(0), 50)`))
  expect([await quit.ended, quit.output().stderr]).toEqual([0, ''])
  const broke = await start(standIn(`console.log('Fillbook is ready at http://127.0.0.1:1'); setTimeout(() => process.exit(7), 50)`))
  expect(await broke.ended).toBe(7)
})

unix('a desktop that crashes at start is reported in one line with its last output, and the browser gets the app', { tags: 'long' }, async () => {
  const door = await start(standIn(`console.error('first'); console.error('no sandbox here'); process.exit(5)`))
  expect(await door.line()).toBe('Fillbook runs in your browser (the desktop exited at once, with code 5: no sandbox here). Open this address:')
  const url = /^Fillbook is ready at (\S+)$/.exec((await door.line()) ?? '')?.[1] ?? ''
  expect(await (await openBrowser(url)).call(sessionRoutes.session)).toMatchObject({ currentUser: null })
  door.kill('SIGTERM')
  expect(await door.ended).toBe(0)
})

test.runIf(process.platform === 'linux')('without a display the desktop is not started', { tags: 'long' }, async () => {
  const folder = standIn(`appendFileSync(__dirname + '/heard', 'started')`)
  const door = await start(folder, { DISPLAY: '' })
  expect(await door.line()).toBe('Fillbook runs in your browser (there is no display here). Open this address:')
  expect(existsSync(join(folder, 'heard'))).toBe(false)
})

// Elsewhere the runtime is there and would open.
test.runIf(findRuntime(root, { DISPLAY: ':99' }, process.platform).found === 'package')('without the runtime, and without a way to fetch it, the browser gets the app within seconds', async () => {
  const began = performance.now()
  const door = runScript('start', [], { DISPLAY: ':99', ELECTRON_MIRROR: 'http://127.0.0.1:1/', FILLBOOK_DATA_DIR: testFolder(), FILLBOOK_PORT: String(await freePort()) })
  expect(await door.line()).toBe('Fillbook runs in your browser (the desktop runtime is not available here). Open this address:')
  // It does not even ask the installer.
  expect(door.output().stderr).not.toContain('Fetching')
  expect(performance.now() - began).toBeLessThan(60_000)
})

unix('a desktop that does not respond is killed and reported', { tags: 'long' }, async () => {
  const folder = standIn(`appendFileSync(__dirname + '/pid', String(process.pid)); console.log('Chromium says something'); setInterval(() => undefined, 1_000)`)
  expect(await openDesktopWindow(join(folder, 'electron'), 'bundle', 2_000)).toEqual({ failed: 'the desktop did not respond for 2 seconds' })
  const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'))
  await expect.poll(() => { try { return process.kill(pid, 0) } catch { return false } }).toBe(false)
})

unix('a program that cannot be executed is reported', async () => {
  expect(await openDesktopWindow(join(standIn('', 0o644), 'electron'), 'bundle')).toMatchObject({ failed: expect.stringMatching(/^the desktop could not be started: .*EACCES/) as string })
})

test('a source is reachable if it has the file, not if it refuses, is gone or does not answer', async () => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${String(request.method)} ${String(request.url)}`)
    if (request.url === '/there.zip') response.end()
    if (request.url === '/refused.zip') response.writeHead(403).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`
  onTestFinished(() => { server.closeAllConnections() })
  expect(await Promise.all([isReachable(`${url}/there.zip`), isReachable(`${url}/refused.zip`), isReachable(`${url}/silent.zip`, 300)])).toEqual([true, false, false])
  expect(asked.toSorted()).toEqual(['HEAD /refused.zip', 'HEAD /silent.zip', 'HEAD /there.zip'])
  server.closeAllConnections()
  server.close()
  expect(await isReachable(`${url}/there.zip`)).toBe(false)
})

test("the runtime's installer runs unchanged, and with a timeout", async () => {
  const folder = testFolder()
  const installer = (name: string, body: string): string => {
    writeFileSync(join(folder, `${name}.cjs`), body)
    return join(folder, `${name}.cjs`)
  }
  expect(await fetchRuntime(installer('works', `require('node:fs').writeFileSync(__dirname + '/fetched', '')`))).toBe(true)
  expect(readFileSync(join(folder, 'fetched'), 'utf8')).toBe('')
  expect(await fetchRuntime(installer('fails', 'process.exit(1)'))).toBe(false)
  expect(await fetchRuntime(installer('hangs', 'setInterval(() => undefined, 1_000)'), 300)).toBe(false)
})
