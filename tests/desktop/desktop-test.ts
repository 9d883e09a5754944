import { test as base, type Page } from '@playwright/test'
import { desktopBundle } from '../../build/desktop-bundle.ts'
import { ensureBrowser } from '../../build/ensure-browser.ts'
import type { Desktop, DesktopStart, ElectronModule } from '#tests/helpers/electron/desktop.ts'
import { startRealDesktop, whyNoRuntime } from '#tests/helpers/electron/real-desktop.ts'
import { startStubDesktop } from '#tests/helpers/electron/stub-desktop.ts'
import { temporaryFolder } from '#tests/helpers/running-app.ts'
import { until } from '#tests/helpers/until.ts'

/** Where the desktop of a test runs: behind the stub of Electron with a real Chromium, or in Electron itself. */
export type WorldOption = { world: 'stub' | 'electron' }

/** Starts a desktop that ends with whoever asked for it. */
export type Starter = (start?: Partial<DesktopStart>) => Promise<Desktop>

/** Makes a starter for a data folder, and what ends all that it started. */
export type StarterFor = (dataDir: string) => { readonly start: Starter; readonly end: () => Promise<void> }

const noRuntime = whyNoRuntime()

const starter = (world: WorldOption['world']): StarterFor => (dataDir) => {
  const started: Desktop[] = []
  const startIn = world === 'stub' ? startStubDesktop(ensureBrowser()) : startRealDesktop
  return {
    start: async (given = {}) => {
      const desktop = await startIn(desktopBundle, { dataDir, ...given })
      started.push(desktop)
      return desktop
    },
    end: async () => { for (const desktop of started) await desktop.close() },
  }
}

/** Tests of the desktop: `start` starts one for the test, with its data in `dataDir`, and `shared` is one for all tests of a file that leave it unchanged. Where Electron's runtime is missing, its world is not run. */
export const test = base.extend<{ runtime: undefined; dataDir: string; start: Starter }, WorldOption & { starterFor: StarterFor; sharedStart: Partial<DesktopStart>; shared: Desktop }>({
  world: ['stub', { option: true, scope: 'worker' }],
  starterFor: [async ({ world }, use) => { await use(starter(world)) }, { scope: 'worker' }],
  sharedStart: [{}, { option: true, scope: 'worker' }],
  runtime: [
    async ({ world }, use, testInfo) => {
      testInfo.skip(world === 'electron' && noRuntime !== null, noRuntime ?? '')
      await use(undefined)
    },
    { auto: true },
  ],
  dataDir: async ({}, use) => {
    const folder = await temporaryFolder()
    await use(folder.path)
    await folder.remove()
  },
  start: async ({ starterFor, dataDir }, use) => {
    const { start, end } = starterFor(dataDir)
    await use(start)
    await end()
  },
  shared: [
    async ({ starterFor, sharedStart }, use) => {
      const folder = await temporaryFolder()
      const { start, end } = starterFor(folder.path)
      await use(await start(sharedStart))
      await end()
      await folder.remove()
    },
    { scope: 'worker' },
  ],
})

/** The app's own origin, once the desktop reported that it is ready. */
export const appOrigin = (desktop: Desktop): Promise<string> => until(() => /ready at (http:\/\/127\.0\.0\.1:\d+)/.exec(desktop.output())?.[1], 'the ready line')

/** Signs the app's window in to the demo profile. */
export const enterDemo = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Try it with the demo brokerage' }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
}

/** How things stand with the app's window. */
export const windowState = (desktop: Desktop) =>
  desktop.inMain(({ BrowserWindow }: ElectronModule) => {
    const window = BrowserWindow.getAllWindows().find(({ webContents }) => webContents.getURL().startsWith('http'))
    return window === undefined ? null : { visible: window.isVisible(), title: window.getTitle(), url: window.webContents.getURL(), bounds: window.getNormalBounds(), maximised: window.isMaximized(), ground: window.getBackgroundColor() }
  }, null)

/** The labels of the tray's menu of now. */
export const trayLabels = (desktop: Desktop): readonly string[] => {
  const menu = desktop.recorded().findLast((one) => one.what === 'tray-menu')
  return menu?.items.map(({ label }) => label).filter((label) => label !== '') ?? []
}

/** Clicks an entry of the tray's menu, once it is there. */
export const clickTray = (desktop: Desktop, label: string): Promise<true> =>
  until(() => desktop.inMain((_electron, wanted) => {
    const found = recorded.trays[0]?.recordedMenu.items.find((item) => item.label === wanted)
    found?.click()
    return found ? true : null
  }, label), `${label} in the tray`)
