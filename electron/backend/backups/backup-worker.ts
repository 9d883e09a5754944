import { backupWork } from './backup-work.ts'
import type { StoreFaultCode } from '../db/fault.ts'
import { sqliteFault } from '../db/sqlite-fault.ts'
import { hasNoFreeInodes } from '../db/free-inodes.ts'
import { threadBody } from '../threads/thread-body.ts'

const unwritable: readonly unknown[] = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOENT', 'SQLITE_CANTOPEN', 'SQLITE_READONLY']
const full: readonly unknown[] = ['ENOSPC', 'EDQUOT']

const faultOf = (error: unknown, order: unknown): { readonly message: string; readonly code: StoreFaultCode } => {
  const { folder } = order as { readonly folder?: string }
  const given = error instanceof Error && 'code' in error ? error.code : null
  const { code, message } = sqliteFault(error)
  if (full.includes(given)) return { code: 'disk-full', message }
  if (!unwritable.includes(given)) return { code, message }
  return { code: folder !== undefined && hasNoFreeInodes(folder) ? 'disk-full' : 'unwritable', message }
}

threadBody().serve(backupWork, { faultOf })
