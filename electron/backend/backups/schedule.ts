import type { Log } from '#shared/base/log.ts'
import { localDate } from '#shared/market/zone-clock.ts'
import type { Backups } from './service.ts'

type Deps = {
  readonly backups: Pick<Backups, 'check' | 'makeDaily'>
  /** By whose days a day is one, as an IANA name. */
  readonly timeZone: string
  readonly log: Pick<Log, 'error'>
  /** UTC ms. */
  readonly now: () => number
  /** Resolves after `ms`, or rejects when the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
}

/** Who just started the program is not to wait for its check, nor for its backup after that, ms. */
export const checkAfterMs = 2_000
export const firstBackupAfterMs = 180_000
/** A computer that slept keeps no timer, and what failed is tried again: it is looked at this often, ms. */
export const lookEveryMs = 900_000
/** Makes a backup once a calendar day while the program runs. */
export const createBackupClock = ({ backups, timeZone, log, now, sleep }: Deps) => {
  const stopping = new AbortController()
  const { signal } = stopping
  let loop: Promise<unknown> = Promise.resolve()
  let doneOn: string | null = null

  const turn = async (): Promise<void> => {
    const today = localDate(now(), timeZone)
    if (doneOn === today) return
    if (!(await backups.makeDaily())) return
    doneOn = today
  }
  const stumbled = (error: unknown): void => {
    if (!signal.aborted) log.error({ error }, 'The clock of backups stumbled')
  }
  /** Sleeps, and works unless the program ends meanwhile. */
  const after = async (ms: number, work: () => Promise<void>): Promise<void> => {
    await sleep(ms, signal).catch(() => undefined)
    if (!signal.aborted) await work().catch(stumbled)
  }
  const run = async (): Promise<void> => {
    await after(checkAfterMs, backups.check)
    for (let pause = firstBackupAfterMs; !signal.aborted; pause = lookEveryMs) await after(pause, turn)
  }
  return {
    /** Checks the journal's file soon, and makes the first backup some minutes later. */
    begin: (): void => {
      loop = run()
    },
    /** Settles once nothing is made any more. */
    stop: async (): Promise<void> => {
      stopping.abort()
      await loop
    },
  }
}
