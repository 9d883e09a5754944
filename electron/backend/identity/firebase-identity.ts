import { randomUUID } from 'node:crypto'
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
import { demoUserId } from './identity.ts'
import type { IdentityPort } from './identity.ts'
import { refuse } from '../refused.ts'
import type { Refused } from '../refused.ts'
import type { Sessions } from './sessions.ts'

type Deps = {
  readonly firebase: Firebase
  /** Null where nobody can sign in with Google. */
  readonly google: GoogleApplication | null
  readonly journal: JournalCalls
  readonly sessions: Pick<Sessions, 'endAllOf'>
  readonly events: Pick<Events, 'signedOutEverywhere'>
  readonly tokenSync: TokenSync | null
  /** The demo profile is on this computer, whoever else knows users. */
  readonly local: Pick<IdentityPort, 'signInDemo' | 'userOf' | 'hasProfiles'>
  /** This program's address; asked late, since a free port is known only after the start. */
  readonly origin: () => string
  /** UTC ms. */
  readonly now: () => number
  /** For profiles made from now on. */
  readonly timeZone: string
  /** Told of each profile that somebody uses, again and again. */
  readonly inUse: (userId: string) => void
  /** Told of each user who just signed in. */
  readonly entered: (userId: string) => void
}

/** Identity by Firebase; it knows users by ids of its own, and each has a profile on this computer. */
export type FirebaseIdentity = IdentityPort & {
  /** A checked identity token of a profile's user; null where this profile's user is not signed in. */
  readonly tokenOf: (userId: string, fresh: boolean) => Promise<Result<string, Refusal> | null>
  /** Stops renewing tokens; every sign-in stays kept. */
  readonly close: () => Promise<void>
  /** Takes up the sign-ins of everybody who is signed in in a browser, to hear of what ended meanwhile. */
  readonly restore: () => Promise<void>
  /** To be called where the provider ended a user's sign-in. */
  readonly ended: (uid: string, because: EndedBecause) => Promise<void>
}

const linkLastsMs = 3_600_000
const mostLinks = 1_000
const whoseLink = { fields: [{ path: 'email', message: 'needed in a browser that did not ask for the link' }] }
/** How young a sign-in must be for what cannot be undone. Firebase's own five minutes must not end while the cloud is at work. */
const recentMs = 240_000

/** Identity by Firebase, over its SDK and the journal's profiles. */
export const createFirebaseIdentity = (deps: Deps): FirebaseIdentity => {
  const { firebase, google, sessions, events, tokenSync, local, origin, now, timeZone, inUse } = deps
  const { read, write } = deps.journal
  const attempts = google === null ? null : createFederatedAttempts(google, now)
  /** Who asked for a link in which browser. */
  const asked = new Map<string, { readonly email: string; readonly at: number }>()
  /** Until when somebody waits for a link, UTC ms: whoever entered meanwhile, by whatever way, waits no more. */
  let linkAwaitedUntil = 0
  /** How many browsers of a Firebase user are about to be let in: nobody's sign-out ends what they came with. */
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
    // Whoever was let in to a profile by this computer alone is not let in to what it became.
    if (isNew) await sessions.endAllOf(profile.id)
    inUse(profile.id)
    deps.entered(profile.id)
    return ok({ currentUser: asUser(profile, user) })
  }
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
    // Taken before the count: what somebody brings meanwhile is another sign-in, or counted.
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
      // A new password proves no e-mail: the new account would begin without the journal, and never come to it. Asked once the provider has taken the e-mail, which it refuses where an account has it.
      if (signedUp.ok && !given.beginsEmpty && (await read.journalWaits({ email: given.email, at: now() }))) {
        const removed = await signedUp.value.remove()
        return refuse(removed.ok ? 'journal-waits' : removed.error)
      }
      const entered = await enter(signedUp)
      return entered.ok ? ok({ ...entered.value, recoveryCode: null }) : entered
    },
    signIn: async (given) => enter(await firebase.signIn(given)),
    resetPassword: () => Promise.resolve(refuse('not-offered')),
    mailPasswordReset: async (given) => answered(await firebase.mailPasswordReset(given)),

    mailSignInLink: async ({ email, browser }) => {
      for (const [one, { at }] of asked) if (now() - at > linkLastsMs || asked.size >= mostLinks) asked.delete(one)
      const mailed = await firebase.mailSignInLink({ email, returnTo: `${origin()}/auth/email-link` })
      if (mailed.ok) {
        asked.set(browser, { email, at: now() })
        linkAwaitedUntil = now() + linkLastsMs
      }
      return answered(mailed)
    },
    awaitsLink: () => now() < linkAwaitedUntil,
    signInByLink: async ({ link, email, browser }) => {
      const remembered = asked.get(browser)
      const address = email ?? (remembered !== undefined && now() - remembered.at <= linkLastsMs ? remembered.email : undefined)
      // Whoever sends somebody a link must not choose whom it signs in.
      if (address === undefined) return refuse('invalid-request', whoseLink)
      const entered = await enter(await firebase.signInByLink({ link, email: address }))
      if (entered.ok) asked.delete(browser)
      // This browser may have asked for links of several addresses, and only the last is known.
      return !entered.ok && email === undefined && entered.error.code === 'wrong-credentials' ? refuse('invalid-request', whoseLink) : entered
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
      // No e-mail and no password was typed that could be wrong: the project does not take Google's word.
      return !entered.ok && entered.error === 'wrong-credentials' ? refuse('federated-denied') : enter(entered)
    },

    mailVerification: (userId) => withSignIn(userId, async (signIn) => answered(await signIn.mailVerification())),
    reloadUser: (userId) =>
      withSignIn(userId, async (signIn) => {
        const reloaded = await signIn.reload()
        if (!reloaded.ok) return refuse(reloaded.error)
        await write.tellFirebaseUser({ user: reloaded.value })
        return ok({ currentUser: { ...reloaded.value, uid: userId } })
      }),
    prove: (userId, password) =>
      withSignIn(userId, async (signIn) => {
        if (password !== undefined) return answered(await signIn.prove(password))
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
      // A profile of this computer waits until its user comes with an e-mail that Firebase has verified.
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
        // With the last browser that was forgotten goes what was kept for it.
        if ((await read.sessionCount({ userId: id, at: now() })) === 0) await signedOut(id)
        // Whoever emptied the keychain has to sign in again, and hears so.
        else if (await firebase.knows(firebaseUid)) await firebase.signInOf(firebaseUid)
        else await ended(firebaseUid, 'user-token-expired')
      }
    },
    ended,
  }
}

/** The id of a profile that is made for a user: Firebase's own where that can name a folder, and nobody else here has it. */
const newIdOf = ({ uid }: SignedInUser): string => (/^[\w-]{1,100}$/.test(uid) && uid !== demoUserId ? uid : randomUUID())

/** The user under the id of the profile, which is what all of this computer calls the user. */
const asUser = ({ id }: Profile, user: SignedInUser): SignedInUser => ({ ...user, uid: id })
