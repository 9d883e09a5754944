import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createPriceFeeds, type PriceFeeds } from '#backend/prices/price-feeds.ts'
import { priceFileOf, readingPrices } from '#backend/prices/store/price-file.ts'
import { createPriceThread } from '#backend/prices/price-thread.ts'
import { storedSeries, type StoredSeries } from '#backend/prices/queries.ts'
import { readTape } from '#backend/prices/read-tape.ts'
import { createBarReads } from '#backend/sync/bars.ts'
import type { FetchProgress } from '#shared/api/price-fetch.ts'
import type { Bar, Print } from '#shared/prices/tape.ts'
import { pricesMigrations } from './price-tapes.ts'
import { temporaryFolder } from './store.ts'
import { strictLog, type SyncJournal } from './sync-journal.ts'

/** The feeds of a journal's user, with the progress of their fetches. */
export type FeedStage = {
  readonly feeds: PriceFeeds
  /** The progress of a fetch; null when one ended. */
  readonly reported: (FetchProgress | null)[]
  readonly secrets: Map<string, string>
  /** Fetches, and settles when the fetch has ended. */
  readonly fetch: (spend?: string | null) => Promise<void>
  readonly ended: () => Promise<void>
  readonly series: () => readonly StoredSeries[]
  /** All bars and prints of a contract (root and delivery). */
  readonly tape: (contract: string, tickSize: string) => readonly (Bar | Print)[]
  /** Ends the feeds as the program does, and opens others on the same file. */
  readonly again: () => Promise<FeedStage>
}

/** Opens the feeds of a journal; `hear` is called with each progress. */
export const openFeeds = (it: SyncJournal, { databentoUrl = 'http://127.0.0.1:9', folder = join(temporaryFolder(), 'prices'), secrets = new Map<string, string>(), hear = () => undefined }: { readonly databentoUrl?: string; readonly folder?: string; readonly secrets?: Map<string, string>; readonly hear?: (progress: FetchProgress | null) => void } = {}): FeedStage => {
  const stopped = new AbortController()
  const thread = createPriceThread({ folder, migrationsFolder: pricesMigrations })
  const reads = createBarReads(it.parts.login, stopped.signal)
  const reported: (FetchProgress | null)[] = []
  let end = Promise.withResolvers<undefined>()
  const feeds = createPriceFeeds({
    read: it.journal.read,
    bars: { read: reads.read, stop: (userId) => Promise.resolve(reads.stop(userId)) },
    thread,
    secrets: {
      kind: 'file',
      get: (name) => Promise.resolve(secrets.get(name) ?? null),
      set: (name, value) => Promise.resolve(void secrets.set(name, value)),
      remove: (name) => Promise.resolve(void secrets.delete(name)),
    },
    databentoUrl,
    folder,
    progress: (_, progress) => {
      reported.push(progress)
      hear(progress)
      if (progress === null) {
        end.resolve(undefined)
        end = Promise.withResolvers()
      }
    },
    stored: () => undefined,
    timing: it.timing,
    log: { ...strictLog, warn: (fields) => { throw new Error('The fetch broke', { cause: fields['error'] }) } },
  })
  const close = async (): Promise<void> => {
    await feeds.stop()
    stopped.abort()
    await thread.jobs.close()
  }
  onTestFinished(close)
  const reading = <T>(none: T, ask: Parameters<typeof readingPrices<T>>[2]): T => readingPrices({ file: priceFileOf(folder, it.userId) }, none, ask)
  return {
    feeds,
    reported,
    secrets,
    ended: () => end.promise,
    fetch: async (spend = null) => {
      const over = end.promise
      const begun = await feeds.fetch(it.userId, { spend })
      if (!begun.ok) throw new Error(`Not begun: ${begun.error.code}`)
      await over
    },
    series: () => reading<readonly StoredSeries[]>([], storedSeries),
    tape: (contract, tickSize) =>
      reading<readonly (Bar | Print)[]>([], (reader) => {
        const [tape, all] = [readTape(reader, contract, tickSize), { from: 0, to: Number.MAX_SAFE_INTEGER }]
        return [...tape.prints(all), ...tape.bars(all)]
      }),
    again: async () => {
      await close()
      return openFeeds(it, { databentoUrl, folder, secrets, hear })
    },
  }
}
