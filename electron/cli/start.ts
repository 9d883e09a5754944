import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureBuilt } from './built.ts'
import { fetchRuntime, findRuntime, isReachable, openDesktopWindow, type DesktopWindow } from './desktop-runtime.ts'
import { openBackend, stopOnSignal } from './open.ts'
import { leave } from './terminal.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const reasons = {
  runtime: 'the desktop runtime is not available here',
  display: 'there is no display here',
}

const ensureBundle = (): Promise<string> =>
  ensureBuilt({
    root,
    name: 'desktop',
    sources: ['electron', 'shared', 'cloud', 'renderer', 'migrations', 'build', 'docs', 'tsconfig.base.json', 'package.json', 'package-lock.json'],
    build: (fresh) => [join('build', 'desktop.ts'), fresh],
    notice: 'Building the desktop app, this once…',
    failed: (code) => `the desktop could not be built (the builder ended with ${String(code)}, see above)`,
  })

/** The path of the runtime's program, downloaded now if possible; null if there is none. */
const fetched = async (installer: string, source: string): Promise<string | null> => {
  if (!(await isReachable(source))) return null
  process.stderr.write('Fetching the desktop runtime, this once…\n')
  if (!(await fetchRuntime(installer))) return null
  const runtime = findRuntime(root, process.env, process.platform)
  return runtime.found === 'program' ? runtime.program : null
}

/** Opens a window, or returns why there is none. */
const openWindow = async (): Promise<DesktopWindow | { readonly failed: string }> => {
  const runtime = findRuntime(root, process.env, process.platform)
  if (runtime.found === 'nothing') return { failed: reasons[runtime.missing] }
  const program = runtime.found === 'program' ? runtime.program : await fetched(runtime.installer, runtime.source)
  if (program === null) return { failed: reasons.runtime }
  const bundle = await ensureBundle().catch((error: unknown) => error as Error)
  return bundle instanceof Error ? { failed: bundle.message } : openDesktopWindow(program, bundle)
}

if (process.argv.length > 2) leave(2, 'usage: npm start\nIts settings come from the environment and from settings.json, as docs/settings.md lists them; npm run serve takes --port and --data-dir.')
const opened = await openWindow()
if ('failed' in opened) {
  const backend = await openBackend({ freshPort: true })
  stopOnSignal(backend)
  console.log(`Fillbook runs in your browser (${opened.failed}). Open this address:`)
  console.log(`Fillbook is ready at ${await backend.launchUrl('anybody')}`)
} else {
  stopOnSignal({
    stop: async () => {
      opened.quit()
      await opened.gone
    },
  })
  console.log(opened.line)
  process.exitCode = (await opened.gone) ?? 1
  process.exit()
}
