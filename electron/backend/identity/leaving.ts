import { mkdirSync, readdirSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

// Ids are made by the program; anything else in the folder is nobody's.
const isUserId = (name: string): boolean => /^[\w-]{1,100}$/.test(name)

/** Users whose local data is being deleted, as one empty file each, so that the next start finishes what a crash cut short. */
export type Leaving = ReturnType<typeof createLeaving>

/** Keeps the marks in `folder`, which need not exist yet. */
export const createLeaving = (folder: string) => ({
  begin: async (userId: string): Promise<void> => {
    if (!isUserId(userId)) throw new Error('A user id that names no file')
    mkdirSync(folder, { recursive: true })
    await writeFile(join(folder, userId), '', { flush: true })
  },
  end: (userId: string): Promise<void> => rm(join(folder, userId), { force: true }),
  all: (): readonly string[] => {
    try {
      return readdirSync(folder).filter(isUserId)
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
      throw error
    }
  },
})
