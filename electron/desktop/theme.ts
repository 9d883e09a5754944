import { nativeTheme } from 'electron'
import type { ThemeMode } from '#shared/bridge/desktop-bridge.ts'
import type { ShellStore } from './shell-state.ts'

/** The window's background until the page paints: equals `--ground` in renderer/ui/tokens.css (tested). */
export const grounds = { dark: '#0b0d10', light: '#f6f7f9' } as const

/** The theme of all windows; title bars and pages follow it. */
export type Theme = ReturnType<typeof startTheme>

/** Applies the saved theme. Call before creating any window, so that none flashes. */
export const startTheme = (store: ShellStore) => {
  const shown = (): 'dark' | 'light' => (nativeTheme.shouldUseDarkColors ? 'dark' : 'light')
  nativeTheme.themeSource = store.read().theme
  const hearing: ((shown: 'dark' | 'light') => void)[] = []
  let last = shown()
  // Electron sends `updated` for other changes too.
  nativeTheme.on('updated', () => {
    if (shown() === last) return
    last = shown()
    for (const listener of hearing) listener(last)
  })
  return {
    shown,
    /** The background color until the page paints. */
    ground: (): string => grounds[shown()],
    /** Saves the choice, applies it, and returns the theme that shows now. */
    choose: (mode: ThemeMode): 'dark' | 'light' => {
      if (store.read().theme !== mode) store.change({ theme: mode })
      nativeTheme.themeSource = mode
      return shown()
    },
    /** Calls back on every change of the shown theme, whatever caused it. */
    onChange: (listener: (shown: 'dark' | 'light') => void): void => void hearing.push(listener),
  }
}
