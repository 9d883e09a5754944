import { randomUUID } from 'node:crypto'
import { mostRecords } from '#shared/api/mirror.ts'
import { err, ok } from '#shared/base/result.ts'
import type { Result } from '#shared/base/result.ts'
import type { CloudFailure } from '../cloud/failure.ts'
import type { CloudMirror } from '../cloud/mirror-calls.ts'
import type { JournalCalls } from '../journal/journal.ts'
import type { MirrorParts } from './parts.ts'
import { hashOf } from './proof.ts'
import { namesPictures, sendPictures } from './pictures.ts'
import type { Place } from './pull.ts'
import { setAside } from './set-aside.ts'

type Batch = Awaited<ReturnType<JournalCalls['read']['outgoing']>>
/** A batch that was told and not answered yet. */
type Told = { readonly id: string; readonly batch: Batch; readonly answer: ReturnType<CloudMirror['push']> }

/**
 * Tells the cloud everything that waits, in order, until nothing is left or the cloud knows changes that are not known here.
 * Once one was taken, one goes ahead while the one before it is under way. What is not answered waits on: told twice it has the effect of
 * once. So does a batch that was taken and is not struck off yet when the program ends, since that goes on beside the next.
 * A record that no cloud takes as it is does not hold up the others.
 */
export const push = async (parts: MirrorParts, place: Place): Promise<Result<'drained' | 'behind', CloudFailure>> => {
  const striking = createStriking(parts)
  const outcome = await tellAll(parts, place, striking)
  await striking.ended()
  return outcome
}

const tellAll = async (parts: MirrorParts, place: Place, striking: Striking): Promise<Result<'drained' | 'behind', CloudFailure>> => {
  const { signal, moved } = parts
  let { journal, cursor, proof } = place
  let told = null as Told | null
  let moves = false
  let reached = 0
  let reading = readBehind(parts, reached)
  for (;;) {
    const batch = signal.aborted ? nothingMore : await reading
    const last = batch.seqs.at(-1)
    // Read while the others are under way.
    if (last !== undefined) reading = readBehind(parts, last)
    const before = told
    const ahead = before !== null && moves && goesAhead(batch, before.batch) ? await tell(parts, { journal, cursor, proof }, before, batch) : null
    if (before !== null) {
      told = null
      const answer = await before.answer
      if (!answer.ok || answer.value.outcome === 'behind') {
        // The one ahead of it finds the cloud elsewhere too.
        if (ahead?.ok) await ahead.value?.answer
        if (answer.ok) return ok('behind')
        await striking.ended()
        if (!(await setAside(parts, { records: before.batch.records, upTo: before.batch.seqs.at(-1) ?? 0 }, answer.error))) return err(answer.error)
        reading = readBehind(parts, 0)
        moved()
        continue
      }
      ;({ journal, head: cursor } = answer.value)
      const { hashes = null } = answer.value
      proof = hashes === null ? null : { head: cursor, hashes }
      await striking.begin({ seqs: before.batch.seqs, journal, head: cursor, hashes })
      moves = true
      moved()
    }
    if (signal.aborted) return err({ kind: 'aborted' })
    if (last === undefined && before === null) return ok('drained')
    if (last === undefined) {
      // Something may have changed while the last one was under way.
      reading = readBehind(parts, reached)
      continue
    }
    const next = ahead ?? (await tell(parts, { journal, cursor, proof }, null, batch))
    if (!next.ok) return next
    told = next.value
    reached = last
    if (told !== null) continue
    // Names of what is there no more: only a pair can be told as gone.
    if (journal === null) return ok('drained')
    await striking.begin({ seqs: batch.seqs, journal, head: cursor, hashes: proof?.hashes ?? null })
  }
}

/** Whether a batch may go while the one before it is under way: without pictures, which take their time, and not so small that it would overtake it. */
const goesAhead = ({ records }: Batch, before: Batch): boolean => !namesPictures(records) && records.byteLength > nothing.length && 2 * records.byteLength >= before.records.byteLength

/** The first that waits behind a number of the outbox. What changes meanwhile gets a higher number, so that it comes behind all that is read already. */
const readBehind = ({ userId, journal: { read } }: MirrorParts, after: number): Promise<Batch> => {
  const reading = read.outgoing({ userId, limit: mostRecords, after })
  // Whoever awaits it hears of its failure.
  reading.catch(() => undefined)
  return reading
}

const nothing = '[]'
const nothingMore: Batch = { seqs: [], records: new Uint8Array() }

/** Sends a batch, its pictures first; null where it holds no record. */
const tell = async (parts: MirrorParts, { journal, cursor, proof }: Place, before: Told | null, batch: Batch): Promise<Result<Told | null, CloudFailure>> => {
  if (batch.records.byteLength <= nothing.length) return ok(null)
  const pictures = await sendPictures(parts, batch.records)
  if (!pictures.ok) return pictures
  const id = randomUUID()
  const after = before === null ? cursor : { push: before.id }
  const answer = parts.cloud.push({ journal, after, ...(proof === null || before !== null ? {} : { hash: hashOf(proof) }), id, records: batch.records }, parts.signal)
  // Whoever awaits it hears of its failure.
  answer.catch(() => undefined)
  return ok({ id, batch, answer })
}

/** Strikes batches off the outbox, one at a time, beside what goes on. */
type Striking = {
  /** Begins with a batch once the one before it is struck off. */
  readonly begin: (taken: { readonly seqs: readonly number[]; readonly journal: string; readonly head: number; readonly hashes: string | null }) => Promise<void>
  readonly ended: () => Promise<void>
}

const createStriking = ({ userId, journal: { write }, now }: MirrorParts): Striking => {
  let striking = Promise.resolve()
  return {
    begin: async (taken) => {
      await striking
      striking = write.mirrorSent({ userId, at: now(), ...taken })
      // Whoever waits for its end hears of its failure.
      striking.catch(() => undefined)
    },
    ended: () => striking,
  }
}
