import { once } from 'node:events'
import { connect } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { MirrorRecord } from '#shared/mirror/record.ts'
import { startCloud } from '../helpers/cloud.ts'
import type { DevToken, RunningCloud } from '../helpers/cloud.ts'
import { fault } from '../helpers/fault.ts'
import { asAdministrator, queryRows, startPostgres } from '../helpers/postgres.ts'
import type { OwnPostgres } from '../helpers/postgres.ts'
import { callerAt } from './caller.ts'
import type { PushOutcome } from './caller.ts'
import { edit, pair } from './samples.ts'

let server: OwnPostgres
let databaseUrl: string
let cloud: RunningCloud

beforeAll(async () => {
  server = await startPostgres({ durable: true })
  databaseUrl = await server.newDatabase()
  cloud = await startCloud({ databaseUrl, env: { FILLBOOK_CLOUD_LOG_LEVEL: 'debug' } })
})
afterAll(async () => {
  await cloud.stop()
  await server.stop()
})

const patience = { timeout: 60_000, interval: 10 }
const get = (path: string) => fetch(`${cloud.url}${path}`).then(async (answer) => ({ status: answer.status, body: (await answer.json()) as unknown }))

/** Locks a user's journal as another writer would, until released. */
const holdJournal = async (userId: string) => {
  const client = new pg.Client({ connectionString: asAdministrator(databaseUrl) })
  await client.connect()
  await client.query('BEGIN')
  await client.query('SELECT * FROM journals WHERE user_id = $1 FOR UPDATE', [userId])
  return async () => {
    await client.query('ROLLBACK')
    await client.end()
  }
}
const waitingSessions = async () => (await queryRows(databaseUrl, "SELECT 1 FROM pg_stat_activity WHERE application_name = 'fillbook-cloud' AND wait_event_type = 'Lock'")).length
const refusesConnections = async (url: string): Promise<boolean> => {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port) })
  try {
    await once(socket, 'connect')
    return false
  } catch {
    return true
  } finally {
    socket.destroy()
  }
}

test('PostgreSQL restarts under load: pushes fail with a temporary error, then resume; accepted records stay and none is partial', { tags: ['long', 'nightly', 'fault'] }, async ({ task }) => {
  const count = fault(task, 'postgres-restart')
  const tokens = await Promise.all([1, 2, 3].map((index) => cloud.tokenOf(`load-${String(index)}@fillbook.test`)))
  const failures: Extract<PushOutcome, { outcome: 'failed' }>[] = []
  const strange: unknown[] = []
  let stopping = false
  let round = 0

  const load = async (token: DevToken) => {
    const caller = callerAt(cloud.url, token)
    let acknowledged = 0
    let place: { journal: string | null; head: number } = { journal: null, head: 0 }
    for (let version = 1; !stopping; ) {
      const answer = await caller.push(place.journal, place.head, Array.from({ length: 50 }, (_, index) => pair(String(index), version)))
      if (answer.outcome === 'failed') failures.push(answer)
      else place = answer
      if (answer.outcome === 'taken') {
        acknowledged = version
        version += 1
        round += 1
      }
    }
    return acknowledged
  }
  const loads = tokens.map((token) => load(token).catch((error: unknown) => strange.push(error)))
  for (const how of ['crash', 'fast', 'crash', 'fast', 'crash'] as const) {
    const before = round
    await vi.waitUntil(() => round > before + 10 || strange.length > 0, patience)
    await server.restart(how)
    count.tried()
  }
  const before = round
  await vi.waitUntil(() => round > before + 10 || strange.length > 0, patience)
  stopping = true
  const acknowledged = await Promise.all(loads)

  expect(strange).toEqual([])
  expect(failures.length).toBeGreaterThan(0)
  expect(new Set(failures.map(({ status, code, retryAfter }) => `${String(status)} ${code} ${String(retryAfter)}`))).toEqual(new Set(['503 internal 1']))
  for (const [index, token] of tokens.entries()) {
    const versions = await queryRows<{ version: number; rows: string }>(databaseUrl, "SELECT (content ->> 'net')::int AS version, count(*) AS rows FROM records WHERE user_id = $1 GROUP BY 1", [token.userId])
    // A push that was not answered may have been taken: a later version than the acknowledged one is no loss.
    count.compare(versions.map(({ rows, version }) => [rows, version >= Number(acknowledged[index])]), [['50', true]])
    expect(versions).toHaveLength(1)
    expect(versions[0]?.rows).toBe('50')
    expect(versions[0]?.version).toBeGreaterThanOrEqual(Number(acknowledged[index]))
  }
})

