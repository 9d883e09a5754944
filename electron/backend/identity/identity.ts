import type { PasswordPolicy, SessionAnswer, SignedInUser } from '#shared/api/session.ts'
import type { Result } from '#shared/base/result.ts'
import type { Refused } from '../refused.ts'

type Entered = { readonly currentUser: SignedInUser }
/** The browser that asks, by a name of its own. */
type FromBrowser = { readonly browser: string }

/** Who somebody is: the local profile is one answer, an identity provider another. What only the other one has is refused with `not-offered`. */
export type IdentityPort = {
  readonly kind: SessionAnswer['identity']
  readonly federated: SessionAnswer['federated']
  readonly passwordPolicy: () => Promise<PasswordPolicy>
  /** Makes a profile; a local one's recovery code is told here once, and only its hash is kept. */
  readonly signUp: (given: FromBrowser & { readonly email: string; readonly password: string; readonly displayName: string; /** Whether a journal that waits for this e-mail is left aside. */ readonly beginsEmpty: boolean }) => Promise<Result<Entered & { readonly recoveryCode: string | null }, Refused>>
  /** Gives the same answer after the same work for an unknown e-mail and for a wrong password. Guesses of one browser hold up no other. */
  readonly signIn: (given: FromBrowser & { readonly email: string; readonly password: string }) => Promise<Result<Entered, Refused>>
  /** Sets a new password by recovery code; answers whose it was and the code that is good from now on. */
  readonly resetPassword: (given: FromBrowser & { readonly email: string; readonly recoveryCode: string; readonly newPassword: string }) => Promise<Result<{ readonly uid: string; readonly recoveryCode: string }, Refused>>
  /** Mails a link that sets a new password; the answer does not tell whether there is such a user. */
  readonly mailPasswordReset: (given: { readonly email: string }) => Promise<Result<null, Refused>>
  /** Mails a link that signs in; the browser that asked need not say the address again. */
  readonly mailSignInLink: (given: FromBrowser & { readonly email: string }) => Promise<Result<null, Refused>>
  /** Whether a browser asked for such a link not long ago, and nobody entered since: a stranger's page must not move the window of somebody at work. */
  readonly awaitsLink: () => boolean
  readonly signInByLink: (given: FromBrowser & { readonly link: string; readonly email?: string | undefined }) => Promise<Result<Entered, Refused>>
  /** Begins a sign-in elsewhere; what the same browser began before ends. */
  readonly beginFederated: (given: FromBrowser) => Promise<Result<{ readonly attempt: string; readonly url: string }, Refused>>
  /** Takes what the other provider sent its user back with; false where no sign-in of this program belongs to it. */
  readonly federatedReturned: (query: { readonly state: string; readonly code: string | null }) => boolean
  /** Waits some seconds for an attempt to come back; null where it did not yet. */
  readonly endFederated: (given: FromBrowser & { readonly attempt: string }) => Promise<Result<Entered | null, Refused>>
  readonly mailVerification: (userId: string) => Promise<Result<null, Refused>>
  /** Asks the provider anew who the user is. */
  readonly reloadUser: (userId: string) => Promise<Result<Entered, Refused>>
  /** Whether it is surely the user who is there: by the password, or, at an identity provider, by a young sign-in where none is given. */
  readonly prove: (userId: string, password: string | undefined) => Promise<Result<null, Refused>>
  /** Deletes the user where users are known; what this computer keeps of the user is not touched. */
  readonly removeUser: (userId: string) => Promise<Result<null, Refused>>
  /** A browser was let in for a user who entered: to be told once after each way in. */
  readonly signedIn: (userId: string) => Promise<void>
  /** A browser of the user signed out: with the last one goes what was kept of the sign-in. */
  readonly signedOut: (userId: string) => Promise<void>
  /** The demo profile, made where there is none. */
  readonly signInDemo: () => Promise<Entered>
  /** Null where the profile is unknown, or nobody can sign in to it any more. */
  readonly userOf: (uid: string) => Promise<KnownUser | null>
  readonly hasProfiles: () => Promise<boolean>
}

/** A profile as the rest of the program sees it. */
export type KnownUser = { readonly currentUser: SignedInUser; readonly demo: boolean; readonly timeZone: string }

/** The user id of the demo profile. */
export const demoUserId = 'demo'
