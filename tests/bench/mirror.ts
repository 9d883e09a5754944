import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startMirrorThread } from '#backend/mirror/service.ts'
import { openJournal } from '#backend/journal/open-journal.ts'
import { err, ok } from '#shared/base/result.ts'
import { startCloud, type RunningCloud } from '../helpers/cloud.ts'
import { makeLargeJournal } from '../helpers/large-journal.ts'
import { startPostgres } from '../helpers/postgres.ts'
import { counted, median, rounded, scale, type BenchRow } from './row.ts'
import { emptyCloud, replaceJournals, readRecords, sumOfRecords, upsertByHand, type RecordRow } from './upserts.ts'

/** Makes about 100,000 records: fills, trades and what their user says of them. */
const trades = 40_000 * scale
const runs = 5
const limit = 1.5
const growthLimit = 15
const compareLimit = 0.1
const userId = 'bench'
const nobody = 'nobody'
const batches = [200, 500, 1_000, 2_000, 5_000]
const patienceMs = 300_000
const migrationsFolder = fileURLToPath(new URL('../../migrations/sqlite/', import.meta.url))
const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }

/**
 * The mirroring of about 100,000 records as the product does it: from the journal's threads over HTTP to the cloud, a process
 * of its own, into a real PostgreSQL server, until nothing waits any more. Against multi-row upserts of the same rows into the
 * same table, written by hand with the size that is best here, from texts that lie ready in memory. The two take turns; medians.
 */
