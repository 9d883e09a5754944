import type { CloudFailure } from '../cloud/failure.ts'
import type { CloudSubscriptions } from '../cloud/subscriptions.ts'
import { ok, type Result } from '#shared/base/result.ts'
import { noRole, type Role } from '#shared/plans/checks.ts'
import { loweredByUser, type SubscriptionField } from '#shared/plans/user-changes.ts'
import type { ProviderDetails, Subscription } from '#shared/plans/subscription.ts'
import type { JournalCalls } from '../journal/journal.ts'
import type { Settings } from '../settings.ts'
import { rememberRights, rightsHoldMs, type Remembered, type RightsJournal } from './remembered-rights.ts'

/** What a user has paid for and may do, as it was said last. Times are UTC ms. */
export type Standing = {
  readonly subscription: Subscription | null
  readonly details: ProviderDetails | null
  readonly role: Role
  /** When the cloud said so, by its clock; null where there is none. */
  readonly verifiedAt: number | null
  /** The present, by the clock of its source. */
  readonly now: number
}

/** The role of the demo profile, as the settings say it. */
export const demoRoles: Readonly<Record<Settings['demoAccess'], Role>> = {
  open: { admin: true, subscriber: false },
  closed: { admin: false, subscriber: false },
  admin: { admin: true, subscriber: false },
  subscriber: { admin: false, subscriber: true },
}

/** What standings are made of. */
export type StandingsParts = {
  readonly journal: RightsJournal & { readonly read: Pick<JournalCalls['read'], 'profile'> }
  /** The cloud of real profiles; null for this computer only. */
  readonly cloudUrl: string | null
  /** The calls of a real profile's cloud; null where there is none for it. */
  readonly callsOf: (userId: string) => Promise<CloudSubscriptions | null>
  readonly demoRole: Role
  /** Roles that stand over whatever is said. */
  readonly roleOf: (userId: string) => Role | null
  /** UTC ms. */
  readonly now: () => number
  /** Ms that only grow. */
  readonly uptime?: () => number
}

// Where no cloud is set there is nobody to buy a plan of: who uses the program runs it, and every page is open.
const operatorRole: Role = { admin: true, subscriber: false }

/** What users may do, from the cloud, or without one from this computer, which opens no paid page. */
export type Standings = ReturnType<typeof createStandings>

export const createStandings = (parts: StandingsParts) => {
  const { journal, cloudUrl, callsOf, demoRole, roleOf, now, uptime = () => performance.now() } = parts
  const memory = rememberRights({ journal, now, uptime })
  const stopping = new AbortController()
  /** Of what is kept of each user, as the how manieth question it was asked for. */
  const keptTurns = new Map<string, number>()
  let turns = 0

  const isDemo = async (userId: string): Promise<boolean> => (await journal.read.profile({ id: userId }))?.demo === true
  const cloudOf = async (userId: string): Promise<CloudSubscriptions | null> => ((await isDemo(userId)) ? null : callsOf(userId))

  const saidBy = (calls: CloudSubscriptions | null, userId: string): Promise<Remembered | null> => memory.of(userId, calls === null ? null : cloudUrl)
  const kept = async (userId: string): Promise<Remembered | null> => saidBy(await cloudOf(userId), userId)

  const known = async (userId: string): Promise<Standing | null> => {
    const calls = await cloudOf(userId)
    const [said, given] = [await saidBy(calls, userId), roleOf(userId)]
    if (calls === null) {
      const role = given ?? ((await isDemo(userId)) ? demoRole : cloudUrl === null ? operatorRole : noRole)
      return { subscription: said?.subscription ?? null, details: null, role, verifiedAt: null, now: now() }
    }
    if (said !== null && said.age <= rightsHoldMs) {
      const { subscription, details, role, verifiedAt, age } = said
      return { subscription, details, role: given ?? role, verifiedAt, now: verifiedAt + age }
    }
    return given === null ? null : { subscription: null, details: null, role: given, verifiedAt: null, now: now() }
  }

  return {
    /** The calls of the user's cloud; null where there is none. The demo profile has none: its gates are this program's own. */
    cloudOf,
    /** What was said last and still holds; null where the cloud said nothing in the last seven days. */
    known,
    /** Asks the cloud, with the payment provider's details where they are wanted; those that cannot be had are null. */
    ask: async (userId: string, wish?: { readonly details: boolean }): Promise<Result<Standing | null, CloudFailure>> => {
      const calls = await cloudOf(userId)
      if (calls === null) return ok(await known(userId))
      const turn = (turns += 1)
      const said = await calls.get(stopping.signal)
      if (!said.ok) return said
      const { subscription, role, verifiedAt } = said.value
      const customer = subscription?.stripeCustomerId
      const told = wish?.details === true && customer !== undefined ? await calls.details(customer, stopping.signal) : null
      // The payment provider may have kept this one waiting while a newer answer came.
      if (turn < (keptTurns.get(userId) ?? 0)) return ok(await known(userId))
      keptTurns.set(userId, turn)
      await memory.keep(userId, { cloud: cloudUrl, subscription, role, verifiedAt: verifiedAt ?? now(), details: told?.ok === true ? told.value : null })
      return ok(await known(userId))
    },
    /** Keeps the payment provider's details of the user's subscription. */
    keepDetails: async (userId: string, details: ProviderDetails): Promise<void> => {
      const said = await kept(userId)
      if (said !== null) await memory.keep(userId, { ...said, details }, said)
    },
    /** Keeps the first subscription of a user who has no cloud; one that is there stays as it is. */
    keepFirst: async (userId: string, first: Subscription): Promise<void> => {
      if ((await kept(userId)) === null) await memory.keep(userId, { cloud: null, subscription: first, details: null, role: noRole, verifiedAt: now() })
    },
    /** Lowers what is kept here; null where nothing is, the fields that would rise where some would. */
    lower: async (userId: string, given: Subscription): Promise<Result<null, SubscriptionField[]> | null> => {
      const said = await kept(userId)
      if (said === null || said.subscription === null) return null
      const lowered = loweredByUser(said.subscription, given)
      if (!lowered.ok) return lowered
      await memory.keep(userId, { ...said, subscription: lowered.value }, said)
      return ok(null)
    },
    /** Gives up what is asked in the background. */
    stop: (): void => stopping.abort(),
  }
}
