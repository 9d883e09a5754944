import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { mirrorParts, mirrorRecord, type MirrorEntity, type MirrorPart, type MirrorRecord } from '#shared/mirror/record.ts'
import type { ChangedRecord } from '#backend/mirror/rows.ts'
import type { JournalRows } from './journal-rows.ts'
import { sharedRowsOf } from './shared-rows.ts'
import { monday, user, type TestStore } from './store.ts'

/** A list in place of the cloud: it accepts a push only from a device that has read all of it, and merges nothing. */
export type ListedCloud = {
  readonly journal: string
  readonly head: () => number
  readonly push: (journal: string | null, after: number, records: readonly MirrorRecord[]) => 'taken' | 'behind'
  readonly changes: (part: MirrorPart, after: number, upTo: number) => ChangedRecord[]
  readonly records: () => ChangedRecord[]
  readonly find: (entity: MirrorEntity, id: string) => ChangedRecord | undefined
}

/** Opens a cloud that holds nothing. */
export const listedCloud = (journal = '0c9a6a3e-6f0f-4a54-9d61-2f3f6f1f0001'): ListedCloud => {
  const list = new Map<string, ChangedRecord>()
  let head = 0
  const keyOf = (entity: string, id: string) => `${entity} ${id}`
  const records = () => [...list.values()].sort((one, other) => one.seq - other.seq)
  return {
    journal,
    head: () => head,
    push: (from, after, given) => {
      if (after !== head || (head > 0 && from !== journal)) return 'behind'
      for (const record of given) {
        const key = keyOf(record.entity, record.id)
        const known = list.get(key)
        if (known !== undefined && isDeepStrictEqual(known.content, record.content)) continue
        list.set(key, { ...record, seq: (head += 1) })
      }
      return 'taken'
    },
    changes: (part, after, upTo) => records().filter(({ entity, seq }) => (mirrorParts[part] as readonly MirrorEntity[]).includes(entity) && seq > after && seq <= upTo),
    records,
    find: (entity, id) => list.get(keyOf(entity, id)),
  }
}

/** The records in the outbox, read strictly: an unknown field is an error. */
export const waiting = (store: TestStore, limit = 1_000): { seqs: readonly number[]; records: MirrorRecord[] } => {
  const { seqs, records: bytes } = store.read.outgoing({ ...user, limit })
  const raw: unknown = JSON.parse(new TextDecoder().decode(bytes))
  const records = z.array(mirrorRecord).parse(raw)
  if (!isDeepStrictEqual(records, raw)) throw new Error('A record that is sent is not as the contract has it')
  return { seqs, records }
}

/** How a talk with the cloud may go wrong. */
export type Mishap = {
  /** Records on a page. */
  readonly page?: number
  /** After so many pages the computer is switched off. */
  readonly breakOff?: number
  /** The cloud takes the push, and its answer never arrives. */
  readonly loseAnswer?: boolean
}

/** Takes what the cloud has and the journal does not know; false where it was broken off. */
export const pull = async (store: TestStore, cloud: ListedCloud, at = monday, { page = 1_000, breakOff = Infinity }: Mishap = {}): Promise<boolean> => {
  const { journal } = cloud
  let pages = 0
  const take = async (records: readonly ChangedRecord[], cursor: number | null): Promise<boolean> => {
    if ((pages += 1) > breakOff) return false
    await store.write.mergePulled({ ...user, at, records, journal, cursor })
    return true
  }
  for (let place = store.read.mirror(user); place.cursor < cloud.head(); place = store.read.mirror(user)) {
    const upTo = cloud.head()
    const isFirst = place.cursor === 0
    for (const part of ['removals', 'ground', 'rest', ...(isFirst ? ['pairs' as const] : [])] as const) {
      const records = cloud.changes(part, place.cursor, upTo)
      for (let from = 0; from < records.length; from += page) {
        const some = records.slice(from, from + page)
        if (!(await take(some, part === 'rest' ? (some.at(-1)?.seq ?? null) : null))) return false
      }
    }
    if (!(await take([], upTo))) return false
  }
  return true
}

/** Tells the cloud what waits, page by page, pulling where it is behind; false where it was broken off. */
export const push = async (store: TestStore, cloud: ListedCloud, at = monday, mishap: Mishap = {}): Promise<boolean> => {
  for (let talks = 0; talks < 1_000; talks += 1) {
    const { journal, cursor } = store.read.mirror(user)
    const { seqs, records } = waiting(store, mishap.page ?? 1_000)
    if (seqs.length === 0) return true
    if (cloud.push(journal, cursor, records) === 'behind') {
      if (!(await pull(store, cloud, at, mishap))) return false
      continue
    }
    if (mishap.loseAnswer === true) return false
    store.write.recordPushed({ ...user, at, seqs, journal: cloud.journal, head: cloud.head() })
  }
  throw new Error('The outbox never gets empty')
}

/** The store's rows that are the same on every computer that mirrors to one journal. */
export const sharedRows = (store: TestStore): JournalRows => sharedRowsOf(store.writer.database)
