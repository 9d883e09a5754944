import { join } from 'node:path'
import { ensureBuilt } from './built.ts'

const folder = join('renderer', 'dist')

/** Where the built page lies below the project's root. */
export const pagesOf = (root: string): string => join(root, folder)

/** The folder of the built page below the project's root, built now where it is missing or older than its sources. */
export const ensurePage = (root: string): Promise<string> =>
  ensureBuilt({
    root,
    sources: ['renderer', 'shared', join('build', 'vite.config.ts'), join('build', 'shipped-packages.json'), 'package.json', 'package-lock.json'],
    folder,
    mark: 'index.html',
    build: (fresh) => [join('node_modules', 'vite', 'bin', 'vite.js'), 'build', '--config', join('build', 'vite.config.ts'), '--outDir', fresh, '--emptyOutDir', '--logLevel', 'warn'],
    failed: (code) => `The page could not be built (vite ended with ${String(code)}, see above).`,
  })
