import { mkdirSync, readdirSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Users whose local data is being deleted, as one empty file each, so that the next start finishes what a crash cut short. */
export type Leaving = {
  readonly begin: (userId: string) => Promise<void>
  readonly end: (userId: string) => Promise<void>
  readonly all: () => readonly string[]
}

// Ids are made by the program; anything else in the folder is nobody's.
const isUserId = (name: string): boolean => /^[\w-]{1,100}$/.test(name)

/** Keeps the marks in `folder`, which need not exist yet. */
export const createLeaving = (folder: string): Leaving => ({
  begin: async (userId) => {
    if (!isUserId(userId)) throw new Error('A user id that names no file')
    mkdirSync(folder, { recursive: true })
    await writeFile(join(folder, userId), '', { flush: true })
  },
  end: (userId) => rm(join(folder, userId), { force: true }),
  all: () => {
    try {
      return readdirSync(folder).filter(isUserId)
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
      throw error
    }
  },
})
