import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'

const sources = ['renderer', 'shared', join('build', 'vite.config.ts'), 'package.json', 'package-lock.json']

/** Where the built page lies below the project's root. */
export const pagesOf = (root: string): string => join(root, 'renderer', 'dist')

/** The folder of the built page below the project's root, built now where it is missing or older than its sources. */
export const ensurePage = async (root: string): Promise<string> => {
  const pages = pagesOf(root)
  const built = await changedAt(join(pages, 'index.html'))
  const newest = Math.max(...(await Promise.all(sources.map((source) => newestIn(join(root, source))))))
  if (built < newest) await buildPage(root, pages)
  return pages
}

const changedAt = (path: string): Promise<number> => stat(path).then(({ mtimeMs }) => mtimeMs, () => 0)

const newestIn = async (path: string): Promise<number> => {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => null)
  if (entries === null) return changedAt(path)
  const inside = entries.filter(({ name }) => name !== 'dist' && name !== 'node_modules').map(({ name }) => newestIn(join(path, name)))
  return Math.max(0, ...(await Promise.all(inside)))
}

// Built aside and put in place by renaming: a server that runs meanwhile never sees half a page.
const buildPage = async (root: string, pages: string): Promise<void> => {
  const startedAt = new Date()
  const aside = join(root, 'node_modules', '.cache', `page-${String(process.pid)}`)
  await mkdir(aside, { recursive: true })
  try {
    const fresh = join(aside, 'fresh')
    const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
    // Whatever the program itself is started as: React's development build is slow, and reads everything twice.
    const env = { ...process.env, NODE_ENV: 'production' }
    const build = spawn(process.execPath, [vite, 'build', '--config', join('build', 'vite.config.ts'), '--outDir', fresh, '--emptyOutDir', '--logLevel', 'warn'], { cwd: root, env, stdio: ['ignore', 2, 2] })
    const [code] = (await once(build, 'exit')) as [number | null]
    if (code !== 0) throw new Error(`The page could not be built (vite ended with ${String(code)}, see above).`)
    // A source that changed during the build must count as newer than its result.
    await utimes(join(fresh, 'index.html'), startedAt, startedAt)
    await putInPlace(fresh, pages, aside)
  } finally {
    await rm(aside, { recursive: true, force: true })
  }
}

// Another program that built it at the same time may put its own in place between the two steps.
const putInPlace = async (fresh: string, pages: string, aside: string, triesLeft = 3): Promise<void> => {
  await rename(pages, join(aside, `old-${String(triesLeft)}`)).catch(() => undefined)
  await rename(fresh, pages).catch((error: unknown) => {
    if (triesLeft === 0) throw error
    return putInPlace(fresh, pages, aside, triesLeft - 1)
  })
}
