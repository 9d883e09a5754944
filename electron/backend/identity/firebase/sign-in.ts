import { deleteUser, EmailAuthProvider, onIdTokenChanged, reauthenticateWithCredential, reload, sendEmailVerification, signOut } from 'firebase/auth'
import type { Auth, User } from 'firebase/auth'
import type { SignedInUser } from '#shared/api/session.ts'
import { err, ok } from '#shared/base/result.ts'
import type { Result } from '#shared/base/result.ts'
import type { IdToken, IdTokenCheck } from './id-token.ts'
import type { Refusal } from './refusal.ts'

/** An SDK app for one user. */
export type Opened = {
  readonly auth: Auth
  /** The code of its last error, without `auth/`. */
  readonly lastCode: () => string | null
  readonly drop: () => Promise<void>
}

type Deps = Opened & {
  readonly check: IdTokenCheck
  readonly refused: (error: unknown) => Result<never, Refusal>
  /** Called with every new token. */
  readonly renewed: (user: SignedInUser, token: string) => void
  /** Called when the user signed out. */
  readonly left: () => void
  /** Called when the provider ended the sign-in. */
  readonly ended: () => void
}

// Private API that Firebase's other products use to refresh the token five minutes before it expires, with a backoff of 30 s to 960 s after failures.
type Renewing = { readonly _startProactiveRefresh: () => void; readonly _stopProactiveRefresh: () => void }

/** One user who is signed in with Firebase on this computer. */
export type SignIn = ReturnType<typeof signInOn>

/** Takes over an app with a signed-in user and keeps its token fresh. */
export const signInOn = ({ auth, drop, check, refused, renewed, left, ended }: Deps) => {
  const renewing = auth as unknown as Renewing
  let ending: Promise<void> | null = null
  let removing = false
  let user = auth.currentUser
  if (user === null) throw new Error('Nobody is signed in in this app')
  let checked: { readonly token: string; readonly claims: IdToken } | null = null

  /** Ends this sign-in after running `last`; a second call waits for the first. */
  const end = (last: () => Promise<void> = () => Promise.resolve()): Promise<void> => {
    ending ??= (async () => {
      stopListening()
      renewing._stopProactiveRefresh()
      await last().finally(drop)
    })()
    return ending
  }
  const endedThere = (): void => {
    void end()
    ended()
  }
  const stopListening = onIdTokenChanged(auth, (changed) => {
    if (ending !== null || removing) return
    if (changed === null) return endedThere()
    user = changed
    token(false).then(
      (given) => (given.ok && ending === null && !removing ? renewed(userFrom(changed), given.value.token) : undefined),
      // The next caller of `token` gets the error.
      () => undefined,
    )
  })
  renewing._startProactiveRefresh()

  const attempt = async <T>(work: (known: User) => Promise<T>): Promise<Result<T, Refusal>> => {
    // This sign-in ended or was replaced; a retry reaches its successor.
    if (ending !== null) return err('network-request-failed')
    try {
      return ok(await work(user as User))
    } catch (error) {
      return refused(error)
    }
  }

  const token = async (fresh: boolean): Promise<Result<IdToken & { readonly token: string }, Refusal>> => {
    const given = await attempt((known) => known.getIdToken(fresh))
    if (!given.ok) return given
    const next = given.value
    if (checked?.token !== next) {
      const verified = await check(next)
      if (!verified.ok) return err(verified.error === 'keys-unreachable' ? 'network-request-failed' : 'internal-error')
      if (verified.value.uid !== (user as User).uid) return err('internal-error')
      checked = { token: next, claims: verified.value }
    }
    return ok({ token: next, ...checked.claims })
  }

  return {
    /** The provider's latest user record; `uid` is Firebase's. */
    user: (): SignedInUser => userFrom(user as User),
    /** A verified ID token; refreshed if `fresh` or about to expire. */
    token,
    /** Reloads the user from the provider. */
    reload: async (): Promise<Result<SignedInUser, Refusal>> => {
      const reloaded = await attempt(reload)
      return reloaded.ok ? ok(userFrom(user as User)) : reloaded
    },
    mailVerification: (): Promise<Result<null, Refusal>> => attempt(async (known) => (await sendEmailVerification(known), null)),
    /** Confirms the user by password. */
    reauthenticate: (password: string): Promise<Result<null, Refusal>> => attempt(async (known) => (await reauthenticateWithCredential(known, EmailAuthProvider.credential(known.email ?? '', password)), null)),
    /** Deletes the user at the provider, for good. */
    remove: async (): Promise<Result<null, Refusal>> => {
      // The SDK signs out after the deletion; do not report that as an ended sign-in.
      removing = true
      const removed = await attempt(async (known) => (await deleteUser(known), null))
      removing = removed.ok
      if (removed.ok) await end().finally(left)
      else if (auth.currentUser === null && ending === null) endedThere()
      return removed
    },
    /** Signs out and deletes the stored sign-in. Does nothing if this sign-in has ended already, because the store may belong to its successor. */
    leave: (): Promise<void> => end(() => signOut(auth)).finally(left),
    /** Stops refreshing the token and keeps the stored sign-in. Waits for a running sign-out. */
    close: (): Promise<void> => end(),
  }
}

const userFrom = (user: User): SignedInUser => ({
  uid: user.uid,
  email: user.email,
  emailVerified: user.emailVerified,
  displayName: user.displayName,
  photoURL: user.photoURL,
  phoneNumber: user.phoneNumber,
  isAnonymous: user.isAnonymous,
  tenantId: user.tenantId,
  providerData: user.providerData.map(({ providerId, uid }) => ({ providerId, uid })),
  metadata: { creationTime: momentOf(user.metadata.creationTime), lastSignInTime: momentOf(user.metadata.lastSignInTime) },
})

// The SDK gives times in the format of `toUTCString`.
const momentOf = (time: string | undefined): string => new Date(time ?? 0).toISOString()