test('asked to stop during a push, it accepts no more, finishes the push, and exits', { tags: 'long' }, async () => {
  const leaving = await startCloud({ databaseUrl })
  const token = await leaving.tokenOf('leaving@fillbook.test')
  const caller = callerAt(leaving.url, token)
  const first = await caller.push(null, 0, [pair('one')])
  if (first.outcome !== 'taken') throw new Error(first.outcome)
  const letGo = await holdJournal(token.userId)
  const pushing = caller.push(first.journal, first.head, [pair('two'), pair('three')])
  await vi.waitUntil(async () => (await waitingSessions()) === 1, patience)
  const left = leaving.stop()
  // Each asks on a connection of its own: idle ones are closed by a server that leaves.
  const asked = async (path: string) => {
    const answer = await fetch(`${leaving.url}${path}`, { headers: { authorization: `Bearer ${token.token}`, connection: 'close' } })
    return [answer.status, answer.headers.get('retry-after')]
  }
  await vi.waitUntil(async () => (await asked('/ready'))[0] === 503, patience)
  expect(await asked('/health')).toEqual([200, null])
  expect(await asked('/api/whoami')).toEqual([503, '1'])
  await letGo()
  expect(await pushing).toMatchObject({ outcome: 'taken', head: 3 })
  expect(await left).toBe(0)
  expect(await refusesConnections(leaving.url)).toBe(true)
  expect(await queryRows(databaseUrl, 'SELECT id FROM records WHERE user_id = $1 ORDER BY seq', [token.userId])).toEqual([{ id: 'one' }, { id: 'two' }, { id: 'three' }])
})

test('killed in the middle of a push it leaves no part of it, and no lock', { tags: 'long' }, async () => {
  const dying = await startCloud({ databaseUrl })
  const token = await dying.tokenOf('dying@fillbook.test')
  const caller = callerAt(dying.url, token)
  const first = await caller.push(null, 0, [pair('one')])
  if (first.outcome !== 'taken') throw new Error(first.outcome)
  const letGo = await holdJournal(token.userId)
  const pushing = caller.push(first.journal, first.head, [pair('two')]).catch(() => 'cut')
  await vi.waitUntil(async () => (await waitingSessions()) === 1, patience)
  await dying.kill()
  expect(await pushing).toBe('cut')
  await letGo()
  const again = callerAt(cloud.url, await cloud.tokenOf('dying@fillbook.test'))
  expect(await again.state()).toMatchObject({ head: 1, rows: { pair: 1 } })
  expect(await again.push(first.journal, first.head, [pair('two')])).toMatchObject({ outcome: 'taken', head: 2 })
})

test('the log says which call failed, without user or content', { tags: 'long' }, async () => {
  const url = await server.newDatabase()
  const clumsy = await startCloud({ databaseUrl: url, env: { FILLBOOK_CLOUD_LOG_LEVEL: 'debug' } })
  try {
    const token = await clumsy.tokenOf('private@fillbook.test')
    await queryRows(url, 'ALTER TABLE records RENAME TO elsewhere')
    const secret: MirrorRecord = edit('trade-of-mine', 'a note about my trading')
    expect(await callerAt(clumsy.url, token).push(null, 0, [secret])).toMatchObject({ outcome: 'failed', status: 500, code: 'internal' })
    const said = clumsy.stderr()
    expect(said).toContain('42P01')
    expect(said).toContain('/api/mirror/push')
    for (const personal of ['private@fillbook.test', token.token, token.userId, 'trade-of-mine', 'a note about my trading']) expect(said).not.toContain(personal)
  } finally {
    await clumsy.stop()
  }
})

// The last one, since the server does not come back.
test('without its database it stays up, is not ready, and asks callers to retry', async () => {
  expect(await get('/health')).toEqual({ status: 200, body: { status: 'ok' } })
  expect(await get('/ready')).toEqual({ status: 200, body: { status: 'ready' } })
  const token = await cloud.tokenOf('late@fillbook.test')
  await server.stop()
  expect(await get('/health')).toEqual({ status: 200, body: { status: 'ok' } })
  expect(await get('/ready')).toEqual({ status: 503, body: { status: 'not-ready' } })
  expect(await callerAt(cloud.url, token).push(null, 0, [pair('one')])).toEqual({ outcome: 'failed', status: 503, code: 'internal', retryAfter: '1' })
})
