import type { AppUpdater } from 'electron-updater'
import type { Log } from '#shared/base/log.ts'

/** How long the program waits between two looks for a newer version. */
export const betweenLooksMs = 6 * 60 * 60 * 1_000

/** What the looks for newer versions need of electron-updater. */
export type Updater = Pick<AppUpdater, 'checkForUpdates' | 'setFeedURL' | 'on' | 'logger' | 'requestHeaders' | 'autoDownload' | 'autoInstallOnAppQuit' | 'allowDowngrade'>

/** Dependencies of update checks. */
export type UpdateWatch = {
  readonly updater: Updater
  /** Null for the feed that the program was packed with. */
  readonly feedUrl: string | null
  readonly log: Log
  /** Told once a version that lies ready to be installed when the program ends. */
  readonly ready: (version: string) => void
}

/** Looks for a newer version now and every six hours, and fetches it in the background; what goes wrong is only logged. Gives back the function that ends it. */
export const watchForUpdates = ({ updater, feedUrl, log, ready }: UpdateWatch): (() => void) => {
  const told = new Set<string>()
  updater.logger = loggerOf(log)
  updater.autoDownload = true
  updater.autoInstallOnAppQuit = true
  updater.allowDowngrade = false
  // Otherwise each computer would show a number of its own, by which a feed could count and follow it.
  updater.requestHeaders = { 'x-user-staging-id': 'none' }
  if (feedUrl !== null) updater.setFeedURL({ provider: 'generic', url: feedUrl })
  // Said by its logger; without a listener it would be thrown.
  updater.on('error', () => undefined)
  updater.on('update-downloaded', ({ version }) => {
    if (told.has(version)) return
    told.add(version)
    ready(version)
  })
  const look = (): void => {
    updater.checkForUpdates().then(
      (found) => found?.downloadPromise?.catch(() => undefined),
      () => undefined,
    )
  }
  look()
  const looks = setInterval(look, betweenLooksMs)
  looks.unref()
  return () => clearInterval(looks)
}

const loggerOf = (log: Log): AppUpdater['logger'] => {
  const say = (level: 'debug' | 'info' | 'warn') => (said?: unknown) => log[level]({ said: String(said) }, 'updates')
  // A feed that is not reached is no fault of the program.
  return { debug: say('debug'), info: say('info'), warn: say('warn'), error: say('warn') }
}
