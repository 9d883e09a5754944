import { randomUUID } from 'node:crypto'
import { deleteApp, initializeApp } from 'firebase/app'
import { type Auth, type AuthErrorMap, connectAuthEmulator, createUserWithEmailAndPassword, type PasswordPolicy as FirebasePolicy, initializeAuth, inMemoryPersistence, OAuthProvider, type Persistence, sendPasswordResetEmail, sendSignInLinkToEmail, signInWithCredential, signInWithEmailAndPassword, signInWithEmailLink, updateProfile, type UserCredential, validatePassword } from 'firebase/auth'
import { type EndedBecause, minimumPasswordLength, type PasswordPolicy, type SignedInUser } from '#shared/api/session.ts'
import type { Log } from '#shared/base/log.ts'
import { err, ok, type Result } from '#shared/base/result.ts'
import type { IdTokenCheck } from './id-token.ts'
import { type Refusal, refusalOf, sdkCodeOf } from './refusal.ts'
import { type Opened, type SignIn, signInOn } from './sign-in.ts'

/** Secret storage for one user's sign-in. */
type SignInStore = {
  readonly get: () => Promise<string | null>
  readonly set: (value: string) => Promise<void>
  readonly remove: () => Promise<void>
}

/**
 * Persists the SDK's sign-in in secret storage. The SDK has no public API for that in Node: it takes a class that it
 * instantiates itself, with the members of its React Native persistence. Each class serves one user, and the SDK stores
 * a single value in it, so the key is ignored.
 */
const persistenceOf = (store: SignInStore): Persistence =>
  class {
    static readonly type = 'LOCAL'
    readonly type = 'LOCAL'
    _isAvailable = (): Promise<boolean> => Promise.resolve(true)
    _set = (_key: string, value: unknown): Promise<void> => store.set(JSON.stringify(value))
    _get = async (): Promise<unknown> => parsed(await store.get())
    _remove = (): Promise<void> => store.remove()
    // No other program changes the sign-in behind the SDK's back.
    _addListener = (): void => undefined
    _removeListener = (): void => undefined
  }

/** Holds a sign-in in memory until its user is known and `moveTo` names the store. In Node the SDK cannot change the persistence of a sign-in. */
const signInInMemory = (): SignInStore & { readonly moveTo: (store: SignInStore) => Promise<void> } => {
  let held: string | null = null
  let store: SignInStore | null = null
  return {
    get: () => store?.get() ?? Promise.resolve(held),
    set: (value) => store?.set(value) ?? Promise.resolve(void (held = value)),
    remove: () => store?.remove() ?? Promise.resolve(void (held = null)),
    moveTo: async (target) => {
      store = target
      if (held !== null) await target.set(held)
      held = null
    },
  }
}

const parsed = (text: string | null): unknown => {
  try {
    return text === null ? null : (JSON.parse(text) as unknown)
  } catch {
    return null
  }
}

/** Dependencies of the Firebase adapter. */
export type FirebaseDeps = {
  readonly settings: { readonly apiKey: string; readonly projectId: string; readonly authDomain: string; readonly emulatorUrl: string | null }
  readonly check: IdTokenCheck
  /** Secret storage for one user's sign-in. */
  readonly storeOf: (uid: string) => SignInStore
  /** Called with every new token and the provider's user record. */
  readonly renewed: (user: SignedInUser, token: string) => void
  /** Called when the provider ended a sign-in. */
  readonly ended: (uid: string, because: EndedBecause) => void
  readonly log: Log
}

const standardPolicy: PasswordPolicy = { minLength: minimumPasswordLength, maxLength: null, lowercase: false, uppercase: false, digit: false, symbol: false }
const policyLifetimeMs = 3_600_000
const endings: Readonly<Record<string, EndedBecause>> = { 'user-disabled': 'user-disabled', 'user-token-expired': 'user-token-expired', 'invalid-user-token': 'user-token-expired', 'user-not-found': 'user-token-expired' }

/** One Firebase project: its sign-in methods, and the users who are signed in on this computer. */
export type Firebase = ReturnType<typeof openFirebase>

