import { createHash } from 'node:crypto'
import { err, ok, type Result } from '#shared/base/result.ts'
import { bucketCount } from '#shared/api/mirror.ts'
import type { MirrorPart } from '#shared/mirror/record.ts'
import type { CloudFailure } from '../cloud/failure.ts'
import type { CloudMirror } from '../cloud/mirror-calls.ts'
import type { MirrorDeps } from './deps.ts'
import type { MirrorPosition, Proof } from './rows.ts'

/** The journal's cursor in the cloud: null and 0 before the first push, and what the cloud held there. */
export type CloudPosition = { readonly journal: string | null; readonly cursor: number; readonly proof: Proof | null }

/** The same with the pictures that the cloud lacks, which older clouds do not report. */
type Pulled = CloudPosition & { readonly lacking: readonly string[] | undefined }

/** The cloud's journal up to a change, and its content by then as hashes, which older clouds do not report. */
type Bound = { readonly journal: string; readonly upTo: number; readonly proof: Proof | null }

/** Pulls everything that the journal lacks, page by page, so that it can be interrupted and resumed at any time. */
export const pull = async (deps: MirrorDeps): Promise<Result<Pulled, CloudFailure>> => {
  const { userId, journal: { read, write }, cloud, now, signal, log } = deps
  for (;;) {
    const position = await read.mirror({ userId })
    const user = await cloud.user(signal)
    if (!user.ok) return user
    // Data deleted with one account must not go to another without asking.
    if (position.cloudUser !== null && position.cloudUser !== user.value) return err({ kind: 'refused', status: 401, code: 'account-gone' })
    if (position.cloudUser === null) await write.saveCloudUser({ userId, cloudUser: user.value })
    const held = await cloud.journal(signal, position.proof === null ? { cursor: position.cursor } : { cursor: position.proof.head, hash: hashOf(position.proof) })
    if (!held.ok) return held
    const { journal, head, storage, agrees = true, hashes, lacking } = held.value
    if (storage !== undefined) deps.stored(storage)
    const proof = hashes === undefined ? null : { head, hashes }
    // A journal that has pushed before but has no history with the cloud saw it emptied: its content now is from other computers.
    const isOne = position.journal === null ? journal === null || position.lastSentAt === null : position.journal === journal && position.cursor <= head && agrees
    if (!isOne) {
      log.warn({ head, cursor: position.cursor }, "The cloud's journal differs from this computer's: comparing both")
      // During a restore, or if the cloud cannot report its content, everything is pulled and pushed.
      if (position.lastSentAt === null || proof === null) await write.resetMirror({ userId, at: now(), journal })
      else {
        const compared = await compare(deps, position, { journal, upTo: head, proof })
        if (!compared.ok) return compared
        if (compared.value === 'whole') return ok({ journal, cursor: head, proof, lacking })
      }
      continue
    }
    if (journal === null || position.cursor >= head) {
      if (journal === null || proof === null || position.proof !== null) return ok({ journal, cursor: position.cursor, proof: position.proof, lacking })
      // The cloud did not report it before.
      await write.mergePulled({ userId, at: now(), records: [], journal, cursor: head, proof })
      return ok({ journal, cursor: head, proof, lacking })
    }
    const taken = position.lastSentAt === null ? await restore(deps, position.cursor, { journal, upTo: head, proof }) : await catchUp(deps, position.cursor, { journal, upTo: head, proof })
    if (!taken.ok) return taken
  }
}

/**
 * Reconciles this computer with a cloud that went back, was emptied or was filled by others: if the hashes of a bucket
 * are equal, so are its records. For other buckets it pulls everything that the cloud has, and queues everything of its
 * own; merging removes what is equal. The cursor moves at the end, so an interrupted comparison starts over.
 */
const compare = async (deps: MirrorDeps, position: MirrorPosition, { journal, upTo, proof }: { readonly journal: string | null; readonly upTo: number; readonly proof: Proof }): Promise<Result<Finished, CloudFailure>> => {
  const { userId, journal: { write }, now } = deps
  const known = position.proof?.head === position.cursor ? position.proof.hashes : null
  const differing = differingBuckets(known, proof.hashes)
  deps.comparing({ done: 0, total: 0 })
  if (differing.length > 0) {
    await write.queueBuckets({ userId, at: now(), buckets: differing })
    const taken = journal === null ? ok('whole' as const) : await mergeBuckets(deps, { journal, upTo, proof }, differing)
    if (!taken.ok) return taken
    deps.changed()
    if (taken.value === 'replaced') return taken
  }
  await write.mergePulled({ userId, at: now(), records: [], journal, cursor: upTo, proof })
  deps.comparing(null)
  return ok('whole')
}

const mergeBuckets = async (deps: MirrorDeps, bound: Bound, differing: readonly number[]): Promise<Result<Finished, CloudFailure>> => {
  const counted = await rowsInCloud(deps)
  if (!counted.ok) return counted
  const total = Math.ceil((counted.value * differing.length) / bucketCount)
  let done = 0
  const count = (records: number): void => {
    done += records
    deps.comparing({ done: Math.min(done, total), total })
  }
  count(0)
  const buckets = differing.length === bucketCount ? undefined : differing.join()
  for (const part of ['removals', 'ground', 'rest', 'pairs'] as const) {
    const taken = await mergePart(deps, part, { ...bound, from: 0, buckets, keepsCursor: false }, count)
    if (!taken.ok || taken.value === 'replaced') return taken
  }
  return ok('whole')
}

