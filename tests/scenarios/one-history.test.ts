/** @module-tag long */

import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCloudClient } from '#backend/cloud/client.ts'
import { createDevelopmentIdentity } from '#backend/cloud/development-identity.ts'
import { createCloudMirror, type CloudMirror } from '#backend/cloud/mirror-calls.ts'
import { err, ok } from '#shared/base/result.ts'
import { everyTrade } from '#shared/stats/filter.ts'
import { casesOf, isNightly } from '../helpers/cases.ts'
import { startCloud, type RunningCloud } from '../helpers/cloud.ts'
import { dumpCloud, emptyDatabase } from '../helpers/cloud-dump.ts'
import { sharedRows } from '../helpers/listed-cloud.ts'
import { mirrorDevice, type MirrorDevice } from '../helpers/mirror-device.ts'
import { queryRows, sharedPostgres, type PostgresServer } from '../helpers/postgres.ts'
import { fillRow, importRows } from '../helpers/imports.ts'
import { fill, monday, openStore, take, user } from '../helpers/store.ts'

let postgres: PostgresServer
let databaseUrl: string
let cloud: RunningCloud
beforeAll(async () => {
  postgres = await sharedPostgres()
  databaseUrl = await postgres.newDatabase()
  cloud = await startCloud({ databaseUrl })
})
afterAll(async () => {
  await cloud.stop()
  await postgres.stop()
})

let users = 0
const newUser = (): string => `user-${String((users += 1))}@example.com`
const mirrorOf = (email: string): CloudMirror => createCloudMirror(createCloudClient(createDevelopmentIdentity({ url: () => Promise.resolve(ok(cloud.url)), email })))

type Name = 'ann' | 'ben' | 'cleo' | 'fresh'
type Devices = Readonly<Record<Name, MirrorDevice>>

const finance = (device: MirrorDevice, id: string, amount = 1, at = monday): void => {
  device.store.write.addFinance({ ...user, at, finance: { balance: 0, platform: 'other', firm: null, date: '2026-01-05', id, type: 'earning', amount, name: id } })
}
const finances = ({ store }: MirrorDevice): string[] => (sharedRows(store)['finances'] ?? []).filter(({ removed_at }) => removed_at === null).map(({ id }) => String(id)).filter((id) => id.includes('-')).toSorted()
const pairs = ({ store }: MirrorDevice) => store.read.pairPage({ ...user, filter: everyTrade, offset: 0, limit: 100, sort: 'exitTime', direction: 'asc' }).rows
const isAtRest = ({ store }: MirrorDevice): boolean => store.read.mirror(user).waiting === 0
const turnOf = async (device: MirrorDevice): Promise<void> => {
  expect(await device.turn()).toEqual(ok(null))
}

/** Lets them speak in this order, over and over, until nothing waits and all hold the same. */
const settle = async (devices: readonly MirrorDevice[]): Promise<void> => {
  for (let round = 0; round < 3; round += 1) for (const device of devices) await turnOf(device)
  for (const device of devices) {
    expect(isAtRest(device)).toBe(true)
    expect(sharedRows(device.store)).toEqual(sharedRows(devices[0]?.store ?? device.store))
  }
}

/** Every order of these. */
const orders = <T>(items: readonly T[]): T[][] => (items.length === 0 ? [[]] : items.flatMap((item, index) => orders(items.toSpliced(index, 1)).map((rest) => [item, ...rest])))

/** Three computers with one journal that was dumped, and then changed on all of them. */
const begin = async (names: readonly Name[]): Promise<{ readonly devices: Devices; readonly putBack: () => Promise<void>; readonly email: string }> => {
  const email = newUser()
  const mirror = mirrorOf(email)
  const store = openStore()
  await take(store, fill(1, 'buy', 1, 6700), fill(2, 'sell', 1, 6701), fill(3, 'buy', 2, 6700), fill(4, 'sell', 2, 6699))
  const devices = { ann: mirrorDevice(mirror, { store }), ben: mirrorDevice(mirror), cleo: mirrorDevice(mirror), fresh: mirrorDevice(mirror) }
  const known = names.filter((name) => name !== 'fresh')
  finance(devices.ann, 'old-kept')
  finance(devices.ann, 'old-removed')
  await settle(known.map((name) => devices[name]))
  const { putBack } = await dumpCloud(databaseUrl)
  for (const name of known) {
    finance(devices[name], `lost-${name}`)
    await turnOf(devices[name])
  }
  devices.ann.store.write.removeFinance({ ...user, at: monday + 1, id: 'old-removed' })
  await take(devices.ann.store, fill(5, 'buy', 1, 6700), fill(6, 'sell', 1, 6705))
  await settle(known.map((name) => devices[name]))
  return { devices, putBack, email }
}