/** Wraps Firebase's SDK. Each user gets an app, so that users of one computer do not sign each other out. */
export const openFirebase = ({ settings, check, storeOf, renewed, ended, log }: FirebaseDeps) => {
  const { apiKey, projectId, authDomain, emulatorUrl } = settings
  const live = new Map<string, Promise<SignIn | null>>()

  const open = (persistence: Persistence): Opened => {
    const app = initializeApp({ apiKey, projectId, authDomain }, randomUUID())
    let last: string | null = null
    const auth = initializeAuth(app, { persistence, errorMap: recordingErrorMap((code) => (last = code)) })
    if (emulatorUrl !== null) connectAuthEmulator(auth, emulatorUrl, { disableWarnings: true })
    return { auth, lastCode: () => last, drop: () => deleteApp(app) }
  }

  const refused = (error: unknown): Result<never, Refusal> => {
    const refusal = refusalOf(error)
    if (refusal === null) throw error
    // Log the code only: the SDK's messages may quote the user's input.
    if (refusal === 'internal-error') log.warn({ code: sdkCodeOf(error) }, 'Firebase call failed')
    return err(refusal)
  }
  /** Runs a call that needs no signed-in user. */
  const ask = async <T>(work: (auth: Auth) => Promise<T>): Promise<Result<T, Refusal>> => {
    const { auth, drop } = open(inMemoryPersistence)
    try {
      return ok(await work(auth))
    } catch (error) {
      return refused(error)
    } finally {
      await drop()
    }
  }

  /** Makes the result of `work` the user's live sign-in. `work` gets the previous one and a callback that drops its own. */
  const place = <Found extends SignIn | null>(uid: string, work: (before: Promise<SignIn | null> | undefined, forget: () => void) => Promise<Found>): Promise<Found> => {
    const forget = (): void => {
      if (live.get(uid) === placed) live.delete(uid)
    }
    const placed = work(live.get(uid), forget)
    live.set(uid, placed)
    // Do not cache a failure: the next call may succeed.
    placed.then((found) => (found === null ? forget() : undefined), forget)
    return placed
  }

  const activate = (uid: string, opened: Opened, forget: () => void): SignIn =>
    signInOn({
      ...opened,
      check,
      renewed,
      refused,
      left: forget,
      ended: () => {
        forget()
        ended(uid, endings[opened.lastCode() ?? ''] ?? 'user-token-expired')
      },
    })

  /** Signs a user in, but only if the ID token verifies. */
  const enter = async (work: (auth: Auth) => Promise<UserCredential>): Promise<Result<SignIn, Refusal>> => {
    const store = signInInMemory()
    const opened = open(persistenceOf(store))
    try {
      const { user } = await work(opened.auth)
      const verified = await check(await user.getIdToken())
      if (!verified.ok || verified.value.uid !== user.uid) {
        await opened.drop()
        if (!verified.ok && verified.error === 'keys-unreachable') return err('network-request-failed')
        log.warn({}, 'Firebase returned an invalid ID token')
        return err('internal-error')
      }
      // If the user is already signed in from another browser, this sign-in replaces that one for both.
      const entered = await place(user.uid, async (before, forget) => {
        await (await before?.catch(() => null))?.close()
        await store.moveTo(storeOf(user.uid))
        return activate(user.uid, opened, forget)
      })
      return ok(entered)
    } catch (error) {
      await opened.drop()
      return refused(error)
    }
  }

  const restore = async (uid: string, forget: () => void): Promise<SignIn | null> => {
    const store = storeOf(uid)
    if ((await store.get()) === null) return null
    // At startup the SDK deletes the sign-in after any error, even a server outage. Block that, and delete only for the codes in `endings`.
    let removable = false
    const opened = open(persistenceOf({ ...store, remove: () => (removable ? store.remove() : Promise.resolve()) }))
    await opened.auth.authStateReady()
    removable = true
    if (opened.auth.currentUser?.uid === uid) return activate(uid, opened, forget)
    const code = opened.lastCode()
    await opened.drop()
    const because = code === null ? undefined : endings[code]
    if (because === undefined) log.warn({ code }, 'restoring a sign-in failed')
    else {
      await store.remove()
      ended(uid, because)
    }
    return null
  }

  let known: { readonly at: number; readonly policy: PasswordPolicy } | null = null

  return {
    signUp: ({ email, password, displayName }: { readonly email: string; readonly password: string; readonly displayName: string }): Promise<Result<SignIn, Refusal>> =>
      enter(async (auth) => {
        const made = await createUserWithEmailAndPassword(auth, email, password)
        // Failing to set the name must not lose the new account.
        if (displayName !== '') await updateProfile(made.user, { displayName }).catch((error: unknown) => void refused(error))
        return made
      }),
    signIn: ({ email, password }: { readonly email: string; readonly password: string }): Promise<Result<SignIn, Refusal>> => enter((auth) => signInWithEmailAndPassword(auth, email, password)),
    signInByLink: ({ email, link }: { readonly email: string; readonly link: string }): Promise<Result<SignIn, Refusal>> => enter((auth) => signInWithEmailLink(auth, email, link)),
    /** Signs in with Google's ID token, whose nonce is the SHA-256 of `rawNonce`. */
    signInByGoogle: ({ idToken, rawNonce }: { readonly idToken: string; readonly rawNonce: string }): Promise<Result<SignIn, Refusal>> => enter((auth) => signInWithCredential(auth, new OAuthProvider('google.com').credential({ idToken, rawNonce }))),
    /** Emails a link to `returnTo`; its query carries what `signInByLink` needs. */
    mailSignInLink: ({ email, returnTo }: { readonly email: string; readonly returnTo: string }): Promise<Result<null, Refusal>> => ask(async (auth) => (await sendSignInLinkToEmail(auth, email, { url: returnTo, handleCodeInApp: true }), null)),
    /** `ok` also if there is no such user. */
    mailPasswordReset: async ({ email }: { readonly email: string }): Promise<Result<null, Refusal>> => {
      const mailed = await ask(async (auth) => (await sendPasswordResetEmail(auth, email), null))
      return !mailed.ok && mailed.error === 'wrong-credentials' ? ok(null) : mailed
    },
    /** The project's password policy; Firebase's minimum if the project is unreachable. */
    passwordPolicy: async (): Promise<PasswordPolicy> => {
      const at = performance.now()
      if (known !== null && at - known.at < policyLifetimeMs) return known.policy
      const fetched = await ask((auth) => validatePassword(auth, ''))
      if (!fetched.ok) return standardPolicy
      known = { at, policy: policyOf(fetched.value.passwordPolicy) }
      return known.policy
    },
    /** Whether a sign-in of this user is stored. */
    hasSignIn: async (uid: string): Promise<boolean> => (await storeOf(uid).get()) !== null,
    /** The user's sign-in, restored from storage if needed; null if it ended or cannot be verified now. */
    signInOf: (uid: string): Promise<SignIn | null> => live.get(uid) ?? place(uid, (_before, forget) => restore(uid, forget)),
    /** Stops refreshing tokens and keeps every stored sign-in. */
    close: async (): Promise<void> => {
      const all = await Promise.allSettled(live.values())
      await Promise.all(all.map((one) => (one.status === 'fulfilled' ? one.value?.close() : undefined)))
    },
  }
}

const policyOf = ({ customStrengthOptions: wanted }: FirebasePolicy): PasswordPolicy => ({
  minLength: wanted.minPasswordLength ?? standardPolicy.minLength,
  maxLength: wanted.maxPasswordLength ?? null,
  lowercase: wanted.containsLowercaseLetter ?? false,
  uppercase: wanted.containsUppercaseLetter ?? false,
  digit: wanted.containsNumericCharacter ?? false,
  symbol: wanted.containsNonAlphanumericCharacter ?? false,
})

/** Records the code of every SDK error through the lookup of its text. When the SDK signs a user out on its own, it gives the reason nowhere else. */
const recordingErrorMap = (note: (code: string) => void): AuthErrorMap => {
  const texts = new Proxy({}, { get: (_, code) => (typeof code === 'string' ? note(code) : undefined) })
  return (() => texts) as AuthErrorMap
}
