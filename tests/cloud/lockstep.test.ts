import { randomInt, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openDatabase } from '#cloud/store/open-database.ts'
import type { Database, DatabasePlace } from '#cloud/store/database.ts'
import { openJournals, type Journals } from '#cloud/store/journals.ts'
import { migrate } from '#cloud/store/migrate.ts'
import { mostRecords } from '#shared/api/mirror.ts'
import { mirrorRecord } from '#shared/mirror/record.ts'
import type { MirrorPart, MirrorRecord } from '#shared/mirror/record.ts'
import { queryRows, sharedPostgres } from '../helpers/postgres.ts'
import { anyAmount, contract, edit, finance, gonePair, pair, stampAt } from './samples.ts'

const migrations = fileURLToPath(new URL('../../migrations/postgres', import.meta.url))
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }

const onServer = async (): Promise<{ place: DatabasePlace; stop: () => Promise<void> }> => {
  const server = await sharedPostgres()
  return { place: { kind: 'server', url: await server.newDatabase(), poolSize: 8 }, stop: server.stop }
}
const embedded: typeof onServer = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fillbook-embedded-'))
  return { place: { kind: 'embedded', folder }, stop: () => rm(folder, { recursive: true, force: true }) }
}

const behavesOn = (open: typeof onServer) => (): void => {
  let database: Database
  let journals: Journals
  let stop: () => Promise<void>

  beforeAll(async () => {
    const opened = await open()
    stop = opened.stop
    database = await openDatabase(opened.place, silent)
    await migrate(database, migrations)
    journals = openJournals(database, anyAmount)
  })
  afterAll(async () => {
    await database.close()
    await stop()
  })

  const everything = async (userId: string, part: MirrorPart, after = 0) => {
    const { head } = await journals.state(userId)
    return (await journals.changes(userId, { part, after, upTo: head })).records
  }
  const pushed = async (userId: string, ...records: MirrorRecord[]) => {
    const { journal, head } = await journals.state(userId)
    return journals.push(userId, { journal, after: head, records })
  }

  test('the longest names of the longest user are stored, in the widest characters', async () => {
    // At random, so that the database cannot make them shorter.
    const letters = (length: number, from: number, to: number) => Array.from({ length }, () => String.fromCharCode(randomInt(from, to))).join('')
    const user = letters(255, 0x20, 0x7f)
    const record = contract(letters(620, 0x4e00, 0x9fff), 'ESH6')
    expect(mirrorRecord.safeParse(record).success).toBe(true)
    expect(await pushed(user, record)).toMatchObject({ outcome: 'taken', head: 1 })
    expect(await everything(user, 'ground')).toEqual([{ ...record, seq: 1 }])
  })

  test('the first push creates the journal; its sequence numbers follow the order of the push', async () => {
    const user = randomUUID()
    expect(await journals.state(user)).toEqual({ journal: null, head: 0, rows: {} })
    const first = await journals.push(user, { journal: null, after: 0, records: [pair('one'), contract('demo/1', 'ESH6'), pair('two')] })
    expect(first).toMatchObject({ outcome: 'taken', journal: expect.any(String), head: 3 })
    expect(await everything(user, 'pairs')).toEqual([{ ...pair('one'), seq: 1 }, { ...pair('two'), seq: 3 }])
    expect(await everything(user, 'ground')).toEqual([{ ...contract('demo/1', 'ESH6'), seq: 2 }])
    expect(await everything(user, 'rest')).toEqual([])
    expect(await journals.state(user)).toEqual({ journal: first.journal, head: 3, rows: { contract: 1, pair: 2 } })
  })

  test('a device that has not read everything is behind, and none of its push is stored', async () => {
    const user = randomUUID()
    const { journal } = await pushed(user, pair('one'))
    await pushed(user, pair('two'))
    const late = await journals.push(user, { journal, after: 1, records: [pair('one', 5), pair('three')] })
    expect(late).toEqual({ outcome: 'behind', journal, head: 2 })
    expect(await journals.push(user, { journal, after: 3, records: [pair('three')] })).toMatchObject({ outcome: 'behind', head: 2 })
    expect(await everything(user, 'pairs')).toEqual([{ ...pair('one'), seq: 1 }, { ...pair('two'), seq: 2 }])
    expect(await journals.push(user, { journal, after: 2, records: [pair('three')] })).toMatchObject({ outcome: 'taken', journal, head: 3 })
  })

  test('a push may be sent before the answer to the previous one, and is accepted only if no other came in between', { tags: 'long' }, async () => {
    const user = 'ahead'
    const [one, two, three, four] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
    const answers = await Promise.all([
      journals.push(user, { journal: null, after: 0, id: one, records: [pair('one')] }),
      journals.push(user, { journal: null, after: { push: one }, id: two, records: [pair('two')] }),
    ])
    const { journal } = answers[0]
    expect(answers).toMatchObject([{ outcome: 'taken', head: 1 }, { outcome: 'taken', head: 2 }])
    expect(await journals.push(user, { journal, after: { push: one }, id: three, records: [pair('three')] })).toEqual({ outcome: 'behind', journal, head: 2 })
    // Also a push that changes nothing can be followed.
    expect(await journals.push(user, { journal, after: { push: two }, id: three, records: [pair('one')] })).toMatchObject({ outcome: 'taken', journal, head: 2 })
    await journals.change(user, (changing) => changing.put([finance('f', 'web')]))
    expect(await journals.push(user, { journal, after: { push: three }, id: four, records: [pair('four')] })).toEqual({ outcome: 'behind', journal, head: 3 })
    expect((await everything(user, 'pairs')).map(({ id }) => id)).toEqual(['one', 'two'])
  })

  test('a push that overtakes its predecessor waits for it', async () => {
    const user = randomUUID()
    const [one, two] = [randomUUID(), randomUUID()]
    const ahead = journals.push(user, { journal: null, after: { push: one }, id: two, records: [pair('two')] })
    await vi.waitUntil(async () => (await journals.state(user)).journal !== null)
    expect(await journals.push(user, { journal: null, after: 0, id: one, records: [pair('one')] })).toMatchObject({ outcome: 'taken', head: 1 })
    expect(await ahead).toMatchObject({ outcome: 'taken', head: 2 })
    // A push that is behind does not block the next.
    const [three, four] = [randomUUID(), randomUUID()]
    const [behind, next] = await Promise.all([journals.push(user, { journal: null, after: 1, id: three, records: [pair('three')] }), journals.push(user, { journal: null, after: { push: three }, id: four, records: [pair('four')] })])
    expect([behind, next]).toMatchObject([{ outcome: 'behind' }, { outcome: 'behind' }])
  })

  test('a push sent twice after a lost answer is behind, reads its own records, and counts once', async () => {
    const user = randomUUID()
    const push = { journal: null, after: 0, records: [pair('one'), finance('f', 'desk')] }
    const { journal } = await journals.push(user, push)
    expect(await journals.push(user, push)).toEqual({ outcome: 'behind', journal, head: 2 })
    expect([...(await everything(user, 'pairs')), ...(await everything(user, 'rest'))]).toEqual([{ ...pair('one'), seq: 1 }, { ...finance('f', 'desk'), seq: 2 }])
    expect(await journals.push(user, { journal, after: 2, records: push.records })).toMatchObject({ outcome: 'taken', journal, head: 2 })
  })

  test('equal content gets no new sequence number; only the changed records of a push do', async () => {
    const user = randomUUID()
    await pushed(user, pair('one'), pair('two'), pair('three'))
    expect(await pushed(user, pair('two'), pair('one'))).toMatchObject({ outcome: 'taken', head: 3 })
    expect(await pushed(user, pair('one'), pair('two', 7), pair('three'))).toMatchObject({ outcome: 'taken', head: 5 })
    expect(await everything(user, 'pairs')).toEqual([{ ...pair('one'), seq: 1 }, { ...pair('three'), seq: 3 }, { ...pair('two', 7), seq: 5 }])
  })

  test('a removed pair is sent, and no longer counted; removing it again sends nothing', async () => {
    const user = randomUUID()
    await pushed(user, pair('one'), pair('two'))
    expect(await pushed(user, gonePair('one'))).toMatchObject({ head: 3 })
    expect(await pushed(user, gonePair('one'))).toMatchObject({ head: 3 })
    expect(await everything(user, 'pairs')).toEqual([{ ...pair('two'), seq: 2 }, { ...gonePair('one'), seq: 3 }])
    expect((await journals.state(user)).rows).toEqual({ pair: 1 })
    expect(await pushed(user, pair('one'))).toMatchObject({ head: 4 })
    expect((await journals.state(user)).rows).toEqual({ pair: 2 })
  })

  test('of duplicate records in a push the last wins', async () => {
    const user = randomUUID()
    expect(await pushed(user, pair('one', 1), pair('two'), pair('one', 2))).toMatchObject({ outcome: 'taken' })
    expect(await everything(user, 'pairs')).toEqual(expect.arrayContaining([expect.objectContaining(pair('one', 2)), expect.objectContaining(pair('two'))]))
    expect((await journals.state(user)).rows).toEqual({ pair: 2 })
  })

  test('a device that knows another journal is behind, even if the cloud has lost everything', async () => {
    const [user, newcomer] = [randomUUID(), randomUUID()]
    const { journal } = await pushed(user, pair('one'))
    expect(await journals.push(user, { journal: randomUUID(), after: 1, records: [pair('two')] })).toEqual({ outcome: 'behind', journal, head: 1 })
    expect(await journals.push(user, { journal: null, after: 1, records: [pair('two')] })).toEqual({ outcome: 'behind', journal, head: 1 })
    const known = randomUUID()
    const answer = await journals.push(newcomer, { journal: known, after: 40, records: [pair('one')] })
    expect(answer).toEqual({ outcome: 'behind', journal: expect.any(String), head: 0 })
    expect(answer.journal).not.toBe(known)
    expect(await journals.push(newcomer, { journal: answer.journal, after: 0, records: [pair('one')] })).toMatchObject({ outcome: 'taken', head: 1 })
  })

  test('contents are returned unchanged; the two characters that PostgreSQL cannot store become U+FFFD', async () => {
    const user = randomUUID()
    const odd = ['"\\u0000" \\ud800 \\', '\u2028\u0001 \uD83D\uDE00 \u0D2E\u0D32\u0D2F\u0D3E\u0D33\u0D02', ' spaces ', "';DROP TABLE records;--", '{"a":1}']
    const largest = finance('largest', 'x')
    if (largest.entity === 'finance') largest.content.amount = Number.MAX_SAFE_INTEGER
    await pushed(user, ...odd.map((text, index) => edit(`e${String(index)}`, text)), largest, edit('null', 'a\0b'), edit('half', 'a\uD800b'))
    const back = await everything(user, 'rest')
    expect(back.slice(0, 6)).toEqual([...odd.map((text, index) => ({ ...edit(`e${String(index)}`, text), seq: index + 1 })), { ...largest, seq: 6 }])
    expect(back.slice(6).map(({ content }) => content)).toEqual([edit('x', 'a\uFFFDb').content, edit('x', 'a\uFFFDb').content])
    expect(await pushed(user, edit('null', 'a\0b'))).toMatchObject({ head: 8 })
  })

  test('changes come in pages, each starting where the last ended, up to the limit', { tags: 'long' }, async () => {
    const user = randomUUID()
    const ids = Array.from({ length: 2 * mostRecords + 1 }, (_, index) => `p${String(index).padStart(5, '0')}`)
    for (let from = 0; from < ids.length; from += mostRecords) await pushed(user, ...ids.slice(from, from + mostRecords).map((id) => pair(id)))
    await pushed(user, contract('demo/1', 'ESH6'))
    const upTo = (await journals.state(user)).head
    await pushed(user, pair('later'), pair('p00000', 99))
    const seen: string[] = []
    const sizes: number[] = []
    for (let after: number | null = 0; after !== null; ) {
      const page = await journals.changes(user, { part: 'pairs', after, upTo })
      seen.push(...page.records.map(({ id }) => id))
      sizes.push(page.records.length)
      after = page.next
    }
    // What changed after the bound is left for the next round.
    expect(seen).toEqual(ids.slice(1))
    expect(sizes).toEqual([mostRecords, mostRecords])
    expect((await everything(user, 'pairs', upTo)).map(({ id }) => id)).toEqual(['later', 'p00000'])
  })

  test('a page stays near four megabytes, and one record always fits', { tags: 'long' }, async () => {
    const user = randomUUID()
    const long = '\u0D2E'.repeat(20_000)
    const ids = Array.from({ length: 150 }, (_, index) => `e${String(index).padStart(3, '0')}`)
    await pushed(user, ...ids.map((id) => edit(id, long)))
    const upTo = (await journals.state(user)).head
    const seen: string[] = []
    const bytes: number[] = []
    for (let after: number | null = 0; after !== null; ) {
      const page = await journals.changes(user, { part: 'rest', after, upTo })
      seen.push(...page.records.map(({ id }) => id))
      bytes.push(Buffer.byteLength(JSON.stringify(page.records)))
      after = page.next
    }
    expect(seen).toEqual(ids)
    expect(bytes.length).toBe(3)
    expect(Math.max(...bytes)).toBeLessThan(4_200_000)
  })

  test('rows are counted by kind, without removed ones', async () => {
    const user = randomUUID()
    const removed = edit('t2', 'gone')
    if (removed.entity === 'edit') removed.content.removedAt = { value: 5, stamp: stampAt(5) as never }
    const back = edit('t3', 'back')
    if (back.entity === 'edit') back.content.removedAt = { value: null, stamp: stampAt(6) as never }
    await pushed(user, finance('f1', 'desk'), finance('f2', 'gone', { removedAt: 9 }), edit('t1', 'kept'), removed, back, gonePair('p'))
    expect((await journals.state(user)).rows).toEqual({ finance: 1, edit: 2 })
  })

  test("the cloud's own changes get stamps later than any it has seen, and are atomic", async () => {
    const user = randomUUID()
    await pushed(user, finance('f', 'desk', { at: 5_000_000_000_000 }), edit('t', 'note', 6_000_000_000_000))
    const stamps = await journals.change(user, async (journal) => {
      const [one, other] = [journal.stamp(1_000), journal.stamp(1_000)]
      await journal.put([finance('f', 'chair')])
      return [one, other]
    })
    expect(stamps[0]?.slice(0, 21)).toBe('006000000000000-00001')
    expect(stamps[1]?.slice(0, 21)).toBe('006000000000000-00002')
    expect((await journals.state(user)).head).toBe(3)
    const breaking = journals.change(user, async (journal) => {
      await journal.put([finance('f', 'half')])
      throw new Error('broken')
    })
    await expect(breaking).rejects.toThrow('broken')
    expect((await journals.state(user)).head).toBe(3)
    expect(await journals.view(user, (journal) => journal.get('finance', 'f'))).toEqual(finance('f', 'chair').content)
    expect(await journals.change(user, (journal) => Promise.resolve(journal.stamp(1_000)))).toBe('006000000000000-00003-c10dc10d')
  })

  test('a view lists the requested kinds by id, without removed pairs, and only of its own user', async () => {
    const [user, other] = [randomUUID(), randomUUID()]
    await pushed(user, pair('b'), pair('a'), pair('c'), gonePair('b'))
    await pushed(other, pair('d'))
    expect(await journals.view(user, (journal) => journal.list('pair'))).toEqual({ pair: [pair('a'), pair('c')] })
    expect(await journals.view(user, (journal) => journal.get('pair', 'd'))).toBeNull()
    expect(await journals.view(user, (journal) => journal.get('pair', 'b'))).toBeNull()
  })
}

