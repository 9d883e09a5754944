import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { recordRoutes } from '#shared/api/journal.ts'
import { sessionRoutes } from '#shared/api/session.ts'
import { syncReceipt } from '#shared/api/sync.ts'
import { testFolder } from '#tests/helpers/app.ts'
import { isNightly } from '#tests/helpers/cases.ts'
import { openBrowser, ownAt } from '#tests/helpers/browser.ts'
import { runDoor, runScript, runUnderShell } from '#tests/helpers/run-door.ts'

const ready = /^Fillbook is ready at (http:\/\/127\.0\.0\.1:(\d+)\/\?token=[\w-]+)$/
const addressIn = (line: string | null): string => {
  const url = ready.exec(line ?? '')?.[1]
  if (url === undefined) throw new Error(`Not the line that was promised: ${String(line)}`)
  return url
}

test('serve prints one line when it is ready, and SIGTERM ends it cleanly with every write saved', { tags: 'long' }, async () => {
  const dataDir = testFolder()
  const door = runScript('serve', ['--port', '0', '--data-dir', dataDir])
  const address = addressIn(await door.line())
  // From the sources it would be 700 MB: each thread would load a compiler of its own. Other systems say it elsewhere.
  if (process.platform === 'linux') expect(Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${String(door.pid)}/status`, 'utf8'))?.[1]) / 1_024).toBeLessThan(260)
  const browser = await openBrowser(address)
  const page = await browser.send('/')
  expect(page.body).toContain('<div id="root">')
  const script = /<script type="module"[^>]* src="([^"]+)"/.exec(page.body)?.[1] ?? ''
  expect((await browser.send(script)).headers['content-type']).toContain('javascript')

  const { userId } = await browser.signUp()
  const page1 = await browser.events()
  await browser.call(recordRoutes.addTrade, { body: { userId, trade: { id: 't', symbol: 'MESZ6', qty: 1, entryPrice: 1, exitPrice: 2, entryTime: '2026-11-02T15:00:00Z', exitTime: '2026-11-02T15:05:00Z' } } })
  door.kill('SIGTERM')
  // A stop that takes too long ends with another code.
  expect(await door.ended).toBe(0)
  await page1.ended
  expect(door.output().stderr).toBe('')
  expect(door.output().stdout.trimEnd()).toMatch(ready)
  expect(readdirSync(dataDir)).not.toContain('journal.db-wal')
  // Windows keeps rights elsewhere.
  if (process.platform !== 'win32') expect(['journal.db', 'logs'].map((name) => statSync(join(dataDir, name)).mode & 0o077)).toEqual([0, 0])

  const again = runDoor('serve', ['--port', '0', '--data-dir', dataDir])
  const later = await openBrowser(addressIn(await again.line()))
  await later.call(sessionRoutes.signIn, { body: { email: 'ann@example.com', password: 'correct horse' } })
  expect((await later.call(recordRoutes.getTrades, { query: { userId } })).trades.map(({ id }) => id)).toEqual(['t'])
})

test.skipIf(process.platform === 'win32')('started by npm, it stops cleanly even if only the shell in between gets the signal', { tags: 'long' }, async () => {
  const dataDir = testFolder()
  const shell = runUnderShell('serve', ['--port', '0', '--data-dir', dataDir])
  const address = addressIn(await shell.line())
  shell.kill('SIGTERM')
  await expect.poll(() => fetch(address).then(() => 'answers', () => 'gone'), { timeout: 10_000 }).toBe('gone')
  await expect.poll(() => readdirSync(dataDir)).not.toContain('journal.db-wal')
})

test('serve --demo opens the demo profile', { tags: 'long' }, async () => {
  const door = runDoor('serve', ['--port', '0', '--demo', '--data-dir', testFolder()])
  const browser = await openBrowser(addressIn(await door.line()))
  expect(await browser.call(sessionRoutes.session)).toMatchObject({ demo: true, currentUser: { uid: 'demo' } })
})

test('start prints one line on why there is no window, and serves the browser', async () => {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  const door = runScript('start', [], { FILLBOOK_DATA_DIR: testFolder(), FILLBOOK_PORT: String(port) })
  expect(await door.line()).toMatch(/^Fillbook runs in your browser \((there is no display here|the desktop runtime is not available here)\)/)
  const url = addressIn(await door.line())
  expect(new URL(url).port).toBe(String(port))
  expect(await (await openBrowser(url)).call(sessionRoutes.session)).toMatchObject({ currentUser: null })
})

test("start takes another port each time unless one is set, and a browser's data from one start is useless at the next", { tags: ['long', 'nightly'] }, async () => {
  const dataDir = testFolder()
  const begin = async () => {
    const door = runScript('start', [], { FILLBOOK_DATA_DIR: dataDir })
    await door.line()
    return { door, address: addressIn(await door.line()) }
  }
  const one = await begin()
  const browser = await openBrowser(one.address)
  await browser.signUp()
  one.door.kill('SIGTERM')
  expect(await one.door.ended).toBe(0)
  const two = await begin()
  expect([one, two].map(({ address }) => new URL(address).port)).not.toContain('47615')
  expect(new URL(two.address).port).not.toBe(new URL(one.address).port)
  const kept = ownAt(browser, new URL(two.address))
  for (const path of [sessionRoutes.session.path, recordRoutes.getTrades.path]) {
    const answer = await fetch(new URL(path, two.address), { headers: kept })
    expect([path, answer.status]).toEqual([path, 401])
  }
})

test('a wrong setting stops the start with its name, shape and remedy, and code 2', async () => {
  const door = runDoor('serve', ['--data-dir', testFolder()], { FILLBOOK_PORT: 'ninety', FILLBOOK_LOGLEVEL: 'info', FILLBOOK_TRADOVATE_CLIENT_SECRET: '' })
  expect(await door.ended).toBe(2)
  const { stdout, stderr } = door.output()
  expect(stdout).toBe('')
  expect(stderr).toContain('FILLBOOK_PORT\n    must be a whole number from 1024 to 65535')
  expect(stderr).toContain('Was FILLBOOK_LOG_LEVEL meant?')
  expect(stderr).not.toMatch(/^\s+at /m)
})

test('a wrong setting is reported with its place, even if another place wins', async () => {
  const dataDir = testFolder()
  writeFileSync(join(dataDir, 'settings.json'), JSON.stringify({ FILLBOOK_DEMO: 'maybe' }))
  const door = runDoor('serve', ['--port', '0', '--data-dir', dataDir], { FILLBOOK_PORT: '80', FILLBOOK_UNHEARD_OF: '1' })
  expect(await door.ended).toBe(2)
  const { stderr } = door.output()
  expect(stderr).toContain(`Correct it in ${join(dataDir, 'settings.json')}`)
  expect(stderr).toMatch(/FILLBOOK_PORT\n {4}must be .*\n {4}Correct it in the environment/)
  expect(stderr).toContain('Remove it from the environment.\n')
})

test.each([['serve', ['--prot', '1'], 'usage: npm run serve'], ['start', ['--help'], 'usage: npm start']] as const)('an unknown argument of %s prints the usage', async (program, args, usage) => {
  const door = runDoor(program, args)
  expect(await door.ended).toBe(2)
  expect(door.output().stderr).toContain(usage)
})

test('an occupied port is reported plainly, and the journal is left alone', async () => {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const dataDir = testFolder()
  const door = runDoor('serve', ['--port', String(port), '--data-dir', dataDir])
  expect(await door.ended).toBe(1)
  expect(door.output().stderr).toContain(`port ${String(port)}\n    must be free`)
  expect(door.output().stderr).not.toMatch(/^\s+at /m)
  expect(readdirSync(dataDir)).toEqual([])
})

test.runIf(process.getuid?.() === 0)("files of another user in the data folder are reported plainly and not used, and the folder's permissions are tightened", async () => {
  const dataDir = testFolder()
  chmodSync(dataDir, 0o777)
  mkdirSync(join(dataDir, 'backups'))
  chownSync(join(dataDir, 'backups'), 65_534, 65_534)
  const refused = runDoor('serve', ['--port', '0', '--data-dir', dataDir])
  expect(await refused.ended).toBe(1)
  expect(refused.output().stderr).toContain(`${join(dataDir, 'backups')}\n    must be owned by you, and writable by you alone\n`)
  expect(refused.output().stderr).not.toMatch(/^\s+at /m)
  expect([readdirSync(dataDir), statSync(dataDir).mode & 0o777]).toEqual([['backups'], 0o755])
})

test.skipIf(process.platform === 'win32')('a data folder whose name cannot be part of a log path is reported plainly', async () => {
  const dataDir = join(testFolder(), 'what? now')
  const door = runDoor('serve', ['--port', '0', '--data-dir', dataDir])
  expect(await door.ended).toBe(1)
  expect(door.output().stderr).toContain(`${dataDir}\n    must be a path without any of < > : " | ? *\n`)
  expect(door.output().stderr).not.toMatch(/^\s+at /m)
})

test('a damaged journal and a file in place of the folder are reported plainly', { tags: ['long', 'nightly'] }, async () => {
  const damaged = testFolder()
  writeFileSync(join(damaged, 'journal.db'), 'this is no database, and long enough to be looked at as one '.repeat(50))
  const one = runDoor('serve', ['--port', '0', '--data-dir', damaged])
  expect(await one.ended).toBe(1)
  expect(one.output().stderr).toContain('must be an undamaged journal')
  const folder = testFolder()
  writeFileSync(join(folder, 'file'), '')
  const other = runDoor('serve', ['--port', '0', '--data-dir', join(folder, 'file')])
  expect(await other.ended).toBe(1)
  expect(other.output().stderr).toContain('must be a folder that can be written to')
  expect(other.output().stderr).not.toMatch(/^\s+at /m)
  if (process.platform !== 'linux') return
  // Plain Node would retry forever to create a folder there.
  const nowhere = runDoor('serve', ['--port', '0', '--data-dir', '/proc/fillbook'])
  expect(await nowhere.ended).toBe(1)
  expect(nowhere.output().stderr).toContain('must be a folder that can be written to')
})

const cents = z.string().regex(/^-?\d+\.\d\d$/)
const report = z.strictObject({
  accounts: z.int(),
  fills: z.int(),
  pairs: z.int(),
  trips: z.int(),
  grossPnl: cents.nullable(),
  commission: cents.nullable(),
  netPnl: cents.nullable(),
  byTradingDay: z.array(z.strictObject({ account: z.string(), tradingDay: z.iso.date(), currency: z.string().optional(), grossPnl: cents, commission: cents, netPnl: cents })),
  byCurrency: z.array(z.strictObject({ currency: z.string(), grossPnl: cents, commission: cents, netPnl: cents })).optional(),
  mirrored: z.int().nullable(),
  receipt: syncReceipt.omit({ trades: true }).extend({ trips: syncReceipt.shape.trades }),
})
const inCents = (text: string): number => Math.round(Number(text) * 100)

const runDemo = async (start: typeof runScript, dataDir: string) => {
  const door = start('demo', ['--json', '--data-dir', dataDir])
  expect([await door.ended, door.output().stderr]).toEqual([0, ''])
  return report.parse(JSON.parse(door.output().stdout))
}

test('demo runs the main flow, and a second run on the same folder adds nothing', { tags: 'long', timeout: 300_000 }, async () => {
  const dataDir = join(testFolder(), 'new')
  const { receipt: first, ...totals } = await runDemo(runScript, dataDir)
  const { receipt: second, ...again } = await runDemo(runDoor, dataDir)
  expect(again).toEqual(totals)
  expect(totals).toMatchObject({ accounts: 5, fills: first.fills.added, pairs: first.pairs.added })
  expect(totals.fills).toBeGreaterThan(500)
  expect(totals.mirrored).toBeGreaterThan(totals.fills + totals.pairs)
  expect(first).toMatchObject({ outcome: 'complete', logins: 2, accounts: 5, refused: [], troubles: [] })
  expect(second).toMatchObject({ outcome: 'complete', fills: { added: 0, changed: 0 }, pairs: { added: 0, changed: 0, removed: 0 }, trips: { added: 0, changed: 0, removed: 0 }, outbox: 0 })
  expect(new Set(totals.byTradingDay.map(({ tradingDay }) => tradingDay)).size).toBe(12)
  // The days of each currency add up to its sums, but for the cent to which each row is rounded.
  const sums = totals.byCurrency ?? [{ currency: undefined, netPnl: totals.netPnl ?? '' }]
  for (const { currency, netPnl } of sums) {
    const days = totals.byTradingDay.filter((row) => row.currency === currency)
    expect(Math.abs(days.reduce((sum, day) => sum + inCents(day.netPnl), 0) - inCents(netPnl))).toBeLessThanOrEqual(days.length)
  }
})

test.runIf(isNightly)('demo logins that lost their access are reconnected', { tags: 'long', timeout: 300_000 }, async () => {
  const dataDir = join(testFolder(), 'new')
  const { receipt: _, ...totals } = await runDemo(runDoor, dataDir)
  rmSync(join(dataDir, 'secrets.enc'))
  const { receipt, ...reconnected } = await runDemo(runDoor, dataDir)
  expect(reconnected).toEqual(totals)
  expect(receipt).toMatchObject({ outcome: 'complete', fills: { added: 0, changed: 0 } })
})

test('a demo cloud that does not start has no figures, and breaks nothing else', { tags: ['long', 'nightly'] }, async () => {
  const dataDir = testFolder()
  mkdirSync(join(dataDir, 'demo'))
  writeFileSync(join(dataDir, 'demo', 'cloud'), 'in the way of its folder')
  const door = runDoor('demo', ['--json', '--data-dir', dataDir])
  expect([await door.ended, door.output().stderr]).toEqual([0, ''])
  expect(report.parse(JSON.parse(door.output().stdout))).toMatchObject({ accounts: 5, mirrored: null, receipt: { outcome: 'complete' } })
})

test('demo without a folder prints a table and leaves nothing behind, also with closed plan gates', { tags: ['long', 'nightly'] }, async () => {
  const temporary = testFolder()
  mkdirSync(join(temporary, 'tmp'))
  const door = runDoor('demo', [], { TMPDIR: join(temporary, 'tmp'), FILLBOOK_DEMO_ACCESS: 'closed' })
  expect(await door.ended).toBe(0)
  const lines = door.output().stdout.split('\n')
  expect(lines[0]).toMatch(/^Trading day +Account +Gross P&L +Commissions & fees +Net P&L$/)
  expect(lines.filter((line) => /^\d{4}-\d\d-\d\d {2}/.test(line)).length).toBeGreaterThan(40)
  expect(door.output().stdout).toMatch(/5 accounts, \d+ fills, \d+ fill pairs \(first in, first out\) in \d+ trades/)
  expect(lines.at(-2)).toMatch(/^The cloud holds \d+ of its records\.$/)
  expect(readdirSync(join(temporary, 'tmp'))).toEqual([])
})

test('a secret from the environment is in no file of the data folder in plain form', { tags: 'long' }, async () => {
  const dataDir = testFolder()
  const secret = 'own-secret-8d2f11'
  const door = runDoor('serve', ['--port', '0', '--data-dir', dataDir], { FILLBOOK_TRADOVATE_CLIENT_ID: 'own', FILLBOOK_TRADOVATE_CLIENT_SECRET: secret })
  const browser = await openBrowser(addressIn(await door.line()))
  expect((await browser.call(sessionRoutes.session)).brokerageReady).toBe(true)
  door.kill('SIGTERM')
  expect(await door.ended).toBe(0)
  const files = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  expect(files.length).toBeGreaterThan(2)
  for (const file of files) expect([file.name, readFileSync(join(file.parentPath, file.name), 'latin1').includes(secret)]).toEqual([file.name, false])
})

test('a program whose output pipe is closed finishes its work', { tags: ['long', 'nightly'] }, async () => {
  const door = runScript('demo', ['--data-dir', testFolder()])
  door.hearNoMore()
  expect(await door.ended).toBe(0)
})