const groups: readonly (readonly Name[])[] = [['ann', 'ben'], ['ann', 'ben', 'cleo']]
// Each computer speaks first once; a fresh one beside them joins in the long run. Every order of either is gone through at night.
const known = groups.flatMap(orders)
const withFresh = groups.flatMap((names) => orders([...names, 'fresh' as const])).filter((_, index) => index % casesOf({ nightly: 1, long: 4, inCi: 30 }) === 0)
const isShort = (index: number): boolean => index % 2 === 0
const cases = [
  ...known.filter((_, index) => isShort(index)).map((order) => ({ order, tags: [] })),
  ...(isNightly ? known.filter((_, index) => !isShort(index)) : []).map((order) => ({ order, tags: ['long'] })),
  ...withFresh.map((order) => ({ order, tags: ['long'] })),
]

describe('the cloud was restored from a dump older than an undone import', () => {
  const rowsOfFile = Array.from({ length: 6 }, (_, row) => fillRow('PA-7', 20 + row, row % 2 === 0 ? 'buy' : 'sell', 1, 6750))
  const undo = ({ store }: MirrorDevice) => store.write.undoImport({ ...user, at: monday, importId: 'one' })
  const imported = async (names: readonly Name[]) => {
    const email = newUser()
    const mirror = mirrorOf(email)
    const devices = { ann: mirrorDevice(mirror, { store: openStore() }), ben: mirrorDevice(mirror), cleo: mirrorDevice(mirror), fresh: mirrorDevice(mirror) }
    const known = names.filter((name) => name !== 'fresh').map((name) => devices[name])
    await importRows(devices.ann.store, 'one', rowsOfFile)
    await settle(known)
    const { putBack } = await dumpCloud(databaseUrl)
    expect(await undo(devices.ann)).toMatchObject({ ok: true, value: { fills: { removed: 6 } } })
    await settle(known)
    expect(finances(devices.ann)).toEqual([])
    return { devices, known, putBack }
  }

  for (const { order, tags } of cases) {
    test(`and ${order.join(', then ')} sync: it stays undone`, { tags }, async () => {
      const { devices, putBack } = await imported(order)
      await putBack()
      finance(devices[order[0] ?? 'ann'], 'new-first')
      await settle(order.map((name) => devices[name]))
      for (const name of order) {
        expect(pairs(devices[name])).toEqual([])
        expect(finances(devices[name])).toEqual(['new-first'])
      }
      expect(await queryRows(databaseUrl, "SELECT id FROM records WHERE entity = 'fill' AND content <> 'null'")).toEqual([])
    })
  }

  test('and an older computer, which knows no removals, brings its fills back: the undo can be repeated', async () => {
    const { devices } = await imported(['ann', 'ben'])
    // As an older program sends fills of the same file: without their removal.
    const { store } = devices.ben
    await importRows(store, 'again', rowsOfFile)
    store.writer.database.prepare("DELETE FROM outbox WHERE entity = 'removal'").run()
    store.writer.database.prepare('DELETE FROM imports').run()
    await settle([devices.ben, devices.ann])
    expect(pairs(devices.ann)).toHaveLength(3)
    expect(devices.ann.store.read.imports(user)[0]?.undoneAt).not.toBeNull()
    expect(await undo(devices.ann)).toMatchObject({ ok: true, value: { fills: { removed: 6 } } })
    expect(pairs(devices.ann)).toEqual([])
    expect(await devices.ann.store.write.undoImport({ ...user, at: monday, importId: 'unknown' })).toEqual({ ok: false, error: 'not-found' })
  })

  test('and importing the same file again reaches all, even if the cloud is restored once more to when it was undone', async () => {
    const { devices, known } = await imported(['ann', 'ben', 'cleo'])
    const { putBack } = await dumpCloud(databaseUrl)
    await importRows(devices.ben.store, 'two', rowsOfFile)
    await settle(known)
    for (const device of known) expect(pairs(device)).toHaveLength(3)
    await putBack()
    for (const device of known) await turnOf(device)
    await settle([devices.cleo, devices.ann, devices.ben])
    for (const device of known) expect(pairs(device)).toHaveLength(3)
  })
})

