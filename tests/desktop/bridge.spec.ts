import { expect, type Page } from '@playwright/test'
import type { DesktopBridge } from '#shared/bridge/desktop-bridge.ts'
import { until } from '#tests/helpers/until.ts'
import { test, windowState } from './desktop-test.ts'

type WithBridge = { fillbookDesktop: DesktopBridge }

const shape = (page: Page) =>
  page.evaluate(() => {
    const { fillbookDesktop: bridge } = globalThis as unknown as { fillbookDesktop: Record<string, Record<string, unknown>> }
    return Object.fromEntries(Object.entries(bridge).map(([name, part]) => [name, Object.entries(part).map(([key, value]) => `${key}: ${typeof value}`)]))
  })

test('the page gets exactly the bridge of the contract, and can not change it', async ({ shared }) => {
  const page = await shared.page()
  // Typed: a key that the contract gains or loses does not compile here.
  const wanted = {
    theme: { current: 'function', set: 'function', onChange: 'function' },
    shell: { settings: 'function', change: 'function', speak: 'function', openDiagnostics: 'function', restart: 'function' },
  } satisfies { [Part in keyof DesktopBridge]: Record<keyof DesktopBridge[Part], 'function'> }
  expect(await shape(page)).toEqual(Object.fromEntries(Object.entries(wanted).map(([name, part]) => [name, Object.keys(part).map((key) => `${key}: function`)])))
  expect(await page.evaluate(() => {
    const bridge = (globalThis as unknown as WithBridge).fillbookDesktop
    const property = Object.getOwnPropertyDescriptor(globalThis, 'fillbookDesktop')
    return [Object.isFrozen(bridge), Object.isFrozen(bridge.theme), Object.isFrozen(bridge.shell), property?.writable, property?.configurable]
  })).toEqual([true, true, true, false, false])
})

test('the page has no access to Node or Electron', async ({ shared }) => {
  const page = await shared.page()
  const reached = await page.evaluate(() => {
    const names = ['require', 'process', 'module', 'Buffer', 'ipcRenderer', 'electron', 'contextBridge', 'global', '__dirname', 'electronRequire']
    return names.filter((name) => name in globalThis)
  })
  expect(reached).toEqual([])
  // Its functions belong to the page's own world: from them there is no way into the preload's.
  expect(await page.evaluate(() => {
    const { fillbookDesktop } = globalThis as unknown as { fillbookDesktop: { theme: { current: { constructor: { constructor: (code: string) => () => unknown } } } } }
    return fillbookDesktop.theme.current.constructor === (Function as unknown)
  })).toBe(true)
})

test("the bridge exists only on the app's own origin, in pages that the desktop loaded", async ({ shared }) => {
  const page = await shared.page()
  await page.locator('body').waitFor({ state: 'attached' })
  const frames = await page.evaluate(async () => {
    const frame = document.createElement('iframe')
    document.body.append(frame)
    const { contentWindow: inside } = frame
    const found = inside !== null && 'fillbookDesktop' in inside
    frame.remove()
    return found
  })
  expect(frames).toBe(false)
})

test('unknown bridge calls are refused, and logged without their content', async ({ shared }) => {
  const page = await shared.page()
  const refused = await page.evaluate(async () => {
    const { theme, shell } = (globalThis as unknown as WithBridge).fillbookDesktop
    const wrong: (() => Promise<unknown>)[] = [
      () => theme.set('pink' as 'dark'),
      () => theme.set(undefined as unknown as 'dark'),
      () => shell.change({ staysInTray: 'yes' } as never),
      () => shell.change({ other: true } as never),
      () => shell.speak('x'.repeat(21)),
      () => shell.speak(7 as never),
    ]
    return Promise.all(wrong.map((call) => call().then(() => 'answered', (error: Error) => error.message)))
  })
  expect(refused).toEqual(refused.map(() => expect.stringContaining('refused') as unknown))
})

test.describe('theme', () => {
  test('dark to begin with, behind the page too: nothing flashes', { tag: '@nightly' }, async ({ start }) => {
    const desktop = await start({ osTheme: 'light' })
    // From the first look on: the window does not show before it has something to show.
    const shown = await until(async () => {
      const seen = await desktop.inMain(({ BrowserWindow, nativeTheme }) => BrowserWindow.getAllWindows().map((window) => ({ visible: window.isVisible(), loading: window.webContents.getURL() === '' || window.webContents.getURL() === 'about:blank', ground: window.getBackgroundColor(), source: nativeTheme.themeSource })), null).catch(() => [])
      const [window] = seen
      if (window !== undefined && window.loading) expect(window.visible).toBe(false)
      return window?.visible === true ? window : null
    }, 'the window')
    expect(shown.ground.toLowerCase()).toContain('0b0d10')
    expect(shown.source).toBe('dark')
    const page = await desktop.page()
    await expect(page.locator('html')).toHaveClass(/dark/)
    expect(await page.evaluate(() => (globalThis as unknown as WithBridge).fillbookDesktop.theme.current())).toBe('dark')
  })

  test('the page switches the desktop, the system the page, and the choice outlives a restart', { tag: '@nightly' }, async ({ start, dataDir }) => {
    const first = await start({ osTheme: 'light' })
    const page = await first.page()
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    const set = (mode: 'dark' | 'light' | 'system') => page.evaluate((wanted) => (globalThis as unknown as WithBridge).fillbookDesktop.theme.set(wanted), mode)
    expect(await set('light')).toBe('light')
    expect(await first.inMain(({ nativeTheme }) => [nativeTheme.themeSource, nativeTheme.shouldUseDarkColors], null)).toEqual(['light', false])
    expect(await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)).toBe(false)
    expect(await set('dark')).toBe('dark')
    expect(await set('system')).toBe('light')

    // The system becomes dark at nightfall.
    await page.evaluate(() => {
      const heard: string[] = []
      Object.assign(globalThis, { heard, endHearing: (globalThis as unknown as WithBridge).fillbookDesktop.theme.onChange((shown) => heard.push(shown)) })
    })
    const becomes = (dark: boolean) =>
      first.inMain(({ nativeTheme }, isDark) => {
        Object.defineProperty(nativeTheme, 'shouldUseDarkColors', { configurable: true, get: () => isDark })
        nativeTheme.emit('updated')
      }, dark)
    const heard = () => page.evaluate(() => (globalThis as unknown as { heard: string[] }).heard)
    await becomes(true)
    await expect.poll(heard).toEqual(['dark'])
    await becomes(false)
    await expect.poll(heard).toEqual(['dark', 'light'])
    await page.evaluate(() => (globalThis as unknown as { endHearing: () => void }).endHearing())
    await becomes(true)
    await set('light')
    expect(await heard()).toEqual(['dark', 'light'])
    await first.close()

    const second = await start({ osTheme: 'dark', dataDir })
    await second.page()
    await expect.poll(async () => (await windowState(second))?.ground.toLowerCase()).toContain('f6f7f9')
    expect(await second.inMain(({ nativeTheme }) => nativeTheme.themeSource, null)).toBe('light')
  })
})
