import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Log } from '#shared/base/log.ts'
import { err, ok } from '#shared/base/result.ts'
import type { Result } from '#shared/base/result.ts'
import { unreachable } from './cloud/failure.ts'
import type { CloudFailure } from './cloud/failure.ts'

/** The cloud that the demo mirrors into, in a process of its own. */
export type DemoCloud = {
  /** Its address. It is started with the first question, and again where it ended since; unreachable where it does not start. */
  readonly url: () => Promise<Result<string, CloudFailure>>
  /** Ends it and waits until it is gone. */
  readonly stop: () => Promise<void>
}

const readyLine = /^Fillbook Cloud is ready at (http:\/\/127\.0\.0\.1:\d+)$/
const longestStartMs = 120_000
const longestStopMs = 5_000

type Running = { readonly child: ChildProcess; readonly gone: Promise<unknown>; ready: Promise<string | null>; state: 'starting' | 'ready' }

/** Where the database is; `keep` says that it is whole, and the one for every later start. */
type Place = { readonly database: string; readonly keep: () => void }

/** A cloud whose program is the file `entry`, with its database below `folder`. Where this program ends, however it ends, its input closes and it ends too. */
export const createDemoCloud = ({ entry, folder, log }: { readonly entry: string; readonly folder: string; readonly log: Log }): DemoCloud => {
  let running: Running | null = null
  let stopped = false

  const start = (): Running => {
    const place = openPlace(folder)
    const child = spawn(process.execPath, [entry, '--port', '0', '--until-stdin-ends'], { env: childEnv(place.database), stdio: ['pipe', 'pipe', 'ignore'] })
    const gone = Promise.race([once(child, 'exit'), once(child, 'error')]).catch(() => undefined)
    const begun: Running = { child, gone, state: 'starting', ready: Promise.resolve(null) }
    begun.ready = readyUrl(child, gone).then((url) => {
      if (url === null) return null
      begun.state = 'ready'
      place.keep()
      return url
    })
    child.stdin.on('error', () => undefined)
    void gone.then(() => {
      if (running === begun) running = null
      if (!stopped) log.warn({ exitCode: child.exitCode }, 'The cloud of the demo ended')
    })
    return begun
  }

  return {
    url: async () => {
      if (stopped) return err(unreachable('network'))
      try {
        running ??= start()
      } catch (error) {
        log.warn({ error }, 'The cloud of the demo has no folder')
        return err(unreachable('server'))
      }
      const url = await running.ready
      return url === null ? err(unreachable('network')) : ok(url)
    },
    stop: async () => {
      stopped = true
      if (running === null) return
      const { child, gone, state } = running
      // A start that is under way hears nothing for seconds, and leaves nothing that is missed.
      if (state === 'starting') child.kill('SIGKILL')
      else child.stdin?.end()
      const patience = setTimeout(() => child.kill('SIGKILL'), longestStopMs)
      await gone
      clearTimeout(patience)
    },
  }
}

/** The database that was made whole, or a new one: whatever ended the first start half-way must not keep the demo from a cloud for ever. */
const openPlace = (folder: string): Place => {
  mkdirSync(folder, { recursive: true })
  const note = join(folder, 'database')
  const kept = existsSync(note) ? readFileSync(note, 'utf8') : ''
  const name = isDatabase(kept) ? kept : `database-${randomUUID()}`
  for (const other of readdirSync(folder)) if (isDatabase(other) && other !== name) rmSync(join(folder, other), { recursive: true, force: true })
  return { database: join(folder, name), keep: () => writeFileSync(note, name) }
}
const isDatabase = (name: string): boolean => /^database-[\da-f-]{36}$/.test(name)

/** The address of its ready line; null where it ends before, or takes too long, which ends it. */
const readyUrl = async (child: ChildProcess, gone: Promise<unknown>): Promise<string | null> => {
  const said = child.stdout
  if (said === null) return null
  const patience = setTimeout(() => child.kill('SIGKILL'), longestStartMs)
  const line = new Promise<string>((resolve) => {
    createInterface(said).on('line', (text) => {
      const url = readyLine.exec(text)?.[1]
      if (url !== undefined) resolve(url)
    })
  })
  const url = await Promise.race([line, gone.then(() => null)])
  clearTimeout(patience)
  return url
}

/** No setting of this program reaches the demo's cloud, above all no database of somebody's own. */
const childEnv = (folder: string): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(FILLBOOK_|PG|DATABASE_URL$|NODE_ENV$)/.test(name))),
  FILLBOOK_CLOUD_DATA_DIR: folder,
  FILLBOOK_CLOUD_MODE: 'development',
  // The desktop's own program runs plain files with this.
  ELECTRON_RUN_AS_NODE: '1',
})
