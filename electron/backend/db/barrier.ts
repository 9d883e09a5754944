import type { Database } from 'better-sqlite3'
import type { Writer } from './database.ts'

/** The steps of a group of fills, and of a restore, in order, at which a test may end the program or interfere. */
export type BarrierName = 'group-begun' | 'fills-written' | 'trades-written' | 'outbox-written' | 'group-committed' | 'journal-restored' | 'restore-committed'

/** Called at each step; does nothing outside of tests. */
export type Barrier = (name: BarrierName, database: Database) => void

/** A writer, and the barrier at which a test may end it. */
export type WriteContext = { readonly writer: Writer; readonly barrier: Barrier }

/** Kills the whole program, like SIGKILL, the n-th time it passes a step: `fills-written` or `fills-written:3`. Without a name it does nothing. */
export const killAtBarrier = <Name extends string>(killAt: string | undefined): ((name: Name) => void) => {
  const [target, count = '1'] = killAt?.split(':') ?? []
  let left = Number(count)
  return (name) => {
    if (name !== target) return
    left -= 1
    if (left === 0) process.kill(process.pid, 'SIGKILL')
  }
}
