import type { ThemeMode } from '#shared/bridge/desktop-bridge.ts'
import { create } from 'zustand'
import { desktop } from './desktop.ts'

/** The colours of gain and loss: green and red, or blue and orange. */
export type Palette = 'standard' | 'colour-blind'

type Appearance = { readonly mode: ThemeMode; readonly shown: 'dark' | 'light'; readonly palette: Palette }

const modeKey = 'vite-ui-theme'
const paletteKey = 'fillbook-palette'
const systemDark = matchMedia('(prefers-color-scheme: dark)')

const savedMode = (): ThemeMode => {
  const saved = localStorage.getItem(modeKey)
  return saved === 'dark' || saved === 'light' ? saved : 'system'
}
const resolved = (mode: ThemeMode): 'dark' | 'light' => (mode === 'system' ? (systemDark.matches ? 'dark' : 'light') : mode)

const store = create<Appearance>(() => ({
  mode: savedMode(),
  shown: resolved(savedMode()),
  palette: localStorage.getItem(paletteKey) === 'colour-blind' ? 'colour-blind' : 'standard',
}))

const show = (shown: 'dark' | 'light'): void => {
  document.documentElement.classList.toggle('dark', shown === 'dark')
  store.setState({ shown })
}

const apply = async (mode: ThemeMode): Promise<void> => {
  const told = await desktop?.theme.set(mode)
  if (store.getState().mode === mode) show(mode === 'system' && told ? told : resolved(mode))
}

/** Chooses dark, light or the system's way, tells the desktop, and remembers it. */
export const chooseTheme = (mode: ThemeMode): void => {
  localStorage.setItem(modeKey, mode)
  store.setState({ mode })
  void apply(mode)
}

/** Chooses the colours of gain and loss, and remembers it. */
export const choosePalette = (palette: Palette): void => {
  localStorage.setItem(paletteKey, palette)
  document.documentElement.dataset['palette'] = palette
  store.setState({ palette })
}

/** Shows the saved theme and follows the system from now on; called once at start. */
export const startTheme = (): void => {
  void apply(store.getState().mode)
  const follow = (shown: 'dark' | 'light'): void => {
    if (store.getState().mode === 'system') show(shown)
  }
  if (desktop) desktop.theme.onChange(follow)
  else systemDark.addEventListener('change', () => { follow(resolved('system')) })
}

/** What is chosen, what shows now, and the palette. */
export const useAppearance = (): Appearance => store()
