import { createHash, randomUUID } from 'node:crypto'
import type { CloudFailure } from '#backend/cloud/failure.ts'
import type { CloudMirror } from '#backend/cloud/mirror-calls.ts'
import { err, ok } from '#shared/base/result.ts'
import type { Result } from '#shared/base/result.ts'
import { bucketCount } from '#shared/api/mirror.ts'
import { mirrorParts, mirrorRecord } from '#shared/mirror/record.ts'
import type { MirrorRecord } from '#shared/mirror/record.ts'
import type { ChangedRecord } from '#backend/mirror/rows.ts'

type Call = keyof CloudMirror
/** What is done with a call instead of answering it: it fails before or, as when an answer is lost on the way, after its work. */
type Fault = { readonly when: 'before' | 'after'; readonly failure: CloudFailure }

/** A cloud in memory that keeps the contract of the real one, and does with each call what the test wants. */
export type ScriptedCloud = {
  readonly mirror: CloudMirror
  /** Every call so far, as `push 3` (records), `changes rest 0-5`, `journal`. */
  readonly calls: string[]
  /** Asked before each call; null lets it through. */
  fault: (call: Call, nth: number) => Fault | null
  /** Called before a push is looked at, for another device to come first. */
  beforePush: () => Promise<void>
  readonly records: () => ReadonlyMap<string, ChangedRecord>
  readonly pictures: Map<string, Uint8Array>
  readonly head: () => number
  /** Puts an empty journal in the place of this one. */
  readonly forget: () => void
  /** Goes back to where it was at a change, as a restored backup does. */
  readonly goBackTo: (head: number) => void
}

export const away: CloudFailure = { kind: 'unreachable', cause: 'network', status: null }

/** An empty cloud whose pages hold `pageSize` records. */
export const scriptedCloud = (pageSize = 3): ScriptedCloud => {
  let journal: string | null = null
  let head = 0
  let lastPush: string | null = null
  let records = new Map<string, ChangedRecord>()
  // Its records after each change that a device may have read.
  const marks = new Map<number, string>()
  const md5 = (text: string): Buffer => createHash('md5').update(text).digest()
  const bucketOf = ({ entity, id }: MirrorRecord): number => md5(`${entity}/${id}`)[0] ?? 0
  const hashes = (): string => {
    const held = Map.groupBy([...records.values()].toSorted((one, other) => (`${one.entity}/${one.id}` < `${other.entity}/${other.id}` ? -1 : 1)), bucketOf)
    return Array.from({ length: bucketCount }, (_, bucket) => (held.has(bucket) ? md5(JSON.stringify(held.get(bucket)?.map(({ id, content }) => [id, content]))).toString('hex').slice(0, 16) : '0'.repeat(16))).join('')
  }
  const hash = (): string => md5(hashes()).toString('hex')
  const calls: string[] = []
  const counts = new Map<Call, number>()

  const put = (record: MirrorRecord): void => {
    const key = `${record.entity}/${record.id}`
    const known = records.get(key)
    if (known !== undefined && JSON.stringify(known.content) === JSON.stringify(record.content)) return
    head += 1
    records.set(key, { ...record, seq: head })
  }
  const run = async <T>(call: Call, text: string, work: () => T | Promise<T>): Promise<Result<T, CloudFailure>> => {
    calls.push(text)
    const nth = (counts.get(call) ?? 0) + 1
    counts.set(call, nth)
    const fault = cloud.fault(call, nth)
    if (fault?.when === 'before') return err(fault.failure)
    const value = await work()
    return fault === null ? ok(value) : err(fault.failure)
  }
  const rows = (): Record<string, number> => Object.fromEntries([...Map.groupBy([...records.values()].filter(({ content }) => content !== null), ({ entity }) => entity)].map(([entity, of]) => [entity, of.length]))

  const cloud: ScriptedCloud = {
    calls,
    fault: () => null,
    beforePush: () => Promise.resolve(),
    records: () => records,
    pictures: new Map(),
    head: () => head,
    forget: () => {
      ;[journal, head, records] = [null, 0, new Map()]
      marks.clear()
    },
    goBackTo: (earlier) => {
      records = new Map([...records].filter(([, { seq }]) => seq <= earlier))
      head = earlier
      for (const at of marks.keys()) if (at > earlier) marks.delete(at)
    },
    mirror: {
      user: () => Promise.resolve(ok('in-cloud')),
      journal: (_signal, asked) =>
        run('journal', 'journal', () => {
          if (asked === 'counted') return { journal, head, rows: rows() }
          const agrees = asked?.hash === undefined || marks.get(asked.cursor) === asked.hash || (asked.cursor === head && asked.hash === hash())
          const lacking = [...records.values()].filter(({ entity, id }) => entity === 'picture' && !cloud.pictures.has(id)).map(({ id }) => id)
          return { journal, head, rows: null, agrees, lacking, ...(agrees && asked?.hash !== undefined && asked.cursor === head ? {} : { hashes: hashes() }) }
        }),
      changes: ({ part, after, upTo, buckets }) =>
        run('changes', `changes ${part} ${String(after)}-${String(upTo)}`, () => {
          const kinds: readonly string[] = mirrorParts[part]
          const found = [...records.values()].filter(({ entity, seq }) => kinds.includes(entity) && seq > after && seq <= upTo).filter((record) => buckets === undefined || buckets.split(',').includes(String(bucketOf(record)))).toSorted((one, other) => one.seq - other.seq)
          const page = found.slice(0, pageSize)
          return { journal: journal ?? '', records: page, next: found.length > page.length ? (page.at(-1)?.seq ?? null) : null }
        }),
      push: ({ journal: known, after, hash: givenHash, id, records: sent }) => {
        const { data: given } = mirrorRecord.array().min(1).safeParse(JSON.parse(Buffer.from(sent).toString()))
        if (given === undefined) return Promise.resolve(err({ kind: 'refused', status: 400, code: 'invalid-request' }))
        return run('push', `push ${String(given.length)}`, async () => {
          await cloud.beforePush()
          journal ??= randomUUID()
          const follows = typeof after === 'number' ? after === head && (known === journal || (known === null && head === 0)) && (givenHash === undefined || givenHash === hash()) : after.push === lastPush
          if (!follows) return { outcome: 'behind' as const, journal, head }
          given.forEach(put)
          lastPush = id
          marks.set(head, hash())
          return { outcome: 'taken' as const, journal, head, hashes: hashes() }
        })
      },
      upload: ({ name, bytes }) => run('upload', `upload ${name.slice(0, 4)}`, () => (cloud.pictures.set(name, bytes), null)),
      download: async (name) => {
        const answer = await run('download', `download ${name.slice(0, 4)}`, () => cloud.pictures.get(name))
        if (!answer.ok) return answer
        return answer.value === undefined ? err({ kind: 'refused', status: 404, code: 'not-found' }) : ok(answer.value)
      },
    },
  }
  return cloud
}
