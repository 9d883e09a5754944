import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { app, powerMonitor, powerSaveBlocker, utilityProcess } from 'electron'
import { startBackend } from '#backend/backend.ts'
import { openLog } from '#backend/log.ts'
import type { StartChild } from '#backend/node-child.ts'
import type { Settings } from '#backend/settings.ts'
import type { StartProblem } from '#backend/start-problem.ts'
import type { Log } from '#shared/base/log.ts'
import { bundlePlaces } from './bundle.ts'
import { createCrashBox } from './crash.ts'
import { registerLinks, type watchArrivals } from './deep-link.ts'
import { nameForNotices } from './notices.ts'
import { hardenPages } from './permissions.ts'
import { delayQuit, quitWithSystem } from './quit.ts'
import { openShell } from './shell.ts'
import { openShellStore } from './shell-state.ts'
import { startTheme } from './theme.ts'
import { startUpdates } from './updates.ts'
import { createWords, systemLanguage } from './words.ts'

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
    for (let cleanUp = cleanups.pop(); cleanUp !== undefined; cleanUp = cleanups.pop()) await Promise.resolve().then(cleanUp).catch((error: unknown) => log.error({ error }, 'part failed to stop'))
  }, log)
  // The program keeps running in the tray without a window.
  app.on('window-all-closed', () => undefined)
  quitWithSystem()
  nameForNotices()
  registerLinks()
  hardenPages()
  const theme = startTheme(store)

  let comeForward: (route: string | null) => void = () => undefined
  const starting = startBackend({
    settings,
    paths: places.backend,
    version: app.getVersion(),
    now: () => Date.now(),
    broken: crash.backendBroke,
    startChild: startUtility,
    keepAwake: createKeepAwake(),
    comeForward: (route) => comeForward(route),
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

/** Starts a Node program as an Electron utility process, because the packed executable cannot run plain files. */
const startUtility: StartChild = (entry, args, env) => {
  const child = utilityProcess.fork(entry, [...args], { env: withoutGaps(env), stdio: ['ignore', 'pipe', 'ignore'], serviceName: 'Fillbook' })
  const gone = new Promise<number | null>((resolve) => {
    child.once('exit', (code) => resolve(code))
  })
  return {
    lines: linesOf(child),
    gone,
    end: () => void child.kill(),
    kill: () => {
      if (child.pid !== undefined) killNow(child.pid)
    },
  }
}

async function* linesOf(child: Electron.UtilityProcess): AsyncIterable<string> {
  if (child.stdout === null) await once(child, 'spawn')
  if (child.stdout !== null) yield* createInterface({ input: child.stdout })
}

const withoutGaps = (env: NodeJS.ProcessEnv): Record<string, string> => Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined))

const killNow = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    // It may have exited already.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
