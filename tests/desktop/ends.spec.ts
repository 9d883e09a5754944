import Sqlite from 'better-sqlite3'
import { expect, type Page } from '@playwright/test'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { syncRoutes } from '#shared/api/sync.ts'
import type { DesktopBridge } from '#shared/bridge/desktop-bridge.ts'
import { connect, postApi, readApi } from '#tests/e2e/broker-test.ts'
import type { Desktop, ElectronModule } from '#tests/helpers/electron/desktop.ts'
import { freePort } from '#tests/helpers/free-port.ts'
import { journalRows } from '#tests/helpers/journal-rows.ts'
import { until } from '#tests/helpers/until.ts'
import { appOrigin, clickTray, enterDemo, test, trayLabels, windowState } from './desktop-test.ts'

const dialogs = (desktop: Desktop) => desktop.recorded().flatMap((one) => (one.what === 'dialog' ? [one] : []))
const answer = (desktop: Desktop, response: number) => desktop.inMain((_electron, chosen) => { recorded.dialogs.shift()?.resolve({ response: chosen, checkboxChecked: false }) }, response)

const integrity = (file: string): unknown => {
  const database = new Sqlite(file, { readonly: true })
  try {
    return database.pragma('integrity_check', { simple: true })
  } finally {
    database.close()
  }
}

type Sync = { readonly running: object | null; readonly last: { readonly runId: string; readonly outcome: string; readonly fills: { readonly added: number } } | null }

/** Syncs until a run finds nothing new. */
const syncToTheEnd = (page: Page): Promise<true> =>
  until(async () => {
    const { running, last } = await readApi<Sync>(page, syncRoutes.syncState.path)
    if (running !== null) return null
    if (last?.outcome === 'complete' && last.fills.added === 0) return true
    await postApi(page, syncRoutes.syncNow.path, {})
    return null
  }, 'a run that finds nothing new')

test('quitting during a sync ends cleanly, and the next start ends with the same rows', { tag: '@nightly' }, async ({ start, dataDir }) => {
  // Three starts, two with the walk of the demo.
  test.slow()
  const [journal, elsewhere] = [dataDir, join(dataDir, 'elsewhere')].map((folder) => join(folder, 'journal.db')) as [string, string]
  const first = await start()
  const page = await first.page()
  await enterDemo(page)
  await connect(page)
  // The process ends after the backend: at that moment the journal is closed, and no call is answered.
  await first.inMain(({ app }, url) => {
    app.once('will-quit', (event) => {
      event.preventDefault()
      const { appendFileSync, existsSync } = process.getBuiltinModule('node:fs')
      // SQLite takes its log away when the last connection is closed.
      const journal = existsSync(`${process.env['FILLBOOK_DATA_DIR'] ?? ''}/journal.db-wal`) ? 'open' : 'closed'
      void fetch(url).then(() => 'answers', () => 'stopped').then((backend) => {
        appendFileSync(process.env['DESKTOP_RECORDS'] ?? '', `${JSON.stringify({ what: 'at-the-end', backend, journal })}\n`)
        app.exit(0)
      })
    })
  }, await appOrigin(first))
  await clickTray(first, 'Sync Trades')
  await until(() => (trayLabels(first).some((label) => label.startsWith('Syncing… ')) ? true : null), 'the run')
  await clickTray(first, 'Quit Fillbook')
  expect(await first.gone).toBe(0)
  expect(first.recorded()).toContainEqual({ what: 'at-the-end', backend: 'stopped', journal: 'closed' })
  expect(integrity(journal)).toBe('ok')

  const second = await start({ dataDir })
  const next = await second.page()
  await enterDemo(next)
  await syncToTheEnd(next)
  await second.close()
  expect(integrity(journal)).toBe('ok')
  const goneOn = journalRows(journal)
  expect(goneOn['fills']?.length).toBeGreaterThan(0)

  // The same walk without an interruption, on a journal of its own.
  const straight = await start({ dataDir: join(dataDir, 'elsewhere') })
  const through = await straight.page()
  await enterDemo(through)
  await connect(through)
  await syncToTheEnd(through)
  await straight.close()
  const { fills, fill_pairs, trades } = journalRows(elsewhere)
  expect({ fills: goneOn['fills'], fill_pairs: goneOn['fill_pairs'], trades: goneOn['trades'] }).toEqual({ fills, fill_pairs, trades })
})

test('a crashed page is reported, and a new window replaces it', { tag: '@nightly' }, async ({ start }) => {
  const desktop = await start()
  const died = await desktop.page()
  await expect.poll(async () => (await windowState(desktop))?.visible).toBe(true)
  await desktop.inMain(({ BrowserWindow }) => { BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer() }, null)
  await expect.poll(() => dialogs(desktop)).toHaveLength(1)
  expect(dialogs(desktop)[0]).toMatchObject({ message: 'The Fillbook window failed.', buttons: ['Restart', 'Show Log', 'Quit'] })
  await answer(desktop, 1)
  await expect.poll(() => desktop.recorded().filter(({ what }) => what === 'open-path')).toHaveLength(1)
  await expect.poll(() => dialogs(desktop)).toHaveLength(2)
  await answer(desktop, 0)
  const page = await until(() => desktop.pages().find((one) => one !== died && one.url().startsWith('http')), 'the new window')
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await expect.poll(async () => (await windowState(desktop))?.visible).toBe(true)
  expect(await desktop.inMain(({ BrowserWindow }) => BrowserWindow.getAllWindows().length, null)).toBe(1)
})

