import type { ThemeMode } from '#shared/bridge/desktop-bridge.ts'
import { create } from 'zustand'
import { desktop } from './desktop.ts'
import { logFailure } from './log-failure.ts'

/** The colors of gain and loss: green and red, or blue and orange. */
export type Palette = 'standard' | 'colour-blind'

type Appearance = { readonly mode: ThemeMode; readonly shown: 'dark' | 'light'; readonly palette: Palette }

const modeKey = 'vite-ui-theme'
const paletteKey = 'fillbook-palette'
const systemDark = matchMedia('(prefers-color-scheme: dark)')

const savedMode = (): ThemeMode | null => {
  const saved = localStorage.getItem(modeKey)
  return saved === 'dark' || saved === 'light' || saved === 'system' ? saved : null
}
// In the desktop this media query follows the desktop's theme, so it is good enough until its answer arrives.
const resolved = (mode: ThemeMode): 'dark' | 'light' => (mode === 'system' ? (systemDark.matches ? 'dark' : 'light') : mode)

const store = create<Appearance>(() => ({
  mode: savedMode() ?? 'system',
  shown: resolved(savedMode() ?? 'system'),
  palette: localStorage.getItem(paletteKey) === 'colour-blind' ? 'colour-blind' : 'standard',
}))

const show = (shown: 'dark' | 'light'): void => {
  document.documentElement.classList.toggle('dark', shown === 'dark')
  store.setState({ shown })
}

// The desktop's answer only matters for `system`; without an answer the page stays as it is.
const applyAnswer = async (asked: ThemeMode, answer: Promise<'dark' | 'light'> | undefined): Promise<void> => {
  try {
    const saved = await answer
    if (saved !== undefined && asked === 'system' && store.getState().mode === 'system') show(saved)
  } catch (failure) {
    logFailure('The desktop does not take the theme', failure)
  }
}

/** Chooses dark, light or system, tells the desktop, and saves the choice. */
export const chooseTheme = (mode: ThemeMode): void => {
  localStorage.setItem(modeKey, mode)
  store.setState({ mode })
  show(resolved(mode))
  void applyAnswer(mode, desktop?.theme.set(mode))
}

/** Chooses the colors of gain and loss, and saves the choice. */
export const choosePalette = (palette: Palette): void => {
  localStorage.setItem(paletteKey, palette)
  document.documentElement.dataset['palette'] = palette
  store.setState({ palette })
}

/** Applies the saved theme and follows the system from now on; called once at start. If none is saved, the desktop's own theme is read. */
export const startTheme = (): void => {
  const saved = savedMode()
  show(resolved(saved ?? 'system'))
  const follow = (shown: 'dark' | 'light'): void => {
    if (store.getState().mode === 'system') show(shown)
  }
  if (desktop) desktop.theme.onChange(follow)
  else systemDark.addEventListener('change', () => { follow(resolved('system')) })
  void applyAnswer(saved ?? 'system', saved === null ? desktop?.theme.current() : desktop?.theme.set(saved))
}

/** The chosen theme, the one showing now, and the palette. */
export const useAppearance = (): Appearance => store()
