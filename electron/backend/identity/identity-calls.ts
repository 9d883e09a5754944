import type { EndedBecause, SignedInUser } from '#shared/api/session.ts'
import type { OfUser } from '../journal/journal-reads.ts'
import type { Profile } from '../db/rows.ts'

/** What can be asked of users of an identity provider. */
export type IdentityReads = {
  /** Every profile that belongs to a user of Firebase. */
  readonly firebaseProfiles: () => { id: string; firebaseUid: string }[]
  /** Whether a journal is here that whoever comes with this e-mail continues, once the provider has verified it; `at` is UTC ms. */
  readonly journalWaits: (input: { readonly email: string; readonly at: number }) => boolean
  /** In how many browsers a user is signed in; `at` is UTC ms. */
  readonly sessionCount: (input: OfUser & { readonly at: number }) => number
}

/** What can be done for users of an identity provider, and to every user of this computer. */
export type IdentityWrites = {
  /**
   * The profile of a user who signed in with Firebase, with what Firebase says of the user. Whoever comes for the first
   * time takes over the local profile of the same e-mail, where Firebase has verified that, or that of a user with this e-mail who was deleted there, or else the journal that
   * belongs to nobody yet, or else gets a new profile under `newId`.
   */
  readonly enterFirebaseUser: (input: { readonly user: SignedInUser; readonly newId: string; readonly timeZone: string; readonly at: number }) => Profile
  /** Keeps what Firebase says of a user of this computer; nothing happens where there is no such profile. */
  readonly tellFirebaseUser: (input: { readonly user: SignedInUser }) => void
  /** Puts a user out of every browser; each keeps the reason until somebody signs in there. */
  readonly endSessionsBecause: (input: OfUser & { readonly because: EndedBecause }) => void
  /** Deletes a profile and everything that is kept for it, and rewrites the file so that no free page holds any of it. */
  readonly forgetUser: (input: OfUser) => void | Promise<void>
}
