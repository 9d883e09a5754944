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

/** Who users are, and in which browsers. */
export type Identities = {
  readonly identity: IdentityPort
  readonly sessions: Sessions
  /** A checked identity token of a profile's user, null where that user is not signed in; null altogether where profiles are on this computer only. */
  readonly tokenOf: ((userId: string, fresh: boolean) => Promise<Result<string, Refusal> | null>) | null
  /** Takes up what an earlier start left: nobody waits for it. */
  readonly begin: () => void
  readonly stop: () => Promise<void>
}

type Deps = {
  readonly settings: Settings
  /** What guessing a password of this computer costs, where that is not the standard. */
  readonly passwordCost: HashCost | undefined
  readonly secrets: Secrets
  readonly journal: Journal
  readonly events: Events
  /** This program's address; asked late, since a free port is known only after the start. */
  readonly origin: () => string
  /** Whether the port is another one at each start. */
  readonly freshPort: boolean
  /** The host's clock, UTC ms. */
  readonly now: () => number
  readonly log: Log
  /** Told of each profile that somebody uses, again and again. */
  readonly inUse: (userId: string) => void
  /** Told of each user who just signed in. */
  readonly entered: (userId: string) => void
}

const googleSecretName = 'google:client-secret'

/** Joins identity by Firebase where that is set, and by profiles of this computer where it is not. */
export const setUpIdentities = async (deps: Deps): Promise<Identities> => {
  const { settings, passwordCost, journal, now, inUse } = deps
  // What a browser keeps for a port that was free once goes to whoever listens there next.
  const sessions = createSessions({ journal, now, ofThisRun: deps.freshPort })
  const local = createLocalIdentity({ journal, now, timeZone: settings.timeZone, inUse, ...(passwordCost === undefined ? {} : { cost: passwordCost }) })
  if (settings.firebase === null) return { identity: local, sessions, tokenOf: null, begin: () => undefined, stop: () => Promise.resolve() }
  return joinFirebase(deps, settings.firebase, { local, sessions })
}

const joinFirebase = async (deps: Deps, wanted: FirebaseSettings, { local, sessions }: { readonly local: IdentityPort; readonly sessions: Sessions }): Promise<Identities> => {
  const { settings, secrets, journal, events, origin, now, log, inUse, entered } = deps
  const { projectId, emulatorUrl, tokenSyncPath } = wanted
  const logged = (work: Promise<unknown>, what: string): void => void work.catch((error: unknown) => log.error({ error }, what))
  const tokenSync = tokenSyncPath === null || settings.cloudUrl === null ? null : createTokenSync({ url: new URL(tokenSyncPath, settings.cloudUrl).href, now, log })
  // Most installations never need the SDK.
  const { openFirebase } = await import('./firebase/firebase.ts')
  const identity: FirebaseIdentity = createFirebaseIdentity({
    firebase: openFirebase({
      settings: wanted,
      check: createIdTokenCheck({ projectId, now, keys: emulatorUrl === null ? publishedKeys(googleKeysUrl) : null }),
      keepOf: (uid) => keepOf(secrets, `firebase:${projectId}:${uid}`),
      renewed: (user, token) => {
        tokenSync?.renewed(user.uid, token)
        logged(journal.write.tellFirebaseUser({ user }), 'What Firebase said of a user was not kept')
      },
      ended: (uid, because) => logged(identity.ended(uid, because), 'A sign-in that ended was not told'),
      log,
    }),
    google: await googleOf(wanted.google, secrets),
    ...{ journal, sessions, events, tokenSync, local, origin, now, timeZone: settings.timeZone, inUse, entered },
  })
  return {
    identity,
    sessions,
    tokenOf: identity.tokenOf,
    begin: () => logged(identity.restore(), 'Sign-ins were not taken up again'),
    stop: identity.close,
  }
}

const keepOf = (secrets: Secrets, name: string): { get: () => Promise<string | null>; set: (value: string) => Promise<void>; remove: () => Promise<void> } => ({
  get: () => secrets.get(name),
  set: (value) => secrets.set(name, value),
  remove: () => secrets.remove(name),
})

/** A client secret in the settings moves to where secrets are kept. */
const googleOf = async (google: FirebaseSettings['google'], secrets: Secrets): Promise<GoogleApplication | null> => {
  if (google === null) return null
  if (google.clientSecret !== null) await secrets.set(googleSecretName, google.clientSecret)
  return { ...google, clientSecret: await secrets.get(googleSecretName) }
}
