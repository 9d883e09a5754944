import type { SignedInUser } from '#shared/api/session.ts'
import type { Result } from '#shared/base/result.ts'
import type { Refused } from './refused.ts'

/** Who somebody is: the local profile is one answer, an identity provider can be another. */
export type IdentityPort = {
  /** Makes a profile; the recovery code is told here once, and only its hash is kept. */
  readonly signUp: (given: { readonly email: string; readonly password: string; readonly displayName: string }) => Promise<Result<{ readonly currentUser: SignedInUser; readonly recoveryCode: string }, Refused>>
  /** Gives the same answer after the same work for an unknown e-mail and for a wrong password. */
  readonly signIn: (given: { readonly email: string; readonly password: string }) => Promise<Result<{ readonly currentUser: SignedInUser }, Refused>>
  /** Sets a new password by recovery code; answers whose it was and the code that is good from now on. */
  readonly resetPassword: (given: { readonly email: string; readonly recoveryCode: string; readonly newPassword: string }) => Promise<Result<{ readonly uid: string; readonly recoveryCode: string }, Refused>>
  /** The demo profile, made where there is none. */
  readonly signInDemo: () => Promise<{ readonly currentUser: SignedInUser }>
  /** Null where the profile is unknown. */
  readonly userOf: (uid: string) => Promise<KnownUser | null>
  readonly hasProfiles: () => Promise<boolean>
}

/** A profile as the rest of the program sees it. */
export type KnownUser = { readonly currentUser: SignedInUser; readonly demo: boolean; readonly timeZone: string }

/** The user id of the demo profile. */
export const demoUserId = 'demo'
