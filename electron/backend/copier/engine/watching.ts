import type { CopierCalls } from './calls.ts'
import { createClosing, type ClosingDeps } from './positions-close.ts'
import { createWatch, type Watch, type WatchDeps } from './watch.ts'
import type { Account } from './world.ts'

/** Open positions of all accounts: reported to watchers, and closed on request. */
export type Watching = Omit<Watch, 'calls' | 'isWatched'> & {
  readonly calls: Pick<CopierCalls, 'watch' | 'positionsOf' | 'closePosition' | 'flattenAccount'>
  /** Whether an account's line must stay open although no group needs it. */
  readonly needs: (account: Account) => boolean
}

/** Combines watching and closing. */
export const createWatching = (parts: WatchDeps & ClosingDeps): Watching => {
  const { calls, isWatched, ...watch } = createWatch(parts)
  const closing = createClosing(parts)
  return { ...watch, calls: { ...calls, ...closing.calls }, needs: (account) => isWatched(account.userId) || closing.isClosing(account) }
}
