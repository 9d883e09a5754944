import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { developmentIssuer } from '#cloud/dev-issuer.ts'
import { migrate } from '#cloud/store/migrate.ts'
import { openDatabase } from '#cloud/store/open-database.ts'
import type { MirrorRecord } from '#shared/mirror/record.ts'
import { startCloud } from '../helpers/cloud.ts'
import type { RunningCloud } from '../helpers/cloud.ts'
import { queryRows, sharedPostgres } from '../helpers/postgres.ts'
import type { PostgresServer } from '../helpers/postgres.ts'
import { callerAt } from './caller.ts'
import type { Caller } from './caller.ts'
import { pair } from './samples.ts'

const migrations = fileURLToPath(new URL('../../migrations/postgres', import.meta.url))
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }

let server: PostgresServer
let databaseUrl: string
let one: RunningCloud
let other: RunningCloud

beforeAll(async () => {
  server = await sharedPostgres()
  databaseUrl = await server.newDatabase()
  one = await startCloud({ databaseUrl })
  other = await startCloud({ databaseUrl, env: { FILLBOOK_CLOUD_JWKS_URL: `${one.url}/.well-known/jwks.json`, FILLBOOK_CLOUD_ISSUER: developmentIssuer.issuer, FILLBOOK_CLOUD_AUDIENCE: developmentIssuer.audience } })
})
afterAll(async () => {
  await Promise.all([one.stop(), other.stop()])
  await server.stop()
})

/** Pushes batch after batch as a device does: behind, it takes note of where the cloud is and tries again. */
const write = async (caller: Caller, batches: readonly (readonly MirrorRecord[])[]): Promise<void> => {
  let place: { journal: string | null; head: number } = await caller.state()
  for (const batch of batches) {
    for (let taken = false; !taken; ) {
      const answer = await caller.push(place.journal, place.head, batch)
      if (answer.outcome === 'failed') throw new Error(`A push failed with ${String(answer.status)}`)
      place = answer
      taken = answer.outcome === 'taken'
    }
  }
}

/** Follows the changes from page to page as they come, until `done`, and then to the end. */
const follow = async (callers: readonly Caller[], done: () => boolean): Promise<{ versions: Map<string, { seq: number; record: MirrorRecord }>; numbers: number[] }> => {
  const versions = new Map<string, { seq: number; record: MirrorRecord }>()
  const numbers: number[] = []
  let cursor = 0
  for (let round = 0; ; round += 1) {
    const last = done()
    const caller = callers[round % callers.length]
    if (caller === undefined) throw new Error('Nobody to ask')
    const { head } = await caller.state()
    for (let after: number | null = cursor; after !== null && head > cursor; ) {
      const page: Awaited<ReturnType<Caller['changes']>> = await caller.changes('pairs', after, head)
      for (const { seq, ...record } of page.records) {
        numbers.push(seq)
        versions.set(record.id, { seq, record })
      }
      after = page.next
    }
    cursor = Math.max(cursor, head)
    if (last) return { versions, numbers }
    await pause(1)
  }
}

test('instances that start on an empty database at once create its tables once', async () => {
  const url = await server.newDatabase()
  const databases = await Promise.all(Array.from({ length: 8 }, () => openDatabase({ kind: 'server', url, poolSize: 1 }, silent)))
  try {
    // Connected beforehand, they set off together.
    await Promise.all(databases.map((database) => database.ping()))
    const applied = await Promise.all(databases.map((database) => migrate(database, migrations)))
    expect(applied.toSorted()).toEqual([0, 0, 0, 0, 0, 0, 0, 7])
    expect(await queryRows(url, 'SELECT version FROM schema_migrations ORDER BY version')).toEqual([1, 2, 3, 4, 5, 6, 7].map((version) => ({ version })))
  } finally {
    await Promise.all(databases.map((database) => database.close()))
  }
})

