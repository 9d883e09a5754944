import type { AppUpdater } from 'electron-updater'
import type { Log } from '#shared/base/log.ts'

/** Time between two update checks. */
export const checkIntervalMs = 6 * 60 * 60 * 1_000

/** The part of electron-updater that update checks need. */
export type Updater = Pick<AppUpdater, 'checkForUpdates' | 'setFeedURL' | 'on' | 'logger' | 'requestHeaders' | 'autoDownload' | 'autoInstallOnAppQuit' | 'allowDowngrade'>

/** Dependencies of update checks. */
export type UpdateWatch = {
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
