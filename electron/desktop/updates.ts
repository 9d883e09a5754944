import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { app } from 'electron'
import type { AppUpdater } from 'electron-updater'
import type { Log } from '#shared/base/log.ts'
import { showNotice } from './notices.ts'
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

/** Time between two update checks. */
export const checkIntervalMs = 6 * 60 * 60 * 1_000

/** The part of electron-updater that update checks need. */
type Updater = Pick<AppUpdater, 'checkForUpdates' | 'setFeedURL' | 'on' | 'logger' | 'requestHeaders' | 'autoDownload' | 'autoInstallOnAppQuit' | 'allowDowngrade'>

/** Dependencies of update checks. */
type UpdateWatch = {
  readonly updater: Updater
  /** Null to use the feed that the program was packed with. */
  readonly feedUrl: string | null
  readonly log: Log
  /** Called once per downloaded version, which installs on quit. */
  readonly ready: (version: string) => void
}

/** Checks for updates now and every six hours, and downloads in the background; failures are only logged. Returns a function that stops the checks. */
export const watchForUpdates = ({ updater, feedUrl, log, ready }: UpdateWatch): (() => void) => {
  const announced = new Set<string>()
  updater.logger = loggerOf(log)
  updater.autoDownload = true
  updater.autoInstallOnAppQuit = true
  updater.allowDowngrade = false
  // By default the updater sends an id per computer, by which a feed could track it.
  updater.requestHeaders = { 'x-user-staging-id': 'none' }
  if (feedUrl !== null) updater.setFeedURL({ provider: 'generic', url: feedUrl })
  // The logger reports it; without a listener, it would be thrown.
  updater.on('error', () => undefined)
  updater.on('update-downloaded', ({ version }) => {
    if (announced.has(version)) return
    announced.add(version)
    ready(version)
  })
  const check = (): void => {
    updater.checkForUpdates().then(
      (found) => found?.downloadPromise?.catch(() => undefined),
      () => undefined,
    )
  }
  check()
  const timer = setInterval(check, checkIntervalMs)
  timer.unref()
  return () => clearInterval(timer)
}

const loggerOf = (log: Log): AppUpdater['logger'] => {
  const say = (level: 'debug' | 'info' | 'warn') => (said?: unknown) => log[level]({ said: String(said) }, 'updates')
  // An unreachable feed is not an error of the program.
  return { debug: say('debug'), info: say('info'), warn: say('warn'), error: say('warn') }
}
