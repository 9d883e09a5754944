import type { Engine } from './engine.ts'

let engine: Engine | null = null
const dark = { os: process.env['STUB_OS_THEME'] !== 'light', source: 'system' as 'system' | 'light' | 'dark' }

/** Called once Chromium runs. */
export const engineRuns = (running: Engine): void => { engine = running }

/** The engine, which Electron has once the app is ready. */
export const theEngine = (): Engine => {
  if (engine === null) throw new Error('Cannot create BrowserWindow before app is ready')
  return engine
}

/** The looks of the system and of the program; `nativeTheme` keeps them. */
export const looks = dark

/** Whether dark shows now. */
export const showsDark = (): boolean => (dark.source === 'system' ? dark.os : dark.source === 'dark')
