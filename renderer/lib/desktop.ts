import type { DesktopBridge } from '#shared/bridge/desktop-bridge.ts'

/** The desktop around the page; null in a browser. */
export const desktop: DesktopBridge | null = (globalThis as { fillbookDesktop?: DesktopBridge }).fillbookDesktop ?? null
