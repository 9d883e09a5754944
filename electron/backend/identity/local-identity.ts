import { randomUUID } from 'node:crypto'
import { refuse } from '#shared/api/refused.ts'
import { minimumPasswordLength } from '#shared/api/session.ts'
import type { PasswordPolicy, SignedInUser } from '#shared/api/session.ts'
import { ok } from '#shared/base/result.ts'
import type { JournalCalls } from '../journal/journal.ts'
import type { Profile } from '../db/rows.ts'
import { createRateLimiter } from './rate-limiter.ts'
import { demoUserId } from '../demo-user.ts'
import type { IdentityPort, KnownUser } from './identity.ts'
import { createRecoveryCodes } from './recovery-codes.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { unmatchableHash, hashSecret, isSecret, standardCost } from './secret-hash.ts'
import type { HashCost } from './secret-hash.ts'

const minute = 60_000
const localPolicy: PasswordPolicy = { minLength: minimumPasswordLength, maxLength: null, lowercase: false, uppercase: false, digit: false, symbol: false }
const perEmail = { burst: 5, refillMs: 3 * minute }
const perBrowser = { burst: 40, refillMs: minute / 4 }

/** Local identity: scrypt hashes, recovery codes, and rate limits per browser and per browser and email. */
export const createLocalIdentity = (deps: {
  readonly journal: JournalCalls
  /** Has the recovery codes that were not confirmed as saved. */
  readonly secrets: Pick<Secrets, 'get' | 'set' | 'remove'>
  /** UTC ms. */
  readonly now: () => number
  /** Time zone of new profiles. */
  readonly timeZone: string
  /** Called on every use of a profile. */
  readonly inUse?: (userId: string) => void
  readonly cost?: HashCost
}): IdentityPort => {
  const { now, timeZone, inUse = () => undefined, cost = standardCost } = deps
  const { read, write } = deps.journal
  const attempts = createRateLimiter(perEmail, perBrowser, now)
  const codes = createRecoveryCodes(deps)
  // Checking an unknown email against this hash takes as long as checking a known one.
  const unknownUser = unmatchableHash(cost)

  const signedIn = async (profile: Profile): Promise<{ currentUser: SignedInUser }> => {
    const lastSignInAt = now()
    await write.updateProfile({ id: profile.id, lastSignInAt })
    inUse(profile.id)
    return { currentUser: userFrom({ ...profile, lastSignInAt }) }
  }

  const reauthenticate: IdentityPort['reauthenticate'] = async (userId, password) => {
    const profile = await read.profile({ id: userId })
    const passwordHash = profile?.passwordHash ?? null
    if (passwordHash === null) return refuse('not-offered')
    if (password === undefined) return refuse('recent-login-needed')
    const wait = attempts.take(userId, userId)
    if (wait > 0) return refuse('too-many-attempts', { retryAfterMs: wait })
    if (!(await isSecret(password, passwordHash))) return refuse('wrong-credentials')
    attempts.reset(userId, userId)
    return ok(null)
  }

  const notOffered = (): Promise<ReturnType<typeof refuse>> => Promise.resolve(refuse('not-offered'))

  return {
    kind: 'local',
    federated: [],
    passwordPolicy: () => Promise.resolve(localPolicy),
    mailPasswordReset: notOffered,
    mailSignInLink: notOffered,
    signInByLink: notOffered,
    mailVerification: notOffered,
    reloadUser: notOffered,
    beginFederated: notOffered,
    endFederated: notOffered,
    federatedReturned: () => false,
    awaitsLink: () => false,
    // A local sign-in is only its browser session.
    signedIn: () => Promise.resolve(),
    signedOut: () => Promise.resolve(),

    signUp: async ({ browser, email, password, displayName }) => {
      if (isShort(password)) return refuse('password-too-short')
      const wait = attempts.take(browser, email)
      if (wait > 0) return refuse('too-many-attempts', { retryAfterMs: wait })
      const passwordHash = await hashSecret(password, cost)
      const made = await write.createProfile({ id: randomUUID(), email, displayName, passwordHash, recoveryHash: null, demo: false, timeZone, createdAt: now() })
      if (!made.ok) return refuse(made.error)
      attempts.reset(browser, email)
      // The profile is made, whatever the keychain says: the user is reminded of a code until one is confirmed.
      const recoveryCode = await codes.next(made.value.id).catch(() => null)
      return ok({ ...(await signedIn(made.value)), recoveryCode })
    },

    signIn: async ({ browser, email, password }) => {
      const wait = attempts.take(browser, email)
      if (wait > 0) return refuse('too-many-attempts', { retryAfterMs: wait })
      const profile = await read.profileByEmail({ email })
      const right = await isSecret(password, profile?.passwordHash ?? unknownUser)
      if (profile === null || !right) return refuse('wrong-credentials')
      attempts.reset(browser, email)
      return ok(await signedIn(profile))
    },

    resetPassword: async ({ browser, email, recoveryCode, newPassword }) => {
      if (isShort(newPassword)) return refuse('password-too-short')
      const wait = attempts.take(browser, email)
      if (wait > 0) return refuse('too-many-attempts', { retryAfterMs: wait })
      const profile = await read.profileByEmail({ email })
      const right = await codes.isRight(profile, recoveryCode)
      if (profile === null || !right) return refuse('wrong-recovery-code')
      const [passwordHash, next] = await Promise.all([hashSecret(newPassword, cost), codes.next(profile.id, recoveryCode)])
      await write.updateProfile({ id: profile.id, passwordHash })
      attempts.reset(browser, email)
      return ok({ uid: profile.id, recoveryCode: next })
    },

    confirmRecoveryCode: async ({ browser, email, recoveryCode }) => {
      const wait = attempts.take(browser, email)
      if (wait > 0) return refuse('too-many-attempts', { retryAfterMs: wait })
      if (!(await codes.confirm(await read.profileByEmail({ email }), recoveryCode))) return refuse('wrong-recovery-code')
      attempts.reset(browser, email)
      return ok(null)
    },
    renewRecoveryCode: async (userId, password) => {
      const proved = await reauthenticate(userId, password)
      return proved.ok ? ok({ recoveryCode: await codes.next(userId) }) : proved
    },
    isRecoveryCodeUnsaved: async (userId) => {
      const profile = await read.profile({ id: userId })
      return profile !== null && codes.isUnsaved(profile)
    },

    reauthenticate,
    // The local profile is the only record of the user; it is deleted with the journal.
    removeUser: () => Promise.resolve(ok(null)),

    signInDemo: async () => {
      const profile = { id: demoUserId, email: null, displayName: 'Demo', passwordHash: null, recoveryHash: null, demo: true, timeZone, createdAt: now() }
      // Two windows may create it at once; the second gets the first one's profile.
      return signedIn((await read.profile({ id: demoUserId })) ?? (await write.ensureProfile(profile)))
    },

    userOf: async (uid): Promise<KnownUser | null> => {
      const profile = await read.profile({ id: uid })
      // A user of an identity provider cannot sign in locally without a password.
      if (profile === null || (profile.firebaseUid !== null && profile.passwordHash === null)) return null
      inUse(uid)
      return { currentUser: userFrom(profile), demo: profile.demo, timeZone: profile.timeZone }
    },

    hasProfiles: async () => (await read.profileCount()) > 0,
  }
}

const isShort = (password: string): boolean => [...password.normalize('NFKC')].length < minimumPasswordLength

const userFrom = (profile: Profile): SignedInUser => ({
  uid: profile.id,
  email: profile.email,
  emailVerified: false,
  displayName: profile.displayName === '' ? null : profile.displayName,
  photoURL: null,
  phoneNumber: null,
  isAnonymous: profile.demo,
  tenantId: null,
  providerData: profile.demo ? [] : [{ providerId: 'local', uid: profile.id }],
  metadata: {
    creationTime: new Date(profile.createdAt).toISOString(),
    lastSignInTime: new Date(profile.lastSignInAt ?? profile.createdAt).toISOString(),
  },
})
