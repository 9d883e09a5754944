import type { Role } from '#shared/plans/checks.ts'
import type { ProviderDetails, Subscription } from '#shared/plans/subscription.ts'

type OfUser = { readonly userId: string }

/** What a profile's cloud said last of its rights. Times are UTC ms. */
export type KeptRights = {
  /** Which cloud said it; null for what this computer keeps for a profile without one. */
  readonly cloud: string | null
  readonly subscription: Subscription | null
  /** As the payment provider told it; null where that is not known. */
  readonly details: ProviderDetails | null
  readonly role: Role
  /** By the cloud's clock. */
  readonly verifiedAt: number
  /** By this computer's clock. */
  readonly takenAt: number
  /** How old it is known to be, in ms; it never shrinks. */
  readonly age: number
}

/** What is asked of the rights that are kept. */
export type RightsReads = {
  /** Null where nothing was ever said. */
  readonly rights: (input: OfUser) => KeptRights | null
}

/** What is kept of rights. */
export type RightsWrites = {
  readonly keepRights: (input: OfUser & KeptRights) => void
}
