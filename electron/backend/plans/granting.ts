import type { Role } from '#shared/plans/checks.ts'
import { createCloudClient } from '../cloud/client.ts'
import type { CloudIdentity } from '../cloud/identity.ts'
import { createCloudSubscriptions } from '../cloud/subscriptions.ts'
import type { Host } from '../host.ts'
import { createPaymentReturns, type PaymentReturns } from './payment-returns.ts'
import { createRights, type Rights } from './rights.ts'
import { createStandings } from './standings.ts'
import { createSubscriptions, type Subscriptions } from './subscriptions.ts'
import type { Settings } from '../settings.ts'
import type { Journal } from '../journal/journal.ts'

/** Who may do what, and what is paid for it. */
export type Granting = {
  readonly rights: Rights
  readonly subscriptions: Subscriptions
  readonly paymentReturns: PaymentReturns
  /** Asks the cloud no more. */
  readonly stop: () => Promise<void>
}

/** What granting works with. */
export type GrantingParts = {
  readonly journal: Journal
  readonly settings: Pick<Settings, 'cloudUrl' | 'demoAccess'>
  /** Who each profile is in its cloud; null where there is none for it. */
  readonly identityOf: (userId: string) => Promise<CloudIdentity | null>
  readonly roleOf: Host['roleOf']
  /** This program's address. */
  readonly origin: () => string
  /** The host's clock, UTC ms. */
  readonly now: () => number
}

/** How long the cloud may take for an answer, which somebody waits for, in ms. */
const timeoutMs = 20_000

const demoRoles: Readonly<Record<Settings['demoAccess'], Role>> = {
  open: { admin: true, subscriber: false },
  closed: { admin: false, subscriber: false },
  admin: { admin: true, subscriber: false },
  subscriber: { admin: false, subscriber: true },
}

/** Joins what the cloud says of each user with the calls that it opens. */
export const startGranting = ({ journal, settings: { cloudUrl, demoAccess }, identityOf, roleOf = () => null, origin, now }: GrantingParts): Granting => {
  const callsOf = async (userId: string) => {
    const identity = await identityOf(userId)
    return identity === null ? null : createCloudSubscriptions(createCloudClient(identity, timeoutMs))
  }
  const paymentReturns = createPaymentReturns(now)
  const standings = createStandings({ journal, cloudUrl, callsOf, demoRole: demoRoles[demoAccess], roleOf, now })
  return {
    rights: createRights({ standings }),
    subscriptions: createSubscriptions({ standings, returns: paymentReturns, origin, now }),
    paymentReturns,
    stop: () => Promise.resolve(standings.stop()),
  }
}
