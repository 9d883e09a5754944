import { join } from 'node:path'
import { err, ok, type Result } from '#shared/base/result.ts'
import type { Backend, Host } from './host.ts'
import type { StartProblem } from './start-problem.ts'
import { listen } from './http/listen.ts'
import { openLog } from './log.ts'
import { requireOwnFolder } from './own-folder.ts'
import { beginJournal, openJournal, type JournalThreads } from './journal/open-journal.ts'

/** Starts the program for a front door: everything begins here. What the user can fix is returned as problems; a bug throws. `journalThreads` is for tests. */
export const startBackend = async (host: Host, journalThreads: () => JournalThreads = beginJournal): Promise<Result<Backend, readonly StartProblem[]>> => {
  const opened: (() => Promise<unknown>)[] = []
  const stop = async (): Promise<void> => {
    for (let close = opened.pop(); close !== undefined; close = opened.pop()) await close()
  }
  try {
    return ok(await begin(host, journalThreads, opened, stop))
  } catch (error) {
    await stop()
    const { startProblemOf } = await import('./start-fault.ts')
    const problem = startProblemOf(error, host.settings)
    if (problem === null) throw error
    return err([problem])
  }
}

const begin = async (host: Host, journalThreads: () => JournalThreads, opened: (() => Promise<unknown>)[], stop: () => Promise<void>): Promise<Backend> => {
  const { settings, paths, broken } = host
  const { dataDir } = settings
  // Before anything else: a second start on the same port must not touch the first one's data.
  const server = await listen(settings.port)
  opened.push(server.stop)
  // Files written from here on are readable by their owner only; on Windows the permissions of the user's folder apply.
  process.umask(0o077)
  requireOwnFolder(dataDir)
  // Slow work begins before the rest of the program loads.
  const threads = journalThreads()
  opened.push(threads.end)
  const { log, close } = await openLog(join(dataDir, 'logs'), settings.logLevel)
  opened.push(close)
  const opening = openJournal({ file: join(dataDir, 'journal.db'), migrationsFolder: paths.migrations, backupFolder: join(dataDir, 'backups'), threads, log, broken: () => broken('journal') })
  // A later await still gets the failure.
  opening.catch(() => undefined)
  opened.push(() => opening.then((journal) => journal.close(), () => undefined))
  const { composeApp } = await import('./app.ts')
  return composeApp(host, { server, log, opening, opened, stop })
}
