import { mostRecords } from '#shared/api/mirror.ts'
import { ok } from '#shared/base/result.ts'
import type { Result } from '#shared/base/result.ts'
import type { CloudFailure } from '../cloud/failure.ts'
import type { MirrorParts } from './parts.ts'
import { sendPictures } from './pictures.ts'
import type { Place } from './pull.ts'
import { setAside } from './set-aside.ts'

const nothing = '[]'

/** Tells the cloud everything that waits, in order, until nothing is left or the cloud knows changes that are not known here. What is not answered waits on: told twice it has the effect of once. A record that no cloud takes as it is does not hold up the others. */
export const push = async (parts: MirrorParts, place: Place): Promise<Result<'drained' | 'behind', CloudFailure>> => {
  const { userId, cloud, now, signal, moved } = parts
  const { read, write } = parts.journal
  let { journal, cursor } = place
  let batch = await read.outgoing({ userId, limit: mostRecords })
  for (;;) {
    const last = batch.seqs.at(-1)
    if (last === undefined) return ok('drained')
    // Read while this one is under way; what changes meanwhile comes again behind it.
    const following = read.outgoing({ userId, limit: mostRecords, after: last })
    // Whoever awaits it hears of its failure.
    following.catch(() => undefined)
    if (batch.records.byteLength <= nothing.length) {
      // Names of what is there no more: only a pair can be told as gone.
      if (journal === null) return ok('drained')
      await write.mirrorSent({ userId, at: now(), seqs: batch.seqs, journal, head: cursor })
      batch = await following
      continue
    }
    const sent = await sendPictures(parts, batch.records)
    if (!sent.ok) return sent
    const pushed = await cloud.push({ journal, after: cursor, records: batch.records }, signal)
    if (!pushed.ok) {
      if (!(await setAside(parts, { records: batch.records, upTo: last }, pushed.error))) return pushed
      moved()
      batch = await read.outgoing({ userId, limit: mostRecords })
      continue
    }
    if (pushed.value.outcome === 'behind') return ok('behind')
    ;({ journal, head: cursor } = pushed.value)
    await write.mirrorSent({ userId, at: now(), seqs: batch.seqs, journal, head: cursor })
    moved()
    if (signal.aborted) return { ok: false, error: { kind: 'aborted' } }
    const next = await following
    batch = next.seqs.length > 0 ? next : await read.outgoing({ userId, limit: mostRecords })
  }
}
