import type { SyncReceipt } from '#shared/api/sync.ts'

/** The two sides of the broker: real money and simulated. Each is queried separately. */
export type Environment = 'demo' | 'live'

/** What starts a run. */
export type SyncTrigger = SyncReceipt['trigger']

/** Whether runs of this kind come so often that they read no more than the running session of known accounts. */
export const isFrequent = (trigger: SyncTrigger): boolean => trigger === 'schedule' || trigger === 'fill'

/** A stored login, as planning needs it. */
export type KnownLogin = {
  readonly id: string
  readonly name: string
  /** The broker refused it permanently: only the user can connect it again. */
  readonly expired: boolean
  readonly accounts: readonly { readonly environment: Environment; readonly removed: boolean }[]
}

/** A login on one side of the broker: the parts of a run are concurrent, and trouble in one does not stop the others. */
export type SyncPart = { readonly loginId: string; readonly loginName: string; readonly environment: Environment }

/** What a run will do. */
export type SyncPlan = {
  readonly parts: readonly SyncPart[]
  /** Logins that the run leaves out because the broker no longer accepts them. */
  readonly expired: readonly { readonly id: string; readonly name: string }[]
}

/**
 * Plans a run: leaves out logins whose accounts were all removed. The frequent pulls query only the sides where a login
 * has accounts; every other run queries both, to find new accounts.
 */
export const planRun = (logins: readonly KnownLogin[], trigger: SyncTrigger): SyncPlan => {
  const wanted = logins.filter(({ accounts }) => accounts.length === 0 || accounts.some(({ removed }) => !removed))
  return {
    parts: wanted
      .filter(({ expired }) => !expired)
      .flatMap((login) => sidesOf(login, trigger).map((environment) => ({ loginId: login.id, loginName: login.name, environment }))),
    expired: wanted.filter(({ expired }) => expired).map(({ id, name }) => ({ id, name })),
  }
}

const sidesOf = ({ accounts }: KnownLogin, trigger: SyncTrigger): readonly Environment[] => {
  const both: readonly Environment[] = ['demo', 'live']
  if (!isFrequent(trigger) || accounts.length === 0) return both
  return both.filter((environment) => accounts.some((account) => account.environment === environment && !account.removed))
}
