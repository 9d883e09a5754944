import { randomUUID } from 'node:crypto'
import type { CloudStorage, MirrorState } from '#shared/api/mirror-state.ts'
import { mostRecords } from '#shared/api/mirror.ts'
import type { Log } from '#shared/base/log.ts'
import { err, ok, type Result } from '#shared/base/result.ts'
import { mirrorRecord, type MirrorRecord } from '#shared/mirror/record.ts'
import type { Timing } from '../brokers/timing.ts'
import { type CloudFailure, unreachable } from '../cloud/failure.ts'
import type { CloudMirror } from '../cloud/mirror-calls.ts'
import { isoTime } from '../db/iso-time.ts'
import type { JournalCalls } from '../journal/journal.ts'
import { backOffMs } from './back-off.ts'
import type { MirrorDeps, RefusedPicture, Restored } from './deps.ts'
import { fetchPictures, namesPictures, sendLacking, sendPictures } from './pictures.ts'
import { hashOf, type CloudPosition, pull } from './pull.ts'
import type { MirrorPosition } from './rows.ts'

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
const push = async (deps: MirrorDeps, position: CloudPosition): Promise<Result<'drained' | 'behind', CloudFailure>> => {
  const acknowledging = createAcknowledging(deps)
  const outcome = await pushAll(deps, position, acknowledging)
  await acknowledging.ended()
  return outcome
}

