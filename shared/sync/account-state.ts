import type { AccountSync } from '#shared/api/brokerage.ts'

/** What is known of the syncing of one account; times are UTC ms. */
export type AccountFacts = {
  /** Whether only exported files know it. */
  readonly fromFiles: boolean
  /** Null where this computer never synced it. */
  readonly watchedSince: number | null
  /** Null where there is no login for it, or none with tokens. */
  readonly login: 'ok' | 'expired' | null
  /** Whether a run that covers its login is under way. */
  readonly running: boolean
  /** End of the last run that read it to the end. */
  readonly lastGoodAt: number | null
  /** The latest trouble of its login and side that may pass by itself. */
  readonly trouble: {
    /** End of the run that met it. */
    readonly at: number
    /** When the schedule tries again, after the pause that the broker asked for. */
    readonly nextTryAt: number | null
  } | null
}

/** The sync state of an account: what only the user can mend comes first, then what is under way, then how the last run ended. */
export const accountState = ({ fromFiles, watchedSince, login, running, lastGoodAt, trouble }: AccountFacts): { readonly state: AccountSync['state']; readonly nextTryAt: number | null } => {
  const plainly = (state: AccountSync['state']) => ({ state, nextTryAt: null })
  if (fromFiles) return plainly('from-files')
  if (watchedSince === null) return plainly('elsewhere')
  if (login !== 'ok') return plainly('login-needed')
  if (running) return plainly('running')
  if (trouble !== null && (lastGoodAt === null || trouble.at > lastGoodAt)) return { state: 'waiting', nextTryAt: trouble.nextTryAt }
  return plainly(lastGoodAt === null ? 'never' : 'good')
}
