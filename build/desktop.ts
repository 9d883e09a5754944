import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type InlineConfig, type Plugin } from 'vite'
import { z } from 'zod'
import { builtName } from './built-name.ts'
import { diagnosticsPage } from './diagnostics-page.ts'
import { givenSocket, leadToBuilt } from './programs.ts'
import { collectShipped, listFaults, shippedList } from './shipped.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The desktop bundle to pack. */
export const desktopFolder = join(root, 'dist', 'desktop')

/** The only packages shipped as packages: they have native parts, or find files of their own by location. */
const shippedPackages = ['@electric-sql/pglite', '@electric-sql/pglite-prepopulatedfs', '@expo-google-fonts/anek-malayalam', '@expo-google-fonts/inter', 'better-sqlite3', 'keytar'] as const

/** The name of one of them. */
export type ShippedPackage = (typeof shippedPackages)[number]

/** The entry files of the desktop's threads and child processes. */
const beginnings = globSync(['electron/backend/**/{worker,*-worker}.ts', 'cloud/main.ts'], { cwd: root })

/** The threads that every start waits for. */
const beginningsOfJournal: readonly string[] = ['electron/backend/journal/reader-worker.ts', 'electron/backend/journal/writer-worker.ts']

const inRoot = (path: string): string => join(root, path)

// Threads and child processes are beside the archive and not in it: whether they would find their files there depends on the runtime's version.
const unpacked = "import.meta.url.replace('/app.asar/', '/app.asar.unpacked/')"

/** The cloud's migrations are beside the archive when packed, and beside itself otherwise. */
const cloudMigrations: Plugin = {
  name: 'fillbook:cloud-migrations',
  enforce: 'pre',
  transform: (code, id) => {
    if (id !== inRoot('cloud/service.ts')) return null
    const given = "new URL('../migrations/postgres', import.meta.url)"
    if (!code.includes(given)) throw new Error(`cloud/service.ts does not say ${given} any more.`)
    return code.replace(given, "new URL((/\\/app\\.asar(\\.unpacked)?\\//.test(import.meta.url) ? '../' : './') + 'migrations/postgres', import.meta.url)")
  },
}

const importOfBuiltin = /^import (?:(\w+|\* as \w+)(?:, )?)?(?:\{([^}]*)\} )?from "(node:[^"]+)";$/gm

/** Imports only the named exports of Node's modules: a namespace import evaluates all of them, and some (an HTTP client, the browser's cryptography) load for longer than all of Express. */
const namedBuiltins: Plugin = {
  name: 'fillbook:named-builtins',
  renderChunk: (code) =>
    code.replaceAll(importOfBuiltin, (_, whole: string | undefined, names: string | undefined, id: string) => {
      const taken = [whole?.replace('* as ', ''), names === undefined ? undefined : `{ ${names.replaceAll(' as ', ': ')} }`].filter((name) => name !== undefined)
      return taken.map((name) => `const ${name} = process.getBuiltinModule("${id}");`).join(' ')
    }),
}

/** The log rolls by size; all of date-fns would load for dated names that it never uses. */
const datesOfLog: Plugin = {
  name: 'fillbook:dates-of-log',
  enforce: 'pre',
  resolveId: (id, importer) => (id === 'date-fns' && importer?.includes('/pino-roll/') === true ? '\0fillbook:dates-of-log' : null),
  load: (id) => (id === '\0fillbook:dates-of-log' ? ['addDays', 'addHours', 'format', 'isValid', 'parse'].map((name) => `export { ${name} } from ${JSON.stringify(inRoot(`node_modules/date-fns/${name}.js`))}`).join('\n') : null),
}

const backendEntry = 'fillbook:backend'

/** What plain Node needs to start the program without a window. */
const backendDoor: Plugin = {
  name: 'fillbook:backend-door',
  resolveId: (id) => (id === backendEntry ? `\0${id}` : null),
  load: (id) =>
    id === `\0${backendEntry}`
      ? [['startBackend', 'backend'], ['problemsText', 'start-problem'], ['readSettings', 'settings']].map(([name, file]) => `export { ${String(name)} } from ${JSON.stringify(inRoot(`electron/backend/${String(file)}.ts`))}`).join('\n')
      : null,
}

