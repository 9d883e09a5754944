import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { app } from 'electron'
import type { Log } from '#shared/base/log.ts'
import { showNotice } from './notices.ts'
import { watchForUpdates } from './update-checks.ts'
import type { Words } from './words.ts'

/**
 * Keeps an installed program up to date from `feedUrl`, or from the feed that it was packed with where that is null:
 * a newer version is fetched, announced by a notification, and installed on quit. Does nothing where the
 * program is not installed or has no feed. Gives back the function that ends it.
 */
export const startUpdates = async ({ feedUrl, log, words, openWindow }: { readonly feedUrl: string | null; readonly log: Log; readonly words: Words; readonly openWindow: () => void }): Promise<() => void> => {
  // Packing with a feed leaves this file. It also names whose signature an installer must bear.
  const packed = app.isPackaged && existsSync(join(process.resourcesPath, 'app-update.yml'))
  if (!packed) return () => undefined
  const { autoUpdater: updater } = await import('electron-updater')
  return watchForUpdates({ updater, feedUrl, log, ready: (version) => showNotice({ title: words('updates.title', { version }), body: words('updates.body'), onClick: openWindow }) })
}
