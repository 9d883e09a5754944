import fc from 'fast-check'
import { expect } from 'vitest'
import { createCloudClient } from '#backend/cloud/client.ts'
import { createDevelopmentIdentity } from '#backend/cloud/identity.ts'
import { createCloudMirror } from '#backend/cloud/mirror-calls.ts'
import { ok } from '#shared/base/result.ts'
import { startCloud } from '../helpers/cloud.ts'
import { dumpCloud, emptyDatabase, type CloudDump } from '../helpers/cloud-dump.ts'
import { fillRow, importRows } from '../helpers/imports.ts'
import { sharedRows } from '../helpers/listed-cloud.ts'
import { mirrorDevice, type MirrorDevice } from '../helpers/mirror-device.ts'
import { startPostgres } from '../helpers/postgres.ts'
import { monday, openStore, user } from '../helpers/store.ts'

const who = fc.nat(2)
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('add' as const), who }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), who, pick: fc.nat(20) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('import' as const), who }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('undo' as const), pick: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('redo' as const), pick: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('picture' as const), who }) },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('speak' as const), who }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('dump' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('put back' as const), pick: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('empty' as const) }) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** What a file says, who imported it, and whether that stands. */
type Imported = { readonly rows: ReturnType<typeof fillRow>[]; readonly device: MirrorDevice; importId: string; stands: boolean }

const pick = <T>(items: readonly T[], index: number): T | undefined => items[index % Math.max(1, items.length)]

/**
 * Three computers of one user, a cloud in a process of its own over a real PostgreSQL, and an operator who dumps it, puts it
 * back to any earlier moment and empties it. In the end they speak until nothing waits: then all hold the union of what
 * anybody held, less what somebody removed. That is judged by what the steps did, and not by what the program says.
 */
export const walkHistories = async (walks: number): Promise<void> => {
  const postgres = await startPostgres()
  const databaseUrl = await postgres.newDatabase()
  const cloud = await startCloud({ databaseUrl })
  let walked = 0

  const walk = async (steps: readonly Step[]): Promise<void> => {
    walked += 1
    const mirror = createCloudMirror(createCloudClient(createDevelopmentIdentity({ url: () => Promise.resolve(ok(cloud.url)), email: `walk-${String(walked)}@example.com` })))
    const devices = [mirrorDevice(mirror, { store: openStore() }), mirrorDevice(mirror), mirrorDevice(mirror)] as const
    const [held, removed] = [new Set<string>(), new Set<string>()]
    const imports: Imported[] = []
    const dumps: CloudDump[] = []
    const pictures: string[] = []
    let at = monday
    const deviceOf = (index: number): MirrorDevice => devices[index] ?? devices[0]
    const speak = async (device: MirrorDevice): Promise<void> => {
      device.pass(3_600_000)
      expect(await device.turn()).toEqual(ok(null))
    }
    const read = async (one: Imported): Promise<void> => {
      one.importId = `import-${String((at += 1))}`
      one.stands = true
      await importRows(one.device.store, one.importId, one.rows, null, at)
    }
    const take = async (one: Step): Promise<void> => {
      at += 1
      switch (one.kind) {
        case 'add': {
          const id = `finance-${String(at)}`
          deviceOf(one.who).store.write.addFinance({ ...user, at, finance: { id, type: 'earning', amount: 1, name: id, balance: 0, platform: 'other', firm: null, date: '2026-01-05' } })
          held.add(id)
          return
        }
        case 'remove': {
          const device = deviceOf(one.who)
          const id = pick(finances(device), one.pick)
          if (id === undefined) return
          device.store.write.removeFinance({ ...user, at, id })
          removed.add(id)
          return
        }
        case 'import': {
          const first = 10 * (imports.length + 1)
          const imported: Imported = { rows: [fillRow('PA-7', first, 'buy', 1, 6750), fillRow('PA-7', first + 1, 'sell', 1, 6751)], device: deviceOf(one.who), importId: '', stands: true }
          imports.push(imported)
          return read(imported)
        }
        case 'undo': {
          const imported = pick(imports.filter(({ stands }) => stands), one.pick)
          if (imported === undefined) return
          imported.stands = false
          expect(await imported.device.store.write.undoImport({ ...user, at, importId: imported.importId })).toMatchObject({ ok: true })
          return
        }
        case 'redo': {
          const imported = pick(imports.filter(({ stands }) => !stands), one.pick)
          if (imported !== undefined) await read(imported)
          return
        }
        case 'picture': {
          const device = deviceOf(one.who)
          const kept = await device.pictures.keep(user.userId, Buffer.from(`\x89PNG\r\n\x1a\n${String(at)}`, 'latin1'))
          if (!kept.ok) throw new Error(kept.error)
          device.store.write.addPicture({ ...user, at, ...kept.value })
          pictures.push(kept.value.name)
          return
        }
        case 'speak':
          return speak(deviceOf(one.who))
        case 'dump':
          dumps.push(await dumpCloud(databaseUrl))
          return
        case 'put back':
          return pick(dumps, one.pick)?.putBack()
        case 'empty':
          return emptyDatabase(databaseUrl)
      }
    }
    for (const one of steps) await take(one)

    const fresh = mirrorDevice(mirror)
    const all = [...devices, fresh]
    for (let round = 0; round < 4; round += 1) for (const device of all) await speak(device)
    const wanted = {
      finances: [...held].filter((id) => !removed.has(id)).toSorted(),
      fills: imports.filter(({ stands }) => stands).flatMap(({ rows }) => rows.map(({ fillId }) => fillId)).toSorted(),
      pictures: pictures.toSorted(),
    }
    for (const device of all) {
      const rows = sharedRows(device.store)
      const fills = (rows['fills'] ?? []).map(({ id }) => String(id)).toSorted()
      expect({ finances: finances(device), fills, pictures: (await device.pictures.list(user.userId)).toSorted() }).toEqual(wanted)
      expect(device.store.read.mirror(user).waiting).toBe(0)
      expect(rows).toEqual(sharedRows(devices[0].store))
    }
  }

  try {
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), walk), { numRuns: walks, endOnFailure: true })
    expect(walked).toBe(walks)
  } finally {
    await cloud.stop()
    await postgres.stop()
  }
}

const finances = ({ store }: MirrorDevice): string[] =>
  (sharedRows(store)['finances'] ?? []).filter(({ id, removed_at }) => String(id).startsWith('finance-') && removed_at === null).map(({ id }) => String(id)).toSorted()
