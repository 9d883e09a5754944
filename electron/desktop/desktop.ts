import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { app, powerMonitor, powerSaveBlocker } from 'electron'
import { startBackend } from '#backend/backend.ts'
import type { StartProblem } from '#backend/start-problem.ts'
import { openLog } from '#backend/log.ts'
import type { Settings } from '#backend/settings.ts'
import type { Log } from '#shared/base/log.ts'
import type { watchArrivals } from './arrivals.ts'
import { bundlePlaces } from './bundle.ts'
import { startUtility } from './child.ts'
import { createCrashBox } from './crash.ts'
import { showNotice } from './notices.ts'
import { hardenPages } from './permissions.ts'
import { delayQuit } from './quit.ts'
import { openShell } from './shell.ts'
import { openShellStore } from './shell-state.ts'
import { startTheme } from './theme.ts'
import { watchForUpdates } from './update-checks.ts'
import { createWords, systemLanguage, type Words } from './words.ts'
import { appId } from './app-id.ts'
import { argumentsBeforeLink, scheme } from './deep-link.ts'

/** Shows the problems of the settings and their remedies. */
export const showSettingsProblems = (problems: readonly StartProblem[]): void => {
  const words = createWords(systemLanguage(app.getPreferredSystemLanguages()))
  createCrashBox({ words, logsDir: null, log: silent }).startFailed(problems)
}

/** Starts the backend, the window and the tray. Returns the backend's URL, or null after a failed start, which it reports in a dialog. */
export const runDesktop = async (settings: Settings, arrivals: ReturnType<typeof watchArrivals>): Promise<string | null> => {
  const { dataDir } = settings
  const logsDir = join(dataDir, 'logs')
  const places = bundlePlaces()
  const cleanups: (() => unknown)[] = []
  // If the folder is not writable, the journal fails too, and the backend reports it.
  const { log, close } = await openLog(logsDir, settings.logLevel, 'desktop').catch(() => ({ log: silent, close: () => Promise.resolve() }))
  cleanups.push(close)
  const store = openShellStore(join(dataDir, 'desktop.json'), log)
  const words = createWords(store.read().language ?? systemLanguage(app.getPreferredSystemLanguages()))
  const crash = createCrashBox({ words, logsDir, log })
  process.on('uncaughtException', crash.mainFailed)
  process.on('unhandledRejection', crash.mainFailed)
  const quitting = delayQuit(app, async () => {
    // One failed cleanup must not stop the others, least of all closing the journal.
    for (let cleanUp = cleanups.pop(); cleanUp !== undefined; cleanUp = cleanups.pop()) await Promise.resolve().then(cleanUp).catch((error: unknown) => log.error({ error }, 'a part failed to stop'))
  }, log)
  // The program keeps running in the tray without a window.
  app.on('window-all-closed', () => undefined)
  quitWithSystem()
  registerProgram()
  hardenPages()
  const theme = startTheme(store)

  let comeForward: (place: string | null) => void = () => undefined
  const starting = startBackend({
    settings,
    paths: places.backend,
    version: app.getVersion(),
    now: () => Date.now(),
    broken: crash.backendBroke,
    startChild: startUtility,
    keepAwake: createKeepAwake(),
    comeForward: (place) => comeForward(place),
  })
  // Registered before the await: a quit may come during the start.
  cleanups.push(async () => {
    const started = await starting
    if (started.ok) await started.value.stop()
  })
  const started = await starting
  if (!started.ok) {
    crash.startFailed(started.error)
    return null
  }
  if (quitting()) return null
  const backend = started.value
  powerMonitor.on('resume', backend.woke)
  cleanups.push(() => powerMonitor.off('resume', backend.woke))
  const shell = openShell({ backend, settings, places, logsDir, store, words, theme, crash, quitting, log })
  cleanups.push(shell.stop)
  comeForward = shell.comeForward
  arrivals.listen(shell.arrive)
  cleanups.push(await startUpdates({ feedUrl: settings.updatesUrl, log, words, openWindow: () => shell.comeForward(null) }))
  log.info({ version: app.getVersion() }, 'desktop started')
  return backend.url
}

const silent: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }

/** Quits when the computer shuts down or the user logs off; stopping early gives the backend the most time. */
const quitWithSystem = (): void => {
  const quit = (): void => app.quit()
  powerMonitor.on('shutdown', quit)
  // Windows sends the end of the session only to windows.
  app.on('browser-window-created', (_event, window) => window.on('session-end', quit))
}

/** Blocks automatic sleep between a call with true and one with false; the screen may still turn off. */
const createKeepAwake = (): ((on: boolean) => void) => {
  let blocking: number | null = null
  return (on) => {
    if (on === (blocking !== null)) return
    if (blocking === null) blocking = powerSaveBlocker.start('prevent-app-suspension')
    else {
      powerSaveBlocker.stop(blocking)
      blocking = null
    }
  }
}

/** Registers the program's id and its link scheme with the system. */
const registerProgram = (): void => {
  if (process.platform === 'win32') app.setAppUserModelId(appId)
  // If not installed, the system needs program and folder.
  app.setAsDefaultProtocolClient(scheme, process.execPath, argumentsBeforeLink(app.isPackaged ? null : app.getAppPath()))
}

/**
 * Keeps an installed program up to date from `feedUrl`, or from the packed feed if that is null:
 * downloads a newer version, announces it by a notification, and installs it on quit. Does nothing if the
 * program is not installed or has no feed. Returns a function that stops it.
 */
const startUpdates = async ({ feedUrl, log, words, openWindow }: { readonly feedUrl: string | null; readonly log: Log; readonly words: Words; readonly openWindow: () => void }): Promise<() => void> => {
  // Packing with a feed writes this file. It also names the publisher that must sign the installer.
  const packed = app.isPackaged && existsSync(join(process.resourcesPath, 'app-update.yml'))
  if (!packed) return () => undefined
  const { autoUpdater: updater } = await import('electron-updater')
  return watchForUpdates({ updater, feedUrl, log, ready: (version) => showNotice({ title: words('updates.title', { version }), body: words('updates.body'), onClick: openWindow }) })
}
