import { watch, type FSWatcher } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Log } from '#shared/base/log.ts'

/** An execution is written in several steps. */
const settledMs = 2_000
/** The whole database is copied for each run: while orders are worked it changes all the time. */
const pauseMs = 60_000

/** A connected login, and the path of its database. */
export type DatabaseLogin = { readonly id: string; readonly userId: string; readonly file: string }

type Watched = { readonly watcher: FSWatcher; timer: NodeJS.Timeout | null; ranAt: number }

// The error itself names the path, which has the user's name in it.
const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : null)

/** Watches the databases of connected logins, and reports each that changed, at most once a minute. */
export const watchDatabases = ({ logins, changed, log }: { readonly logins: () => Promise<readonly DatabaseLogin[]>; readonly changed: (login: DatabaseLogin) => void; readonly log: Log }) => {
  const watched = new Map<string, Watched>()
  let closed = false

  const end = (id: string): void => {
    const own = watched.get(id)
    if (own === undefined) return
    clearTimeout(own.timer ?? undefined)
    own.watcher.close()
    watched.delete(id)
  }

  const begin = (login: DatabaseLogin): void => {
    const { file } = login
    const own: Watched = {
      watcher: watch(dirname(file), (_, name) => {
        // The log's name begins with the database's.
        if (name?.startsWith(basename(file)) !== true || own.timer !== null) return
        own.timer = setTimeout(() => {
          own.timer = null
          own.ranAt = Date.now()
          changed(login)
        }, Math.max(settledMs, own.ranAt + pauseMs - Date.now()))
      }),
      timer: null,
      ranAt: -Infinity,
    }
    own.watcher.on('error', (error) => {
      log.warn({ code: codeOf(error) }, 'NinjaTrader database can no longer be watched')
      end(login.id)
    })
    watched.set(login.id, own)
  }

  return {
    /** Watches the databases connected now. The next call looks again for a folder that is gone. */
    renew: async (): Promise<void> => {
      const current = await logins()
      if (closed) return
      for (const id of watched.keys()) if (!current.some((login) => login.id === id)) end(id)
      for (const login of current.filter(({ id }) => !watched.has(id))) {
        try {
          begin(login)
        } catch (error) {
          log.debug({ code: codeOf(error) }, 'NinjaTrader database is missing')
        }
      }
    },
    stop: (): void => {
      closed = true
      for (const id of [...watched.keys()]) end(id)
    },
  }
}
