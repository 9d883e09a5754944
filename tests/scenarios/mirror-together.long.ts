/**
 * @module-tag long
 * @module-tag nightly
 */

import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { developmentIssuer } from '#cloud/dev-issuer.ts'
import { startCloud, type RunningCloud } from '../helpers/cloud.ts'
import { comeTo, startComputer, until, type Computer } from '../helpers/computer.ts'
import { fault } from '../helpers/fault.ts'
import { queryRows, startPostgres, type OwnPostgres } from '../helpers/postgres.ts'
import { openProxy, type Proxy } from '../helpers/proxy.ts'
import { words } from '../helpers/words.ts'

const pushPath = '/api/mirror/push'
const day = 86_400_000

let postgres: OwnPostgres
let databaseUrl: string
let one: RunningCloud
let other: RunningCloud

beforeAll(async () => {
  postgres = await startPostgres({ durable: true })
  databaseUrl = await postgres.newDatabase()
  one = await startCloud({ databaseUrl })
  other = await startCloud({ databaseUrl, env: { FILLBOOK_CLOUD_JWKS_URL: `${one.url}/.well-known/jwks.json`, FILLBOOK_CLOUD_ISSUER: developmentIssuer.issuer, FILLBOOK_CLOUD_AUDIENCE: developmentIssuer.audience } })
})
afterAll(async () => {
  await Promise.all([one.stop(), other.stop()])
  await postgres.stop()
})

/** A balancer before both instances: they take turns, and every `repeated`th push arrives a second time. Tokens come from one of them. */
const openBalancer = async (repeated = Infinity): Promise<Proxy> => {
  const proxy = await openProxy(one.url)
  let [calls, pushes] = [0, 0]
  proxy.decide = ({ path }) => {
    calls += 1
    if (path === pushPath) pushes += 1
    proxy.target = path === '/dev/token' || calls % 2 === 0 ? one.url : other.url
    return path === pushPath && pushes % repeated === 0 ? 'twice' : 'through'
  }
  return proxy
}

type CloudRow = { readonly entity: string; readonly id: string; readonly seq: string; readonly content: Record<string, unknown> | null }
const inCloud = async (email: string): Promise<CloudRow[]> =>
  queryRows<CloudRow>(databaseUrl, 'SELECT entity, id, seq, content FROM records WHERE user_id = $1 ORDER BY seq', [(await one.tokenOf(email)).userId])
const headOf = async (email: string): Promise<number> => Number((await queryRows<{ head: string }>(databaseUrl, 'SELECT head FROM journals WHERE user_id = $1', [(await one.tokenOf(email)).userId]))[0]?.head ?? 0)
const idsOf = (rows: readonly CloudRow[], entity: string): string[] => rows.filter((row) => row.entity === entity).map(({ id }) => id).toSorted()

/** The journals are equal, and the outbox is empty. */
const equal = (computers: readonly Computer[]) => (): boolean => {
  const [first, ...others] = computers.map(({ rows }) => rows())
  return first?.['outbox']?.length === 0 && others.every((rows) => isDeepStrictEqual(rows, first))
}

test('three computers edit at once through two instances, and duplicate deliveries count once: all end in one journal with nothing lost', async () => {
  const email = 'three@example.com'
  const balancer = await openBalancer(2)
  const names = ['ann', 'ben', 'cleo'] as const
  const computers = await Promise.all(names.map(() => startComputer({ email, cloudUrl: balancer.url })))
  const [first] = computers
  if (first === undefined) throw new Error('No computer')
  await first.enter('shared')
  await comeTo('the shared trade', computers, async () => (await Promise.all(computers.map((computer) => computer.trades()))).every((trades) => trades.length === 1))

  const rounds = 12
  const live = async (computer: Computer, name: string): Promise<void> => {
    for (let round = 0; round < rounds; round += 1) {
      const id = `${name}-${String(round).padStart(2, '0')}`
      await computer.enter(id)
      await computer.annotate(id, { notes: `of ${id}` })
      await computer.annotate('shared', round % 2 === 0 ? { notes: `${name} ${String(round)}` } : { tags: [name, String(round)] })
      if (round % 4 === 3) await computer.remove(id)
      if (round % 3 === 0) await computer.addFinance(`payout-${id}`, round + 1)
      await computer.mirrorNow()
    }
  }
  await Promise.all(computers.map((computer, index) => live(computer, names[index] ?? '')))
  await comeTo('equal journals', computers, equal(computers))

  const all = names.flatMap((name) => Array.from({ length: rounds }, (_, round) => ({ id: `${name}-${String(round).padStart(2, '0')}`, round })))
  const trades = await first.trades()
  expect(trades.filter(({ id }) => id !== 'shared').map(({ id, notes }) => ({ id, notes }))).toEqual(all.filter(({ round }) => round % 4 !== 3).map(({ id }) => ({ id, notes: `of ${id}` })))
  // Each computer's last write of a field was its latest one: one of them wins.
  const shared = trades.find(({ id }) => id === 'shared')
  expect(names.map((name) => `${name} 10`)).toContain(shared?.notes)
  expect(names.map((name) => [name, '11'])).toContainEqual(shared?.tags)

  const records = await inCloud(email)
  expect(idsOf(records, 'trade')).toEqual([...all.map(({ id }) => id), 'shared'].toSorted())
  expect(idsOf(records, 'finance')).toEqual(all.filter(({ round }) => round % 3 === 0).map(({ id }) => `payout-${id}`).toSorted())
  expect(first.rows()['fill_pairs']?.map(({ id }) => id)).toEqual(idsOf(records, 'trade'))
  expect(records.find(({ entity, id }) => entity === 'edit' && id === 'shared')?.content).toMatchObject({ notes: { value: shared?.notes }, tags: { value: shared?.tags } })
  expect(Number(records.at(-1)?.seq)).toBe(await headOf(email))
  expect(balancer.passed.filter(({ passage }) => passage === 'twice').length).toBeGreaterThan(1)
})

