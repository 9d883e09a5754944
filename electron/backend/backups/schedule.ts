import type { Log } from '#shared/base/log.ts'
import { localDate } from '#shared/market/zone-clock.ts'
import type { Backups } from './service.ts'

type Deps = {
  readonly backups: Pick<Backups, 'check' | 'makeDaily'>
  /** The IANA zone of the calendar days. */
  readonly timeZone: string
  readonly log: Pick<Log, 'error'>
  /** UTC ms. */
  readonly now: () => number
  /** Resolves after `ms`, or rejects when the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
}

/** The start of the program must not wait for the check of the file, nor for the backup after it, ms. */
export const checkAfterMs = 2_000
export const firstBackupAfterMs = 180_000
/** Timers stop while a computer sleeps, and failures are retried: check this often, ms. */
export const lookEveryMs = 900_000
/** Makes one backup per calendar day while the program runs. */
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
  const failed = (error: unknown): void => {
    if (!signal.aborted) log.error({ error }, 'backup schedule failed')
  }
  /** Sleeps, then works unless the program ended meanwhile. */
  const after = async (ms: number, work: () => Promise<void>): Promise<void> => {
    await sleep(ms, signal).catch(() => undefined)
    if (!signal.aborted) await work().catch(failed)
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
    /** Settles once nothing is being made. */
    stop: async (): Promise<void> => {
      stopping.abort()
      await loop
    },
  }
}
