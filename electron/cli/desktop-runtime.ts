import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'

/** What this computer has for a window. */
export type Runtime =
  | { readonly found: 'program'; readonly program: string }
  /** The package without its binary, which `installer` downloads from `source`. */
  | { readonly found: 'package'; readonly installer: string; readonly source: string }
  | { readonly found: 'nothing'; readonly missing: 'display' | 'runtime' }

/** Looks for the desktop's runtime and a display. Only checks what is installed; importing the runtime's package would start a download. */
export const findRuntime = (root: string, env: NodeJS.ProcessEnv, platform: NodeJS.Platform, arch: string = process.arch): Runtime => {
  if (platform === 'linux' && !env['DISPLAY'] && !env['WAYLAND_DISPLAY']) return { found: 'nothing', missing: 'display' }
  const folder = packageFolder(root)
  if (folder === null) return { found: 'nothing', missing: 'runtime' }
  const program = programIn(folder, env, platform)
  if (program !== null) return { found: 'program', program }
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
  return { found: 'package', installer: join(folder, 'install.js'), source: sourceOf(`v${version}`, `electron-v${version}-${platform}-${arch}.zip`, env) }
}

const packageFolder = (root: string): string | null => {
  try {
    return dirname(createRequire(join(root, 'package.json')).resolve('electron/package.json'))
  } catch {
    return null
  }
}

const programIn = (folder: string, env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string | null => {
  try {
    // The package writes the path of its downloaded binary here.
    const note = join(folder, 'path.txt')
    const name = existsSync(note) ? readFileSync(note, 'utf8').trim() : 'electron'
    const dist = env['ELECTRON_OVERRIDE_DIST_PATH'] ?? (existsSync(note) ? join(folder, 'dist') : null)
    if (dist === null) return null
    const program = join(dist, name)
    accessSync(program, platform === 'win32' ? constants.F_OK : constants.X_OK)
    return program
  } catch {
    return null
  }
}

/** The download URL of the package's installer, from the same variables of npm and the environment. */
const sourceOf = (tag: string, file: string, env: NodeJS.ProcessEnv): string => {
  const given = (name: string): string | undefined => [`npm_config_electron_${name}`, `NPM_CONFIG_ELECTRON_${name.toUpperCase()}`, `npm_package_config_electron_${name}`, `ELECTRON_${name.toUpperCase()}`].map((key) => env[key]).find((value) => value)
  const mirror = given('mirror') ?? 'https://github.com/electron/electron/releases/download/'
  return `${mirror}${(given('custom_dir') ?? tag).replace('{{ version }}', tag.slice(1))}/${given('custom_filename') ?? file}`
}

const probeMs = 3_000
const longestFetchMs = 5 * 60 * 1_000

/** Whether the file at `source` can be downloaded from here, within three seconds. */
export const isReachable = (source: string, patienceMs = probeMs): Promise<boolean> => fetch(source, { method: 'HEAD', signal: AbortSignal.timeout(patienceMs) }).then(({ ok }) => ok, () => false)

/** Runs the runtime package's own installer, with its output on stderr; true if it succeeds. */
export const fetchRuntime = async (installer: string, patienceMs = longestFetchMs): Promise<boolean> => {
  // It is a third party's program: it gets none of our settings, least of all a secret.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('FILLBOOK_')))
  const child = spawn(process.execPath, [installer], { env, stdio: ['ignore', 2, 2], timeout: patienceMs })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code === 0
}

const longestSilenceMs = 60_000
const signals = ['SIGTERM', 'SIGINT'] as const

/** A desktop that has printed its first line, and runs or has handed over to one already running. */
export type DesktopWindow = {
  /** Its first line. */
  readonly line: string
  /** Settles when it has exited, with its exit code; null if a signal ended it. */
  readonly gone: Promise<number | null>
  /** Asks it to quit. */
  readonly quit: () => void
}

/** Starts the runtime `program` on the built bundle and waits for its first line; returns the reason instead, to be part of a sentence, if it exits or stays silent for too long. */
export const openDesktopWindow = (program: string, bundle: string, patienceMs = longestSilenceMs): Promise<DesktopWindow | { readonly failed: string }> => {
  // Some editors set this for programs started in their terminals; then the runtime would be plain Node.
  const child = spawn(program, [bundle], { env: { ...process.env, ELECTRON_RUN_AS_NODE: undefined }, stdio: ['ignore', 'pipe', 'pipe'] })
  let complaint = ''
  createInterface(child.stderr).on('line', (line) => {
    if (line.trim() !== '') complaint = line.trim()
  })
  const gone = new Promise<number | null>((resolve) => {
    child.once('close', (code) => resolve(code))
  })
  // Ending this program before the desktop's first output ends the desktop too.
  const leaveTogether = (): never => {
    child.kill('SIGTERM')
    process.exit(1)
  }
  for (const signal of signals) process.once(signal, leaveTogether)
  return new Promise((resolve) => {
    const give = (result: DesktopWindow | { readonly failed: string }): void => {
      clearTimeout(patience)
      for (const signal of signals) process.off(signal, leaveTogether)
      resolve(result)
    }
    const patience = setTimeout(() => {
      child.kill('SIGKILL')
      give({ failed: `the desktop did not respond for ${String(patienceMs / 1_000)} seconds` })
    }, patienceMs)
    createInterface(child.stdout).on('line', (line) => {
      if (line.startsWith('Fillbook ')) give({ line, gone, quit: () => void child.kill('SIGTERM') })
    })
    child.once('error', ({ message }) => give({ failed: `the desktop could not be started: ${message}` }))
    void gone.then((code) => give({ failed: `the desktop exited at once, with ${code === null ? 'a signal' : `code ${String(code)}`}${complaint === '' ? '' : `: ${complaint.slice(0, 200)}`}` }))
  })
}
