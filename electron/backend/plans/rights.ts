import { refuse, type Refused } from '#shared/api/refused.ts'
import { ok, type Result } from '#shared/base/result.ts'
import { callCheck } from '#shared/plans/call-check.ts'
import { copyAccounts } from '#shared/plans/copy-accounts.ts'
import type { Requirement } from '#shared/plans/plan.ts'
import type { Entitlement, Entitlements } from './entitlements.ts'

/** The age at which known rights are refreshed from the cloud, in ms. */
const askEvery = 3_600_000
/** How long a call waits for a cloud that may have newer rights, in ms. */
const standardPatienceMs = 8_000
/** The pause between two such waits of a user, in ms: repeated clicks make no further request. */
const pauseMs = 5_000

const factsOf = ({ subscription, details, role, now }: Entitlement): Parameters<typeof copyAccounts>[0] => ({ role, asked: subscription === null ? { kind: 'missing' } : { kind: 'found', subscription }, details, now })

const verdictOf = (entitlement: Entitlement | null, requirement: Requirement): ReturnType<typeof callCheck> => (entitlement === null ? 'unknown' : callCheck({ ...factsOf(entitlement), requirement }))

/** Dependencies of rights: `uptime` is monotonic ms, and `patienceMs` how long a call waits for the cloud. */
type Deps = { readonly entitlements: Pick<Entitlements, 'known' | 'ask'>; readonly uptime?: () => number; readonly patienceMs?: number }

/** Who may make the calls that need a plan. */
export type Rights = ReturnType<typeof createRights>

export const createRights = ({ entitlements, uptime = () => performance.now(), patienceMs = standardPatienceMs }: Deps) => {
  const asking = new Map<string, Promise<void>>()
  const askedAt = new Map<string, number>()

  /** Refreshes from the cloud, or joins the running refresh; never rejects. */
  const ask = (userId: string): Promise<void> => {
    const under = asking.get(userId)
    if (under !== undefined) return under
    askedAt.set(userId, uptime())
    // An unreachable cloud, and a closing journal, change nothing.
    const asked = entitlements.ask(userId, { details: true }).then(() => undefined, () => undefined)
    asking.set(userId, asked)
    return asked.finally(() => asking.delete(userId))
  }
  const isOlder = (userId: string, ms: number): boolean => uptime() - (askedAt.get(userId) ?? -Infinity) >= ms
  const inUse = (userId: string): void => {
    if (isOlder(userId, askEvery)) void ask(userId)
  }

  return {
    /** A user is active: refreshes in the background if due. */
    inUse,
    /** The same from what is already known: never waits. */
    holds: async (userId: string, requirement: Requirement): Promise<boolean> => {
      inUse(userId)
      return verdictOf(await entitlements.known(userId), requirement) === 'open'
    },
    /** How many accounts the user may copy to over all groups, from what is already known. */
    copyAccounts: async (userId: string): Promise<number> => {
      const entitlement = await entitlements.known(userId)
      return entitlement === null ? 0 : copyAccounts(factsOf(entitlement))
    },
    /**
     * Whether a call is allowed, by what is known; before a refusal, the cloud is queried once more, for a few seconds
     * at most. `plan-needed`, or `cloud-unreachable` if nothing was reported in the last seven days.
     */
    require: async (userId: string, requirement: Requirement): Promise<Result<null, Refused>> => {
      inUse(userId)
      if (verdictOf(await entitlements.known(userId), requirement) === 'open') return ok(null)
      if (asking.has(userId) || isOlder(userId, pauseMs)) await within(patienceMs, ask(userId))
      const verdict = verdictOf(await entitlements.known(userId), requirement)
      return verdict === 'open' ? ok(null) : refuse(verdict === 'unknown' ? 'cloud-unreachable' : 'plan-needed')
    },
  }
}

/** Waits for the work, at most `ms`. */
const within = async (ms: number, work: Promise<void>): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const patience = setTimeout(resolve, ms, undefined)
  await Promise.race([work, promise])
  clearTimeout(patience)
}
