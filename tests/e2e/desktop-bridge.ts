import type { Page } from '@playwright/test'
import type { DesktopBridge, ShellSettings, ThemeMode } from '#shared/bridge/desktop-bridge.ts'

/** A desktop as the page sees it; the test changes what it answers, and `calls` lists the calls that it received, in order. */
export type StatedDesktop = {
  readonly calls: string[]
  /** How the desktop shows where it follows the system. */
  system: 'dark' | 'light'
  mode: ThemeMode
  settings: ShellSettings
  /** Whether it answers at all, or refuses. */
  answers: 'always' | 'never' | 'refusing'
  /** The operating system changes, or the desktop's own menu. */
  readonly change: (shown: 'dark' | 'light') => Promise<void>
}

/** Offers a desktop to every page that is loaded from now on. It keeps its state over reloads, begins dark, and stays in the tray. */
export const offerDesktop = async (page: Page): Promise<StatedDesktop> => {
  const desktop: StatedDesktop = {
    calls: [],
    system: 'dark',
    mode: 'dark',
    settings: { startsWithSystem: false, staysInTray: true },
    answers: 'always',
    change: async (shown) => {
      desktop.system = shown
      await page.evaluate((mode) => { window.dispatchEvent(new CustomEvent('desktop-changed', { detail: mode })) }, shown)
    },
  }
  const shown = (): 'dark' | 'light' => (desktop.mode === 'system' ? desktop.system : desktop.mode)
  const answer = (name: string, given: unknown): unknown => {
    if (name === 'theme.set') desktop.mode = given as ThemeMode
    if (name === 'shell.change') desktop.settings = { ...desktop.settings, ...(given as Partial<ShellSettings>) }
    return name.startsWith('theme.') ? shown() : name === 'shell.settings' || name === 'shell.change' ? desktop.settings : undefined
  }
  await page.exposeFunction('askDesktop', (name: string, given: unknown) => {
    desktop.calls.push(given === null ? name : `${name} ${JSON.stringify(given)}`)
    if (desktop.answers === 'refusing') throw new Error('refused')
    return desktop.answers === 'never' ? new Promise(() => undefined) : answer(name, given)
  })
  await page.addInitScript(() => {
    const ask = (name: string, given: unknown = null): Promise<never> => (window as unknown as { askDesktop: (name: string, given: unknown) => Promise<never> }).askDesktop(name, given)
    const bridge: DesktopBridge = {
      theme: {
        current: () => ask('theme.current'),
        set: (mode) => ask('theme.set', mode),
        onChange: (listener) => {
          const hear = (event: Event): void => { listener((event as CustomEvent<'dark' | 'light'>).detail) }
          window.addEventListener('desktop-changed', hear)
          return () => { window.removeEventListener('desktop-changed', hear) }
        },
      },
      shell: {
        settings: () => ask('shell.settings'),
        change: (changes) => ask('shell.change', changes),
        speak: (language) => ask('shell.speak', language),
        openDiagnostics: () => ask('shell.openDiagnostics'),
        restart: () => ask('shell.restart'),
      },
    }
    Object.assign(window, { fillbookDesktop: bridge })
    // The two always change together.
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', ({ matches }) => {
      window.dispatchEvent(new CustomEvent('desktop-changed', { detail: matches ? 'dark' : 'light' }))
    })
  })
  return desktop
}
