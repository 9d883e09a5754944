import { randomUUID } from 'node:crypto'
import { refuse, wrongField, type Refused } from '#shared/api/refused.ts'
import type { EndedBecause, SignedInUser } from '#shared/api/session.ts'
import { ok } from '#shared/base/result.ts'
import type { Result } from '#shared/base/result.ts'
import type { Firebase } from './firebase/firebase.ts'
import { swapGoogleCode } from './firebase/google.ts'
import type { GoogleApplication } from './firebase/google.ts'
import type { Refusal } from './firebase/refusal.ts'
import type { SignIn } from './firebase/sign-in.ts'
import type { TokenSync } from './firebase/token-sync.ts'
import type { JournalCalls } from '../journal/journal.ts'
import type { Profile } from '../db/rows.ts'
import type { Events } from '../events.ts'
import { createFederatedAttempts } from './federated-attempts.ts'
import { demoUserId } from '../demo-user.ts'
import type { IdentityPort } from './identity.ts'
import type { Sessions } from './sessions.ts'

type Deps = {
  readonly firebase: Firebase
  /** Null if sign-in with Google is not configured. */
  readonly google: GoogleApplication | null
  readonly journal: JournalCalls
  readonly sessions: Pick<Sessions, 'endAllOf'>
  readonly events: Pick<Events, 'signedOutEverywhere'>
  readonly tokenSync: TokenSync | null
  /** The demo profile is always local. */
  readonly local: Pick<IdentityPort, 'signInDemo' | 'userOf' | 'hasProfiles'>
  /** This program's origin. A function, because a free port is known only after the server starts. */
  readonly origin: () => string
  /** UTC ms. */
  readonly now: () => number
  /** Time zone of new profiles. */
  readonly timeZone: string
  /** Called on every use of a profile. */
  readonly inUse: (userId: string) => void
  /** Called after each sign-in. */
  readonly entered: (userId: string) => void
}

/** Firebase identity. Firebase has its own user ids; each user has a local profile with another id. */
export type FirebaseIdentity = IdentityPort & {
  /** A verified ID token of the profile's user; null if that user is not signed in. */
  readonly tokenOf: (userId: string, fresh: boolean) => Promise<Result<string, Refusal> | null>
  /** Stops refreshing tokens and keeps every stored sign-in. */
  readonly close: () => Promise<void>
  /** Restores the sign-in of every user with a browser session, and learns which ones the provider has ended. */
  readonly restore: () => Promise<void>
  /** Signs the user out of every browser after the provider ended the sign-in. */
  readonly ended: (uid: string, because: EndedBecause) => Promise<void>
}

const linkLifetimeMs = 3_600_000
const maxLinks = 1_000
const emailNeeded = wrongField('email', 'needed in a browser that did not ask for the link')
/** Maximum age of a sign-in for irreversible actions. Shorter than Firebase's five minutes, which must not run out while the cloud deletes. */
const recentMs = 240_000

