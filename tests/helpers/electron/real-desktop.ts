import { join } from 'node:path'
import { _electron } from '@playwright/test'
import { findRuntime } from '#cli/desktop-runtime.ts'
import { until } from '../until.ts'
import type { Desktop, StartDesktop } from './desktop.ts'
import { recorderFile, recordsOf } from './records.ts'

const root = new URL('../../..', import.meta.url).pathname

/** Why the real desktop can not run here, by name; null where it can. */
export const whyNoRuntime = (): string | null => {
  // The runtime is looked for wherever there might be a display.
  if (findRuntime(root, { DISPLAY: ':0', ...process.env }, process.platform).found !== 'program') return 'not run: no Electron runtime'
  return findRuntime(root, process.env, process.platform).found === 'program' ? null : 'not run: no display'
}

/** Starts the desktop in Electron itself. */
export const startRealDesktop: StartDesktop = async (bundle, start) => {
  const { env, recorded } = recordsOf(start)
  let output = ''
  const app = await _electron.launch({ args: ['-r', recorderFile, bundle, ...(start.words ?? [])], env: Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined)), cwd: join(bundle) })
  const child = app.process()
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text: string) => (output += text))
  const gone = new Promise<number | null>((resolve) => child.once('exit', (code) => { resolve(code) }))
  const desktop: Desktop = {
    pages: () => app.windows(),
    page: () => until(() => app.windows().find((page) => /^https?:/.test(page.url())), 'the app’s window'),
    inMain: (run, argument) => app.evaluate(run as never, argument) as never,
    recorded,
    output: () => output,
    gone,
    close: async () => {
      await app.evaluate(({ app: running }) => { running.quit() }).catch(() => undefined)
      const slow = setTimeout(() => child.kill('SIGKILL'), 20_000)
      await gone
      clearTimeout(slow)
    },
  }
  await desktop.inMain(({ nativeTheme }, osTheme) => {
    // No test may change the looks of the machine that it runs on.
    if (osTheme !== null) Object.defineProperty(nativeTheme, 'shouldUseDarkColors', { configurable: true, get: () => (nativeTheme.themeSource === 'system' ? osTheme === 'dark' : nativeTheme.themeSource === 'dark') })
  }, start.osTheme ?? null)
  return desktop
}
