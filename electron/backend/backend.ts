import { join } from 'node:path'
import { err, ok, type Result } from '#shared/base/result.ts'
import type { Backend, Host } from './host.ts'
import type { StartProblem } from './start-problem.ts'
import { listen } from './http/listen.ts'
import { openLog } from './log.ts'
import { requireOwnFolder } from './own-folder.ts'
import { beginJournal, openJournal } from './journal/open-journal.ts'

/** Starts the program for a front door: everything is begun here. What its user can mend comes back as problems; a bug throws. */
export const startBackend = async (host: Host): Promise<Result<Backend, readonly StartProblem[]>> => {
  const opened: (() => Promise<unknown>)[] = []
  const stop = async (): Promise<void> => {
    for (let close = opened.pop(); close !== undefined; close = opened.pop()) await close()
  }
  try {
    return ok(await begin(host, opened, stop))
  } catch (error) {
    await stop()
    const { startProblemOf } = await import('./start-fault.ts')
    const problem = startProblemOf(error, host.settings)
    if (problem === null) throw error
    return err([problem])
  }
}

const begin = async (host: Host, opened: (() => Promise<unknown>)[], stop: () => Promise<void>): Promise<Backend> => {
  const { settings, paths, broken } = host
  const { dataDir } = settings
  // First of all: a second start on the same port must not touch the data of the first.
  const server = await listen(settings.port)
  opened.push(server.stop)
  // What is written from here on is for its owner's eyes only; on Windows the rights of the user's folder hold.
  process.umask(0o077)
  requireOwnFolder(dataDir)
  // What takes long begins before the rest of the program loads.
  const threads = beginJournal()
  opened.push(threads.end)
  const { log, close } = await openLog(join(dataDir, 'logs'), settings.logLevel)
  opened.push(close)
  const opening = openJournal({ file: join(dataDir, 'journal.db'), migrationsFolder: paths.migrations, backupFolder: join(dataDir, 'backups'), threads, log, broken: () => broken('journal') })
  // Whoever awaits it hears of a failure, even if it came before.
  opening.catch(() => undefined)
  opened.push(() => opening.then((journal) => journal.close(), () => undefined))
  const { composeApp } = await import('./app.ts')
  return composeApp(host, { server, log, opening, opened, stop })
}
