import { randomUUID } from 'node:crypto'
import { mostRecords } from '#shared/api/mirror.ts'
import { err, ok, type Result } from '#shared/base/result.ts'
import { mirrorRecord, type MirrorRecord } from '#shared/mirror/record.ts'
import type { CloudFailure } from '../cloud/failure.ts'
import type { CloudMirror } from '../cloud/mirror-calls.ts'
import type { JournalCalls } from '../journal/journal.ts'
import type { MirrorParts } from './parts.ts'
import { namesPictures, sendPictures } from './pictures.ts'
import { hashOf, type Place } from './pull.ts'

type Batch = Awaited<ReturnType<JournalCalls['read']['outgoing']>>
/** A sent batch without an answer so far. */
type SentBatch = { readonly id: string; readonly batch: Batch; readonly answer: ReturnType<CloudMirror['push']> }

/**
 * Sends the outbox to the cloud, in order, until it is empty or the cloud has changes that are not here yet. Once the
 * cloud accepted a batch, the next one is sent while its predecessor is still unanswered. A batch without an answer
 * stays in the outbox: pushing twice is idempotent. So does an accepted one that was not removed from the outbox before
 * the program ended, because the removal runs in parallel with the next batch. A record that no cloud accepts does not
 * block the others.
 */
export const push = async (parts: MirrorParts, place: Place): Promise<Result<'drained' | 'behind', CloudFailure>> => {
  const acknowledging = createAcknowledging(parts)
  const outcome = await pushAll(parts, place, acknowledging)
  await acknowledging.ended()
  return outcome
}

const pushAll = async (parts: MirrorParts, place: Place, acknowledging: Acknowledging): Promise<Result<'drained' | 'behind', CloudFailure>> => {
  const { signal, moved } = parts
  let { journal, cursor, proof } = place
  let sent = null as SentBatch | null
  let moves = false
  let reached = 0
  let reading = readBehind(parts, reached)
  for (;;) {
    const batch = signal.aborted ? nothingMore : await reading
    const last = batch.seqs.at(-1)
    // Read while the others are being sent.
    if (last !== undefined) reading = readBehind(parts, last)
    const before = sent
    const ahead = before !== null && moves && goesAhead(batch, before.batch) ? await send(parts, { journal, cursor, proof }, before, batch) : null
    if (before !== null) {
      sent = null
      const answer = await before.answer
      if (!answer.ok || answer.value.outcome === 'behind') {
        // The batch sent ahead fails the same way.
        if (ahead?.ok) await ahead.value?.answer
        if (answer.ok) return ok('behind')
        await acknowledging.ended()
        if (!(await setAside(parts, { records: before.batch.records, upTo: before.batch.seqs.at(-1) ?? 0 }, answer.error))) return err(answer.error)
        reading = readBehind(parts, 0)
        moved()
        continue
      }
      ;({ journal, head: cursor } = answer.value)
      const { hashes = null } = answer.value
      proof = hashes === null ? null : { head: cursor, hashes }
      await acknowledging.begin({ seqs: before.batch.seqs, journal, head: cursor, hashes })
      moves = true
      moved()
    }
    if (signal.aborted) return err({ kind: 'aborted' })
    if (last === undefined && before === null) return ok('drained')
    if (last === undefined) {
      // Something may have changed while the last one was being sent.
      reading = readBehind(parts, reached)
      continue
    }
    const next = ahead ?? (await send(parts, { journal, cursor, proof }, null, batch))
    if (!next.ok) return next
    sent = next.value
    reached = last
    if (sent !== null) continue
    // Only names whose rows are gone: of these only a fill pair can be sent as removed.
    if (journal === null) return ok('drained')
    await acknowledging.begin({ seqs: batch.seqs, journal, head: cursor, hashes: proof?.hashes ?? null })
  }
}

/** Whether a batch may be sent before its predecessor is answered: without pictures, which are slow, and large enough not to overtake it. */
const goesAhead = ({ records }: Batch, before: Batch): boolean => !namesPictures(records) && records.byteLength > nothing.length && 2 * records.byteLength >= before.records.byteLength

/** The first batch after a number of the outbox. Later changes get a higher number, so they come after everything already read. */
const readBehind = ({ userId, journal: { read } }: MirrorParts, after: number): Promise<Batch> => {
  const reading = read.outgoing({ userId, limit: mostRecords, after })
  // An await still gets the failure.
  reading.catch(() => undefined)
  return reading
}

const nothing = '[]'
const nothingMore: Batch = { seqs: [], records: new Uint8Array() }

/** Sends a batch, its pictures first; null if it has no records. */
const send = async (parts: MirrorParts, { journal, cursor, proof }: Place, before: SentBatch | null, batch: Batch): Promise<Result<SentBatch | null, CloudFailure>> => {
  if (batch.records.byteLength <= nothing.length) return ok(null)
  const pictures = await sendPictures(parts, batch.records)
  if (!pictures.ok) return pictures
  const id = randomUUID()
  const after = before === null ? cursor : { push: before.id }
  const answer = parts.cloud.push({ journal, after, ...(proof === null || before !== null ? {} : { hash: hashOf(proof) }), id, records: batch.records }, parts.signal)
  // An await still gets the failure.
  answer.catch(() => undefined)
  return ok({ id, batch, answer })
}

/** Removes accepted batches from the outbox, one at a time, in the background. */
type Acknowledging = ReturnType<typeof createAcknowledging>

const createAcknowledging = ({ userId, journal: { write }, now }: MirrorParts) => {
  let acknowledging = Promise.resolve()
  return {
    /** Starts with a batch once its predecessor is removed. */
    begin: async (taken: { readonly seqs: readonly number[]; readonly journal: string; readonly head: number; readonly hashes: string | null }): Promise<void> => {
      await acknowledging
      acknowledging = write.mirrorSent({ userId, at: now(), ...taken })
      // An await of its end still gets the failure.
      acknowledging.catch(() => undefined)
    },
    ended: (): Promise<void> => acknowledging,
  }
}

/** Records as sent, the JSON of their array, and their last number in the outbox. */
type Refused = { readonly records: Uint8Array; readonly upTo: number }

/**
 * Sets aside those records of a refused batch that break the contract, because the cloud will never accept them. False
 * if there are none: then the refusal has another reason, and nothing changes.
 */
const setAside = async ({ userId, journal, log }: Pick<MirrorParts, 'userId' | 'journal' | 'log'>, { records, upTo }: Refused, failure: CloudFailure): Promise<boolean> => {
  if (failure.kind !== 'refused' || failure.code !== 'invalid-request') return false
  const sent = JSON.parse(new TextDecoder().decode(records)) as Pick<MirrorRecord, 'entity' | 'id'>[]
  const unagreed = sent.filter((record) => !mirrorRecord.safeParse(record).success)
  // An older cloud does not support this kind; it is sent again to a newer one.
  const wrong = unagreed.length > 0 ? unagreed : sent.filter(({ entity }) => entity === 'removal')
  if (wrong.length === 0) return false
  log.warn({ records: wrong.length, kinds: [...new Set(wrong.map(({ entity }) => entity))] }, 'Records that the cloud does not take were set aside')
  await journal.write.mirrorSetAside({ userId, records: wrong.map(({ entity, id }) => ({ entity, id })), upTo })
  return true
}
