import { join } from 'node:path'
import { app, powerMonitor } from 'electron'
import { startBackend } from '#backend/backend.ts'
import type { StartProblem } from '#backend/start-problem.ts'
import { openLog } from '#backend/log.ts'
import type { Settings } from '#backend/settings.ts'
import type { Log } from '#shared/base/log.ts'
import type { watchArrivals } from './arrivals.ts'
import { bundlePlaces } from './bundle.ts'
import { startUtility } from './child.ts'
import { createCrashBox } from './crash.ts'
import { createKeepAwake } from './keep-awake.ts'
import { hardenPages } from './permissions.ts'
import { holdQuit } from './quit.ts'
import { registerProgram } from './register.ts'
import { openShell } from './shell.ts'
import { openShellStore } from './shell-state.ts'
import { startTheme } from './theme.ts'
import { startUpdates } from './updates.ts'
import { createWords, systemLanguage } from './words.ts'

/** Says what is wrong with the settings, and what to do. */
export const sayWrongSettings = (problems: readonly StartProblem[]): void => {
  const words = createWords(systemLanguage(app.getPreferredSystemLanguages()))
  createCrashBox({ words, logsDir: null, log: silent }).startFailed(problems)
}

/** Runs the program behind its window and its tray, and gives the address it answers at; null where it could not start, which is said in a box. */
export const runDesktop = async (settings: Settings, arrivals: ReturnType<typeof watchArrivals>): Promise<string | null> => {
  const { dataDir } = settings
  const logsDir = join(dataDir, 'logs')
  const places = bundlePlaces()
  const ends: (() => unknown)[] = []
  // A folder that takes no log takes no journal either: the backend says so.
  const { log, close } = await openLog(logsDir, settings.logLevel, 'desktop').catch(() => ({ log: silent, close: () => Promise.resolve() }))
  ends.push(close)
  const store = openShellStore(join(dataDir, 'desktop.json'), log)
  const words = createWords(store.read().language ?? systemLanguage(app.getPreferredSystemLanguages()))
  const crash = createCrashBox({ words, logsDir, log })
  process.on('uncaughtException', crash.mainFailed)
  process.on('unhandledRejection', crash.mainFailed)
  const quitting = holdQuit(app, async () => {
    // What can not end keeps nothing else from ending, the journal above all.
    for (let end = ends.pop(); end !== undefined; end = ends.pop()) await Promise.resolve().then(end).catch((error: unknown) => log.error({ error }, 'A part did not stop cleanly'))
  }, log)
  // Without a window the program goes on in its tray.
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
  // Also where it is asked to quit while it still starts.
  ends.push(async () => {
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
  ends.push(() => powerMonitor.off('resume', backend.woke))
  const shell = openShell({ backend, settings, places, logsDir, store, words, theme, crash, quitting, log })
  ends.push(shell.stop)
  comeForward = shell.comeForward
  arrivals.hear(shell.arrive)
  ends.push(await startUpdates({ feedUrl: settings.updatesUrl, log, words, openWindow: () => shell.comeForward(null) }))
  log.info({ version: app.getVersion() }, 'The desktop started')
  return backend.url
}

const silent: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }

/** Quits when the computer shuts down or its user logs off: the earlier it begins to stop, the less has to wait for it. */
const quitWithSystem = (): void => {
  const quit = (): void => app.quit()
  powerMonitor.on('shutdown', quit)
  // Windows tells its windows alone, and asks no program whether it may be quit.
  app.on('browser-window-created', (_event, window) => window.on('session-end', quit))
}
