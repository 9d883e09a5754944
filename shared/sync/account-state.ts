import type { AccountSync } from '#shared/api/brokerage.ts'

/** What is known about syncing an account; times are UTC ms. */
export type AccountFacts = {
  /** Whether it is known only from exported files. */
  readonly fromFiles: boolean
  /** Null if this computer never synced it. */
  readonly watchedSince: number | null
  /** Null without a login, or without one that has tokens. */
  readonly login: 'ok' | 'expired' | null
  /** Whether a run that covers its login is in progress. */
  readonly running: boolean
  /** End of the last run that read it completely. */
  readonly lastGoodAt: number | null
  /** The latest trouble of its login and side that may resolve without the user. */
  readonly trouble: {
    /** End of the run that had it. */
    readonly at: number
    /** The schedule's next try, after the pause that the broker asked for. */
    readonly nextTryAt: number | null
  } | null
}

/** An account's sync state: first what only the user can fix, then a run in progress, then how the last run ended. */
export const accountState = ({ fromFiles, watchedSince, login, running, lastGoodAt, trouble }: AccountFacts): { readonly state: AccountSync['state']; readonly nextTryAt: number | null } => {
  const plainly = (state: AccountSync['state']) => ({ state, nextTryAt: null })
  if (fromFiles) return plainly('from-files')
  if (watchedSince === null) return plainly('elsewhere')
  if (login !== 'ok') return plainly('login-needed')
  if (running) return plainly('running')
  if (trouble !== null && (lastGoodAt === null || trouble.at > lastGoodAt)) return { state: 'waiting', nextTryAt: trouble.nextTryAt }
  return plainly(lastGoodAt === null ? 'never' : 'good')
}
