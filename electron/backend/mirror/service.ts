import type { MirrorState } from '#shared/api/mirror-state.ts'
import type { Log } from '#shared/base/log.ts'
import { err } from '#shared/base/result.ts'
import type { CloudIdentity } from '../cloud/client.ts'
import type { DemoCloud } from '../demo-cloud.ts'
import type { Events } from '../events.ts'
import type { Journal } from '../journal/journal.ts'
import { lazyThread, startThread, type Thread } from '../threads/start-thread.ts'
import type { MainCalls, MirrorCalls, MirrorData } from './worker.ts'

/** Each profile's cloud mirror, for the screens. */
export type Mirrors = {
  /** Whether a cloud is set for real profiles, or for the demo profile. */
  readonly cloudFor: (profile: { readonly demo: boolean }) => 'this-computer-only' | 'mirrored'
  readonly state: (userId: string) => Promise<MirrorState>
  /** Retries immediately. */
  readonly now: (userId: string) => Promise<void>
  /** If the journal's cloud account is gone: sends everything to the user's current one. */
  readonly toNewAccount: (userId: string) => Promise<void>
}

/** Everything that talks to a cloud about journals. */
export type Mirroring = Mirrors & {
  /** A profile is in use: starts its mirror, if it has a cloud and the mirror is not running. */
  readonly inUse: (userId: string) => void
  /** Calls back after something from the cloud entered a profile's journal. */
  readonly onReceived: (listener: (userId: string) => void) => void
  /** Settles once no restore of this profile is running. */
  readonly notRestoring: (userId: string) => Promise<void>
  /** Waits until the outbox is empty and returns the number of the user's records in the cloud; null without a cloud, or if it makes no progress. */
  readonly drained: (userId: string) => Promise<number | null>
  /** Ends the mirror of one profile between two batches; only `resume` and `release` allow it to start again. */
  readonly end: (userId: string) => Promise<void>
  /** Allows it to start again, and starts it. */
  readonly resume: (userId: string) => void
  /** Allows it to start again once the profile, or another with this id, is in use. */
  readonly release: (userId: string) => void
  /** Ends it between two batches. */
  readonly stop: () => Promise<void>
}

type Deps = {
  readonly journal: Journal
  /** Each profile's identity in its cloud; null without one. */
  readonly identityOf: (userId: string) => Promise<CloudIdentity | null>
  /** The cloud of real profiles; null for this computer only. */
  readonly cloudUrl: string | null
  /** The cloud of the demo profile; null if the demo is not offered. */
  readonly demoCloud: DemoCloud | null
  readonly picturesFolder: string
  readonly events: Events
  /** UTC ms. */
  readonly now: () => number
  readonly log: Log
  /** Called if the mirror's thread dies. */
  readonly broken: () => void
}

/** How long to wait for an unreachable cloud, and for a working one, before giving up. */
const awayPatienceMs = 5_000
const workPatienceMs = 120_000
/** A missed notification is made up for after this time. */
const longestSilenceMs = 1_000

const thisComputerOnly: MirrorState = { state: 'this-computer-only', waiting: 0, waitingSince: null, setAside: 0, lastSentAt: null, storage: null, nextTryAt: null, restoring: null, comparing: null, pictures: null }