/** Pulls other computers' changes since `cursor`. */
const catchUp = async (deps: MirrorDeps, cursor: number, bound: Bound): Promise<Result<Finished, CloudFailure>> => {
  for (const part of ['removals', 'ground', 'rest'] as const) {
    const taken = await mergePart(deps, part, { ...bound, from: cursor })
    if (!taken.ok || taken.value === 'replaced') return taken
  }
  await deps.journal.write.mergePulled({ userId: deps.userId, at: deps.now(), records: [], journal: bound.journal, cursor: bound.upTo, proof: bound.proof })
  return ok('whole')
}

/**
 * Restores a whole journal, with progress, and compares what was derived with the cloud's pairs. Until its end nothing
 * counts as sent, which marks an interrupted restore; the displayed progress stays meanwhile.
 */
const restore = async (deps: MirrorDeps, cursor: number, bound: Bound): Promise<Result<Finished, CloudFailure>> => {
  const counted = await rowsInCloud(deps)
  if (!counted.ok) return counted
  const total = counted.value
  let done = Math.round(total * (cursor / bound.upTo))
  const report = (): void => deps.restoring({ done: Math.min(done, total), total })
  const count = (records: number): void => {
    done += records
    report()
  }
  report()
  try {
    for (const part of ['removals', 'ground', 'rest', 'pairs'] as const) {
      const taken = await mergePart(deps, part, { ...bound, from: part === 'pairs' ? 0 : cursor }, count)
      if (!taken.ok) return taken
      if (taken.value === 'replaced') {
        deps.restoring(null)
        return taken
      }
    }
    await deps.journal.write.mergePulled({ userId: deps.userId, at: deps.now(), records: [], journal: null, cursor: null })
    await deps.journal.write.recordPushed({ userId: deps.userId, at: deps.now(), seqs: [], journal: bound.journal, head: bound.upTo, hashes: bound.proof?.hashes ?? null })
    deps.restoring(null)
    return ok('whole')
  } finally {
    deps.changed()
  }
}

type Page = ReturnType<CloudMirror['changes']>
type Finished = 'whole' | /** The cloud has another journal now. */ 'replaced'
/** Which changes to pull, and whether the cursor moves with them. */
type PullRequest = Bound & { readonly from: number; readonly buckets?: string | undefined; readonly keepsCursor?: boolean }

/** Pulls one part, oldest change first; downloads the next page while one is being merged. The cursor moves only in `rest`: the ground must be complete first. */
const mergePart = async (deps: MirrorDeps, part: MirrorPart, { journal, upTo, proof, from, buckets, keepsCursor = true }: PullRequest, count: (records: number) => void = () => undefined): Promise<Result<Finished, CloudFailure>> => {
  const { userId, cloud, now, signal, moved, changed } = deps
  // An older cloud has none.
  if (part === 'removals' && proof === null) return ok('whole')
  const pageAfter = (after: number): Page => cloud.changes({ part, after, upTo, ...(buckets === undefined ? {} : { buckets }) }, signal)
  let coming: Page | null = pageAfter(from)
  while (coming !== null) {
    const page: Awaited<Page> = await coming
    if (!page.ok) return page
    if (page.value.journal !== journal) return ok('replaced')
    if (signal.aborted) return { ok: false, error: { kind: 'aborted' } }
    const { records } = page.value
    const next: number | null = page.value.next
    coming = next === null ? null : pageAfter(next)
    if (records.length > 0) {
      const position = keepsCursor ? { journal, cursor: part === 'rest' ? next : null, proof } : { journal: null, cursor: null }
      await deps.journal.write.mergePulled({ userId, at: now(), records, ...position })
      moved()
      count(records.length)
      if (part !== 'pairs') changed()
    }
  }
  return ok('whole')
}

/** The number of the user's records in the cloud, of all kinds. */
export const rowsInCloud = async ({ cloud, signal }: Pick<MirrorDeps, 'cloud' | 'signal'>): Promise<Result<number, CloudFailure>> => {
  const held = await cloud.journal(signal, 'counted')
  return held.ok ? ok(Object.values(held.value.rows ?? {}).reduce((sum, rows) => sum + rows, 0)) : held
}

// Of one bucket's hash in `hashes`.
const digits = 16

/** The hash of a journal's hashes, as the cloud stores it for each change. */
export const hashOf = ({ hashes }: Proof): string => createHash('md5').update(hashes).digest('hex')

/** The buckets in which two journals differ, all of them if one is unknown. */
const differingBuckets = (one: string | null, other: string): readonly number[] => {
  const hashIn = (hashes: string, bucket: number): string => hashes.slice(bucket * digits, (bucket + 1) * digits)
  return Array.from({ length: bucketCount }, (_, bucket) => bucket).filter((bucket) => one === null || hashIn(one, bucket) !== hashIn(other, bucket))
}
