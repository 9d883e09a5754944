import { randomUUID } from 'node:crypto'
import { refuse, type Refused } from '#shared/api/refused.ts'
import { ok } from '#shared/base/result.ts'
import type { Result } from '#shared/base/result.ts'
import { googlePage, newGoogleSecrets } from './firebase/google.ts'
import type { GoogleApplication, GoogleSecrets } from './firebase/google.ts'

/** The authorization code that the provider returned, with the attempt's secrets. */
export type FederatedReturn = { readonly code: string; readonly secrets: GoogleSecrets }

type Attempt = { readonly id: string; readonly browser: string; readonly secrets: GoogleSecrets; readonly begunAt: number; readonly settle: (outcome: Result<FederatedReturn, Refused>) => void; readonly outcome: Promise<Result<FederatedReturn, Refused>> }

const lifetimeMs = 600_000
const maxAttempts = 100

/** Pending sign-ins at another provider. They live in memory only: none survives a restart. `now` is UTC ms; `end` waits at most `waitMs`. */
export const createFederatedAttempts = (application: GoogleApplication, now: () => number, waitMs = 10_000) => {
  const attempts = new Map<string, Attempt>()

  const deleteOld = (): void => {
    for (const { id, begunAt } of [...attempts.values()]) if (now() - begunAt > lifetimeMs || attempts.size >= maxAttempts) attempts.delete(id)
  }

  return {
    /** Starts an attempt and cancels the browser's previous one. The provider redirects to `redirectUri`. */
    begin: (browser: string, redirectUri: string): { readonly attempt: string; readonly url: string } => {
      deleteOld()
      for (const { id, browser: owner, settle } of [...attempts.values()]) {
        if (owner !== browser) continue
        settle(refuse('cancelled-popup-request'))
        attempts.delete(id)
      }
      const { promise: outcome, resolve: settle } = Promise.withResolvers<Result<FederatedReturn, Refused>>()
      const attempt: Attempt = { id: randomUUID(), browser, secrets: newGoogleSecrets(), begunAt: now(), settle, outcome }
      attempts.set(attempt.id, attempt)
      return { attempt: attempt.id, url: googlePage(application, attempt.secrets, redirectUri) }
    },
    /** Settles an attempt when the provider redirects back; a null code means that the user denied it. A state works once; returns false for an unknown one. */
    returned: ({ state, code }: { readonly state: string; readonly code: string | null }): boolean => {
      deleteOld()
      const found = [...attempts.values()].find(({ secrets }) => secrets.state === state)
      // A promise settles once, so a reused state changes nothing.
      found?.settle(code === null ? refuse('federated-denied') : ok({ code, secrets: found.secrets }))
      return found !== undefined
    },
    /** Waits a few seconds for this browser's attempt; null if it is still pending. Returns each result only once. */
    end: async (browser: string, id: string): Promise<Result<FederatedReturn | null, Refused>> => {
      deleteOld()
      const attempt = attempts.get(id)
      if (attempt?.browser !== browser) return refuse('cancelled-popup-request')
      const outcome = await withTimeout(attempt.outcome, waitMs)
      if (outcome === null) return ok(null)
      // If two windows wait for the same attempt, only one gets the result.
      return attempts.delete(id) ? outcome : refuse('cancelled-popup-request')
    },
  }
}

const withTimeout = async <T>(work: Promise<T>, ms: number): Promise<T | null> => {
  const { promise: late, resolve } = Promise.withResolvers<null>()
  const timer = setTimeout(() => resolve(null), ms)
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