/** Wires the mirror's thread, the cloud identities, and the pages, which are notified of changes. */
export const startMirroring = ({ journal, identityOf, cloudUrl, demoCloud, picturesFolder, events, now, log, broken }: Deps): Mirroring => {
  const begun = new Map<string, Promise<boolean>>()
  const states = new Map<string, MirrorState>()
  const held = new Set<string>()
  const listeners = new Set<(userId: string) => void>()
  let received: (userId: string) => void = () => undefined

  // Without a cloud for any profile it never runs.
  const { calls: thread } = lazyThread(() => startMirrorThread({
    journal,
    picturesFolder,
    log,
    broken,
    answers: {
      access: async ({ userId, refused }) => (await identityOf(userId))?.access(refused) ?? err({ kind: 'refused', status: 401, code: null }),
      stateChanged: ({ userId, state }) => {
        states.set(userId, state)
        for (const receive of [...listeners]) receive(userId)
        events.push(userId, { type: 'mirror-changed', mirror: state })
      },
      changed: ({ userId }) => {
        events.push(userId, { type: 'journal-changed' }, 'cloud')
        events.push(userId, { type: 'finances-changed' }, 'cloud')
        received(userId)
      },
    },
  }))

  const begin = async (userId: string): Promise<boolean> => {
    if ((await identityOf(userId)) === null) return false
    await thread.begin(userId)
    return true
  }
  /** False if the profile has no cloud, or its mirror was ended. */
  const mirrored = (userId: string): Promise<boolean> => {
    if (held.has(userId)) return Promise.resolve(false)
    const known = begun.get(userId)
    if (known !== undefined) return known
    const beginning = begin(userId)
    begun.set(userId, beginning)
    return beginning
  }
  // The program may be ending; otherwise the next use retries.
  const quietly = (userId: string, work: Promise<unknown>): void => void work.catch(() => begun.delete(userId))

  const inUse = (userId: string): void => {
    if (!begun.has(userId)) quietly(userId, mirrored(userId))
  }
  const poke = (userId: string): void => quietly(userId, mirrored(userId).then((is) => (is ? thread.poke(userId) : undefined)))

  events.watch((userId, event, from) => {
    if (from === 'here' && (event.type === 'journal-changed' || event.type === 'finances-changed' || event.type === 'rules-changed')) poke(userId)
  })

  /** Waits for the next notification from the profile's mirror, at most `ms`. */
  const nextWord = async (userId: string, ms: number): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<undefined>()
    const receive = (notified: string): void => {
      if (notified === userId) resolve(undefined)
    }
    const patience = setTimeout(() => resolve(undefined), ms)
    listeners.add(receive)
    await promise
    listeners.delete(receive)
    clearTimeout(patience)
  }

  // Profiles not in use may have pending changes too.
  if (cloudUrl !== null) journal.read.realProfiles().then((ids) => ids.forEach(inUse), (error: unknown) => log.error({ error }, 'finding the profiles to mirror failed'))

  return {
    cloudFor: ({ demo }) => ((demo ? demoCloud : cloudUrl) === null ? 'this-computer-only' : 'mirrored'),
    state: async (userId) => ((await mirrored(userId)) ? thread.state(userId) : thisComputerOnly),
    now: async (userId) => {
      if (await mirrored(userId)) await thread.now(userId)
    },
    toNewAccount: async (userId) => {
      if (!(await mirrored(userId)) || (await thread.state(userId)).state !== 'account-gone') return
      await journal.write.resetCloudUser({ userId, at: now() })
      await thread.now(userId)
    },
    inUse,
    onReceived: (listener) => void (received = listener),
    notRestoring: async (userId) => {
      while (states.get(userId)?.state === 'restoring') await nextWord(userId, longestSilenceMs)
    },
    drained: async (userId) => {
      if (!(await mirrored(userId))) return null
      let [standing, since] = ['', performance.now()]
      for (;;) {
        const { state, waiting, restoring, comparing } = await thread.state(userId)
        if (state === 'up-to-date' || state === 'pictures-waiting') {
          const rows = await thread.rowsInCloud(userId)
          return rows.ok ? rows.value : null
        }
        const now = [state, waiting, restoring?.done, comparing?.done].join()
        if (now !== standing) [standing, since] = [now, performance.now()]
        const left = (state === 'offline' || state === 'refused' || state === 'account-gone' || state === 'full' || state === 'no-room' ? awayPatienceMs : workPatienceMs) - (performance.now() - since)
        if (left <= 0) return null
        await nextWord(userId, Math.min(left, longestSilenceMs))
      }
    },
    end: async (userId) => {
      // Pages keep calling, and each call would start it again.
      held.add(userId)
      if ((await begun.get(userId)?.catch(() => false)) === true) await thread.end(userId)
      begun.delete(userId)
      states.delete(userId)
    },
    resume: (userId) => {
      held.delete(userId)
      inUse(userId)
    },
    release: (userId) => void held.delete(userId),
    stop: thread.stop,
  }
}

type ThreadDeps = {
  readonly journal: Journal
  readonly picturesFolder: string
  readonly answers: MainCalls
  readonly log: Log
  /** Called if the thread dies. */
  readonly broken?: () => void
}

/** Starts the thread that synchronizes journals with their mirrors; `stop` drops what is being transferred, lets the running transaction finish, and ends the thread. */
export const startMirrorThread = ({ journal, picturesFolder, answers, log, broken = () => undefined }: ThreadDeps): Thread<MirrorCalls>['calls'] => {
  const ports = journal.port()
  const { calls, watch } = startThread<MirrorCalls>(new URL('./worker.ts', import.meta.url), { name: 'mirror', data: { journal: ports, picturesFolder } satisfies MirrorData, transfer: [ports.reader, ports.writer], main: answers })
  watch(log, broken)
  return calls
}
