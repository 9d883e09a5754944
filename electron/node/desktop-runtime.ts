import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** What a desktop window wants for: the runtime, a display, or the window itself. Looks only at what is installed; importing the runtime's package would start a download. */
export const desktopMissing = (root: string, env: NodeJS.ProcessEnv, platform: NodeJS.Platform): 'runtime' | 'display' | 'window' => {
  if (!hasRuntime(root)) return 'runtime'
  if (platform === 'linux' && !env['DISPLAY'] && !env['WAYLAND_DISPLAY']) return 'display'
  return 'window'
}

const hasRuntime = (root: string): boolean => {
  try {
    const folder = dirname(createRequire(join(root, 'package.json')).resolve('electron/package.json'))
    // The package writes the path of its binary here once that has been fetched.
    return existsSync(join(folder, 'dist', readFileSync(join(folder, 'path.txt'), 'utf8').trim()))
  } catch {
    return false
  }
}
