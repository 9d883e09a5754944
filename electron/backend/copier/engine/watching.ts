import type { CopierCalls } from './calls.ts'
import { createClosing, type ClosingParts } from './positions-close.ts'
import { createWatch, type Watch, type WatchParts } from './watch.ts'
import type { Account } from './world.ts'

/** Open positions of all accounts: told to whoever watches, and closed at the press of a button. */
export type Watching = Omit<Watch, 'calls' | 'isWatched'> & {
  readonly calls: Pick<CopierCalls, 'watch' | 'positionsOf' | 'closePosition' | 'flattenAccount'>
  /** Whether an account's line is to stand though no group needs it. */
  readonly needs: (account: Account) => boolean
}

/** Joins watching and closing. */
export const createWatching = (parts: WatchParts & ClosingParts): Watching => {
  const { calls, isWatched, ...watch } = createWatch(parts)
  const closing = createClosing(parts)
  return { ...watch, calls: { ...calls, ...closing.calls }, needs: (account) => isWatched(account.userId) || closing.isClosing(account) }
}
