import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { nowSeconds, startProvider, type Provider } from '../cloud/provider.ts'
import { startCloud } from '../helpers/cloud.ts'
import { queryRows, startPostgres } from '../helpers/postgres.ts'
import { firstRecords, mix, type Caller, type MixedCall } from './cloud-mix.ts'
import { openHttpLine, type HttpLine } from './http-line.ts'
import { counted, median, rounded, scale, type BenchRow } from './row.ts'

const connections = 500 * scale
/** Connections to PostgreSQL, of the cloud and by hand: what the cloud has by default. */
const poolSize = 10
const runs = 3
const limit = 2
const growthLimit = 15
const belief = { issuer: 'https://identity.example.com/fillbook', audience: 'fillbook' } as const

/**
 * Computers of many users that call the cloud at once, each on a connection of its own with one call after the other: the service as in
 * production, a process of its own that checks signed tokens, before a PostgreSQL that loses nothing. Against as many callers that make the
 * same transactions through node-postgres, over as many connections to the same PostgreSQL. Both take turns; medians.
 */
export const benchCloud = async (): Promise<readonly BenchRow[]> => {
  const server = await startPostgres({ durable: true })
  const databaseUrl = await server.newDatabase()
  const provider = await startProvider(belief)
  const cloud = await startCloud({ databaseUrl, mode: 'production', env: { FILLBOOK_CLOUD_STORAGE_MB: '9999999, 9999999, 9999999', FILLBOOK_CLOUD_JWKS_URL: provider.keys.url, FILLBOOK_CLOUD_ISSUER: belief.issuer, FILLBOOK_CLOUD_AUDIENCE: belief.audience } })
  const pool = new pg.Pool({ connectionString: databaseUrl, max: poolSize })
  try {
    const callers = await makeCallers(provider, databaseUrl)
    const [whole, tenth] = [callers, callers.slice(0, connections / 10)]
    const overHttp = async (some: readonly Caller[]): Promise<Round> => {
      const lines: readonly HttpLine[] = await Promise.all(some.map(() => openHttpLine(Number(new URL(cloud.url).port))))
      const taken = await round(some, (call, caller, index) => askCloud(lines[index], call, caller))
      // Unused for a while, the cloud would end them.
      for (const line of lines) line.end()
      return taken
    }
    const byHand = (some: readonly Caller[]): Promise<Round> => round(some, (call, caller) => askByHand(pool, call, caller))
    const measured: { readonly cloud: Round; readonly plain: Round; readonly few: Round }[] = []
    for (let run = 0; run <= runs; run += 1) {
      const taken = { cloud: await overHttp(whole), plain: await byHand(whole), few: await overHttp(tenth) }
      if (taken.cloud.records !== taken.plain.records) throw new Error(`The calls were about ${String(taken.cloud.records)} records, and by hand about ${String(taken.plain.records)}`)
      // The first turn warms up.
      if (run > 0) measured.push(taken)
    }
    await compareHeads(databaseUrl, callers)
    const of = (which: keyof (typeof measured)[number], figure: (round: Round) => number): number => median(measured.map((taken) => figure(taken[which])))
    const [calls, ms, plainMs] = [connections * mix.length, of('cloud', ({ ms }) => ms), of('plain', ({ ms }) => ms)]
    const name = `${counted(calls)} mixed calls of the cloud on ${counted(connections)} connections`
    return [
      { name, ratio: ms / plainMs, limit, details: { cloud: rounded(ms), plain: rounded(plainMs), 'calls a second': Math.round((calls / ms) * 1_000), p50: rounded(of('cloud', ({ p50 }) => p50)), p99: rounded(of('cloud', ({ p99 }) => p99)), 'p99 by hand': rounded(of('plain', ({ p99 }) => p99)), errors: 0, runs } },
      { name: `${name}, growth from ${counted(connections / 10)}`, ratio: ms / of('few', ({ ms: few }) => few), limit: growthLimit, details: { few: rounded(of('few', ({ ms: few }) => few)), many: rounded(ms), 'p99 of few': rounded(of('few', ({ p99 }) => p99)) } },
    ]
  } finally {
    await pool.end()
    await cloud.stop()
    await provider.stop()
    await server.stop()
  }
}

