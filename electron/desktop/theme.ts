import { nativeTheme } from 'electron'
import type { ThemeMode } from '#shared/bridge/desktop-bridge.ts'
import { grounds } from './grounds.ts'
import type { ShellStore } from './shell-state.ts'

/** The theme of all windows; title bars and pages follow it. */
export type Theme = {
  readonly shown: () => 'dark' | 'light'
  /** The background color until the page paints. */
  readonly ground: () => string
  /** Saves the choice, applies it, and returns the theme that shows now. */
  readonly choose: (mode: ThemeMode) => 'dark' | 'light'
  /** Calls back on every change of the shown theme, whatever caused it. */
  readonly onChange: (hear: (shown: 'dark' | 'light') => void) => void
}

/** Applies the saved theme. Call before creating any window, so that none flashes. */
export const startTheme = (store: ShellStore): Theme => {
  const shown = (): 'dark' | 'light' => (nativeTheme.shouldUseDarkColors ? 'dark' : 'light')
  nativeTheme.themeSource = store.read().theme
  const hearing: ((shown: 'dark' | 'light') => void)[] = []
  let last = shown()
  // Electron sends `updated` for other changes too.
  nativeTheme.on('updated', () => {
    if (shown() === last) return
    last = shown()
    for (const hear of hearing) hear(last)
  })
  return {
    shown,
    ground: () => grounds[shown()],
    choose: (mode) => {
      if (store.read().theme !== mode) store.change({ theme: mode })
      nativeTheme.themeSource = mode
      return shown()
    },
    onChange: (hear) => void hearing.push(hear),
  }
}
