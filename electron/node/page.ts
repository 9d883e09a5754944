import { join } from 'node:path'
import type { Built } from './built.ts'

/** The page that the backend serves, as the doors build it. */
export const pageOf = (root: string): Built => ({
  root,
  name: 'page',
  sources: ['renderer', 'shared', 'build', 'docs', 'tsconfig.base.json', 'package.json', 'package-lock.json'],
  // The native loader writes no file beside the configuration.
  build: (fresh) => [join('node_modules', 'vite', 'bin', 'vite.js'), 'build', '--config', join('build', 'vite.config.ts'), '--configLoader', 'native', '--outDir', fresh, '--emptyOutDir', '--logLevel', 'warn'],
  failed: (code) => `The page could not be built (vite ended with ${String(code)}, see above).`,
})