/** Milliseconds for all calls of a round, and for single ones; and how many records they were about. */
type Round = { readonly ms: number; readonly p50: number; readonly p99: number; readonly records: number }

const round = async (callers: readonly Caller[], ask: (call: MixedCall, caller: Caller, index: number) => Promise<number>): Promise<Round> => {
  globalThis.gc?.()
  const took: number[] = []
  let records = 0
  const begun = performance.now()
  await Promise.all(
    callers.map(async (caller, index) => {
      for (let step = 0; step < mix.length; step += 1) {
        const call = mix[(index + step) % mix.length]
        if (call === undefined) throw new Error('No such call')
        const from = performance.now()
        const found = await ask(call, caller, index)
        if (found === 0) throw new Error(`A call of ${caller.userId} came to nothing`)
        took.push(performance.now() - from)
        records += found
      }
    }),
  )
  const ms = performance.now() - begun
  const sorted = took.toSorted((one, other) => one - other)
  const share = (part: number): number => sorted[Math.ceil(sorted.length * part) - 1] ?? NaN
  return { ms, p50: share(0.5), p99: share(0.99), records }
}

const askCloud = async (line: HttpLine | undefined, call: MixedCall, caller: Caller): Promise<number> => {
  const answer = await line?.ask(call.request(caller))
  if (answer?.status !== 200) throw new Error(`The cloud answered ${String(answer?.status)}: ${answer?.body ?? ''}`)
  return call.found(answer.body)
}

const askByHand = async (pool: pg.Pool, call: MixedCall, caller: Caller): Promise<number> => {
  const client = await pool.connect()
  try {
    return await call.byHand(client, caller)
  } finally {
    client.release()
  }
}

const makeCallers = async (provider: Provider, databaseUrl: string): Promise<Caller[]> => {
  const records = firstRecords()
  const callers: Caller[] = []
  for (let number = 0; number < connections; number += 1) {
    const userId = `bench-${String(number)}`
    callers.push({ token: await provider.sign({ sub: userId, exp: nowSeconds() + 3_600 }), userId, journal: randomUUID(), head: records.length, changes: 0 })
  }
  const users = callers.map(({ userId }) => userId)
  await queryRows(databaseUrl, "INSERT INTO journals (user_id, id, head, last_stamp) SELECT user_id, id::uuid, $3, repeat('0', 15) || '-00000-00000000' FROM unnest($1::text[], $2::text[]) AS given (user_id, id)", [users, callers.map(({ journal }) => journal), records.length])
  await queryRows(
    databaseUrl,
    `INSERT INTO records (user_id, entity, id, seq, content) SELECT user_id, entity, id, place, content
      FROM unnest($1::text[]) AS user_id, ROWS FROM (jsonb_to_recordset($2::jsonb) AS (entity text, id text, content jsonb)) WITH ORDINALITY AS given (entity, id, content, place)`,
    [users, JSON.stringify(records)],
  )
  await queryRows(databaseUrl, 'INSERT INTO subscriptions (user_id, content) SELECT user_id, $2 FROM unnest($1::text[]) AS user_id', [users, JSON.stringify({ status: 'active', active: true, subscriptionType: 'autosync' })])
  await queryRows(databaseUrl, 'VACUUM ANALYZE')
  return callers
}

/** What callers know of their journals must be what the database says: no change was lost, and none was made twice. */
const compareHeads = async (databaseUrl: string, callers: readonly Caller[]): Promise<void> => {
  const heads = new Map((await queryRows<{ user_id: string; head: string }>(databaseUrl, 'SELECT user_id, head FROM journals')).map(({ user_id, head }) => [user_id, Number(head)]))
  if (callers.some(({ userId, head }) => heads.get(userId) !== head)) throw new Error('A journal is not where its caller left it')
}