test('PostgreSQL restarts under load: the mirrors resume automatically, with nothing lost or doubled', { tags: 'fault' }, async ({ task }) => {
  const count = fault(task, 'postgres-restart')
  const email = 'restarted@example.com'
  const balancer = await openBalancer()
  const names = ['ann', 'ben'] as const
  const computers = await Promise.all(names.map(() => startComputer({ email, cloudUrl: balancer.url })))
  await comeTo('equal journals', computers, equal(computers))

  let stopping = false
  const offline = new Set<string>()
  const entered: string[] = []
  const load = async (computer: Computer, name: string): Promise<void> => {
    for (let round = 0; !stopping; round += 1) {
      const id = `${name}-${String(round)}`
      await computer.enter(id)
      entered.push(id)
      await computer.mirrorNow()
      const { state } = await computer.mirror()
      if (state === 'offline') offline.add(name)
    }
  }
  const loads = Promise.all(computers.map((computer, index) => load(computer, names[index] ?? '')))
  try {
    for (const how of ['crash', 'fast', 'crash'] as const) {
      const before = await headOf(email)
      await until('records that are taken', async () => (await headOf(email)) > before + 10)
      await postgres.restart(how)
      count.tried()
    }
    const before = await headOf(email)
    await until('records that are taken afterwards', async () => (await headOf(email)) > before + 10)
  } finally {
    stopping = true
    await loads
  }
  await comeTo('equal journals', computers, equal(computers))

  expect(offline.size).toBeGreaterThan(0)
  count.sees(words('app', 'place.offline-text'))
  const records = await inCloud(email)
  count.compare(idsOf(records, 'trade'), entered.toSorted())
  for (const computer of computers) count.compare((await computer.trades()).map(({ id }) => id), entered.toSorted())
  expect(idsOf(records, 'trade')).toEqual(entered.toSorted())
  for (const computer of computers) expect((await computer.trades()).map(({ id }) => id)).toEqual(entered.toSorted())
  expect(new Set(records.map(({ seq }) => seq)).size).toBe(records.length)
  const third = await startComputer({ email, cloudUrl: balancer.url })
  await comeTo('a journal that is brought back', [third], equal([...computers, third]))
})

test("of two computers with clocks days apart, the one that saw the other's change wins", { tags: 'fault' }, async ({ task }) => {
  const count = fault(task, 'clock-jumps')
  const email = 'clocks@example.com'
  const [ahead, behind] = await Promise.all([3 * day, -3 * day].map((off) => startComputer({ email, cloudUrl: one.url, now: () => Date.now() + off })))
  if (ahead === undefined || behind === undefined) throw new Error('No computers')
  const both = [ahead, behind]
  await ahead.enter('t1')
  await ahead.enter('t2')
  await ahead.addFinance('payout', 1)
  await comeTo('equal journals', both, equal(both))

  for (const [round, writer] of [behind, ahead, behind, behind, ahead, behind].entries()) {
    await writer.annotate('t1', { notes: `round ${String(round)}`, qty: round + 2 })
    await writer.addFinance('payout', round + 2)
    await comeTo('equal journals', [writer, ...both], equal(both))
    count.tried()
    count.compare(behind.rows(), ahead.rows())
    for (const { trades, rows } of both) {
      expect((await trades()).find(({ id }) => id === 't1')).toMatchObject({ notes: `round ${String(round)}`, qty: round + 2 })
      expect(rows()['finances']).toMatchObject([{ id: 'payout', amount: (round + 2) * 10_000 }])
    }
  }
  await behind.remove('t2')
  await comeTo('the removal', [behind, ahead], equal(both))
  for (const { trades } of both) expect((await trades()).map(({ id }) => id)).toEqual(['t1'])

  // Neither saw the other's: either may win, the same on both, and each field separately.
  await Promise.all([ahead.annotate('t1', { notes: 'ahead', stop: '6690.25' }), behind.annotate('t1', { notes: 'behind', tags: ['behind'] })])
  await comeTo('equal journals', both, equal(both))
  const [standing] = await behind.trades()
  expect(['ahead', 'behind']).toContain(standing?.notes)
  expect(standing).toMatchObject({ tags: ['behind'], stop: '6690.25' })
  const edit = (await inCloud(email)).find(({ entity, id }) => entity === 'edit' && id === 't1')
  expect(edit?.content).toMatchObject({ notes: { value: standing?.notes }, tags: { value: ['behind'] } })
})
