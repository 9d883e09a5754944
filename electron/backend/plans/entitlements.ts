import type { CloudFailure } from '../cloud/failure.ts'
import type { CloudSubscriptions } from '../cloud/subscriptions.ts'
import { ok, type Result } from '#shared/base/result.ts'
import { noRole, type Role } from '#shared/plans/checks.ts'
import { loweredByUser, type SubscriptionField } from '#shared/plans/user-changes.ts'
import type { ProviderDetails, Subscription } from '#shared/plans/subscription.ts'
import type { JournalCalls } from '../journal/journal.ts'
import type { Settings } from '../settings.ts'
import type { StoredRights } from './queries.ts'
import { createRightsStore, rightsHoldMs, type RightsJournal } from './rights-store.ts'

/** A user's subscription and rights, by the last report. Times are UTC ms. */
export type Entitlement = {
  readonly subscription: Subscription | null
  readonly details: ProviderDetails | null
  readonly role: Role
  /** When the cloud reported it, by its clock; null without a cloud. */
  readonly verifiedAt: number | null
  /** The present, by the clock of the same source. */
  readonly now: number
}

/** The demo profile's role by setting. */
export const demoRoles: Readonly<Record<Settings['demoAccess'], Role>> = {
  open: { admin: true, subscriber: false },
  closed: { admin: false, subscriber: false },
  admin: { admin: true, subscriber: false },
  subscriber: { admin: false, subscriber: true },
}

/** Dependencies of standings. */
export type EntitlementsDeps = {
  readonly journal: RightsJournal & { readonly read: Pick<JournalCalls['read'], 'profile'> }
  /** The cloud of real profiles; null for this computer only. */
  readonly cloudUrl: string | null
  /** The calls of a real profile's cloud; null without one. */
  readonly callsOf: (userId: string) => Promise<CloudSubscriptions | null>
  readonly demoRole: Role
  /** Roles that override any report. */
  readonly roleOf: (userId: string) => Role | null
  /** UTC ms. */
  readonly now: () => number
  /** Monotonic ms. */
  readonly uptime?: () => number
}

// Without a cloud no plan is for sale: the user runs the program, and every page is open.
const operatorRole: Role = { admin: true, subscriber: false }

/** Users' rights: from the cloud, or without one from this computer, which opens no paid page. */
export type Entitlements = ReturnType<typeof createEntitlements>

export const createEntitlements = (deps: EntitlementsDeps) => {
  const { journal, cloudUrl, callsOf, demoRole, roleOf, now, uptime = () => performance.now() } = deps
  const memory = createRightsStore({ journal, now, uptime })
  const stopping = new AbortController()
  /** By user, the number of the request whose answer is stored. */
  const storedRequests = new Map<string, number>()
  let requests = 0

  const isDemo = async (userId: string): Promise<boolean> => (await journal.read.profile({ id: userId }))?.demo === true
  const cloudOf = async (userId: string): Promise<CloudSubscriptions | null> => ((await isDemo(userId)) ? null : callsOf(userId))

  const lastAnswerOf = (calls: CloudSubscriptions | null, userId: string): Promise<StoredRights | null> => memory.of(userId, calls === null ? null : cloudUrl)
  const kept = async (userId: string): Promise<StoredRights | null> => lastAnswerOf(await cloudOf(userId), userId)

  const known = async (userId: string): Promise<Entitlement | null> => {
    const calls = await cloudOf(userId)
    const [answer, given] = [await lastAnswerOf(calls, userId), roleOf(userId)]
    if (calls === null) {
      const role = given ?? ((await isDemo(userId)) ? demoRole : cloudUrl === null ? operatorRole : noRole)
      return { subscription: answer?.subscription ?? null, details: null, role, verifiedAt: null, now: now() }
    }
    if (answer !== null && answer.age <= rightsHoldMs) {
      const { subscription, details, role, verifiedAt, age } = answer
      return { subscription, details, role: given ?? role, verifiedAt, now: verifiedAt + age }
    }
    return given === null ? null : { subscription: null, details: null, role: given, verifiedAt: null, now: now() }
  }

  return {
    /** The calls of the user's cloud; null without one. The demo profile has none: its gates are this program's own. */
    cloudOf,
    /** The last report, if still valid; null if the cloud reported nothing in the last seven days. */
    known,
    /** Queries the cloud, with the payment provider's details if wanted; unavailable details are null. */
    ask: async (userId: string, options?: { readonly details: boolean }): Promise<Result<Entitlement | null, CloudFailure>> => {
      const calls = await cloudOf(userId)
      if (calls === null) return ok(await known(userId))
      const request = (requests += 1)
      const answer = await calls.get(stopping.signal)
      if (!answer.ok) return answer
      const { subscription, role, verifiedAt } = answer.value
      const customer = subscription?.stripeCustomerId
      const fetched = options?.details === true && customer !== undefined ? await calls.details(customer, stopping.signal) : null
      // The payment provider may have delayed this answer while a newer one arrived.
      if (request < (storedRequests.get(userId) ?? 0)) return ok(await known(userId))
      storedRequests.set(userId, request)
      await memory.keep(userId, { cloud: cloudUrl, subscription, role, verifiedAt: verifiedAt ?? now(), details: fetched?.ok === true ? fetched.value : null })
      return ok(await known(userId))
    },
    /** Saves the payment provider's details of the user's subscription. */
    keepDetails: async (userId: string, details: ProviderDetails): Promise<void> => {
      const answer = await kept(userId)
      if (answer !== null) await memory.keep(userId, { ...answer, details }, answer)
    },
    /** Saves the first subscription of a user without a cloud; an existing one stays unchanged. */
    keepFirst: async (userId: string, first: Subscription): Promise<void> => {
      if ((await kept(userId)) === null) await memory.keep(userId, { cloud: null, subscription: first, details: null, role: noRole, verifiedAt: now() })
    },
    /** Lowers the rights stored here; null if none are, or the fields that would rise. */
    lower: async (userId: string, given: Subscription): Promise<Result<null, SubscriptionField[]> | null> => {
      const answer = await kept(userId)
      if (answer === null || answer.subscription === null) return null
      const lowered = loweredByUser(answer.subscription, given)
      if (!lowered.ok) return lowered
      await memory.keep(userId, { ...answer, subscription: lowered.value }, answer)
      return ok(null)
    },
    /** Cancels background requests. */
    stop: (): void => stopping.abort(),
  }
}
