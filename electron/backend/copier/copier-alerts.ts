import type { CopierAlert, CopierLive, CopyGroup, LiveFollower } from '#shared/api/copier.ts'
import { copierTrouble } from '#shared/api/copier.ts'
import type { Log } from '#shared/base/log.ts'
import { troublesOf } from '#shared/copier/trouble.ts'
import type { CopierAccount } from './engine/calls.ts'

/** Dependencies of the copier's alerts. */
export type CopierAlertDeps = {
  readonly groups: (userId: string) => Promise<readonly CopyGroup[]>
  readonly accounts: (userId: string) => Promise<readonly CopierAccount[]>
  readonly push: (userId: string, alert: CopierAlert) => void
  readonly log: Pick<Log, 'warn'>
}

type Raised = { readonly groupId: string; readonly follower: LiveFollower; readonly trouble: CopierAlert['trouble'] }

const brokerText = ({ contracts }: LiveFollower): string | null => contracts.find(({ exits }) => exits.refused !== null)?.exits.refused ?? null

/** Watches live states and raises one alert when a follower's trouble begins, including one found at startup. */
export const createCopierAlerts = ({ groups, accounts, push, log }: CopierAlertDeps): { readonly receive: (userId: string, live: CopierLive) => Promise<void> } => {
  const known = new Map<string, ReadonlySet<string>>()

  /** The new troubles. While a line is down, an account's alerts stay raised, because nothing newer is known. */
  const begun = (userId: string, { groups: live }: CopierLive): Raised[] => {
    const before = known.get(userId) ?? new Set()
    const after = new Set<string>()
    const raised: Raised[] = []
    for (const { id: groupId, followers } of live) {
      for (const follower of followers) {
        const now = troublesOf(follower)
        for (const trouble of copierTrouble.options) {
          const key = `${groupId} ${follower.account} ${trouble}`
          if (!now.includes(trouble) && (follower.line === 'up' || !before.has(key))) continue
          after.add(key)
          if (!before.has(key)) raised.push({ groupId, follower, trouble })
        }
      }
    }
    known.set(userId, after)
    return raised
  }

  return {
    receive: async (userId, live) => {
      const raised = begun(userId, live)
      if (raised.length === 0) return
      const [kept, named] = await Promise.all([groups(userId), accounts(userId)])
      for (const { groupId, follower, trouble } of raised) {
        const group = kept.find(({ id }) => id === groupId)
        if (group === undefined) continue
        const { account } = follower
        log.warn({ account, trouble }, 'follower needs its user')
        push(userId, { trouble, groupId, group: group.name, account, accountName: named.find(({ key }) => key === account)?.name ?? account, unprotected: group.unprotected, brokerText: trouble === 'unprotected' ? brokerText(follower) : null })
      }
    },
  }
}
