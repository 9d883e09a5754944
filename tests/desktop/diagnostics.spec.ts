import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { strFromU8, unzipSync } from 'fflate'
import { appendFileSync, existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { DesktopBridge } from '#shared/bridge/desktop-bridge.ts'
import { diagnosticsGlobal } from '#shared/bridge/diagnostics-bridge.ts'
import type { Desktop } from '#tests/helpers/electron/desktop.ts'
import { until } from '#tests/helpers/until.ts'
import { test as desktopTest } from './desktop-test.ts'

type WithBridge = { fillbookDesktop: DesktopBridge }
type WithDiagnostics = { fillbookDiagnostics: { ask: (question: string) => Promise<unknown> } }

const isDiagnostics = (page: Page): boolean => page.url().startsWith('data:text/html')

/** Opens the window as the app's page does, and gives its page once its figures stand there. */
const openDiagnostics = async (desktop: Desktop): Promise<Page> => {
  const main = await desktop.page()
  await main.waitForFunction(() => 'fillbookDesktop' in globalThis)
  await main.evaluate(() => (globalThis as unknown as WithBridge).fillbookDesktop.shell.openDiagnostics())
  const page = await until(() => desktop.pages().find(isDiagnostics), 'the Diagnostics window')
  await page.locator('tbody tr').first().waitFor()
  return page
}

/** Presses a key, and again if it had no effect: the stub blocks the page during a synchronous request, every two seconds, and Chromium drops keys pressed meanwhile. */
const press = (page: Page, key: string, isDone: () => Promise<boolean> | boolean): Promise<void> =>
  expect(async () => {
    // The page may be gone before the key is up again.
    await page.keyboard.press(key).catch(() => undefined)
    await expect.poll(isDone, { timeout: 5_000 }).toBe(true)
  }).toPass({ timeout: 60_000 })

const isClosed = (desktop: Desktop): boolean => !desktop.pages().some(isDiagnostics)

const closeIt = (desktop: Desktop, page: Page): Promise<void> => press(page, 'Escape', () => isClosed(desktop))

// The older way, which needs no page beside this one.
const findings = async (page: Page): Promise<string[]> => (await new AxeBuilder({ page }).setLegacyMode().analyze()).violations.map(({ id }) => id)

/** The Diagnostics window of the shared desktop, closed behind each test. */
const test = desktopTest.extend<{ opened: Page }>({
  opened: async ({ shared }, use) => {
    await use(await openDiagnostics(shared))
    for (const page of shared.pages().filter(isDiagnostics)) await closeIt(shared, page)
  },
})

/** The data folder of a desktop, which its own files lie in. */
const folderOf = async (desktop: Desktop): Promise<string> => dirname(await desktop.inMain(({ app }) => app.getPath('userData'), null))

const valueOf = (page: Page, name: string) => page.locator('dt', { hasText: new RegExp(`^${name}$`) }).locator('+ dd')

test.describe('what it shows', () => {
  test('versions, places and processes, and one window at a time', { tag: '@nightly' }, async ({ shared: desktop, opened: page }) => {
    const dataDir = await folderOf(desktop)
    await expect(page).toHaveTitle('Diagnostics')
    await expect(valueOf(page, 'Node.js')).toHaveText(await desktop.inMain(() => process.versions.node, null))
    await expect(valueOf(page, 'Fillbook')).toHaveText(await desktop.inMain(({ app }) => app.getVersion(), null))
    await expect(valueOf(page, 'Data folder')).toHaveText(dataDir)
    await expect(valueOf(page, 'Journal')).toHaveText(join(dataDir, 'journal.db'))
    const main = page.getByRole('row', { name: /^Main program/ })
    await expect(main.getByRole('cell').first()).toHaveText(String(await desktop.inMain(() => process.pid, null)))
    await expect(main).toContainText(/\d MB/)

    // Asked for again, the one that is there comes forward.
    const windows = () => desktop.inMain(({ BrowserWindow }) => BrowserWindow.getAllWindows().length, null)
    const before = await windows()
    await (await desktop.page()).evaluate(() => (globalThis as unknown as WithBridge).fillbookDesktop.shell.openDiagnostics())
    expect(await windows()).toBe(before)
    await closeIt(desktop, page)
    await expect.poll(windows).toBe(before - 1)
    await closeIt(desktop, await openDiagnostics(desktop))
  })

  test('the figures are renewed, and the end of the log is shown as text', { tag: '@nightly' }, async ({ shared: desktop, opened: page }) => {
    const dataDir = await folderOf(desktop)
    const log = page.getByRole('region', { name: 'End of the log' })
    await expect(log).toContainText('Fillbook started')
    const [file = ''] = readdirSync(join(dataDir, 'logs')).filter((name) => name.startsWith('fillbook'))
    appendFileSync(join(dataDir, 'logs', file), `${JSON.stringify({ level: 30, time: '2999-01-01T00:00:00.000Z', msg: '<img src=x id=planted> <b>bold</b>' })}\n`)
    await expect(log).toContainText('<img src=x id=planted> <b>bold</b>')
    await expect(page.locator('#planted')).toHaveCount(0)
    await expect(log.locator('*')).toHaveCount(0)
  })

  test('it can be used by keyboard and by a screen reader, in both looks and both languages', { tag: '@nightly' }, async ({ shared: desktop, opened: page }) => {
    for (const look of ['dark', 'light'] as const) {
      await desktop.inMain(({ nativeTheme }, wanted) => { nativeTheme.themeSource = wanted }, look)
      await expect.poll(() => page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(look === 'dark' ? 'rgb(11, 13, 16)' : 'rgb(246, 247, 249)')
      expect(await findings(page)).toEqual([])
    }
    // Keys reach the page in front.
    await page.bringToFront()
    const focused = (): Promise<string> => page.evaluate(() => (document.activeElement?.id === 'log' ? 'log' : (document.activeElement?.textContent ?? '')))
    for (const next of ['Open Data Folder', 'Copy Versions', 'Save Support Bundle…', 'log']) {
      const before = await focused()
      await press(page, 'Tab', async () => (await focused()) !== before)
      expect(await focused()).toBe(next)
    }

    await (await desktop.page()).evaluate(() => (globalThis as unknown as WithBridge).fillbookDesktop.shell.speak('ml-IND'))
    await expect(page).toHaveTitle('ഡയഗ്നോസ്റ്റിക്സ്')
    await expect(page.locator('html')).toHaveAttribute('lang', 'ml-IN')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('ഡയഗ്നോസ്റ്റിക്സ്')
    expect(await findings(page)).toEqual([])
    // As it was, for the tests behind this one.
    await desktop.inMain(({ nativeTheme }) => { nativeTheme.themeSource = 'dark' }, null)
    await (await desktop.page()).evaluate(() => (globalThis as unknown as WithBridge).fillbookDesktop.shell.speak('en'))
    await expect(page).toHaveTitle('Diagnostics')
  })
})

test.describe('what it does', () => {
  test('opens the data folder, and copies the versions', async ({ shared: desktop, opened: page }) => {
    const dataDir = await folderOf(desktop)
    await page.getByRole('button', { name: 'Open Data Folder' }).click()
    await expect(page.getByRole('status')).toHaveText('Data folder opened.')
    expect(desktop.recorded()).toContainEqual({ what: 'open-path', path: dataDir })
    await page.getByRole('button', { name: 'Copy Versions' }).click()
    await expect(page.getByRole('status')).toHaveText('Versions copied.')
    expect(await desktop.inMain(({ clipboard }) => clipboard.readText(), null)).toMatch(/^Fillbook \d+\.\d+\.\d+\nElectron .+\nChromium .+\nNode\.js 2\d.+\nSystem .+$/)
  })

  test('saves a support bundle without personal data', { tag: '@nightly' }, async ({ start, dataDir }) => {
    const file = join(dataDir, 'bundle.zip')
    const desktop = await start({ answers: { showSaveDialog: [{ canceled: true, filePath: '' }, { canceled: false, filePath: file }, { canceled: false, filePath: join(dataDir, 'none', 'bundle.zip') }] } })
    const main = await desktop.page()
    await main.getByRole('link', { name: 'Create one' }).click()
    await main.getByLabel('Email').fill('quirina.vexler@wombatmail.example')
    await main.getByLabel('Password', { exact: true }).fill('correct horse battery')
    await main.getByRole('button', { name: 'Create profile' }).click()
    await expect(main.getByLabel('Email')).toHaveCount(0)
    appendFileSync(join(dataDir, 'logs', readdirSync(join(dataDir, 'logs')).find((name) => name.startsWith('fillbook')) ?? ''), `${JSON.stringify({ level: 50, time: new Date().toISOString(), msg: 'sync failed', error: { name: 'Error', message: `nothing for Quirina.Vexler%40Wombatmail.example below ${dataDir}`, stack: 'Error\n    at sync (main.js:1:2)' } })}\n`)

    const page = await openDiagnostics(desktop)
    const save = page.getByRole('button', { name: 'Save Support Bundle…' })
    const status = page.getByRole('status')
    await save.click()
    await until(() => desktop.recorded().find((one) => one.what === 'dialog' && one.kind === 'showSaveDialog'), 'the dialog')
    await expect(status).toHaveText('')
    expect(existsSync(file)).toBe(false)
    await save.click()
    await expect(status).toHaveText('Support bundle saved.')
    const files = Object.fromEntries(Object.entries(unzipSync(readFileSync(file))).map(([name, bytes]) => [name, strFromU8(bytes)]))
    expect(Object.keys(files).toSorted()).toEqual(['about.json', 'journal.json', 'log.ndjson', 'settings.json'])
    expect(JSON.parse(files['journal.json'] ?? '')).toMatchObject({ rows: { profiles: expect.any(Number) as unknown as number } })
    expect(files['log.ndjson']).toContain('sync failed')
    expect(Object.values(files).join('\n')).not.toMatch(/quirina|vexler|wombat/i)
    expect(Object.values(files).join('\n')).not.toContain(dataDir)
    await save.click()
    await expect(status).toHaveText(/could not be saved/)
  })
})

test.describe('what it cannot do', () => {
  /** Sends a message of @electron/remote as if it came from the page of a window, and returns the answer. */
  const remote = (desktop: Desktop, from: 'main' | 'diagnostics', channel: string, ...args: unknown[]) =>
    desktop.inMain(
      ({ BrowserWindow, ipcMain }, given) => {
        const window = BrowserWindow.getAllWindows().find(({ webContents }) => webContents.getURL().startsWith('data:') === (given.from === 'diagnostics'))
        if (window === undefined) throw new Error(`There is no window of ${given.from}`)
        const event = { sender: window.webContents, senderFrame: window.webContents.mainFrame, frameId: 1, returnValue: undefined as { type: string; id?: number; value?: { value?: Error } } | undefined }
        const heard = ipcMain.emit(given.channel, event, 'context', ...given.args)
        const answer = event.returnValue
        return { heard, type: answer?.type ?? null, id: answer?.id ?? null, why: answer?.value?.value?.message ?? null }
      },
      { from, channel, args },
    )

  const everything = [
    ['REMOTE_BROWSER_REQUIRE', 'fs'], ['REMOTE_BROWSER_GET_BUILTIN', 'app'], ['REMOTE_BROWSER_GET_BUILTIN', 'shell'], ['REMOTE_BROWSER_GET_GLOBAL', 'process'],
    ['REMOTE_BROWSER_GET_CURRENT_WINDOW'], ['REMOTE_BROWSER_GET_CURRENT_WEB_CONTENTS'],
  ] as const

  test('the main window has no access through @electron/remote, before and while Diagnostics is open', { tag: '@long' }, async ({ start }) => {
    const desktop = await start()
    await desktop.page()
    // Nobody listens before the window was opened.
    expect(await remote(desktop, 'main', 'REMOTE_BROWSER_GET_GLOBAL', diagnosticsGlobal)).toMatchObject({ heard: false, type: null })
    await openDiagnostics(desktop)
    for (const [channel, ...args] of [...everything, ['REMOTE_BROWSER_GET_GLOBAL', diagnosticsGlobal], ['REMOTE_BROWSER_FUNCTION_CALL', 1, []], ['REMOTE_BROWSER_MEMBER_GET', 1, 'constructor']] as const) {
      expect(await remote(desktop, 'main', channel, ...args), channel).toMatchObject({ heard: true, type: 'exception', why: expect.stringContaining('disabled for this WebContents') as unknown as string })
    }
    const page = await desktop.page()
    expect(await page.evaluate(() => ['fillbookDiagnostics', 'require', 'process'].filter((name) => name in globalThis))).toEqual([])
  })

  test('Diagnostics itself can call one function, and nothing through it', async ({ shared: desktop, opened: page }) => {
    for (const [channel, ...args] of everything) expect(await remote(desktop, 'diagnostics', channel, ...args), `${channel} ${args.join()}`).toMatchObject({ type: 'exception', why: expect.stringMatching(/^Blocked/) as unknown as string })
    const { type, id } = await remote(desktop, 'diagnostics', 'REMOTE_BROWSER_GET_GLOBAL', diagnosticsGlobal)
    expect(type).toBe('function')
    for (const name of ['constructor', '__proto__', 'call', 'apply', 'bind', 'prototype']) expect(await remote(desktop, 'diagnostics', 'REMOTE_BROWSER_MEMBER_GET', id, name), name).toMatchObject({ type: 'value', id: null })
    expect(await remote(desktop, 'diagnostics', 'REMOTE_BROWSER_FUNCTION_CALL', id, [{ type: 'value', value: 'log' }])).toMatchObject({ type: 'value', id: null })
    // Its page has the bridge alone.
    expect(await page.evaluate(() => [Object.keys((globalThis as unknown as WithDiagnostics).fillbookDiagnostics), ['require', 'process', 'ipcRenderer', 'fillbookDesktop', 'module', 'Buffer'].filter((name) => name in globalThis)])).toEqual([['ask'], []])
    expect(await page.evaluate(() => (globalThis as unknown as WithDiagnostics).fillbookDiagnostics.ask('opening').then((answer) => answer !== null))).toBe(true)
  })

  test('its page reaches no network, no other page and no window', async ({ shared: desktop, opened: page }) => {
    const pages = desktop.pages().length
    const origin = new URL((await desktop.page()).url()).origin
    const address = page.url()
    expect(await page.evaluate((url) => fetch(url, { mode: 'no-cors' }).then(() => 'reached', () => 'refused'), `${origin}/`)).toBe('refused')
    // The policy of the page is one wall; behind it is another, the session's.
    expect(await desktop.inMain(async ({ BrowserWindow, session }, url) => {
      const other = new BrowserWindow({ show: false, webPreferences: { session: session.fromPartition('diagnostics') } })
      const outcome = await other.loadURL(url).then(() => 'reached', () => 'refused')
      other.destroy()
      return outcome
    }, `${origin}/`)).toBe('refused')

    const windows = () => desktop.inMain(({ BrowserWindow }) => BrowserWindow.getAllWindows().length, null)
    const before = await windows()
    const answered: string[] = []
    page.context().on('response', (response) => answered.push(response.url()))
    await page.evaluate((url) => { setTimeout(() => open(url)) }, `${origin}/`)
    await page.evaluate((url) => { location.href = url }, `${origin}/`)
    await expect.poll(() => page.evaluate(() => document.title)).toBe('Diagnostics')
    expect(page.url()).toBe(address)
    expect(await windows()).toBe(before)
    await expect.poll(() => desktop.pages().length).toBe(pages)
    expect(answered.filter((url) => url.startsWith(origin) && !url.startsWith(`${origin}/api/`))).toEqual([])
  })
})
