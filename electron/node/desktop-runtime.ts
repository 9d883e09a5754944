import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

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
