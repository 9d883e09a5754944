import type { DesktopBridge } from '#shared/bridge/desktop-bridge.ts'
import { logFailure } from './log-failure.ts'

/** The desktop around the page; null in a browser. */
export const desktop: DesktopBridge | null = (globalThis as { fillbookDesktop?: DesktopBridge }).fillbookDesktop ?? null

/** Sets the desktop's language, by code, so that menus, tray and notices match the page; does nothing in a browser. */
export const setDesktopLanguage = (language: string): void => {
  desktop?.shell.speak(language).catch((failure: unknown) => { logFailure('The desktop does not take the language', failure) })
}
