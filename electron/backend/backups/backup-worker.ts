import { parentPort, workerData } from 'node:worker_threads'
import { backupWork } from './backup-work.ts'
import type { StoreFaultCode } from '../db/fault.ts'
import { sqliteFault } from '../db/sqlite-fault.ts'
import { takesNoFiles } from '../db/takes-no-files.ts'

/** One piece of work. */
export type BackupJob = { readonly name: keyof typeof backupWork; readonly order: { readonly folder?: string } }

/** What the thread answers before it ends. */
export type BackupReply = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly code: StoreFaultCode; readonly message: string }

const unwritable: readonly unknown[] = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOENT', 'SQLITE_CANTOPEN', 'SQLITE_READONLY']
const full: readonly unknown[] = ['ENOSPC', 'EDQUOT']

const failureOf = (error: unknown, folder: string | undefined): Omit<Extract<BackupReply, { ok: false }>, 'ok'> => {
  const given = error instanceof Error && 'code' in error ? error.code : null
  const { code, message } = sqliteFault(error)
  if (full.includes(given)) return { code: 'disk-full', message }
  if (!unwritable.includes(given)) return { code, message }
  return { code: folder !== undefined && takesNoFiles(folder) ? 'disk-full' : 'unwritable', message }
}

const answer = async ({ name, order }: BackupJob): Promise<BackupReply> => {
  try {
    return { ok: true, value: await backupWork[name](order as never) }
  } catch (error) {
    return { ok: false, ...failureOf(error, order.folder) }
  }
}

if (parentPort === null) throw new Error('This is the body of a thread')
parentPort.postMessage(await answer(workerData as BackupJob))
