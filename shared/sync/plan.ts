import type { SyncReceipt } from '#shared/api/sync.ts'

/** The two sides of the broker: an account is real money or simulated, and each side is asked apart. */
export type BrokerSide = 'demo' | 'live'

/** What starts a run. */
export type SyncTrigger = SyncReceipt['trigger']

/** Whether runs of this kind come so often that they read no more than the running session of known accounts. */
export const isFrequent = (trigger: SyncTrigger): boolean => trigger === 'schedule' || trigger === 'fill'

/** A stored login, as far as planning looks at it. */
export type KnownLogin = {
  readonly id: string
  readonly name: string
  /** The broker refused it for good: only the user can connect it again. */
  readonly expired: boolean
  readonly accounts: readonly { readonly side: BrokerSide; readonly removed: boolean }[]
}

/** A login on one side of the broker: parts of a run go on side by side, and the trouble of one stops no other. */
export type SyncPart = { readonly loginId: string; readonly loginName: string; readonly side: BrokerSide }

/** What a run will do. */
export type SyncPlan = {
  readonly parts: readonly SyncPart[]
  /** Logins that would be asked if the broker still let them in. */
  readonly expired: readonly { readonly id: string; readonly name: string }[]
}

/**
 * Plans a run: logins whose accounts were all removed are left out. The frequent pulls ask only the sides where a
 * login has accounts; every other run asks both, since that is how a new account is found.
 */
export const planRun = (logins: readonly KnownLogin[], trigger: SyncTrigger): SyncPlan => {
  const wanted = logins.filter(({ accounts }) => accounts.length === 0 || accounts.some(({ removed }) => !removed))
  return {
    parts: wanted
      .filter(({ expired }) => !expired)
      .flatMap((login) => sidesOf(login, trigger).map((side) => ({ loginId: login.id, loginName: login.name, side }))),
    expired: wanted.filter(({ expired }) => expired).map(({ id, name }) => ({ id, name })),
  }
}

const sidesOf = ({ accounts }: KnownLogin, trigger: SyncTrigger): readonly BrokerSide[] => {
  const both: readonly BrokerSide[] = ['demo', 'live']
  if (!isFrequent(trigger) || accounts.length === 0) return both
  return both.filter((side) => accounts.some((account) => account.side === side && !account.removed))
}
