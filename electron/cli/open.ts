import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { startBackend } from '#backend/backend.ts'
import type { Backend, Host } from '#backend/host.ts'
import { problemsText } from '#backend/start-problem.ts'
import { readSettings } from '#backend/settings.ts'
import { ensureBuiltAnywhere, pageOf } from './built.ts'
import { leave } from './terminal.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const manifest = z.object({ version: z.string() })

/** Options of a start from the command line. */
export type OpenOptions = {
  readonly dataDir?: string | undefined
  readonly port?: string | undefined
  /** Takes a free port instead of the standard one: another program on that port may have left state in the browser. */
  readonly freshPort?: boolean
  /** False if no one will open the page, so that it need not be built. */
  readonly withPage?: boolean
  /** Overrides the setting, for a temporary data folder. */
  readonly secrets?: 'file'
  /** Overrides the setting, for a demo run that needs access. */
  readonly demoAccess?: 'open'
}

/**
 * Starts the program for a terminal. If it cannot start, prints why in one block on stderr and ends the process: 2 for
 * a wrong setting, 1 otherwise. `given` is for tests: no front door uses it.
 */
export const openBackend = async (options: OpenOptions, given: Pick<Host, 'roleOf' | 'passwordCost'> = {}): Promise<Backend> => {
  const settings = readSettings({ env: process.env, ...options })
  if (!settings.ok) return leave(2, problemsText(settings.error))
  // Child processes and threads do not need them.
  delete process.env['FILLBOOK_TRADOVATE_CLIENT_SECRET']
  delete process.env['FILLBOOK_GOOGLE_CLIENT_SECRET']
  const freshPort = options.freshPort === true && !settings.value.portKnown
  const { version } = manifest.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))
  const started = await startBackend({
    settings: {
      ...settings.value,
      ...(freshPort && { port: 0 }),
      ...(options.secrets && { secrets: options.secrets }),
      ...(options.demoAccess && { demoAccess: options.demoAccess }),
    },
    paths: {
      pages: options.withPage === false ? join(root, 'dist', 'no-page') : await builtPage(),
      migrations: join(root, 'migrations', 'sqlite'),
      cloud: join(root, 'cloud', 'main.ts'),
    },
    version,
    freshPort,
    ...given,
    now: () => Date.now(),
    broken: (part) => leave(1, `Fillbook had to stop: its ${part} thread failed. Everything written until then is safe; start it again. The cause is in ${join(settings.value.dataDir, 'logs')}.`),
  })
  return started.ok ? started.value : leave(1, problemsText(started.error))
}

const builtPage = (): Promise<string> =>
  ensureBuiltAnywhere(pageOf(root)).catch((error: unknown) => leave(1, `Fillbook did not start.\n\n${error instanceof Error ? error.message : 'The page could not be built.'}`))

const longestStopMs = 15_000
const parentLookMs = 200

/** Calls back once the parent process is gone. */
const whenOrphaned = (listener: () => void): void => {
  const parent = process.ppid
  const look = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(look)
    listener()
  }, parentLookMs)
}

/** Stops the program cleanly on a signal, or when the npm that started it ends; a second signal does not wait, and the wait is limited. */
export const stopOnSignal = (backend: Pick<Backend, 'stop'>): void => {
  let asked = false
  const stop = (): void => {
    if (asked) process.exit(1)
    asked = true
    setTimeout(() => leave(1, 'Fillbook did not stop in time and was terminated.'), longestStopMs).unref()
    void backend.stop().then(() => process.exit(0), (error: unknown) => leave(1, `Fillbook did not stop cleanly: ${error instanceof Error ? error.message : 'unknown'}`))
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  // npm passes a signal to its shell, but not every shell passes it on to us: we only see that it is gone.
  if (process.env['npm_lifecycle_event'] !== undefined) whenOrphaned(() => (asked ? undefined : stop()))
}
