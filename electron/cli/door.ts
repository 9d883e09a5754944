import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { ensureBuilt, pageOf } from './built.ts'
import { findRuntime } from './desktop-runtime.ts'

// The entry of every terminal program: `node door.ts NAME …` runs NAME.ts of this folder from the bundle. From the
// sources each thread would load its own compiler, which triples the memory of the running program.

// The parent may close stdout; a program with an armed copier must survive that.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined)

const name = process.argv[2] ?? ''
const root = fileURLToPath(new URL('../..', import.meta.url))

// On a large computer V8 lets each thread's heap grow to four times the memory in use before it collects garbage.
setFlagsFromString('--heap-growing-percent=30')
// Megabytes. Otherwise each thread would keep up to 96 MB for new objects, most of them garbage.
setFlagsFromString('--min-semi-space-size=4')
setFlagsFromString('--max-semi-space-size=4')
// This thread already has its limits: keep them.
setFlagsFromString('--semi-space-growth-factor=1')
// For the journal's threads, which collect garbage after a long call (`journal/journal-thread.ts`).
setFlagsFromString('--expose-gc')

const ensurePrograms = (): Promise<string> =>
  ensureBuilt({
    root,
    name: 'programs',
    sources: [join('electron', 'backend'), join('electron', 'demo-broker'), join('electron', 'node'), 'shared', 'cloud', 'build', 'tsconfig.base.json', 'package.json', 'package-lock.json'],
    build: (fresh) => [join('build', 'programs.ts'), fresh],
    ...(name === 'start' ? { notice: 'Building Fillbook, this once…' } : {}),
    failed: (code) => `the bundler ended with ${String(code)}, see above`,
  })

/** The file of a program: of the bundle, or its source if the bundle cannot be built. */
const programFile = async (name: string): Promise<string> => {
  try {
    return join(await ensurePrograms(), `electron-cli-${name}.js`)
  } catch (error) {
    process.stderr.write(`Fillbook runs from its sources and needs more memory than usual, since its bundle could not be built: ${error instanceof Error ? error.message : String(error)}\n`)
    return join(import.meta.dirname, `${name}.ts`)
  }
}

const servesPage = name === 'serve' || (name === 'start' && findRuntime(root, process.env, process.platform).found === 'nothing')
// In parallel: a first start waits for the slower of the two. The program reports a failed build of the page.
const [file] = await Promise.all([programFile(name), servesPage ? ensureBuilt(pageOf(root)).catch(() => undefined) : undefined])
process.argv.splice(1, 2, file)
await import(pathToFileURL(file).href)