describe('on a PostgreSQL server', behavesOn(onServer))

describe('on the embedded database', { tags: ['long', 'nightly'] }, behavesOn(embedded))

test('a page of a newly filled journal is read by index, without sorting all remaining rows', { tags: 'long' }, async () => {
  const server = await sharedPostgres()
  const url = await server.newDatabase()
  const database = await openDatabase({ kind: 'server', url, poolSize: 1 }, silent)
  try {
    await migrate(database, migrations)
    // Without statistics, as in the first minute of a journal's life.
    await queryRows(url, 'ALTER TABLE records SET (autovacuum_enabled = false)')
    await queryRows(url, "INSERT INTO records SELECT 'ann', 'pair', 'p' || number, number, '{}' FROM generate_series(1, 50000) AS number")
    const touched = async () => Number((await queryRows<{ rows: string }>(url, "SELECT idx_tup_fetch + seq_tup_read AS rows FROM pg_stat_user_tables WHERE relname = 'records'"))[0]?.rows)
    const before = await touched()
    const page = await openJournals(database, anyAmount).changes('ann', { part: 'pairs', after: 100, upTo: 50_000 })
    expect([page.records.length, page.next]).toEqual([mostRecords, 100 + mostRecords])
    // A session hands in its figures when it ends.
    await database.close()
    await vi.waitUntil(async () => (await touched()) > before, { timeout: 60_000, interval: 20 })
    expect((await touched()) - before).toBeLessThan(2 * mostRecords)
  } finally {
    await database.close().catch(() => undefined)
    await server.stop()
  }
})
