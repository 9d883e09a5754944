import { deleteUser, EmailAuthProvider, onIdTokenChanged, reauthenticateWithCredential, reload, sendEmailVerification, signOut } from 'firebase/auth'
import type { Auth, User } from 'firebase/auth'
import type { SignedInUser } from '#shared/api/session.ts'
import { err, ok } from '#shared/base/result.ts'
import type { Result } from '#shared/base/result.ts'
import type { IdToken, IdTokenCheck } from './id-token.ts'
import type { Refusal } from './refusal.ts'

/** An app of the SDK that was made for one user. */
export type Opened = {
  readonly auth: Auth
  /** The code of its last error, without `auth/`. */
  readonly lastCode: () => string | null
  readonly drop: () => Promise<void>
}

/** One user who is signed in with Firebase on this computer. */
export type SignIn = {
  /** As the provider last said it; `uid` is Firebase's. */
  readonly user: () => SignedInUser
  /** A token that was checked; a new one with `fresh`, or where the old one ends. */
  readonly token: (fresh: boolean) => Promise<Result<IdToken & { readonly token: string }, Refusal>>
  /** Asks the provider anew who the user is. */
  readonly reload: () => Promise<Result<SignedInUser, Refusal>>
  readonly mailVerification: () => Promise<Result<null, Refusal>>
  /** Shows by the password that it is still the user who is there. */
  readonly prove: (password: string) => Promise<Result<null, Refusal>>
  /** Deletes the user at the provider, for good. */
  readonly remove: () => Promise<Result<null, Refusal>>
  /** Signs out: nothing of the sign-in is kept. Where it is over already it stays as it is: what is kept may be that of the next one. */
  readonly leave: () => Promise<void>
  /** Stops renewing the token, once a sign-out that is under way is through; the sign-in stays kept. */
  readonly close: () => Promise<void>
}

type Deps = Opened & {
  readonly check: IdTokenCheck
  readonly refused: (error: unknown) => Result<never, Refusal>
  /** Told of every new token. */
  readonly renewed: (user: SignedInUser, token: string) => void
  /** Told when the user left. */
  readonly left: () => void
  /** Told when the provider ended it. */
  readonly ended: () => void
}

// What Firebase's other products switch on, and Auth alone has no public name for: the token is renewed five minutes before its end, after a failure in pauses from 30 s to 960 s.
type Renewing = { readonly _startProactiveRefresh: () => void; readonly _stopProactiveRefresh: () => void }

/** Takes over an app in which somebody has just been signed in, and keeps the token good. */
export const signInOn = ({ auth, drop, check, refused, renewed, left, ended }: Deps): SignIn => {
  const renewing = auth as unknown as Renewing
  let ending: Promise<void> | null = null
  let removing = false
  let user = auth.currentUser
  if (user === null) throw new Error('Nobody is signed in in this app')
  let checked: { readonly token: string; readonly says: IdToken } | null = null

  /** Ends everything here, after a last work; whoever comes second waits for the first. */
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
      // Whoever asks for the token hears of it.
      () => undefined,
    )
  })
  renewing._startProactiveRefresh()

  const attempt = async <T>(work: (known: User) => Promise<T>): Promise<Result<T, Refusal>> => {
    // It was left, or another one took its place: whoever asks anew is told by what there is now.
    if (ending !== null) return err('network-request-failed')
    try {
      return ok(await work(user as User))
    } catch (error) {
      return refused(error)
    }
  }

  const token: SignIn['token'] = async (fresh) => {
    const given = await attempt((known) => known.getIdToken(fresh))
    if (!given.ok) return given
    const next = given.value
    if (checked?.token !== next) {
      const whose = await check(next)
      if (!whose.ok) return err(whose.error === 'keys-unreachable' ? 'network-request-failed' : 'internal-error')
      if (whose.value.uid !== (user as User).uid) return err('internal-error')
      checked = { token: next, says: whose.value }
    }
    return ok({ token: next, ...checked.says })
  }

  return {
    user: () => userFrom(user as User),
    token,
    reload: async () => {
      const reloaded = await attempt(reload)
      return reloaded.ok ? ok(userFrom(user as User)) : reloaded
    },
    mailVerification: () => attempt(async (known) => (await sendEmailVerification(known), null)),
    prove: (password) => attempt(async (known) => (await reauthenticateWithCredential(known, EmailAuthProvider.credential(known.email ?? '', password)), null)),
    remove: async () => {
      // The SDK then signs out by itself, which is no end that anybody has to hear of.
      removing = true
      const removed = await attempt(async (known) => (await deleteUser(known), null))
      removing = removed.ok
      if (removed.ok) await end().finally(left)
      else if (auth.currentUser === null && ending === null) endedThere()
      return removed
    },
    leave: () => end(() => signOut(auth)).finally(left),
    close: () => end(),
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

// The SDK gives them as a browser's toUTCString does.
const momentOf = (time: string | undefined): string => new Date(time ?? 0).toISOString()