test('a computer without an answer from an emptied cloud keeps its removals when another refills the cloud', async () => {
  const email = newUser()
  const real = mirrorOf(email)
  const [ann, ben] = [mirrorDevice(real, { store: openStore() }), mirrorDevice(real)]
  await importRows(ben.store, 'one', [fillRow('PA-7', 20, 'buy', 1, 6750), fillRow('PA-7', 21, 'sell', 1, 6751)])
  await importRows(ann.store, 'two', [fillRow('PA-7', 30, 'buy', 1, 6750), fillRow('PA-7', 31, 'sell', 1, 6751)])
  await settle([ben, ann])
  expect(await ben.store.write.undoImport({ ...user, at: monday, importId: 'one' })).toMatchObject({ ok: true })
  await emptyDatabase(databaseUrl)
  const lost = mirrorDevice({ ...real, push: async (...given) => (await real.push(...given), err({ kind: 'unreachable', cause: 'network', status: null } as const)) }, { store: ben.store })
  expect((await lost.turn()).ok).toBe(false)
  await emptyDatabase(databaseUrl)
  await turnOf(ann)
  await settle([ben, ann])
  for (const device of [ann, ben]) expect(pairs(device)).toHaveLength(1)
})

describe('the cloud was restored from a dump', () => {
  for (const { order, tags } of cases) {
    test(`and ${order.join(', then ')} sync: all have what any of them had, and removed rows stay removed`, { tags }, async () => {
      const known = order.filter((name) => name !== 'fresh')
      const { devices, putBack } = await begin(order)
      await putBack()
      // The first to sync pushes the cloud past the cursors of the others.
      for (const [index, name] of known.entries()) for (let more = 0; more < 10 - 4 * index; more += 1) finance(devices[name], `new-${name}-${String(more)}`)
      await settle(order.map((name) => devices[name]))
      const wanted = ['old-kept', ...known.map((name) => `lost-${name}`), ...known.flatMap((name, index) => Array.from({ length: 10 - 4 * index }, (_, more) => `new-${name}-${String(more)}`))].toSorted()
      for (const name of order) {
        expect(finances(devices[name])).toEqual(wanted)
        expect(pairs(devices[name])).toHaveLength(3)
      }
    })
    test(`or emptied, and ${order.join(', then ')} sync: nothing is missing`, { tags }, async () => {
      const { devices } = await begin(order)
      await emptyDatabase(databaseUrl)
      if (order[0] === 'fresh') finance(devices.fresh, 'new-fresh')
      await settle(order.map((name) => devices[name]))
      const known = order.filter((name) => name !== 'fresh')
      const wanted = ['old-kept', ...known.map((name) => `lost-${name}`), ...(order[0] === 'fresh' ? ['new-fresh'] : [])].toSorted()
      for (const name of order) expect(finances(devices[name])).toEqual(wanted)
    })
  }
})

test('truncating the tables leaves no hashes of their old content', async () => {
  const { devices } = await begin(['ann', 'ben'])
  const owner = new pg.Client({ connectionString: databaseUrl })
  await owner.connect()
  await owner.query('TRUNCATE records, journals, pictures')
  await owner.end()
  await settle([devices.ben, devices.ann])
  expect(await queryRows(databaseUrl, "SELECT 1 FROM records WHERE entity = 'finance' AND id LIKE 'lost-%'")).toHaveLength(2)
})

