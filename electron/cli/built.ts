import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Something that a door builds from the project's sources and caches by a hash of them. */
export type Built = {
  /** The project's root. */
  readonly root: string
  readonly name: string
  /** Files and folders that it is built from, below the root; tests in them are ignored. */
  readonly sources: readonly string[]
  /** The arguments for `node` that build it into the folder `fresh`, and the error text for a failure. */
  readonly build: (fresh: string) => readonly string[]
  readonly failed: (code: number | null) => string
  /** The text on stderr when a build begins. */
  readonly notice?: string
}

/**
 * Returns the built folder, after building it if these sources were not built before; rejects if that fails. A build
 * stays for as long as this process runs; other builds of the name that no running process uses are deleted.
 */
export const ensureBuilt = async (built: Built, triesLeft = 3): Promise<string> => {
  const kept = join(built.root, 'dist', 'kept')
  const hash = hashOf(built)
  const folder = join(kept, `${built.name}-${hash}`)
  // Before anything else: another process must not delete it between the check and the use.
  markUsed(kept, folder)
  if (!existsSync(folder)) {
    const isCurrent = await buildAside(built, kept, folder, hash)
    if (!isCurrent && triesLeft > 0) return ensureBuilt(built, triesLeft - 1)
  }
  sweep(kept, built.name)
  return folder
}

/** Content, not time: unpacking and checkouts set arbitrary file times. The root counts because a build contains absolute paths. */
const hashOf = ({ root, sources }: Built): string => {
  const hash = createHash('sha256').update(root)
  for (const path of sources.flatMap((source) => filesIn(root, source))) {
    const content = readFileSync(join(root, path))
    hash.update(`\0${path}\0${String(content.length)}\0`).update(content)
  }
  return hash.digest('hex').slice(0, 20)
}

const filesIn = (root: string, source: string): readonly string[] => {
  if (!existsSync(join(root, source))) return []
  try {
    return readdirSync(join(root, source), { withFileTypes: true })
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .flatMap((entry) => {
        const path = join(source, entry.name)
        if (entry.isDirectory()) return entry.name === 'dist' || entry.name === 'node_modules' ? [] : filesIn(root, path)
        return entry.isFile() && !/\.test\.tsx?$/.test(entry.name) ? [path] : []
      })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return [source]
    throw error
  }
}

/** Builds in a temporary folder and renames it: no process ever sees an unfinished build. False if a source changed meanwhile: then the result is of no known state and is discarded. */
const buildAside = async (built: Built, kept: string, folder: string, hash: string): Promise<boolean> => {
  const fresh = join(kept, `building-${built.name}.${String(process.pid)}`)
  mkdirSync(kept, { recursive: true })
  try {
    await buildInto(built, fresh)
    if (hashOf(built) !== hash) return false
    try {
      renameSync(fresh, folder)
    } catch (error) {
      // Another process built the same at the same time.
      if (!existsSync(folder)) throw error
    }
    return true
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

const buildInto = async ({ root, build, failed, notice }: Built, fresh: string): Promise<void> => {
  if (notice !== undefined) process.stderr.write(`${notice}\n`)
  // Whatever NODE_ENV the program was started with: React's development build is slow, and reads everything twice.
  const env = { ...process.env, NODE_ENV: 'production' }
  const child = spawn(process.execPath, [...build(fresh)], { cwd: root, env, stdio: ['ignore', 2, 2] })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(failed(code))
}

/** The same for any location: if the project is not writable, it is built into a temporary folder, for this process alone. */
export const ensureBuiltAnywhere = async (built: Built): Promise<string> => {
  try {
    return await ensureBuilt(built)
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    const folder = mkdtempSync(join(tmpdir(), 'fillbook-'))
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    await buildInto(built, join(folder, built.name))
    return join(folder, built.name)
  }
}

/** Files that mark the builds which this process uses. */
const marks = new Set<string>()

const markUsed = (kept: string, folder: string): void => {
  const mark = `${folder}.${String(process.pid)}`
  try {
    mkdirSync(kept, { recursive: true })
    writeFileSync(mark, '')
  } catch {
    // If nothing can be written, nothing is deleted either.
    return
  }
  if (marks.size === 0) process.once('exit', () => marks.forEach((each) => rmSync(each, { force: true })))
  marks.add(mark)
}

/** Deletes what crashed processes left of builds of this name, then builds that no one uses. */
const sweep = (kept: string, name: string): void => {
  const isOurs = (entry: string): boolean => entry.startsWith(`${name}-`) || entry.startsWith(`building-${name}.`)
  const remove = (entry: string): void => {
    try {
      rmSync(join(kept, entry), { recursive: true, force: true })
    } catch {
      // A read-only folder, or another process that deletes the same: the next start tries again.
    }
  }
  const entries = (): readonly string[] => (existsSync(kept) ? readdirSync(kept).filter(isOurs) : [])
  for (const entry of entries()) if (entry.includes('.') && !isAlive(Number(entry.split('.').at(-1)))) remove(entry)
  const left = entries()
  for (const entry of left) if (!entry.includes('.') && !left.some((mark) => mark.startsWith(`${entry}.`))) remove(entry)
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The page that the backend serves, as the doors build it. */
export const pageOf = (root: string): Built => ({
  root,
  name: 'page',
  sources: ['renderer', 'shared', 'build', 'docs', 'tsconfig.base.json', 'package.json', 'package-lock.json'],
  // The native loader writes no file beside the configuration.
  build: (fresh) => [join('node_modules', 'vite', 'bin', 'vite.js'), 'build', '--config', join('build', 'vite.config.ts'), '--configLoader', 'native', '--outDir', fresh, '--emptyOutDir', '--logLevel', 'warn'],
  failed: (code) => `The page could not be built (vite ended with ${String(code)}, see above).`,
})
