import { onTestFinished } from 'vitest'
import { openFirebase } from '#backend/identity/firebase/firebase.ts'
import type { Firebase, FirebaseDeps } from '#backend/identity/firebase/firebase.ts'
import { createIdTokenCheck } from '#backend/identity/firebase/id-token.ts'

const projectId = 'demo-fillbook'
const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A token of the project's emulator, of a user who signed in at `signedInAt` (UTC ms). */
export const emulatorToken = (uid: string, signedInAt = Date.now()): string => {
  const [now, then] = [Date.now(), signedInAt].map((at) => Math.floor(at / 1_000))
  return `${base64({ alg: 'none', typ: 'JWT' })}.${base64({ iss: `https://securetoken.google.com/${projectId}`, aud: projectId, sub: uid, iat: now, exp: (now ?? 0) + 3_600, auth_time: then })}.`
}

/** What Firebase's servers are asked, by path. */
export const firebasePaths = {
  lookup: '/identitytoolkit.googleapis.com/v1/accounts:lookup',
  signIn: '/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword',
  signInByLink: '/identitytoolkit.googleapis.com/v1/accounts:signInWithEmailLink',
  federated: '/identitytoolkit.googleapis.com/v1/accounts:signInWithIdp',
  mail: '/identitytoolkit.googleapis.com/v1/accounts:sendOobCode',
  policy: '/identitytoolkit.googleapis.com/v2/passwordPolicy',
  remove: '/identitytoolkit.googleapis.com/v1/accounts:delete',
  token: '/securetoken.googleapis.com/v1/token',
} as const

/** Firebase whose servers are at `url`, for the length of the test; sign-ins are kept in `safe`, by user. */
export const firebaseAt = (url: string, safe: Map<string, string>, parts: Partial<FirebaseDeps> = {}): Firebase => {
  const firebase = openFirebase({
    settings: { apiKey: 'key', projectId, authDomain: 'demo.example', emulatorUrl: url },
    check: createIdTokenCheck({ projectId, now: Date.now, keys: null }),
    storeOf: (uid) => ({ get: () => Promise.resolve(safe.get(uid) ?? null), set: (value) => Promise.resolve(void safe.set(uid, value)), remove: () => Promise.resolve(void safe.delete(uid)) }),
    renewed: () => undefined,
    ended: () => undefined,
    log: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
    ...parts,
  })
  onTestFinished(firebase.close)
  return firebase
}