const pushAll = async (deps: MirrorDeps, position: CloudPosition, acknowledging: Acknowledging): Promise<Result<'drained' | 'behind', CloudFailure>> => {
  const { signal, moved } = deps
  let { journal, cursor, proof } = position
  let sent = null as SentBatch | null
  let moves = false
  let reached = 0
  let reading = readBehind(deps, reached)
  for (;;) {
    const batch = signal.aborted ? nothingMore : await reading
    const last = batch.seqs.at(-1)
    // Read while the others are being sent.
    if (last !== undefined) reading = readBehind(deps, last)
    const before = sent
    const ahead = before !== null && moves && maySendAhead(batch, before.batch) ? await send(deps, { journal, cursor, proof }, before, batch) : null
    if (before !== null) {
      sent = null
      const answer = await before.answer
      if (!answer.ok || answer.value.outcome === 'behind') {
        // The batch sent ahead fails the same way.
        if (ahead?.ok) await ahead.value?.answer
        if (answer.ok) return ok('behind')
        await acknowledging.ended()
        if (!(await setAside(deps, { records: before.batch.records, upTo: before.batch.seqs.at(-1) ?? 0 }, answer.error))) return err(answer.error)
        reading = readBehind(deps, 0)
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
      reading = readBehind(deps, reached)
      continue
    }
    const next = ahead ?? (await send(deps, { journal, cursor, proof }, null, batch))
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
const maySendAhead = ({ records }: Batch, before: Batch): boolean => !namesPictures(records) && records.byteLength > nothing.length && 2 * records.byteLength >= before.records.byteLength

/** The first batch after a number of the outbox. Later changes get a higher number, so they come after everything already read. */
const readBehind = ({ userId, journal: { read } }: MirrorDeps, after: number): Promise<Batch> => {
  const reading = read.outgoing({ userId, limit: mostRecords, after })
  // An await still gets the failure.
  reading.catch(() => undefined)
  return reading
}

const nothing = '[]'
const nothingMore: Batch = { seqs: [], records: new Uint8Array() }

/** Sends a batch, its pictures first; null if it has no records. */
const send = async (deps: MirrorDeps, { journal, cursor, proof }: CloudPosition, before: SentBatch | null, batch: Batch): Promise<Result<SentBatch | null, CloudFailure>> => {
  if (batch.records.byteLength <= nothing.length) return ok(null)
  const pictures = await sendPictures(deps, batch.records)
  if (!pictures.ok) return pictures
  const id = randomUUID()
  const after = before === null ? cursor : { push: before.id }
  const answer = deps.cloud.push({ journal, after, ...(proof === null || before !== null ? {} : { hash: hashOf(proof) }), id, records: batch.records }, deps.signal)
  // An await still gets the failure.
  answer.catch(() => undefined)
  return ok({ id, batch, answer })
}

/** Removes accepted batches from the outbox, one at a time, in the background. */
type Acknowledging = ReturnType<typeof createAcknowledging>

const createAcknowledging = ({ userId, journal: { write }, now }: MirrorDeps) => {
  let acknowledging = Promise.resolve()
  return {
    /** Starts with a batch once its predecessor is removed. */
    begin: async (taken: { readonly seqs: readonly number[]; readonly journal: string; readonly head: number; readonly hashes: string | null }): Promise<void> => {
      await acknowledging
      acknowledging = write.recordPushed({ userId, at: now(), ...taken })
      // An await of its end still gets the failure.
      acknowledging.catch(() => undefined)
    },
    ended: (): Promise<void> => acknowledging,
  }
}

/** Records as sent, the JSON of their array, and their last number in the outbox. */
type RefusedBatch = { readonly records: Uint8Array; readonly upTo: number }

/**
 * Sets aside those records of a refused batch that break the contract, because the cloud will never accept them. False
 * if there are none: then the refusal has another reason, and nothing changes.
 */
const setAside = async ({ userId, journal, log }: Pick<MirrorDeps, 'userId' | 'journal' | 'log'>, { records, upTo }: RefusedBatch, failure: CloudFailure): Promise<boolean> => {
  if (failure.kind !== 'refused' || failure.code !== 'invalid-request') return false
  const sent = JSON.parse(new TextDecoder().decode(records)) as Pick<MirrorRecord, 'entity' | 'id'>[]
  const unagreed = sent.filter((record) => !mirrorRecord.safeParse(record).success)
  // An older cloud does not support this kind; it is sent again to a newer one.
  const wrong = unagreed.length > 0 ? unagreed : sent.filter(({ entity }) => entity === 'removal')
  if (wrong.length === 0) return false
  log.warn({ records: wrong.length, kinds: [...new Set(wrong.map(({ entity }) => entity))] }, 'Records that the cloud refuses were set aside')
  await journal.write.setRecordsAside({ userId, records: wrong.map(({ entity, id }) => ({ entity, id })), upTo })
  return true
}

/** Poll interval for other computers' changes. */
const pollMs = 60_000
/** Changes within this time are sent together. */
const gatherMs = 300
/** The longest Retry-After that a cloud is granted. */
const longestAskedMs = 600_000
/** While records are transferred, pages are updated this often. */
const publishEveryMs = 250

/** Dependencies of the loop. */
export type LoopDeps = {
  /** Synchronizes journal and mirror, see `synchronize`. */
  readonly turn: (reports: Pick<MirrorDeps, 'moved' | 'restoring' | 'comparing' | 'changed' | 'stored'>) => Promise<Result<null, CloudFailure>>
  readonly position: () => Promise<MirrorPosition>
  /** Pictures that the cloud refused, shared with the turns. */
  readonly refused: ReadonlyMap<string, RefusedPicture>
  readonly timing: Timing
  readonly signal: AbortSignal
  readonly log: Log
  /** Called with the state on every change. */
  readonly publish: (state: MirrorState) => void
  /** Called when something from the cloud entered the journal; not for every page. */
  readonly changed: () => void
}

type Stuck = 'offline' | 'refused' | 'account-gone' | 'full' | 'no-room'

const stuckBy = (failure: CloudFailure): Stuck => {
  const code = 'code' in failure ? failure.code : null
  if (code === 'storage-full') return 'full'
  if (code === 'disk-full') return 'no-room'
  if (code === 'account-gone') return code
  return failure.kind === 'refused' ? 'refused' : 'offline'
}

type MirrorStatus = { readonly kind: 'working' | 'well' } | { readonly kind: Stuck; readonly nextTryAt: number }

/** The running mirror of one profile. */
export type Loop = ReturnType<typeof startLoop>

/** Starts mirroring: immediately, on every change of the journal, and every minute; after a failure with increasing pauses, without end. */
export const startLoop = ({ turn, position, refused, timing, signal, log, publish, changed }: LoopDeps) => {
  const sleep = createInterruptibleSleep(timing, signal)
  let status: MirrorStatus = { kind: 'working' }
  let restoring: Restored | null = null
  let comparing: Restored | null = null
  let storage: CloudStorage | null = null
  let failures = 0

  const state = async (): Promise<MirrorState> => stateOf(await position(), { status, restoring, comparing, storage, refused })
  let last = ''
  const publishState = async (): Promise<void> => {
    const now = await state()
    const text = JSON.stringify(now)
    if (text === last) return
    last = text
    publish(now)
  }
  // Only publishing failed: the next change publishes it.
  const publishSoon = (): void => void publishState().catch(() => undefined)
  const publishSometimes = atMostEvery(publishEveryMs, timing.now, publishSoon)
  const changedSometimes = atMostEvery(1_000, timing.now, changed)

  const reports: Pick<MirrorDeps, 'moved' | 'restoring' | 'comparing' | 'changed' | 'stored'> = {
    stored: (held) => {
      storage = held
    },
    moved: () => {
      if (isStuck(status)) status = { kind: 'working' }
      publishSometimes.now()
    },
    restoring: (progress) => {
      const edge = (restoring === null) !== (progress === null)
      restoring = progress
      if (edge) publishSoon()
      else publishSometimes.now()
    },
    comparing: (progress) => {
      const edge = (comparing === null) !== (progress === null)
      comparing = progress
      if (edge) publishSoon()
      else publishSometimes.now()
    },
    changed: changedSometimes.now,
  }

  /** One turn; returns how long to rest after it. */
  const work = async (): Promise<number> => {
    const outcome = await turn(reports).catch((error: unknown): Result<null, CloudFailure> => {
      if (!signal.aborted) log.error({ error }, 'mirror failed')
      return err(unreachable('server'))
    })
    changedSometimes.rest()
    if (outcome.ok) {
      failures = 0
      status = { kind: 'well' }
      // There may be no restore left to continue: the cloud is a different one.
      restoring = null
      comparing = null
      return pollMs
    }
    const { kind } = outcome.error
    if (kind === 'aborted') return 0
    failures = status.kind === 'working' ? 1 : failures + 1
    const asked = 'retryAfterMs' in outcome.error ? Math.min(outcome.error.retryAfterMs ?? 0, longestAskedMs) : 0
    const rest = Math.max(backOffMs(kind, failures, timing.random()), asked)
    status = { kind: stuckBy(outcome.error), nextTryAt: timing.now() + rest }
    if (failures === 1) log.info({ failure: outcome.error }, 'cloud refused the journal for now')
    return rest
  }

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      const rest = await work()
      if (signal.aborted) return
      publishSoon()
      // Changes made while the cloud is unreachable wait with the rest.
      const woken = await sleep.rest(rest, status.kind === 'well' ? 'any' : 'now-only')
      if (woken === 'poked') await timing.sleep(gatherMs, signal).catch(() => undefined)
    }
  }

  return {
    /** The journal changed. This does not shorten the pause of an unreachable cloud. */
    poke: (): void => {
      sleep.poke()
      publishSoon()
    },
    /** Retries immediately. */
    now: sleep.now,
    state,
    /** Settles when the last batch is done after the signal aborted. */
    ended: run(),
  }
}

// A restore that an earlier run left unfinished: only the cloud knows its progress.
const brokenOff: Restored = { done: 0, total: 0 }

const isStuck = (status: MirrorStatus): status is Extract<MirrorStatus, { kind: Stuck }> => status.kind !== 'working' && status.kind !== 'well'

/** What the loop knows besides the journal. */
type LoopState = { readonly status: MirrorStatus; readonly restoring: Restored | null; readonly comparing: Restored | null; readonly storage: CloudStorage | null; readonly refused: ReadonlyMap<string, RefusedPicture> }

const stateOf = (position: MirrorPosition, { status, restoring: reported, comparing, storage, refused }: LoopState): MirrorState => {
  const stuck = isStuck(status)
  const restoring = reported ?? (stuck && position.journal !== null && position.lastSentAt === null ? brokenOff : null)
  return {
    state: stuck ? status.kind : restoring !== null ? 'restoring' : comparing !== null ? 'comparing' : status.kind !== 'well' || position.waiting > 0 ? 'sending' : refused.size > 0 ? 'pictures-waiting' : 'up-to-date',
    waiting: position.waiting,
    waitingSince: isoTime(position.waitingSince),
    setAside: position.setAside,
    lastSentAt: isoTime(position.lastSentAt),
    storage,
    nextTryAt: stuck ? isoTime(status.nextTryAt) : null,
    restoring,
    comparing,
    pictures: picturesOf([...refused.values()]),
  }
}

const picturesOf = (refused: readonly RefusedPicture[]): MirrorState['pictures'] => {
  const last = refused.at(-1)
  if (last === undefined) return null
  const nextTryAt = new Date(Math.min(...refused.map((one) => one.nextTryAt))).toISOString()
  return { waiting: refused.length, bytes: Math.max(...refused.map(({ bytes }) => bytes)), status: last.status, nextTryAt }
}

/** Throttles calls; `rest` makes the pending one. */
const atMostEvery = (ms: number, now: () => number, call: () => void): { readonly now: () => void; readonly rest: () => void } => {
  let calledAt = -Infinity
  let held = false
  const make = (): void => {
    held = false
    calledAt = now()
    call()
  }
  return {
    now: () => {
      if (now() - calledAt >= ms) make()
      else held = true
    },
    rest: () => {
      if (held) make()
    },
  }
}

/** A sleep that can be interrupted. A wake-up before it begins is not lost. */
const createInterruptibleSleep = (timing: Timing, stop: AbortSignal) => {
  let poked = false
  let wanted = false
  let sleeping: { readonly by: 'any' | 'now-only'; readonly wake: AbortController } | null = null

  return {
    poke: (): void => {
      poked = true
      if (sleeping?.by === 'any') sleeping.wake.abort()
    },
    now: (): void => {
      wanted = true
      sleeping?.wake.abort()
    },
    /** Rests until the time is over, or until it is woken: also by a poke, unless `now-only`. */
    rest: async (ms: number, by: 'any' | 'now-only'): Promise<'rested' | 'poked' | 'now'> => {
      const wake = new AbortController()
      sleeping = { by, wake }
      if (wanted || (poked && by === 'any')) wake.abort()
      await timing.sleep(ms, AbortSignal.any([wake.signal, stop])).catch(() => undefined)
      sleeping = null
      const how = wanted ? 'now' : poked && by === 'any' ? 'poked' : 'rested'
      // The next turn includes everything.
      poked = false
      wanted = false
      return how
    },
  }
}

/** Pushes in a row that found the cloud ahead, although there was nothing new to pull. */
const mostPushesBehind = 3

/** Synchronizes journal and mirror: pulls the cloud's changes, then pushes the outbox. If it fails midway, what was done stays done. */
export const synchronize = async (deps: MirrorDeps): Promise<Result<null, CloudFailure>> => {
  let pushesBehind = 0
  let cursor = -1
  for (;;) {
    const pulled = await pull(deps)
    if (!pulled.ok) return pulled
    // A failed picture does not hold back records.
    const sent = await sendLacking(deps, pulled.value.lacking)
    const pushed = await push(deps, pulled.value)
    if (!pushed.ok) return pushed
    if (pushed.value === 'drained') return sent.ok ? fetchPictures(deps) : sent
    // Another device was first, or a batch sent ahead arrived before its predecessor. That is fine as long as something new arrives.
    pushesBehind = pulled.value.cursor === cursor ? pushesBehind + 1 : 0
    cursor = pulled.value.cursor
    if (pushesBehind >= mostPushesBehind) return { ok: false, error: unreachable('server') }
  }
}