export const benchMirror = async (): Promise<readonly BenchRow[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'fillbook-bench-'))
  const server = await startPostgres()
  const databaseUrl = await server.newDatabase()
  const cloud = await startCloud({ databaseUrl, env: { FILLBOOK_CLOUD_STORAGE_MB: '9999999, 9999999, 9999999' } })
  try {
    const [journal, tenth] = [join(folder, 'journal'), join(folder, 'tenth')]
    await makeJournal(journal, trades)
    await makeJournal(tenth, trades / 10)
    // The first round warms up both, and finds the best size.
    await round(journal, join(folder, 'warm'), cloud, databaseUrl)
    const records = await readRecords(databaseUrl)
    const batch = await bestBatch(databaseUrl, records)
    const [few, mirrored, byHand, restored, compared]: [number[], number[], number[], number[], number[]] = [[], [], [], [], []]
    for (let run = 0; run < runs; run += 1) {
      few.push((await round(tenth, join(folder, `tenth-${String(run)}`), cloud, databaseUrl)).mirrored)
      const took = await round(journal, join(folder, String(run)), cloud, databaseUrl)
      mirrored.push(took.mirrored)
      restored.push(took.restored)
      compared.push(took.compared)
      byHand.push(await filledByHand(databaseUrl, records, batch))
    }
    const [product, plain] = [median(mirrored), median(byHand)]
    const details = { mirrored: rounded(product), byHand: rounded(plain), batch, restoredPerSecond: Math.round((records.length / median(restored)) * 1_000), records: records.length, runs }
    const name = `mirroring ${counted(records.length)} records`
    return [
      { name, ratio: product / plain, limit, details },
      { name: `comparing ${counted(records.length)} equal records with a cloud that lost its history, against sending them`, ratio: median(compared) / product, limit: compareLimit, details: { compared: rounded(median(compared)), mirrored: rounded(product), runs } },
      { name: `${name}, growth from a tenth of the trades`, ratio: product / median(few), limit: growthLimit, details: { few: rounded(median(few)), many: rounded(product) } },
    ]
  } finally {
    await cloud.stop()
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

const placeIn = (folder: string) => ({ file: join(folder, 'journal.db'), migrationsFolder, backupFolder: join(folder, 'backups') })

const openProfile = async (folder: string) => {
  const journal = await openJournal({ ...placeIn(folder), log: quiet })
  for (const id of [userId, nobody]) {
    await journal.write.ensureProfile({ id, email: null, displayName: '', passwordHash: null, recoveryHash: null, demo: false, timeZone: 'America/New_York', createdAt: Date.now() })
  }
  return journal
}

const makeJournal = async (folder: string, count: number): Promise<void> => {
  await (await openProfile(folder)).close()
  await makeLargeJournal({ file: placeIn(folder).file, picturesFolder: join(folder, 'pictures'), userId }, count)
  // Folds what was just written into the file, so that no run pays for it.
  await (await openProfile(folder)).close()
}

/** Mirrors a copy of the journal into an empty cloud, then brings it back into an empty one. Then the cloud is another one with the same records, as after it was emptied and another computer sent it everything, and the first is compared with it. */
const round = async (journal: string, folder: string, cloud: RunningCloud, databaseUrl: string): Promise<{ mirrored: number; restored: number; compared: number }> => {
  await emptyCloud(databaseUrl)
  await cp(journal, join(folder, 'one'), { recursive: true })
  const mirrored = await equalTo(cloud, join(folder, 'one'))
  const restored = await equalTo(cloud, join(folder, 'other'))
  await replaceJournals(databaseUrl)
  const compared = await equalTo(cloud, join(folder, 'one'))
  await rm(folder, { recursive: true })
  return { mirrored, restored, compared }
}

/** Lets the mirror's thread make a journal and the cloud equal; milliseconds from its beginning to its word that they are. Its connection to the cloud is made before, by a profile of its own that holds nothing, as the one of the upserts by hand is. */
const equalTo = async (cloud: RunningCloud, folder: string): Promise<number> => {
  const access = async (email: string) => ok({ url: cloud.url, token: (await cloud.tokenOf(email)).token })
  const accesses = new Map([[userId, await access('bench@example.com')], [nobody, await access('nobody@example.com')]])
  const equal = new Map([userId, nobody].map((user) => [user, Promise.withResolvers<number>()]))
  const journal = await openProfile(folder)
  const fail = (why: string): void => equal.forEach(({ reject }) => reject(new Error(why)))
  const patience = setTimeout(fail, patienceMs, 'The mirror got nowhere')
  const thread = startMirrorThread({
    journal,
    picturesFolder: join(folder, 'pictures'),
    log: { ...quiet, error: (_fields, message) => fail(message) },
    answers: {
      access: ({ userId: user }) => Promise.resolve(accesses.get(user) ?? err({ kind: 'aborted' })),
      stateChanged: ({ userId: user, state: { state } }) => {
        if (state === 'up-to-date') equal.get(user)?.resolve(performance.now())
        if (state === 'offline' || state === 'refused') fail(`The mirror is ${state}`)
      },
      changed: () => undefined,
    },
  })
  const synchronize = async (user: string): Promise<number> => {
    const from = performance.now()
    await thread.begin(user)
    return ((await equal.get(user)?.promise) ?? from) - from
  }
  try {
    await synchronize(nobody)
    globalThis.gc?.()
    return await synchronize(userId)
  } finally {
    clearTimeout(patience)
    await thread.stop()
    await journal.close()
  }
}

const filledByHand = async (databaseUrl: string, records: readonly RecordRow[], batch: number): Promise<number> => {
  const before = await sumOfRecords(databaseUrl)
  await emptyCloud(databaseUrl)
  globalThis.gc?.()
  const took = await upsertByHand(databaseUrl, records, batch)
  // The same numbers in another order of writing would be another table.
  if ((await sumOfRecords(databaseUrl)) !== before) throw new Error('The rows written by hand are not those that were mirrored')
  return took
}

const bestBatch = async (databaseUrl: string, records: readonly RecordRow[]): Promise<number> => {
  const took: [batch: number, ms: number][] = []
  for (const batch of batches) {
    const times: number[] = []
    for (let run = 0; run < 3; run += 1) times.push(await filledByHand(databaseUrl, records, batch))
    took.push([batch, median(times)])
  }
  return took.reduce((one, other) => (other[1] < one[1] ? other : one))[0]
}
