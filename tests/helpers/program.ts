import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { builtName } from '../../build/built-name.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The file that starts a program: built, as the test run has built it, or the source where none was. `path` is below the project's root. */
export const programFile = (path: string): string => {
  const built = process.env['BUILT_PROGRAMS']
  return built === undefined ? join(root, path) : join(built, builtName(path))
}