test('a comparison interrupted at any call ends with the same result, and reports its progress', async () => {
  const { devices, putBack, email } = await begin(['ann', 'ben'])
  await putBack()
  finance(devices.ben, 'new-ben')
  await turnOf(devices.ben)
  finance(devices.ann, 'new-ann')
  // Each try gets one call further than the one before.
  const away = err({ kind: 'unreachable', cause: 'network', status: null } as const)
  const real = mirrorOf(email)
  let [left, tries] = [0, 0]
  const calling = (): boolean => (left -= 1) >= 0
  const failing: CloudMirror = {
    ...real,
    journal: async (...given) => (calling() ? real.journal(...given) : away),
    changes: async (...given) => (calling() ? real.changes(...given) : away),
    push: async (...given) => (calling() ? real.push(...given) : away),
  }
  const ann = mirrorDevice(failing, { store: devices.ann.store })
  for (let outcome = await ann.turn(); !outcome.ok; outcome = await ann.turn()) {
    // Until it completes, the old cursor stays.
    if (ann.published.comparing.at(-1) !== undefined && ann.published.comparing.at(-1) !== null) expect(ann.store.read.mirror(user).proof).not.toBeNull()
    left = tries += 1
  }
  expect(tries).toBeGreaterThan(5)
  expect(ann.published.comparing[0]).toEqual({ done: 0, total: 0 })
  expect(ann.published.comparing.at(-1)).toBeNull()
  expect(ann.published.comparing.some((progress) => progress !== null && progress.total > 0)).toBe(true)
  await settle([ann, devices.ben])
  expect(finances(ann)).toEqual(['lost-ann', 'lost-ben', 'new-ann', 'new-ben', 'old-kept'])
})

test('equal records are not transferred: the cloud gets only what it lost, and a computer that finds everything there reads and sends nothing', async () => {
  const { devices, putBack, email } = await begin(['ann', 'ben'])
  await putBack()
  const records = await queryRows(databaseUrl, 'SELECT entity, id FROM records')
  const pushed: { entity: string; id: string }[] = []
  const calls: string[] = []
  const real = mirrorOf(email)
  const watched: CloudMirror = {
    ...real,
    changes: (...given) => (calls.push('changes'), real.changes(...given)),
    push: (given, signal) => (pushed.push(...(JSON.parse(new TextDecoder().decode(given.records)) as typeof pushed)), real.push(given, signal)),
  }
  await turnOf(mirrorDevice(watched, { store: devices.ann.store }))
  const lost = pushed.map(({ entity, id }) => `${entity} ${id}`)
  expect(lost).toEqual(expect.arrayContaining(['finance lost-ann', 'finance lost-ben', 'finance old-removed']))
  expect(lost.filter((name) => /finance old-kept|profile|account/.test(name))).toEqual([])
  expect(lost.length).toBeLessThan(records.length)
  ;[calls.length, pushed.length] = [0, 0]
  await turnOf(mirrorDevice(watched, { store: devices.ben.store }))
  expect([calls, pushed]).toEqual([[], []])
})

test('a computer and a cloud of different versions work as before, and compare once both are new', async () => {
  const email = newUser()
  const real = mirrorOf(email)
  const older: CloudMirror = {
    ...real,
    journal: async (signal) => {
      const held = await real.journal(signal)
      return held.ok ? ok({ journal: held.value.journal, head: held.value.head, rows: held.value.rows }) : held
    },
    push: async ({ journal, after, id, records }, signal) => {
      const taken = await real.push({ journal, after, id, records }, signal)
      return taken.ok && taken.value.outcome === 'taken' ? ok({ outcome: 'taken', journal: taken.value.journal, head: taken.value.head }) : taken
    },
  }
  const [ann, ben] = [mirrorDevice(older, { store: openStore() }), mirrorDevice(older)]
  finance(ann, 'one-of-ann')
  await settle([ann, ben])
  expect(ann.store.read.mirror(user).proof).toBeNull()
  const [newer, other] = [mirrorDevice(real, { store: ann.store }), mirrorDevice(real, { store: ben.store })]
  await settle([newer, other])
  expect(newer.store.read.mirror(user).proof).not.toBeNull()
  finance(other, 'one-of-ben')
  await settle([other, newer])
  expect(finances(newer)).toEqual(['one-of-ann', 'one-of-ben'])
})
