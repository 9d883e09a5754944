import type { Log } from '#shared/base/log.ts'
import type { Result } from '#shared/base/result.ts'
import type { GoogleApplication } from './firebase/google.ts'
import { createIdTokenCheck, googleKeysUrl, publishedKeys } from './firebase/id-token.ts'
import type { Refusal } from './firebase/refusal.ts'
import { createTokenSync } from './firebase/token-sync.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { Events } from '../events.ts'
import { createFirebaseIdentity } from './firebase-identity.ts'
import type { FirebaseIdentity } from './firebase-identity.ts'
import type { IdentityPort } from './identity.ts'
import { createLocalIdentity } from './local-identity.ts'
import { createSessions } from './sessions.ts'
import type { HashCost } from './secret-hash.ts'
import type { Sessions } from './sessions.ts'
import type { FirebaseSettings, Settings } from '../settings.ts'
import type { Journal } from '../journal/journal.ts'

/** Users and their browser sessions. */
export type Identities = {
  readonly identity: IdentityPort
  readonly sessions: Sessions
  /** Returns a verified ID token of a profile's user, or null if that user is not signed in. The function itself is null with local profiles. */
  readonly tokenOf: ((userId: string, fresh: boolean) => Promise<Result<string, Refusal> | null>) | null
  /** Restores stored sign-ins in the background. */
  readonly begin: () => void
  readonly stop: () => Promise<void>
}

type Deps = {
  readonly settings: Settings
  /** Hash cost of local passwords; undefined for the standard cost. */
  readonly passwordCost: HashCost | undefined
  readonly secrets: Secrets
  readonly journal: Journal
  readonly events: Events
  /** This program's origin. A function, because a free port is known only after the server starts. */
  readonly origin: () => string
  /** Whether each start takes another port. */
  readonly freshPort: boolean
  /** The host's clock, UTC ms. */
  readonly now: () => number
  readonly log: Log
  /** Called on every use of a profile. */
  readonly inUse: (userId: string) => void
  /** Called after each sign-in. */
  readonly entered: (userId: string) => void
}

const googleSecretName = 'google:client-secret'

/** Sets up Firebase identity if it is configured, otherwise local profiles. */
export const setUpIdentities = async (deps: Deps): Promise<Identities> => {
  const { settings, passwordCost, journal, secrets, now, inUse } = deps
  // A browser sends its cookie for a port to whichever program listens there next, so sessions on a random port end with the run.
  const sessions = createSessions({ journal, now, endWithRun: deps.freshPort })
  const local = createLocalIdentity({ journal, secrets, now, timeZone: settings.timeZone, inUse, ...(passwordCost === undefined ? {} : { cost: passwordCost }) })
  if (settings.firebase === null) return { identity: local, sessions, tokenOf: null, begin: () => undefined, stop: () => Promise.resolve() }
  return setUpFirebase(deps, settings.firebase, { local, sessions })
}

const setUpFirebase = async (deps: Deps, wanted: FirebaseSettings, { local, sessions }: { readonly local: IdentityPort; readonly sessions: Sessions }): Promise<Identities> => {
  const { settings, secrets, journal, events, origin, now, log, inUse, entered } = deps
  const { projectId, emulatorUrl, tokenSyncPath } = wanted
  const logged = (work: Promise<unknown>, what: string): void => void work.catch((error: unknown) => log.error({ error }, what))
  const tokenSync = tokenSyncPath === null || settings.cloudUrl === null ? null : createTokenSync({ url: new URL(tokenSyncPath, settings.cloudUrl).href, now, log })
  // Load the SDK lazily: most installations never use Firebase.
  const { openFirebase } = await import('./firebase/firebase.ts')
  const identity: FirebaseIdentity = createFirebaseIdentity({
    firebase: openFirebase({
      settings: wanted,
      check: createIdTokenCheck({ projectId, now, keys: emulatorUrl === null ? publishedKeys(googleKeysUrl) : null }),
      storeOf: (uid) => storeOf(secrets, `firebase:${projectId}:${uid}`),
      renewed: (user, token) => {
        tokenSync?.renewed(user.uid, token)
        logged(journal.write.updateFirebaseUser({ user }), 'saving the Firebase user failed')
      },
      ended: (uid, because) => logged(identity.ended(uid, because), 'signing out an ended sign-in failed'),
      log,
    }),
    google: await googleOf(wanted.google, secrets),
    journal, sessions, events, tokenSync, local, origin, now, timeZone: settings.timeZone, inUse, entered,
  })
  return {
    identity,
    sessions,
    tokenOf: identity.tokenOf,
    begin: () => logged(identity.restore(), 'restoring sign-ins failed'),
    stop: identity.close,
  }
}

const storeOf = (secrets: Secrets, name: string): { get: () => Promise<string | null>; set: (value: string) => Promise<void>; remove: () => Promise<void> } => ({
  get: () => secrets.get(name),
  set: (value) => secrets.set(name, value),
  remove: () => secrets.remove(name),
})

/** Moves a client secret from the settings into the secret store. */
const googleOf = async (google: FirebaseSettings['google'], secrets: Secrets): Promise<GoogleApplication | null> => {
  if (google === null) return null
  if (google.clientSecret !== null) await secrets.set(googleSecretName, google.clientSecret)
  return { ...google, clientSecret: await secrets.get(googleSecretName) }
}
