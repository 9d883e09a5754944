import { mostRecords } from '#shared/api/mirror.ts'
import { ok } from '#shared/base/result.ts'
import type { Result } from '#shared/base/result.ts'
import type { CloudFailure } from '../cloud/failure.ts'
import type { MirrorParts } from './parts.ts'
import { sendPictures } from './pictures.ts'
import type { Place } from './pull.ts'
import { setAside } from './set-aside.ts'

const nothing = '[]'

/**
 * Tells the cloud everything that waits, in order, until nothing is left or the cloud knows changes that are not known here.
 * What is not answered waits on: told twice it has the effect of once. So does a batch that was taken and is not struck off yet
 * when the program ends, since that goes on beside the next batch. A record that no cloud takes as it is does not hold up the others.
 */
export const push = async (parts: MirrorParts, place: Place): Promise<Result<'drained' | 'behind', CloudFailure>> => {
  const { userId, now } = parts
  let strikingOff = Promise.resolve()
  const outcome = await tellAll(parts, place, {
    begin: (struckOff) => {
      strikingOff = parts.journal.write.mirrorSent({ userId, at: now(), ...struckOff })
      // Whoever waits for its end hears of its failure.
      strikingOff.catch(() => undefined)
    },
    ended: () => strikingOff,
  })
  await strikingOff
  return outcome
}

/** Strikes batches off the outbox, one at a time. */
type StrikingOff = {
  readonly begin: (struckOff: { readonly seqs: readonly number[]; readonly journal: string; readonly head: number }) => void
  readonly ended: () => Promise<void>
}

const tellAll = async (parts: MirrorParts, place: Place, strikingOff: StrikingOff): Promise<Result<'drained' | 'behind', CloudFailure>> => {
  const { userId, cloud, signal, moved, journal: { read } } = parts
  let { journal, cursor } = place
  const fromTheBeginning = async () => {
    // What was told must be gone from there.
    await strikingOff.ended()
    return read.outgoing({ userId, limit: mostRecords })
  }
  let batch = await fromTheBeginning()
  for (;;) {
    const last = batch.seqs.at(-1)
    if (last === undefined) return ok('drained')
    // Read while this one is under way; what changes meanwhile comes again behind it.
    const following = read.outgoing({ userId, limit: mostRecords, after: last })
    // Whoever awaits it hears of its failure.
    following.catch(() => undefined)
    if (batch.records.byteLength > nothing.length) {
      const sent = await sendPictures(parts, batch.records)
      if (!sent.ok) return sent
      const pushed = await cloud.push({ journal, after: cursor, records: batch.records }, signal)
      if (!pushed.ok) {
        await strikingOff.ended()
        if (!(await setAside(parts, { records: batch.records, upTo: last }, pushed.error))) return pushed
        moved()
        batch = await fromTheBeginning()
        continue
      }
      if (pushed.value.outcome === 'behind') return ok('behind')
      ;({ journal, head: cursor } = pushed.value)
      moved()
    }
    // Names of what is there no more: only a pair can be told as gone.
    if (journal === null) return ok('drained')
    await strikingOff.ended()
    strikingOff.begin({ seqs: batch.seqs, journal, head: cursor })
    if (signal.aborted) return { ok: false, error: { kind: 'aborted' } }
    const next = await following
    batch = next.seqs.length > 0 ? next : await fromTheBeginning()
  }
}