test('a reader misses no change while four devices write through two instances', { tags: 'long' }, async () => {
  const token = await one.tokenOf('busy@fillbook.test')
  const [here, there] = [callerAt(one.url, token), callerAt(other.url, token)]
  // Each device changes records of its own and some that all share.
  const batchesOf = (device: number) =>
    Array.from({ length: 25 }, (_, round) => [
      ...Array.from({ length: 10 }, (__, index) => pair(`device-${String(device)}-${String((round + index) % 40)}`, round * 100 + index)),
      ...Array.from({ length: 5 }, (__, index) => pair(`shared-${String(index)}`, device * 10_000 + round)),
    ])
  let written = false
  const reading = follow([here, there], () => written)
  await Promise.all([write(here, batchesOf(1)), write(there, batchesOf(2)), write(here, batchesOf(3)), write(there, batchesOf(4))]).finally(() => (written = true))
  const { versions, numbers } = await reading

  const stored = await queryRows<{ id: string; seq: string; content: unknown }>(databaseUrl, 'SELECT id, seq, content FROM records WHERE user_id = $1', [token.userId])
  expect(stored.length).toBeGreaterThan(100)
  expect([...versions].map(([id, { seq, record }]) => ({ id, seq: String(seq), content: record.content })).toSorted(byId)).toEqual(stored.toSorted(byId))
  // A sequence number is assigned once, and read once.
  expect(new Set(numbers).size).toBe(numbers.length)
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
  const [journal] = await queryRows<{ head: string }>(databaseUrl, 'SELECT head FROM journals WHERE user_id = $1', [token.userId])
  expect(Math.max(...numbers)).toBe(Number(journal?.head))
})

test('of two concurrent pushes from the same cursor one is accepted and one is behind', { tags: 'long' }, async () => {
  const token = await one.tokenOf('race@fillbook.test')
  const callers = [callerAt(one.url, token), callerAt(other.url, token)]
  for (let round = 0; round < 30; round += 1) {
    const { journal, head } = await callerAt(one.url, token).state()
    const answers = await Promise.all(callers.map((caller, index) => caller.push(journal, head, [pair('contended', round * 2 + index + 1)])))
    expect(answers.map(({ outcome }) => outcome).toSorted()).toEqual(['behind', 'taken'])
  }
})

test('users are isolated: each gets what it sent and nothing else', { tags: 'long' }, async () => {
  const tokens = await Promise.all(Array.from({ length: 12 }, (_, index) => one.tokenOf(`user-${String(index)}@fillbook.test`)))
  // The thousands digit identifies the user.
  const batchesOf = (user: number, side: number) => Array.from({ length: 5 }, (_, round) => [pair(`side-${String(side)}-${String(round)}`, user * 1_000), pair('same id', user * 1_000 + side * 100 + round)])
  await Promise.all(tokens.flatMap((token, user) => [one, other].map((cloud, side) => write(callerAt(cloud.url, token), batchesOf(user, side)))))
  for (const [user, token] of tokens.entries()) {
    const caller = callerAt(other.url, token)
    const { head, rows } = await caller.state()
    const { records } = await caller.changes('pairs', 0, head)
    expect(rows).toEqual({ pair: 11 })
    expect(new Set(records.map((record) => (record.entity === 'pair' ? Math.floor((record.content?.net ?? -1) / 1_000) : -1)))).toEqual(new Set([user]))
  }
})

const byId = (left: { id: string }, right: { id: string }): number => (left.id < right.id ? -1 : 1)

test('old marks are deleted, so that their number does not grow with every write', async () => {
  const token = await one.tokenOf('marks@fillbook.test')
  const caller = callerAt(one.url, token)
  await write(caller, [[pair('first')], [pair('second')]])
  const marks = () => queryRows<{ head: string }>(databaseUrl, 'SELECT head FROM journal_marks WHERE user_id = $1 ORDER BY head', [token.userId])
  expect(await marks()).toEqual([{ head: '1' }, { head: '2' }])
  await queryRows(databaseUrl, 'UPDATE journals SET head = 100001 WHERE user_id = $1', [token.userId])
  await write(caller, [[pair('third')]])
  expect(await marks()).toEqual([{ head: '2' }, { head: '100002' }])
})
