import { z } from 'zod'
import { identifier, moment, nameText } from './fields.ts'
import type { Route } from './route.ts'

/** The signed-in user, in the shape that the spec fixes. */
export const signedInUser = z.object({
  uid: identifier,
  email: z.string().nullable(),
  emailVerified: z.boolean(),
  displayName: z.string().nullable(),
  photoURL: z.string().nullable(),
  phoneNumber: z.string().nullable(),
  isAnonymous: z.boolean(),
  tenantId: z.string().nullable(),
  providerData: z.array(z.object({ providerId: z.string(), uid: z.string() })),
  metadata: z.object({ creationTime: moment, lastSignInTime: moment }),
})
export type SignedInUser = z.infer<typeof signedInUser>

/** Minimum password length where the identity provider names none. */
export const minimumPasswordLength = 6

const email = z.string().trim().toLowerCase().pipe(z.email().max(320))
const password = z.string().min(1).max(1_000)

/** What the page has to know at start. */
export const sessionAnswer = z.object({
  currentUser: signedInUser.nullable(),
  /** True for the demo profile, which can never hold a real token. */
  demo: z.boolean(),
  identity: z.enum(['local']),
  /** Where tokens are kept; `file` is said to the user. */
  secrets: z.enum(['keychain', 'file']),
  /** Whether the demo brokerage is offered. */
  demoOffered: z.boolean(),
  /** Whether client id and secret of the real brokerage are set. */
  brokerageReady: z.boolean(),
  /** Whether any local profile exists yet. */
  hasProfiles: z.boolean(),
  /** `this-computer-only` while no cloud is set for this user; how a mirror stands is told by `mirrorState`. */
  cloud: z.enum(['this-computer-only', 'mirrored']),
  timeZone: nameText,
  version: z.string(),
})
export type SessionAnswer = z.infer<typeof sessionAnswer>

/** Identity behind one port; here the local profile. */
export const sessionRoutes = {
  session: { method: 'GET', path: '/api/session', access: 'none', answer: sessionAnswer },
  /** Answers the recovery code once; only its hash is kept. */
  signUp: {
    method: 'POST',
    path: '/api/auth/sign-up',
    access: 'none',
    body: z.object({ email, password, displayName: z.string().trim().max(100).default('') }),
    answer: z.object({ currentUser: signedInUser, recoveryCode: z.string() }),
  },
  signIn: { method: 'POST', path: '/api/auth/sign-in', access: 'none', body: z.object({ email, password }), answer: z.object({ currentUser: signedInUser }) },
  /** Signs in to the demo profile and makes it where there is none. */
  signInDemo: { method: 'POST', path: '/api/auth/demo', access: 'none', answer: z.object({ currentUser: signedInUser }) },
  signOut: { method: 'POST', path: '/api/auth/sign-out', answer: z.object({ success: z.literal(true) }) },
  /** Sets a new password by recovery code, and answers the next code. */
  resetPassword: {
    method: 'POST',
    path: '/api/auth/reset-password',
    access: 'none',
    body: z.object({ email, recoveryCode: z.string().trim().min(1).max(100), newPassword: password }),
    answer: z.object({ recoveryCode: z.string() }),
  },
} as const satisfies Record<string, Route>
