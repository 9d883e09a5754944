import type { Refused } from '#shared/api/refused.ts'
import type { PasswordPolicy, SessionAnswer, SignedInUser } from '#shared/api/session.ts'
import type { Result } from '#shared/base/result.ts'

type Entered = { readonly currentUser: SignedInUser }
/** A stable name of the requesting browser. */
type FromBrowser = { readonly browser: string }

type SignUp = {
  readonly email: string
  readonly password: string
  readonly displayName: string
  /** Starts empty although a journal waits for this email. */
  readonly beginsEmpty: boolean
}

/** Signs users up and in, with local profiles or with an identity provider. Each implementation answers `not-offered` to what only the other can do. */
export type IdentityPort = {
  readonly kind: SessionAnswer['identity']
  readonly federated: SessionAnswer['federated']
  readonly passwordPolicy: () => Promise<PasswordPolicy>
  /** Creates a profile. Returns a local profile's recovery code, which must be confirmed. */
  readonly signUp: (given: FromBrowser & SignUp) => Promise<Result<Entered & { readonly recoveryCode: string | null }, Refused>>
  /** Answers an unknown email and a wrong password alike, after the same amount of work. One browser's guesses never slow another. */
  readonly signIn: (given: FromBrowser & { readonly email: string; readonly password: string }) => Promise<Result<Entered, Refused>>
  /** Sets a new password with a recovery code; returns the user and the next recovery code, which must be confirmed. */
  readonly resetPassword: (given: FromBrowser & { readonly email: string; readonly recoveryCode: string; readonly newPassword: string }) => Promise<Result<{ readonly uid: string; readonly recoveryCode: string }, Refused>>
  /** Confirms that the code returned last is saved: from then on it is the only one. */
  readonly confirmRecoveryCode: (given: FromBrowser & { readonly email: string; readonly recoveryCode: string }) => Promise<Result<null, Refused>>
  /** Returns the code to save next, the same one until it is confirmed; the user must know the password. */
  readonly renewRecoveryCode: (userId: string, password: string | undefined) => Promise<Result<{ readonly recoveryCode: string }, Refused>>
  /** Whether a code was returned that nobody has confirmed as saved. */
  readonly isRecoveryCodeUnsaved: (userId: string) => Promise<boolean>
  /** Emails a password reset link; the answer does not reveal whether the user exists. */
  readonly mailPasswordReset: (given: { readonly email: string }) => Promise<Result<null, Refused>>
  /** Emails a sign-in link; the requesting browser need not enter the email again. */
  readonly mailSignInLink: (given: FromBrowser & { readonly email: string }) => Promise<Result<null, Refused>>
  /** Whether a link was requested recently and nobody has signed in since. A stranger's page must not navigate the window of a user at work. */
  readonly awaitsLink: () => boolean
  readonly signInByLink: (given: FromBrowser & { readonly link: string; readonly email?: string | undefined }) => Promise<Result<Entered, Refused>>
  /** Starts a sign-in at another provider and cancels the same browser's previous attempt. */
  readonly beginFederated: (given: FromBrowser) => Promise<Result<{ readonly attempt: string; readonly url: string }, Refused>>
  /** Accepts the provider's redirect; false if its state belongs to no pending sign-in. */
  readonly federatedReturned: (query: { readonly state: string; readonly code: string | null }) => boolean
  /** Waits a few seconds for the redirect; null if it has not arrived. */
  readonly endFederated: (given: FromBrowser & { readonly attempt: string }) => Promise<Result<Entered | null, Refused>>
  readonly mailVerification: (userId: string) => Promise<Result<null, Refused>>
  /** Reloads the user from the provider. */
  readonly reloadUser: (userId: string) => Promise<Result<Entered, Refused>>
  /** Confirms that the user is present: by password or, at an identity provider without one, by a recent sign-in. */
  readonly reauthenticate: (userId: string, password: string | undefined) => Promise<Result<null, Refused>>
  /** Deletes the user at the identity provider. Local data stays. */
  readonly removeUser: (userId: string) => Promise<Result<null, Refused>>
  /** Call once after each sign-in, when the browser's session has started. */
  readonly signedIn: (userId: string) => Promise<void>
  /** Call after a browser signed out; the user's last sign-out deletes the stored sign-in. */
  readonly signedOut: (userId: string) => Promise<void>
  /** Signs in to the demo profile and creates it if needed. */
  readonly signInDemo: () => Promise<Entered>
  /** Null if the profile is unknown or can no longer be signed in to. */
  readonly userOf: (uid: string) => Promise<KnownUser | null>
  readonly hasProfiles: () => Promise<boolean>
}

/** A profile's user as the session answer needs it. */
export type KnownUser = { readonly currentUser: SignedInUser; readonly demo: boolean; readonly timeZone: string }