/** Firebase identity, built on its SDK and the journal's profiles. */
export const createFirebaseIdentity = (deps: Deps): FirebaseIdentity => {
  const { firebase, google, sessions, events, tokenSync, local, origin, now, timeZone, inUse } = deps
  const { read, write } = deps.journal
  const attempts = google === null ? null : createFederatedAttempts(google, now)
  /** The email that each browser last requested a sign-in link for. */
  const linkRequests = new Map<string, { readonly email: string; readonly at: number }>()
  /** UTC ms until which a sign-in link is expected; any sign-in clears it. */
  let linkAwaitedUntil = 0
  /** Browsers per Firebase user between sign-in and session start; a sign-out meanwhile must not end their sign-in. */
  const entering = new Map<string, number>()

  const googleReturn = (): string => `${origin()}/auth/google/return`
  const firebaseUidOf = async (userId: string): Promise<string | null> => (await read.profile({ id: userId }))?.firebaseUid ?? null
  const count = (uid: string, more: 1 | -1): void => {
    const counted = (entering.get(uid) ?? 0) + more
    if (counted > 0) entering.set(uid, counted)
    else entering.delete(uid)
  }
  const signInOf = async (userId: string): Promise<SignIn | null> => {
    const uid = await firebaseUidOf(userId)
    return uid === null ? null : firebase.signInOf(uid)
  }
  const enter = async (done: Result<SignIn, Refusal>): Promise<Result<{ readonly currentUser: SignedInUser }, Refused>> => {
    if (!done.ok) return refuse(done.error)
    linkAwaitedUntil = 0
    const user = done.value.user()
    count(user.uid, 1)
    const isNew = !(await read.firebaseProfiles()).some(({ firebaseUid }) => firebaseUid === user.uid)
    const profile = await write.enterFirebaseUser({ user, newId: newIdOf(user), timeZone, at: now() })
    // Sessions of the local profile must not carry over to the Firebase account that takes it over.
    if (isNew) await sessions.endAllOf(profile.id)
    inUse(profile.id)
    deps.entered(profile.id)
    return ok({ currentUser: asUser(profile, user) })
  }
  const notOffered = (): Promise<ReturnType<typeof refuse>> => Promise.resolve(refuse('not-offered'))
  const answered = <T>(done: Result<T, Refusal>): Result<T, Refused> => (done.ok ? done : refuse(done.error))
  const withSignIn = async <T>(userId: string, work: (signIn: SignIn) => Promise<Result<T, Refused>>): Promise<Result<T, Refused>> => {
    const uid = await firebaseUidOf(userId)
    if (uid === null) return refuse('not-offered')
    const signIn = await firebase.signInOf(uid)
    return signIn === null ? refuse('recent-login-needed') : work(signIn)
  }

  const ended = async (uid: string, because: EndedBecause): Promise<void> => {
    const profile = (await read.firebaseProfiles()).find(({ firebaseUid }) => firebaseUid === uid)
    tokenSync?.left(uid)
    if (profile === undefined) return
    await sessions.endAllOf(profile.id, because)
    events.signedOutEverywhere(profile.id)
  }

  const signedOut: IdentityPort['signedOut'] = async (userId) => {
    // Read before counting: a sign-in that arrives meanwhile is either a different object or counted in `entering`.
    const signIn = await signInOf(userId)
    if (signIn === null || (await read.sessionCount({ userId, at: now() })) > 0 || entering.has(signIn.user().uid)) return
    tokenSync?.left(signIn.user().uid)
    await signIn.leave()
  }

  return {
    kind: 'firebase',
    federated: google === null ? [] : ['google'],
    passwordPolicy: firebase.passwordPolicy,
    signUp: async (given) => {
      const signedUp = await firebase.signUp(given)
      // A new password does not verify the email: the new account would start empty and never reach the waiting journal.
      // Checked only after the provider accepted the email, which it refuses if an account has it.
      if (signedUp.ok && !given.beginsEmpty && (await read.hasWaitingJournal({ email: given.email, at: now() }))) {
        const removed = await signedUp.value.remove()
        return refuse(removed.ok ? 'journal-waits' : removed.error)
      }
      const entered = await enter(signedUp)
      return entered.ok ? ok({ ...entered.value, recoveryCode: null }) : entered
    },
    signIn: async (given) => enter(await firebase.signIn(given)),
    resetPassword: notOffered,
    confirmRecoveryCode: notOffered,
    renewRecoveryCode: notOffered,
    isRecoveryCodeUnsaved: () => Promise.resolve(false),
    mailPasswordReset: async (given) => answered(await firebase.mailPasswordReset(given)),

    mailSignInLink: async ({ email, browser }) => {
      for (const [one, { at }] of linkRequests) if (now() - at > linkLifetimeMs || linkRequests.size >= maxLinks) linkRequests.delete(one)
      const mailed = await firebase.mailSignInLink({ email, returnTo: `${origin()}/auth/email-link` })
      if (mailed.ok) {
        linkRequests.set(browser, { email, at: now() })
        linkAwaitedUntil = now() + linkLifetimeMs
      }
      return answered(mailed)
    },
    awaitsLink: () => now() < linkAwaitedUntil,
    signInByLink: async ({ link, email, browser }) => {
      const remembered = linkRequests.get(browser)
      const address = email ?? (remembered !== undefined && now() - remembered.at <= linkLifetimeMs ? remembered.email : undefined)
      // The sender of a link must not choose which account it signs in.
      if (address === undefined) return emailNeeded
      const entered = await enter(await firebase.signInByLink({ link, email: address }))
      if (entered.ok) linkRequests.delete(browser)
      // The browser may have requested links for several emails, and only the last is remembered.
      return !entered.ok && email === undefined && entered.error.code === 'wrong-credentials' ? emailNeeded : entered
    },

    beginFederated: ({ browser }) => Promise.resolve(attempts === null ? refuse('not-offered') : ok(attempts.begin(browser, googleReturn()))),
    federatedReturned: (query) => attempts?.returned(query) ?? false,
    endFederated: async ({ browser, attempt }) => {
      if (attempts === null || google === null) return refuse('not-offered')
      const back = await attempts.end(browser, attempt)
      if (!back.ok || back.value === null) return back.ok ? ok(null) : back
      const { code, secrets } = back.value
      const idToken = await swapGoogleCode(google, secrets, { code, redirectUri: googleReturn() })
      if (!idToken.ok) return refuse(idToken.error)
      const entered = await firebase.signInByGoogle({ idToken: idToken.value, rawNonce: secrets.rawNonce })
      // The user typed no credentials that could be wrong: the Firebase project rejects Google's token.
      return !entered.ok && entered.error === 'wrong-credentials' ? refuse('federated-denied') : enter(entered)
    },

    mailVerification: (userId) => withSignIn(userId, async (signIn) => answered(await signIn.mailVerification())),
    reloadUser: (userId) =>
      withSignIn(userId, async (signIn) => {
        const reloaded = await signIn.reload()
        if (!reloaded.ok) return refuse(reloaded.error)
        await write.updateFirebaseUser({ user: reloaded.value })
        return ok({ currentUser: { ...reloaded.value, uid: userId } })
      }),
    reauthenticate: (userId, password) =>
      withSignIn(userId, async (signIn) => {
        if (password !== undefined) return answered(await signIn.reauthenticate(password))
        const token = await signIn.token(true)
        if (!token.ok) return refuse(token.error)
        return now() - token.value.signedInAt > recentMs ? refuse('recent-login-needed') : ok(null)
      }),
    removeUser: (userId) =>
      withSignIn(userId, async (signIn) => {
        const removed = await signIn.remove()
        if (removed.ok) tokenSync?.left(signIn.user().uid)
        return answered(removed)
      }),
    signedIn: async (userId) => {
      const uid = await firebaseUidOf(userId)
      if (uid !== null) count(uid, -1)
    },
    signedOut,

    signInDemo: () => {
      linkAwaitedUntil = 0
      return local.signInDemo()
    },
    hasProfiles: local.hasProfiles,
    userOf: async (userId) => {
      const profile = await read.profile({ id: userId })
      if (profile === null) return null
      if (profile.demo) return local.userOf(userId)
      // A local profile stays locked until its user signs in with an email that Firebase has verified.
      if (profile.firebaseUser === null) return null
      inUse(userId)
      return { currentUser: asUser(profile, profile.firebaseUser), demo: false, timeZone: profile.timeZone }
    },

    tokenOf: async (userId, fresh) => {
      const signIn = await signInOf(userId)
      const token = await signIn?.token(fresh)
      if (token === undefined) return null
      return token.ok ? ok(token.value.token) : token
    },
    close: firebase.close,
    restore: async () => {
      for (const { id, firebaseUid } of await read.firebaseProfiles()) {
        // All browser sessions have expired: delete the stored sign-in.
        if ((await read.sessionCount({ userId: id, at: now() })) === 0) await signedOut(id)
        // The keychain was emptied: end the session so that the user signs in again.
        else if (await firebase.hasSignIn(firebaseUid)) await firebase.signInOf(firebaseUid)
        else await ended(firebaseUid, 'user-token-expired')
      }
    },
    ended,
  }
}

/** A new profile's id: Firebase's uid if it is a valid folder name and not the demo's, otherwise a random one. */
const newIdOf = ({ uid }: SignedInUser): string => (/^[\w-]{1,100}$/.test(uid) && uid !== demoUserId ? uid : randomUUID())

/** The user with the profile's id, which the rest of the program uses as the user id. */
const asUser = ({ id }: Profile, user: SignedInUser): SignedInUser => ({ ...user, uid: id })
