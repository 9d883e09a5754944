import { onTestFinished } from 'vitest'
import { openCopierStore } from '#backend/copier/store/copier-store.ts'
import type { CopierStore } from '#backend/copier/store/copier-store.ts'
import type { Log } from '#shared/base/log.ts'
import { copierPaths, draftOf, silent } from './copier-samples.ts'
import { temporaryFolder, user } from './store.ts'

/** Opens the copier's file of a folder; it is closed after the test. */
export const openCopier = (folder: string = temporaryFolder(), log: Log = silent): CopierStore => {
  const store = openCopierStore({ ...copierPaths(folder), log })
  onTestFinished(() => store.close())
  return store
}

/** Opens an empty file with one group, g1. */
export const openWithGroup = (folder?: string, log?: Log): CopierStore => {
  const store = openCopier(folder, log)
  store.saveGroup({ ...user, id: 'g1', draft: draftOf(2) })
  return store
}