test('an uncaught error is reported, and a restart begins fresh', { tag: '@nightly' }, async ({ start }) => {
  const desktop = await start()
  await desktop.page()
  await desktop.inMain(() => { setImmediate(() => { throw new Error('planted') }) }, null)
  await expect.poll(() => dialogs(desktop)).toHaveLength(1)
  expect(dialogs(desktop)[0]).toMatchObject({ message: 'Something failed inside Fillbook.', buttons: ['Restart', 'Show Log', 'Quit'] })
  await answer(desktop, 0)
  expect(await desktop.gone).toBe(0)
  expect(desktop.recorded().filter(({ what }) => what === 'relaunch')).toHaveLength(1)
})

test('the page can restart the app: running writes finish first', { tag: '@nightly' }, async ({ start }) => {
  const desktop = await start()
  const page = await desktop.page()
  await page.evaluate(() => (globalThis as unknown as { fillbookDesktop: DesktopBridge }).fillbookDesktop.shell.restart()).catch(() => undefined)
  expect(await desktop.gone).toBe(0)
  expect(desktop.recorded().filter(({ what }) => what === 'relaunch')).toHaveLength(1)
})

test('an occupied port is reported with its remedy, and the program can be quit there', { tag: '@nightly' }, async ({ start }) => {
  const port = await freePort()
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const desktop = await start({ env: { FILLBOOK_PORT: String(port) } })
  await expect.poll(() => dialogs(desktop)).toHaveLength(1)
  expect(dialogs(desktop)[0]).toMatchObject({ message: 'Fillbook did not start.', buttons: ['Restart', 'Show Log', 'Quit'] })
  expect(dialogs(desktop)[0]?.detail).toContain(String(port))
  await answer(desktop, 2)
  expect(await desktop.gone).toBe(0)
  server.close()
})

test('a wrong setting is reported before anything else happens', { tag: '@nightly' }, async ({ start }) => {
  const desktop = await start({ env: { FILLBOOK_TIMEZONE: 'Mars/Olympus' } })
  await expect.poll(() => dialogs(desktop)).toHaveLength(1)
  expect(dialogs(desktop)[0]?.detail).toContain('FILLBOOK_TIMEZONE')
  await answer(desktop, 1)
  expect(await desktop.gone).toBe(0)
})

for (const [system, tell] of [
  ['Windows', ({ BrowserWindow }: ElectronModule) => { BrowserWindow.getAllWindows()[0]?.emit('session-end', { reasons: ['shutdown'] }) }],
  ['the other systems', ({ powerMonitor }: ElectronModule) => { powerMonitor.emit('shutdown') }],
] as const) {
  test(`the end of the session on ${system} ends the program cleanly`, { tag: '@nightly' }, async ({ start }) => {
    const desktop = await start()
    await desktop.page()
    await desktop.inMain(tell, null)
    expect(await desktop.gone).toBe(0)
  })
}

test('starting it during shutdown brings it back, with a working window', { tag: '@nightly' }, async ({ start }) => {
  const desktop = await start()
  await desktop.page()
  const link = 'fillbook://payment?payment=cancelled'
  const windows = await desktop.inMain(({ app, BrowserWindow }, word) => {
    app.quit()
    app.emit('second-instance', {}, ['fillbook', word], '/', null)
    recorded.trays[0]?.recordedMenu.items.find(({ label }) => label === 'Open Fillbook')?.click()
    return BrowserWindow.getAllWindows().length
  }, link)
  expect(windows).toBe(1)
  expect(await desktop.gone).toBe(0)
  const again = desktop.recorded().flatMap((one) => (one.what === 'relaunch' ? [one.options as { args: string[] }] : []))
  expect(again.map(({ args }) => args.at(-1))).toEqual([link])
})

test('a quit while it still starts waits for the journal, and opens no window', { tag: '@nightly' }, async ({ start, dataDir }) => {
  const desktop = await start()
  const inTime = await desktop.inMain(({ app }) => {
    const quit = (): void => { setImmediate(() => { app.quit() }) }
    // The first moment at which a quit is held; where it is over, it is a quit like any other.
    const early = app.listenerCount('before-quit') === 0
    if (early) app.on('newListener' as 'ready', (name: unknown) => { if (name === 'before-quit') quit() })
    else quit()
    return early
  }, null)
  expect(await desktop.gone).toBe(0)
  expect(dialogs(desktop)).toEqual([])
  expect(inTime ? trayLabels(desktop) : []).toEqual([])
  expect(integrity(join(dataDir, 'journal.db'))).toBe('ok')
})
