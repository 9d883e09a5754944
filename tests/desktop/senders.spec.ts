import { expect } from '@playwright/test'
import { channels } from '#shared/bridge/channels.ts'
import type { Desktop } from '#tests/helpers/electron/desktop.ts'
import { temporaryFolder } from '#tests/helpers/running-app.ts'
import { until } from '#tests/helpers/until.ts'
import { appOrigin, test as base } from './desktop-test.ts'
import { consentAt, startPlace, type Place } from './places.ts'

const rawPreload = new URL('../helpers/electron/raw-preload.cjs', import.meta.url).pathname

/** What the page may ask, with values that the bridge itself would send. */
const asked = [
  [channels.themeCurrent], [channels.themeSet, 'light'], [channels.shellSettings], [channels.shellChange, { staysInTray: false }], [channels.shellSpeak, 'ml-IND'], [channels.shellOpenDiagnostics], [channels.shellRestart],
] as const satisfies readonly (readonly [string, ...unknown[]])[]

const test = base.extend<object, { besideABroker: { readonly desktop: Desktop; readonly broker: Place } }>({
  besideABroker: [
    async ({ starterFor }, use) => {
      const [broker, folder] = await Promise.all([startPlace(), temporaryFolder()])
      const { start, end } = starterFor(folder.path)
      await use({ desktop: await start({ env: consentAt(broker) }), broker })
      await end()
      await Promise.all([broker.close(), folder.remove()])
    },
    { scope: 'worker' },
  ],
})

/** Calls a channel's handler with the real frame of a page as its sender, and returns the outcome. */
const callAs = (desktop: Desktop, frame: 'main' | 'inside', message: readonly [string, ...unknown[]]) =>
  desktop.inMain(async ({ BrowserWindow }, [which, [channel, ...values]]) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents
    const senderFrame = which === 'main' ? contents?.mainFrame : contents?.mainFrame.frames[0]
    if (contents === undefined || senderFrame === undefined) throw new Error('There is no such frame')
    const handler = recorded.handlers.get(channel)
    if (handler === undefined) throw new Error(`Nobody answers ${channel}`)
    try {
      await handler({ sender: contents, senderFrame }, ...values)
      return 'answered'
    } catch (error) {
      return (error as Error).message
    }
  }, [frame, message] as const)

const unharmed = async (desktop: Desktop): Promise<void> => {
  expect(await desktop.inMain(({ nativeTheme, BrowserWindow }) => [nativeTheme.themeSource, BrowserWindow.getAllWindows().length], null)).toEqual(['dark', 1])
}

test('every channel that a page may use is among those tried here', { tag: '@long' }, async ({ besideABroker: { desktop } }) => {
  await desktop.page()
  const answered = await desktop.inMain(() => [...recorded.handlers.keys()], null)
  expect(answered.toSorted()).toEqual(asked.map(([channel]) => channel).toSorted())
})

test('a frame inside the app’s own page is refused', async ({ besideABroker: { desktop } }) => {
  const page = await desktop.page()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await page.evaluate(() => { document.body.append(Object.assign(document.createElement('iframe'), { id: 'inside', srcdoc: 'inside' })) })
  await page.frameLocator('#inside').getByText('inside').waitFor()
  for (const message of asked) expect(await callAs(desktop, 'inside', message), message[0]).toBe('refused')
  await page.evaluate(() => document.getElementById('inside')?.remove())
  await unharmed(desktop)
  // The same call of the page itself is answered: it was the frame that was refused.
  expect(await callAs(desktop, 'main', [channels.themeCurrent])).toBe('answered')
})

test('the brokerage’s page in the same window is refused', async ({ besideABroker: { desktop, broker } }) => {
  const page = await desktop.page()
  await page.evaluate((to) => { location.href = to }, `${broker.origin}/frame?${encodeURIComponent(`${broker.origin}/inside`)}`)
  await page.frameLocator('iframe').getByRole('heading', { name: 'Elsewhere /inside' }).waitFor()
  for (const frame of ['main', 'inside'] as const) for (const message of asked) expect(await callAs(desktop, frame, message), message[0]).toBe('refused')
  await unharmed(desktop)
  await page.goto(`${await appOrigin(desktop)}/`)
})

test('calls from another window are refused, even on the app’s own origin', async ({ besideABroker: { desktop, broker } }) => {
  await desktop.page()
  for (const address of [`${await appOrigin(desktop)}/favicon.svg`, `${broker.origin}/other-window`]) {
    await desktop.inMain(async ({ BrowserWindow }, [url, preload]) => {
      await new BrowserWindow({ show: false, webPreferences: { preload, contextIsolation: true, sandbox: true } }).loadURL(url)
    }, [address, rawPreload] as const)
    const other = await until(() => desktop.pages().find((page) => page.url() === address), 'the other window')
    const answers = await other.evaluate((messages) => Promise.all(messages.map(([channel, ...values]) => (globalThis as unknown as { raw: { invoke: (channel: string, ...values: unknown[]) => Promise<[string, string]> } }).raw.invoke(channel, ...values))), asked)
    expect(answers).toEqual(asked.map(([channel]) => ['refused', `Error invoking remote method '${channel}': Error: refused`]))
    await desktop.inMain(({ BrowserWindow }, url) => { BrowserWindow.getAllWindows().find(({ webContents }) => webContents.getURL() === url)?.destroy() }, address)
  }
  await unharmed(desktop)
})
