import { createCloudClient } from '#backend/cloud/client.ts'
import { createDevelopmentIdentity } from '#backend/cloud/development-identity.ts'
import { createCloudMirror } from '#backend/cloud/mirror-calls.ts'
import { startLoop, type Loop } from '#backend/mirror/loop.ts'
import type { RefusedPicture } from '#backend/mirror/deps.ts'
import { synchronize } from '#backend/mirror/loop.ts'
import type { Pictures } from '#backend/pictures/pictures.ts'
import type { JournalCalls } from '#backend/journal/journal.ts'
import type { MirrorState } from '#shared/api/mirror-state.ts'
import { ok } from '#shared/base/result.ts'
import { silent } from '../helpers/copier-samples.ts'
import { openLine, type Line } from '../helpers/line.ts'
import { user } from '../helpers/store.ts'

type Options = {
  readonly journal: JournalCalls
  readonly pictures: Pictures
  readonly email: string
  readonly cloudUrl: string
  /** UTC ms. */
  readonly now: () => number
  /** Called when something of the cloud came into the journal. */
  readonly changed: () => void
}

/** A mirror with a loop that waits until it is woken, on its own line, which is cut at first. */
export type HeldMirror = {
  readonly line: Line
  readonly state: () => Promise<MirrorState>
  /** The journal changed. */
  readonly poke: () => void
  /** Ends the loop; `begin` begins another. */
  readonly end: () => Promise<void>
  readonly begin: () => void
  /** Settles once it rests. */
  readonly rested: () => Promise<void>
  /** Lets it work, as pressed for or because its time has come, and waits until it rests again. */
  readonly wake: (pressed: boolean) => Promise<void>
}

/** Changes that come one upon the other are gathered for so long. */
const gatherMs = 300

/** Begins it. */
export const holdMirror = async ({ journal, pictures, email, cloudUrl, now, changed }: Options): Promise<HeldMirror> => {
  const { userId } = user
  const line = await openLine(cloudUrl)
  line.decide = () => 'cut'
  const cloud = createCloudMirror(createCloudClient(createDevelopmentIdentity({ url: () => Promise.resolve(ok(line.url)), email })))
  let sleeping: { readonly isGathering: boolean; readonly wake: () => void } | null = null
  let fellAsleep = Promise.withResolvers<undefined>()
  const stir = (): void => {
    sleeping = null
    fellAsleep = Promise.withResolvers()
  }
  const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const asleep = { isGathering: ms === gatherMs, wake: resolve }
      const end = (): void => {
        if (sleeping === asleep) stir()
        reject(new Error('Aborted'))
      }
      if (signal?.aborted === true) return end()
      signal?.addEventListener('abort', end, { once: true })
      sleeping = asleep
      fellAsleep.resolve(undefined)
    })
  const beginLoop = (): { readonly loop: Loop; readonly end: () => Promise<void> } => {
    const ending = new AbortController()
    const refused = new Map<string, RefusedPicture>()
    const parts = { userId, journal, cloud, pictures, refused, now, signal: ending.signal, log: silent }
    stir()
    const loop = startLoop({
      turn: (reports) => synchronize({ ...parts, ...reports }),
      position: () => journal.read.mirror({ userId }),
      refused,
      timing: { now, sleep, random: () => 0.5 },
      signal: ending.signal,
      log: silent,
      publish: () => undefined,
      changed,
    })
    return { loop, end: () => (ending.abort(), loop.ended) }
  }
  let mirror = beginLoop()
  const rested = async (): Promise<void> => {
    if (sleeping === null) await fellAsleep.promise
  }
  await rested()
  return {
    line,
    rested,
    state: () => mirror.loop.state(),
    poke: () => { mirror.loop.poke() },
    end: () => mirror.end(),
    begin: () => { mirror = beginLoop() },
    wake: async (pressed) => {
      do {
        const asleep = sleeping
        if (asleep === null) throw new Error('The mirror works already')
        if (pressed && !asleep.isGathering) mirror.loop.now()
        else {
          stir()
          asleep.wake()
        }
        await fellAsleep.promise
      } while (sleeping?.isGathering === true)
    },
  }
}
