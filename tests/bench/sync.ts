import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { secretFile } from '#backend/secrets/secret-file.ts'
import { createTokenStore } from '#backend/secrets/token-store.ts'
import { createConnections } from '#backend/accounts/connections.ts'
import { createTokenKeeper, type Brokerage } from '#backend/sync/token-keeper.ts'
import { openJournal } from '#backend/journal/open-journal.ts'
import { createKeyLogins, createLogins, openForRun } from '#backend/sync/logins.ts'
import { runSync } from '#backend/sync/sync.ts'
import { systemTiming } from '#backend/brokers/timing.ts'
import { brokerageAt, consentTo } from '../helpers/stand-in.ts'
import { allRights } from '../helpers/rights.ts'
import { temporaryFolder } from '../helpers/running-app.ts'
import { insertRaw, readWritten } from './raw-inserts.ts'
import { counted, median, rounded, scale, type BenchRow } from './row.ts'
import { watchFetch } from './waiting.ts'

const fills = 100_000 * scale
const runs = 5
const limit = 2.5
const growthLimit = 15
const userId = 'bench'
const migrationsFolder = fileURLToPath(new URL('../../migrations/sqlite/', import.meta.url))
const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }

const announcement = z.object({
  origins: z.object({ consentUrl: z.string(), liveApi: z.string(), demoApi: z.string(), tokenUrls: z.tuple([z.string(), z.string()]), reports: z.object({ live: z.string(), demo: z.string() }), quotes: z.string() }),
  clientId: z.string(),
  clientSecret: z.string(),
  logins: z.array(z.object({ name: z.string() })).min(1),
})

/**
 * A sync of 100,000 fills as the product makes it, over HTTP into an empty journal, without the time in which it waits
 * for the answers of the stand-in (a process of its own), against plain inserts of all the rows that it wrote: the same
 * schema, indices, settings and transactions. The two take turns; medians.
 */
export const benchSync = async (): Promise<readonly BenchRow[]> => {
  const [tenth, whole] = [await measureAll(fills / 10), await measureAll(fills)]
  const name = `a sync of ${counted(fills)} fills`
  return [
    { name, ratio: whole.sync / whole.raw, limit, details: { sync: rounded(whole.sync), raw: rounded(whole.raw), waited: rounded(whole.waited), rows: whole.rows, runs } },
    { name: `${name}, growth from ${counted(fills / 10)}`, ratio: whole.sync / tenth.sync, limit: growthLimit, details: { few: rounded(tenth.sync), many: rounded(whole.sync) } },
  ]
}

type Round = { readonly sync: number; readonly raw: number; readonly waited: number; readonly rows: number }

const measureAll = async (volume: number): Promise<Round> => {
  const { broker, end } = await startStandIn(volume)
  try {
    const measured: Round[] = []
    // The first round warms up both.
    for (let run = 0; run <= runs; run += 1) {
      const round = await measure(brokerageAt(broker), broker.logins[0]?.name ?? '', volume)
      if (run > 0) measured.push(round)
    }
    const of = (name: keyof Round): number => median(measured.map((round) => round[name]))
    return { sync: of('sync'), raw: of('raw'), waited: of('waited'), rows: of('rows') }
  } finally {
    end()
  }
}

/** Syncs over and over, each time into an empty journal, until it is stopped: the load that another measurement has beside it. */
export const keepSyncing = async (): Promise<{ readonly stop: () => Promise<void> }> => {
  const { broker, end } = await startStandIn(fills)
  const first = Promise.withResolvers<undefined>()
  let stopped = false
  const syncing = async (): Promise<void> => {
    while (!stopped) {
      const { path: folder, remove } = await temporaryFolder()
      first.resolve(undefined)
      await syncInto(folder, brokerageAt(broker), broker.logins[0]?.name ?? '', fills).finally(remove)
    }
  }
  const done = syncing()
  done.catch(first.reject)
  await first.promise
  return {
    stop: async () => {
      stopped = true
      await done.finally(end)
    },
  }
}

const startStandIn = async (volume: number) => {
  const standIn = spawn(process.execPath, [fileURLToPath(new URL('../demo-broker/main.ts', import.meta.url)), '--volume', String(volume)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const { value } = (await createInterface(standIn.stdout)[Symbol.asyncIterator]().next()) as { value: string }
  return { broker: announcement.parse(JSON.parse(value)), end: (): void => void standIn.kill() }
}

const measure = async (brokerage: Brokerage, login: string, volume: number): Promise<Round> => {
  const { path: folder, remove } = await temporaryFolder()
  try {
    const { sync, waited } = await syncInto(folder, brokerage, login, volume)
    globalThis.gc?.()
    const { rows, ms } = insertRaw(readWritten(join(folder, 'journal.db'), userId), folder, migrationsFolder)
    return { sync, waited, rows, raw: ms }
  } finally {
    await remove()
  }
}

const syncInto = async (folder: string, brokerage: Brokerage, login: string, volume: number): Promise<{ sync: number; waited: number }> => {
  const journal = await openJournal({ file: join(folder, 'journal.db'), migrationsFolder, backupFolder: join(folder, 'backups'), log: quiet })
  const timing = systemTiming
  await journal.write.createProfile({ id: userId, email: null, displayName: '', passwordHash: null, recoveryHash: null, demo: false, timeZone: 'America/New_York', createdAt: timing.now() })
  const keeper = createTokenKeeper({ store: createTokenStore(secretFile(folder, () => undefined)), journal, timing, brokerages: { demo: () => null, real: () => brokerage } })
  const main = {
    open: keeper.open,
    refresh: () => Promise.reject(new Error('No token dies during a measurement')),
    replace: () => Promise.resolve(),
  }
  const logins = createLogins({ main, timing, stop: new AbortController().signal })
  const ignore = (): Promise<void> => Promise.resolve()
  const connections = createConnections({ journal, keeper, timing, rights: allRights, databases: join(folder, 'ninjatrader'), connected: ignore, keepAlive: ignore, hasOrders: () => Promise.resolve(false), forgotten: ignore })
  const connected = await connections.exchange(userId, await consentTo(connections, userId, brokerage, login))
  if (!connected.ok) throw new Error(connected.error.code)

  globalThis.gc?.()
  const parts = { journal, login: openForRun(logins, createKeyLogins({ main, timing, stop: new AbortController().signal, databases: join(folder, 'ninjatrader') })), waits: new Map(), now: timing.now, progress: () => undefined, barrier: () => undefined, log: quiet }
  const watch = watchFetch()
  const from = performance.now()
  const receipt = await runSync(parts, { runId: randomUUID(), userId, trigger: 'manual' }, new AbortController().signal)
  const took = performance.now() - from
  watch.stop()
  await journal.close()
  if (receipt.outcome !== 'complete' || receipt.fills.added !== volume) throw new Error(`The sync was ${receipt.outcome} with ${String(receipt.fills.added)} fills`)
  return { sync: took - watch.waitedMs(), waited: watch.waitedMs() }
}
