import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '#shared/base/log.ts'
import { err, ok } from '#shared/base/result.ts'
import type { Result } from '#shared/base/result.ts'
import { unreachable } from './cloud/failure.ts'
import type { CloudFailure } from './cloud/failure.ts'
import { startNodeChild, type Child, type StartChild } from './node-child.ts'

const readyLine = /^Fillbook Cloud is ready at (http:\/\/127\.0\.0\.1:\d+)$/
const longestStartMs = 120_000
const longestStopMs = 5_000

type Running = { readonly child: Child; ready: Promise<string | null>; state: 'starting' | 'ready' }

/** The database's folder; `keep` marks it as complete, to be used by every later start. */
type CloudFolder = { readonly database: string; readonly keep: () => void }

/** Dependencies of the demo cloud: `entry` is its program, its database is below `folder`. */
type Deps = { readonly entry: string; readonly folder: string; readonly log: Log; readonly startChild?: StartChild | undefined }

/** The demo's cloud, in a process of its own. */
export type DemoCloud = ReturnType<typeof createDemoCloud>

/** A cloud that ends with this program, even after a crash. */
export const createDemoCloud = ({ entry, folder, log, startChild = startNodeChild }: Deps) => {
  const secret = randomBytes(32).toString('base64url')
  let running: Running | null = null
  let stopped = false
  let forgetting: Promise<void> | null = null

  const start = (): Running => {
    const place = openPlace(folder)
    const child = startChild(entry, ['--port', '0'], childEnv(place.database, secret))
    const begun: Running = { child, state: 'starting', ready: Promise.resolve(null) }
    begun.ready = readyUrl(child).then((url) => {
      if (url === null) return null
      begun.state = 'ready'
      place.keep()
      return url
    })
    void child.gone.then((exitCode) => {
      if (running === begun) running = null
      if (!stopped && forgetting === null) log.warn({ exitCode }, 'demo cloud ended')
    })
    return begun
  }

  const end = async (): Promise<void> => {
    if (running === null) return
    const { child, state } = running
    // A starting child ignores signals for seconds, and has nothing to lose.
    if (state === 'starting') child.kill()
    else child.end()
    const patience = setTimeout(child.kill, longestStopMs)
    await child.gone
    clearTimeout(patience)
  }

  return {
    /** It requires this secret before it issues a token, because other users of the computer can reach its port. */
    secret,
    /** Its address. The first call starts it, as does a call after it ended; unreachable if it does not start. */
    url: async (): Promise<Result<string, CloudFailure>> => {
      await forgetting?.catch(() => undefined)
      if (stopped) return err(unreachable('network'))
      try {
        running ??= start()
      } catch (error) {
        log.warn({ error }, 'demo cloud has no folder')
        return err(unreachable('server'))
      }
      const url = await running.ready
      return url === null ? err(unreachable('network')) : ok(url)
    },
    /** Ends it and deletes its database; the next call starts an empty one. */
    forget: (): Promise<void> => {
      forgetting ??= (async () => {
        await end()
        await rm(folder, { recursive: true, force: true, maxRetries: 5 })
      })().finally(() => { forgetting = null })
      return forgetting
    },
    /** Ends it and waits for its exit. */
    stop: async (): Promise<void> => {
      stopped = true
      await end()
    },
  }
}

/** The completed database, or a new one: a first start that failed halfway must not keep the demo from a cloud forever. */
const openPlace = (folder: string): CloudFolder => {
  mkdirSync(folder, { recursive: true })
  const note = join(folder, 'database')
  const kept = existsSync(note) ? readFileSync(note, 'utf8') : ''
  const name = isDatabase(kept) ? kept : `database-${randomUUID()}`
  for (const other of readdirSync(folder)) if (isDatabase(other) && other !== name) rmSync(join(folder, other), { recursive: true, force: true })
  return { database: join(folder, name), keep: () => writeFileSync(note, name) }
}
const isDatabase = (name: string): boolean => /^database-[\da-f-]{36}$/.test(name)

/** The address in its ready line; null if it exits first, or takes too long, which ends it. */
const readyUrl = async ({ lines, gone, kill }: Child): Promise<string | null> => {
  const patience = setTimeout(kill, longestStartMs)
  const { promise: printed, resolve } = Promise.withResolvers<string>()
  // Reads to the end: unread output would block the child.
  const read = async (): Promise<void> => {
    for await (const line of lines) {
      const url = readyLine.exec(line)?.[1]
      if (url !== undefined) resolve(url)
    }
  }
  void read().catch(() => undefined)
  const url = await Promise.race([printed, gone.then(() => null)])
  clearTimeout(patience)
  return url
}

/** No setting of this program reaches the demo's cloud, least of all a user's own database. */
const childEnv = (folder: string, secret: string): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(FILLBOOK_|PG|DATABASE_URL$|NODE_ENV$)/.test(name))),
  FILLBOOK_CLOUD_DATA_DIR: folder,
  FILLBOOK_CLOUD_MODE: 'development',
  FILLBOOK_CLOUD_DEVELOPMENT_SECRET: secret,
})
