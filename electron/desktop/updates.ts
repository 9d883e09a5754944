import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { app } from 'electron'
import type { Log } from '#shared/base/log.ts'
import { showNotice } from './notices.ts'
import { watchForUpdates } from './update-checks.ts'
import type { Words } from './words.ts'

/**
 * Keeps an installed program up to date from `feedUrl`, or from the packed feed if that is null:
 * downloads a newer version, announces it by a notification, and installs it on quit. Does nothing if the
 * program is not installed or has no feed. Returns a function that stops it.
 */
export const startUpdates = async ({ feedUrl, log, words, openWindow }: { readonly feedUrl: string | null; readonly log: Log; readonly words: Words; readonly openWindow: () => void }): Promise<() => void> => {
  // Packing with a feed writes this file. It also names the publisher that must sign the installer.
  const packed = app.isPackaged && existsSync(join(process.resourcesPath, 'app-update.yml'))
  if (!packed) return () => undefined
  const { autoUpdater: updater } = await import('electron-updater')
  return watchForUpdates({ updater, feedUrl, log, ready: (version) => showNotice({ title: words('updates.title', { version }), body: words('updates.body'), onClick: openWindow }) })
}
