import { existsSync } from 'node:fs'
import { refuse, type Refused } from '#shared/api/refused.ts'
import { ok, type Result } from '#shared/base/result.ts'
import { isStoreFault } from '../db/fault.ts'
import { createKeyedMutex } from '../mutex.ts'
import { createJobs } from '../threads/start-thread.ts'
import { deletePriceFile, priceFileOf, type PricePaths } from './store/price-file.ts'
import type { PriceCalls } from './prices-worker.ts'

/** The thread of prices, and the file of each user that it works on. */
export type PriceThread = ReturnType<typeof createPriceThread>

/** `folder` holds a file of each user. */
export const createPriceThread = ({ folder, migrationsFolder }: { readonly folder: string; readonly migrationsFolder: string }) => {
  const jobs = createJobs<PriceCalls>(new URL('./prices-worker.ts', import.meta.url), 'prices')
  // Two that write would wait for each other for longer than SQLite waits.
  const oneByOne = createKeyedMutex()

  /** The prices of a damaged file can be imported again: the user learns it, and the journal is as it was. */
  const guarded = async <T>(work: () => Promise<T>): Promise<Result<T, Refused>> => {
    try {
      return ok(await work())
    } catch (error) {
      if (isStoreFault(error) && error.code === 'damaged-database') return refuse('prices-damaged')
      throw error
    }
  }

  return {
    jobs,
    guarded,
    pathsOf: (userId: string): PricePaths => ({ file: priceFileOf(folder, userId), migrationsFolder }),
    hasFile: (userId: string): boolean => existsSync(priceFileOf(folder, userId)),
    /** Work that writes into a user's file, one after another. */
    writing: <T>(userId: string, work: () => Promise<T>): Promise<Result<T, Refused>> => guarded(() => oneByOne(userId, work)),
    /** Deletes the file of a user. */
    forget: (userId: string): Promise<void> => oneByOne(userId, () => Promise.resolve(deletePriceFile(priceFileOf(folder, userId)))),
  }
}
