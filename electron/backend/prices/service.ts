import type { BodyOf, AnswerOf } from '#shared/api/route.ts'
import type { PricePreviewShown, priceRoutes } from '#shared/api/prices.ts'
import { ok, type Result } from '#shared/base/result.ts'
import { contractKey, contractOfKey } from '#shared/prices/contract-key.ts'
import type { Uploads } from '../imports/uploads.ts'
import { isStoreFault } from '../db/fault.ts'
import type { JournalCalls } from '../journal/journal.ts'
import { createKeyedMutex } from '../mutex.ts'
import { refuse, type Refused } from '../refused.ts'
import { createJobs } from '../threads/start-thread.ts'
import type { PriceCalls, PriceWork } from './prices-worker.ts'
import { excursionsAnswer } from './excursions-answer.ts'
import { forgetPriceFile, priceFileOf, type PricePlace } from './price-file.ts'
import { seePriceFile, type PricePreview } from './price-imports.ts'

type Routes = typeof priceRoutes
type Wishes = BodyOf<Routes['previewPrices']>

/** `folder` holds a file of each user; `now` is UTC ms. */
type Deps = { readonly read: Pick<JournalCalls['read'], 'fillPrices' | 'pricedTrade'>; readonly uploads: Pick<Uploads, 'find' | 'drop'>; readonly folder: string; readonly migrationsFolder: string; readonly now: () => number }

/** Whether a file that was sent is one of prices, by its first bytes. */
export const isPriceFile = (path: string, name: string): boolean => seePriceFile({ path, name, contract: null }, 0) !== null

/** Prices of contracts, each user's from their own files. */
export type Prices = ReturnType<typeof createPrices>

const megabyte = 1_000_000
const isoOf = (us: number): string => new Date(Math.floor(us / 1000)).toISOString()

export const createPrices = ({ read, uploads, folder, migrationsFolder, now }: Deps) => {
  const jobs = createJobs<PriceCalls>(new URL('./prices-worker.ts', import.meta.url), 'prices')
  // Two that write would wait for each other for longer than SQLite waits.
  const oneByOne = createKeyedMutex()
  const placeOf = (userId: string): PricePlace => ({ file: priceFileOf(folder, userId), migrationsFolder })

  /** Of a damaged file prices can be imported again: its user is told, and the journal is as it was. */
  const guarded = async <T>(work: () => Promise<T>): Promise<Result<T, Refused>> => {
    try {
      return ok(await work())
    } catch (error) {
      if (isStoreFault(error) && error.code === 'damaged-database') return refuse('prices-damaged')
      throw error
    }
  }
  const writing = <T>(userId: string, work: () => Promise<T>): Promise<Result<T, Refused>> => guarded(() => oneByOne(userId, work))

  const workOf = async (userId: string, { uploads: wanted, zone }: Wishes): Promise<Result<PriceWork, Refused>> => {
    const files: PriceWork['files'][number][] = []
    for (const { id, name, contract, choice } of wanted) {
      const found = uploads.find(userId, id)
      if (found === null) return refuse('not-found')
      const file = { path: found.path, name, contract: contract === '' ? null : contract, choice }
      const seen = seePriceFile(file, now())
      const named = seen === null || typeof seen === 'string' ? null : seen.contract
      files.push({ file, facts: named === null ? null : await read.fillPrices({ userId, contract: named }) })
    }
    return ok({ place: placeOf(userId), files, zone, now: now() })
  }

  return {
    preview: async (userId: string, wishes: Wishes): Promise<Result<AnswerOf<Routes['previewPrices']>, Refused>> => {
      const work = await workOf(userId, wishes)
      if (!work.ok) return work
      const looked = await guarded(() => jobs.run('preview', work.value))
      return looked.ok ? ok({ files: looked.value.map(shown) }) : looked
    },
    add: async (userId: string, wishes: Wishes): Promise<Result<AnswerOf<Routes['importPrices']>, Refused>> => {
      const work = await workOf(userId, wishes)
      if (!work.ok) return work
      const added = await writing(userId, () => jobs.run('add', work.value))
      if (!added.ok) return added
      const files = added.value
      await uploads.drop(userId, wishes.uploads.flatMap(({ id }, index) => (files[index]?.problem === null ? [id] : [])))
      return ok({ success: true, files: files.map(({ freed, contracts, bad, ...file }) => ({ ...file, contracts: [...contracts], bad: [...bad], freed: freed.map(({ contract, until }) => ({ contract: contractOfKey(contract), to: isoOf(until) })) })) })
    },
    stored: async (userId: string): Promise<Result<AnswerOf<Routes['prices']>, Refused>> => {
      const stored = await guarded(() => jobs.run('stored', { place: placeOf(userId) }))
      if (!stored.ok) return stored
      const { series, bytes, limits } = stored.value
      return ok({
        series: series.map(({ contract, first, until, ...one }) => ({ ...one, contract: contractOfKey(contract), from: isoOf(first), to: isoOf(until) })),
        bytes,
        limit: { megabytes: limits.bytes === null ? null : Math.round(limits.bytes / megabyte), days: limits.days },
      })
    },
    /** The excursions of a trade or a fill pair; null where there is none, or no price within it. */
    excursions: async (userId: string, id: string): Promise<Result<AnswerOf<Routes['excursions']>, Refused>> => {
      const priced = await read.pricedTrade({ userId, id })
      const contract = priced && contractKey(priced.contract)
      if (priced === null || contract === null) return ok({ excursions: null })
      const { tickSize, trade, currency } = priced
      const answer = await guarded(() => jobs.run('excursions', { place: placeOf(userId), contract, tickSize, trade }))
      return answer.ok ? ok({ excursions: answer.value && excursionsAnswer(currency, answer.value.found, answer.value.times) }) : answer
    },
    remove: async (userId: string, { contract, source, grain }: BodyOf<Routes['removePrices']>): Promise<Result<unknown, Refused>> => {
      const key = contractKey(contract)
      return key === null ? refuse('not-found') : writing(userId, () => jobs.run('remove', { place: placeOf(userId), series: { contract: key, source, grain } }))
    },
    /** Gives the parts that were freed. */
    setLimit: (userId: string, { megabytes, days }: BodyOf<Routes['setPriceLimit']>) =>
      writing(userId, () => jobs.run('limit', { place: placeOf(userId), limits: { bytes: megabytes === null ? null : megabytes * megabyte, days }, now: now() })),
    /** Deletes all prices of a user. */
    forget: (userId: string): Promise<void> => oneByOne(userId, () => Promise.resolve(forgetPriceFile(priceFileOf(folder, userId)))),
    stop: jobs.close,
  }
}

const shown = ({ contracts, ...preview }: PricePreview): PricePreviewShown => ({
  ...preview,
  bad: [...preview.bad],
  choices: [...preview.choices],
  contracts: contracts.map(({ first, until, ...one }) => ({ ...one, from: isoOf(first), to: isoOf(until) })),
})
