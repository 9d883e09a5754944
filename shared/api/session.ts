import { z } from 'zod'
import { done, identifier, moment, nameText } from './fields.ts'
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

/** Minimum password length if the identity provider sets none. */
export const minimumPasswordLength = 6

const email = z.string().trim().toLowerCase().pipe(z.email().max(320))
const password = z.string().min(1).max(1_000)
const recoveryCode = z.string().trim().min(1).max(100)

/** The requirements for a new password. `maxLength` is null without a maximum. */
export const passwordPolicy = z.object({
  minLength: z.number().int(),
  maxLength: z.number().int().nullable(),
  lowercase: z.boolean(),
  uppercase: z.boolean(),
  digit: z.boolean(),
  symbol: z.boolean(),
})
export type PasswordPolicy = z.infer<typeof passwordPolicy>

/** Why the identity provider ended a sign-in. */
export const endedBecause = z.enum(['user-disabled', 'user-token-expired'])
export type EndedBecause = z.infer<typeof endedBecause>

/** What the page needs to know at start. */
export const sessionAnswer = z.object({
  currentUser: signedInUser.nullable(),
  /** True for the demo profile, which can never store a real token. */
  demo: z.boolean(),
  /** The identity provider: local profiles or Firebase. The demo profile is always local. */
  identity: z.enum(['local', 'firebase']),
  /** Other sign-in providers. */
  federated: z.array(z.enum(['google'])),
  /** Why this browser was signed out, until the next sign-in; null if the user signed out. */
  endedBecause: endedBecause.nullable(),
  /** Where tokens are stored; the page tells the user about `file`. */
  secrets: z.enum(['keychain', 'file']),
  /** Whether the demo brokerage is offered. */
  demoOffered: z.boolean(),
  /** Whether client id and secret of the real brokerage are set. */
  brokerageReady: z.boolean(),
  /** Whether any local profile exists yet. */
  hasProfiles: z.boolean(),
  /** Whether the profile has a recovery code that the user has not confirmed as saved. */
  recoveryCodeUnsaved: z.boolean(),
  /** `this-computer-only` while no cloud is configured for this user; `mirrorState` has the mirror's state. */
  cloud: z.enum(['this-computer-only', 'mirrored']),
  timeZone: nameText,
  version: z.string(),
})
export type SessionAnswer = z.infer<typeof sessionAnswer>

const entered = z.object({ currentUser: signedInUser })
/** A sign-in attempt at another provider, in its own window. */
const attempt = z.string().min(1).max(200)

/** The header of every call with the key that the browser got with the launch URL, in addition to the session cookie. */
export const browserKeyHeader = 'x-fillbook-key'
/** The name under which the page at a launch URL carries that key, and under which it is kept in the origin's storage. */
export const browserKeyName = 'fillbook-key'
/** The header with the user for whom the page was rendered, so that a stale page never writes into another user's journal. */
export const pageUserHeader = 'x-fillbook-user'
/** The query parameter with a one-time download ticket, in place of the key where the browser cannot send a header. */
export const ticketParameter = 'ticket'
/** Paths of file downloads. */
const downloadPath = z.enum(['/api/journal-file', '/api/trades.csv', '/api/books.csv', '/api/copier/ledger.csv'])
export type DownloadPath = z.infer<typeof downloadPath>

/** Identity behind one port: the local profile, or Firebase. A call that only the other one supports answers `not-offered`. */
export const sessionRoutes = {
  session: { method: 'GET', path: '/api/session', access: 'none', answer: sessionAnswer },
  passwordPolicy: { method: 'GET', path: '/api/auth/password-policy', access: 'none', answer: passwordPolicy },
  /** Returns a local profile's recovery code, which `confirmRecoveryCode` must follow. Firebase has none. Refused with `journal-waits` if a journal waits for this email to be verified, unless the account is to begin empty. */
  signUp: {
    method: 'POST',
    path: '/api/auth/sign-up',
    access: 'none',
    body: z.object({ email, password, displayName: z.string().trim().max(100).default(''), beginsEmpty: z.boolean().default(false) }),
    answer: entered.extend({ recoveryCode: z.string().nullable() }),
  },
  signIn: { method: 'POST', path: '/api/auth/sign-in', access: 'none', body: z.object({ email, password }), answer: entered },
  /** Signs in to the demo profile and creates it if needed. */
  signInDemo: { method: 'POST', path: '/api/auth/demo', access: 'none', answer: entered },
  signOut: { method: 'POST', path: '/api/auth/sign-out', answer: done },
  /** Local only: sets a new password by recovery code, and returns the next code. The used code works until the next one is confirmed. */
  resetPassword: {
    method: 'POST',
    path: '/api/auth/reset-password',
    access: 'none',
    body: z.object({ email, recoveryCode, newPassword: password }),
    answer: z.object({ recoveryCode: z.string() }),
  },
  /** Local only: confirms that the last returned code is saved. From then on it is the only one that works. The code itself is the proof, because the browser is signed out. */
  confirmRecoveryCode: { method: 'POST', path: '/api/auth/confirm-recovery-code', access: 'none', body: z.object({ email, recoveryCode }), answer: done },
  /** Local only: returns a new recovery code, or the unconfirmed one again. The password proves the user's identity. */
  renewRecoveryCode: { method: 'POST', path: '/api/auth/renew-recovery-code', body: z.object({ password }), answer: z.object({ recoveryCode: z.string() }) },
  /** Firebase only, like all that follow except the last: emails a password reset link. The answer does not reveal whether the user exists. */
  mailPasswordReset: { method: 'POST', path: '/api/auth/mail-password-reset', access: 'none', body: z.object({ email }), answer: done },
  /** Mails a link that signs in and leads back to this program. */
  mailSignInLink: { method: 'POST', path: '/api/auth/mail-sign-in-link', access: 'none', body: z.object({ email }), answer: done },
  /** Signs in with such a link. `email` is optional in the browser that requested the link; any other gets `invalid-request` with the field `email`. */
  signInByLink: { method: 'POST', path: '/api/auth/sign-in-by-link', access: 'none', body: z.object({ link: z.url().max(4_000), email: email.optional() }), answer: entered },
  /** Returns the provider's URL for a separate window. A new attempt cancels the same browser's previous one. */
  beginFederated: { method: 'POST', path: '/api/auth/begin-federated', access: 'none', body: z.object({ provider: z.enum(['google']) }), answer: z.object({ attempt, url: z.url() }) },
  /** Waits a few seconds for the redirect; `waiting` means poll again. */
  endFederated: { method: 'POST', path: '/api/auth/end-federated', access: 'none', body: z.object({ attempt }), answer: z.union([z.object({ state: z.literal('waiting') }), entered.extend({ state: z.literal('entered') })]) },
  /** A ticket that admits this browser to one download, once and for half a minute. */
  downloadTicket: { method: 'POST', path: '/api/download-ticket', body: z.strictObject({ path: downloadPath }), answer: z.object({ ticket: z.string() }) },
  /** Mails a link that verifies the address. */
  mailVerification: { method: 'POST', path: '/api/auth/mail-verification', answer: done },
  /** Reloads the user from the provider. */
  reloadUser: { method: 'POST', path: '/api/auth/reload-user', answer: entered },
  /** Permanently deletes the account, its local journal and its cloud copy. A local profile needs its password; with Firebase a sign-in within the last minutes is enough, and an older one gets `recent-login-needed`. */
  deleteAccount: { method: 'POST', path: '/api/auth/delete-account', body: z.object({ password: password.optional() }), answer: done },
} as const satisfies Record<string, Route>