/** One run of the bundler for files that Node or Electron loads. */
const forNode = (folder: string, input: Record<string, string>, output: { readonly format: 'esm' | 'cjs'; readonly chunks: string }, plugins: readonly Plugin[] = []): InlineConfig => ({
  configFile: false,
  root,
  logLevel: 'warn',
  mode: 'production',
  plugins: [leadToBuilt(beginnings, unpacked), givenSocket, ...plugins, ...(output.format === 'esm' ? [namedBuiltins] : [])],
  ssr: { noExternal: true, external: ['electron', ...shippedPackages] },
  build: {
    ssr: true,
    outDir: folder,
    emptyOutDir: false,
    minify: false,
    target: 'node24',
    rollupOptions: {
      input,
      external: [/^electron(\/|$)/],
      output: { format: output.format, entryFileNames: output.format === 'esm' ? '[name].js' : '[name].cjs', chunkFileNames: `${output.chunks}-[hash].js` },
    },
  },
})

const programs = (folder: string): InlineConfig => forNode(folder, { main: inRoot('electron/desktop/main.ts'), backend: backendEntry }, { format: 'esm', chunks: 'main' }, [backendDoor, datesOfLog])

const threads = (folder: string): InlineConfig =>
  forNode(folder, Object.fromEntries(beginnings.filter((path) => !beginningsOfJournal.includes(path)).map((path) => [builtName(path).slice(0, -3), inRoot(path)])), { format: 'esm', chunks: 'thread' }, [cloudMigrations])

// Each in one file: finding and reading dozens takes longer than loading shared code twice.
const journalThreads = (folder: string): readonly InlineConfig[] =>
  beginningsOfJournal.map((path) => forNode(folder, { [builtName(path).slice(0, -3)]: inRoot(path) }, { format: 'esm', chunks: 'thread' }))

const preloads = [['preload', 'electron/preload/main.ts'], ['diagnostics-preload', 'electron/preload/diagnostics.ts']] as const

// A preload is one file: in a sandbox it may only require what Electron provides.
const preload = (folder: string, name: string, path: string): InlineConfig => forNode(folder, { [name]: inRoot(path) }, { format: 'cjs', chunks: name })

const rendererPages = (folder: string): InlineConfig => ({ configFile: inRoot('build/vite.config.ts'), logLevel: 'warn', build: { outDir: join(folder, 'pages'), emptyOutDir: true } })

// Whatever NODE_ENV this process has: React's development build is slow, and reads everything twice.
const inProduction = async (work: () => Promise<void>): Promise<void> => {
  const before = process.env['NODE_ENV']
  process.env['NODE_ENV'] = 'production'
  try {
    await work()
  } finally {
    if (before === undefined) delete process.env['NODE_ENV']
    else process.env['NODE_ENV'] = before
  }
}

const manifest = z.object({ version: z.string() })

/** The bundle's setting for its cloud; an invalid or insecure URL fails the build. */
const packedCloud = (given: string | undefined): { cloud?: string } => (given === undefined || given === '' ? {} : { cloud: new URL(z.url({ protocol: /^https$/ }).parse(given)).origin })

/**
 * Builds everything that the desktop runs into `folder`, which is emptied first: `main.js`, `backend.js` for plain
 * Node, threads, preloads, pages with the licenses of everything shipped, migrations and the tray icons. It may be
 * moved; the shipped packages must resolve from its location. Throws if the list of what is shipped is wrong.
 */
export const buildDesktop = async (folder: string): Promise<void> => {
  const { version } = manifest.parse(JSON.parse(readFileSync(inRoot('package.json'), 'utf8')))
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ name: 'fillbook', productName: 'Fillbook', version, type: 'module', main: 'main.js', ...packedCloud(process.env['FILLBOOK_PACKED_CLOUD_URL']) }, null, 2)}\n`)
  const shipped = new Set<string>(shippedPackages)
  await inProduction(async () => {
    const configs = [programs(folder), threads(folder), ...journalThreads(folder), ...preloads.map(([name, path]) => preload(folder, name, path)), diagnosticsPage(join(folder, 'diagnostics')), rendererPages(folder)]
    for (const config of configs) await build({ ...config, plugins: [...(config.plugins ?? []), collectShipped(shipped)] })
  })
  const faults = listFaults(shipped, shippedList())
  if (faults.length > 0) throw new Error(faults.join('\n'))
  cpSync(inRoot('migrations'), join(folder, 'migrations'), { recursive: true })
  cpSync(inRoot('build/icons/tray'), join(folder, 'icons'), { recursive: true })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await buildDesktop(resolve(process.argv[2] ?? desktopFolder))
