import { ok } from '#shared/base/result.ts'
import type { Result } from '#shared/base/result.ts'
import type { MirrorPart } from '#shared/mirror/record.ts'
import type { CloudFailure } from '../cloud/failure.ts'
import type { CloudMirror } from '../cloud/mirror-calls.ts'
import type { MirrorPlace } from '../store/mirror/mirror-calls.ts'
import type { MirrorParts } from './parts.ts'
import { rowsInCloud } from './rows-in-cloud.ts'

/** Where the journal stands in that of the cloud: null and 0 before the first push. */
export type Place = { readonly journal: string | null; readonly cursor: number }

/** The cloud's journal up to a change. */
type Bound = { readonly journal: string; readonly upTo: number }

/** Takes all that the cloud knows and the journal does not; page by page, so that it can be broken off at any time and goes on there. */
export const pull = async (parts: MirrorParts): Promise<Result<Place, CloudFailure>> => {
  const { cloud, signal } = parts
  for (;;) {
    const held = await cloud.journal(signal)
    if (!held.ok) return held
    const { journal, head, storage } = held.value
    if (storage !== undefined) parts.stored(storage)
    const place = await meet(parts, journal, head)
    if (journal === null || place.cursor >= head) return ok({ journal, cursor: place.cursor })
    const taken = place.lastSentAt === null ? await restore(parts, place.cursor, { journal, upTo: head }) : await catchUp(parts, place.cursor, { journal, upTo: head })
    if (!taken.ok) return taken
  }
}

/** The place in the journal that the cloud has now. Where that is another one than before, or lost changes that were known here, the mirror begins anew. */
const meet = async ({ userId, journal: { read, write }, now, log }: MirrorParts, journal: string | null, head: number): Promise<MirrorPlace> => {
  const place = await read.mirror({ userId })
  const same = place.journal === null || (place.journal === journal && place.cursor <= head)
  if (same) return place
  log.warn({ head, cursor: place.cursor }, 'The cloud holds another journal than before: everything is told to it again')
  await write.mirrorAnew({ userId, at: now(), journal })
  return read.mirror({ userId })
}

/** Takes what other computers changed since `cursor`. */
const catchUp = async (parts: MirrorParts, cursor: number, bound: Bound): Promise<Result<Finished, CloudFailure>> => {
  const ground = await takePart(parts, 'ground', cursor, bound)
  if (!ground.ok || ground.value === 'replaced') return ground
  const rest = await takePart(parts, 'rest', cursor, bound)
  if (!rest.ok || rest.value === 'replaced') return rest
  await parts.journal.write.mirrorTaken({ userId: parts.userId, at: parts.now(), records: [], journal: bound.journal, cursor: bound.upTo })
  return rest
}

/** Brings a whole journal back, with its progress, and compares what was derived with what the cloud had. Until its end nothing counts as sent, by which a restore that was broken off is known; its progress stands meanwhile. */
const restore = async (parts: MirrorParts, cursor: number, bound: Bound): Promise<Result<Finished, CloudFailure>> => {
  const counted = await rowsInCloud(parts)
  if (!counted.ok) return counted
  const total = counted.value
  let done = Math.round(total * (cursor / bound.upTo))
  const report = (): void => parts.restoring({ done: Math.min(done, total), total })
  const count = (records: number): void => {
    done += records
    report()
  }
  report()
  try {
    for (const part of ['ground', 'rest', 'pairs'] as const) {
      const taken = await takePart(parts, part, part === 'pairs' ? 0 : cursor, bound, count)
      if (!taken.ok) return taken
      if (taken.value === 'replaced') {
        parts.restoring(null)
        return taken
      }
    }
    await parts.journal.write.mirrorSent({ userId: parts.userId, at: parts.now(), seqs: [], journal: bound.journal, head: bound.upTo })
    parts.restoring(null)
    return ok('whole')
  } finally {
    parts.changed()
  }
}

type Page = ReturnType<CloudMirror['changes']>
type Finished = 'whole' | /** The cloud has another journal now. */ 'replaced'

/** Takes one part, oldest change first; while a page is merged the next is on its way. Only in `rest` the cursor goes along: the ground is taken in full first. */
const takePart = async (parts: MirrorParts, part: MirrorPart, from: number, { journal, upTo }: Bound, count: (records: number) => void = () => undefined): Promise<Result<Finished, CloudFailure>> => {
  const { userId, cloud, now, signal, moved, changed } = parts
  const pageAfter = (after: number): Page => cloud.changes({ part, after, upTo }, signal)
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
      await parts.journal.write.mirrorTaken({ userId, at: now(), records, journal, cursor: part === 'rest' ? next : null })
      moved()
      count(records.length)
      if (part !== 'pairs') changed()
    }
  }
  return ok('whole')
}
