import { randomUUID } from 'node:crypto'
import { deleteApp, initializeApp } from 'firebase/app'
import {
  connectAuthEmulator, createUserWithEmailAndPassword, initializeAuth, inMemoryPersistence, OAuthProvider, sendPasswordResetEmail,
  sendSignInLinkToEmail, signInWithCredential, signInWithEmailAndPassword, signInWithEmailLink, updateProfile, validatePassword,
} from 'firebase/auth'
import type { Auth, AuthErrorMap, PasswordPolicy as FirebasePolicy, Persistence, UserCredential } from 'firebase/auth'
import { minimumPasswordLength } from '#shared/api/session.ts'
import type { EndedBecause, PasswordPolicy, SignedInUser } from '#shared/api/session.ts'
import type { Log } from '#shared/base/log.ts'
import { err, ok } from '#shared/base/result.ts'
import type { Result } from '#shared/base/result.ts'
import type { IdTokenCheck } from './id-token.ts'
import { keepInMemory, keptIn } from './persistence.ts'
import type { SignInKeep } from './persistence.ts'
import { refusalOf, sdkCodeOf } from './refusal.ts'
import type { Refusal } from './refusal.ts'
import { signInOn } from './sign-in.ts'
import type { Opened, SignIn } from './sign-in.ts'

/** Users of one Firebase project who are signed in on this computer, and the ways in. */
export type Firebase = {
  readonly signUp: (given: { readonly email: string; readonly password: string; readonly displayName: string }) => Promise<Result<SignIn, Refusal>>
  readonly signIn: (given: { readonly email: string; readonly password: string }) => Promise<Result<SignIn, Refusal>>
  /** Mails a link that leads to `returnTo`, with what `signInByLink` needs in its query. */
  readonly mailSignInLink: (given: { readonly email: string; readonly returnTo: string }) => Promise<Result<null, Refusal>>
  readonly signInByLink: (given: { readonly email: string; readonly link: string }) => Promise<Result<SignIn, Refusal>>
  /** Signs in with the token that Google gave; its nonce is the SHA-256 of `rawNonce`. */
  readonly signInByGoogle: (given: { readonly idToken: string; readonly rawNonce: string }) => Promise<Result<SignIn, Refusal>>
  /** Also `ok` where there is no such user. */
  readonly mailPasswordReset: (given: { readonly email: string }) => Promise<Result<null, Refusal>>
  /** What the project wants of a new password; the least that Firebase wants where the project cannot be asked. */
  readonly passwordPolicy: () => Promise<PasswordPolicy>
  /** Whether something of a user's sign-in is kept here. */
  readonly knows: (uid: string) => Promise<boolean>
  /** The user who is signed in on this computer; null where that ended, or where nobody can tell just now. */
  readonly signInOf: (uid: string) => Promise<SignIn | null>
  /** Stops renewing tokens; every sign-in stays kept. */
  readonly close: () => Promise<void>
}

/** What Firebase is told of, and told by. */
export type FirebaseParts = {
  readonly settings: { readonly apiKey: string; readonly projectId: string; readonly authDomain: string; readonly emulatorUrl: string | null }
  readonly check: IdTokenCheck
  /** The safe for one user's sign-in. */
  readonly keepOf: (uid: string) => SignInKeep
  /** Told of every new token of a user, with what the provider says of the user. */
  readonly renewed: (user: SignedInUser, token: string) => void
  /** Told of a sign-in that the provider ended. */
  readonly ended: (uid: string, because: EndedBecause) => void
  readonly log: Log
}

const standardPolicy: PasswordPolicy = { minLength: minimumPasswordLength, maxLength: null, lowercase: false, uppercase: false, digit: false, symbol: false }
const policyLastsMs = 3_600_000
const endings: Readonly<Record<string, EndedBecause>> = { 'user-disabled': 'user-disabled', 'user-token-expired': 'user-token-expired', 'invalid-user-token': 'user-token-expired', 'user-not-found': 'user-token-expired' }

