import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'

/** Something that is built from sources of the project. */
export type Built = {
  /** The project's root. */
  readonly root: string
  /** What it is made from, below the root. */
  readonly sources: readonly string[]
  /** The folder that is made, below the root, and the file in it whose time says when. */
  readonly folder: string
  readonly mark: string
  /** The words after `node` that build it into the folder `fresh`, and how that is called where it fails. */
  readonly build: (fresh: string) => readonly string[]
  readonly failed: (code: number | null) => string
}

/** The built folder, built now where it is missing or older than its sources; rejects where that fails. */
export const ensureBuilt = async (built: Built): Promise<string> => {
  const { root, sources, mark } = built
  const folder = join(root, built.folder)
  const newest = Math.max(...(await Promise.all(sources.map((source) => newestIn(join(root, source))))))
  if ((await changedAt(join(folder, mark))) < newest) await buildAside(built, folder)
  return folder
}

const changedAt = (path: string): Promise<number> => stat(path).then(({ mtimeMs }) => mtimeMs, () => 0)

const newestIn = async (path: string): Promise<number> => {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => null)
  if (entries === null) return changedAt(path)
  const inside = entries.filter(({ name }) => name !== 'dist' && name !== 'node_modules').map(({ name }) => newestIn(join(path, name)))
  return Math.max(0, ...(await Promise.all(inside)))
}

// Built aside and put in place by renaming: a program that runs meanwhile never sees half of it.
const buildAside = async ({ root, mark, build, failed }: Built, folder: string): Promise<void> => {
  const startedAt = new Date()
  const aside = join(root, 'node_modules', '.cache', `building-${String(process.pid)}`)
  await mkdir(aside, { recursive: true })
  try {
    const fresh = join(aside, 'fresh')
    // Whatever the program itself is started as: React's development build is slow, and reads everything twice.
    const env = { ...process.env, NODE_ENV: 'production' }
    const child = spawn(process.execPath, [...build(fresh)], { cwd: root, env, stdio: ['ignore', 2, 2] })
    const [code] = (await once(child, 'exit')) as [number | null]
    if (code !== 0) throw new Error(failed(code))
    // A source that changed during the build must count as newer than its result.
    await utimes(join(fresh, mark), startedAt, startedAt)
    await mkdir(join(folder, '..'), { recursive: true })
    await putInPlace(fresh, folder, aside)
  } finally {
    await rm(aside, { recursive: true, force: true })
  }
}

// Another program that built it at the same time may put its own in place between the two steps.
const putInPlace = async (fresh: string, folder: string, aside: string, triesLeft = 3): Promise<void> => {
  await rename(folder, join(aside, `old-${String(triesLeft)}`)).catch(() => undefined)
  await rename(fresh, folder).catch((error: unknown) => {
    if (triesLeft === 0) throw error
    return putInPlace(fresh, folder, aside, triesLeft - 1)
  })
}