/** Firebase's SDK with one app for each user, so that several users of one computer do not sign each other out. */
export const openFirebase = ({ settings, check, keepOf, renewed, ended, log }: FirebaseParts): Firebase => {
  const { apiKey, projectId, authDomain, emulatorUrl } = settings
  const live = new Map<string, Promise<SignIn | null>>()

  const open = (persistence: Persistence): Opened => {
    const app = initializeApp({ apiKey, projectId, authDomain }, randomUUID())
    let last: string | null = null
    const auth = initializeAuth(app, { persistence, errorMap: noting((code) => (last = code)) })
    if (emulatorUrl !== null) connectAuthEmulator(auth, emulatorUrl, { disableWarnings: true })
    return { auth, lastCode: () => last, drop: () => deleteApp(app) }
  }

  const refused = (error: unknown): Result<never, Refusal> => {
    const refusal = refusalOf(error)
    if (refusal === null) throw error
    // The SDK's messages may quote what the user typed: its code says enough.
    if (refusal === 'internal-error') log.warn({ said: sdkCodeOf(error) }, 'Firebase did not do what it was asked')
    return err(refusal)
  }
  /** Asks for something that needs nobody to be signed in. */
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

  /** Makes what `work` brings the user's sign-in from now on; `work` is given the one before, and what forgets its own. */
  const place = <Found extends SignIn | null>(uid: string, work: (before: Promise<SignIn | null> | undefined, forget: () => void) => Promise<Found>): Promise<Found> => {
    const forget = (): void => {
      if (live.get(uid) === placed) live.delete(uid)
    }
    const placed = work(live.get(uid), forget)
    live.set(uid, placed)
    // What nobody can tell now may be told later.
    placed.then((found) => (found === null ? forget() : undefined), forget)
    return placed
  }

  const alive = (uid: string, opened: Opened, forget: () => void): SignIn =>
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

  /** Signs somebody in: only a token that is what it must be begins anything. */
  const enter = async (work: (auth: Auth) => Promise<UserCredential>): Promise<Result<SignIn, Refusal>> => {
    const keep = keepInMemory()
    const opened = open(keptIn(keep))
    try {
      const { user } = await work(opened.auth)
      const whose = await check(await user.getIdToken())
      if (!whose.ok || whose.value.uid !== user.uid) {
        await opened.drop()
        if (!whose.ok && whose.error === 'keys-unreachable') return err('network-request-failed')
        log.warn({}, 'Firebase gave a token that is not what it must be')
        return err('internal-error')
      }
      // The same user may be signed in in another browser: from now on there is one sign-in for both.
      const entered = await place(user.uid, async (before, forget) => {
        await (await before?.catch(() => null))?.close()
        await keep.moveTo(keepOf(user.uid))
        return alive(user.uid, opened, forget)
      })
      return ok(entered)
    } catch (error) {
      await opened.drop()
      return refused(error)
    }
  }

  const restore = async (uid: string, forget: () => void): Promise<SignIn | null> => {
    const keep = keepOf(uid)
    if ((await keep.get()) === null) return null
    // At its start the SDK forgets a user for any answer but a good one, a server in trouble among them: only those that say so are an end.
    let removable = false
    const opened = open(keptIn({ ...keep, remove: () => (removable ? keep.remove() : Promise.resolve()) }))
    await opened.auth.authStateReady()
    removable = true
    if (opened.auth.currentUser?.uid === uid) return alive(uid, opened, forget)
    const code = opened.lastCode()
    await opened.drop()
    const because = code === null ? undefined : endings[code]
    if (because === undefined) log.warn({ said: code }, 'A sign-in could not be taken up again')
    else {
      await keep.remove()
      ended(uid, because)
    }
    return null
  }

  let known: { readonly at: number; readonly policy: PasswordPolicy } | null = null

  return {
    signUp: ({ email, password, displayName }) =>
      enter(async (auth) => {
        const made = await createUserWithEmailAndPassword(auth, email, password)
        // A name is no reason to lose the account that was just made.
        if (displayName !== '') await updateProfile(made.user, { displayName }).catch((error: unknown) => void refused(error))
        return made
      }),
    signIn: ({ email, password }) => enter((auth) => signInWithEmailAndPassword(auth, email, password)),
    signInByLink: ({ email, link }) => enter((auth) => signInWithEmailLink(auth, email, link)),
    signInByGoogle: ({ idToken, rawNonce }) => enter((auth) => signInWithCredential(auth, new OAuthProvider('google.com').credential({ idToken, rawNonce }))),
    mailSignInLink: ({ email, returnTo }) => ask(async (auth) => (await sendSignInLinkToEmail(auth, email, { url: returnTo, handleCodeInApp: true }), null)),
    mailPasswordReset: async ({ email }) => {
      const mailed = await ask(async (auth) => (await sendPasswordResetEmail(auth, email), null))
      return !mailed.ok && mailed.error === 'wrong-credentials' ? ok(null) : mailed
    },
    passwordPolicy: async () => {
      const at = performance.now()
      if (known !== null && at - known.at < policyLastsMs) return known.policy
      const told = await ask((auth) => validatePassword(auth, ''))
      if (!told.ok) return standardPolicy
      known = { at, policy: policyOf(told.value.passwordPolicy) }
      return known.policy
    },
    knows: async (uid) => (await keepOf(uid).get()) !== null,
    signInOf: (uid) => live.get(uid) ?? place(uid, (_before, forget) => restore(uid, forget)),
    close: async () => {
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

/** Sees the code of every error that an app of the SDK makes, since it looks up each one's text: where the SDK signs a user out by itself, it says nowhere else why. */
const noting = (note: (code: string) => void): AuthErrorMap => {
  const texts = new Proxy({}, { get: (_, code) => (typeof code === 'string' ? note(code) : undefined) })
  return (() => texts) as AuthErrorMap
}
