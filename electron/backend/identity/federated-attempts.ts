import { randomUUID } from 'node:crypto'
import { ok } from '#shared/base/result.ts'
import type { Result } from '#shared/base/result.ts'
import { googlePage, newGoogleSecrets } from './firebase/google.ts'
import type { GoogleApplication, GoogleSecrets } from './firebase/google.ts'
import { refuse } from '../refused.ts'
import type { Refused } from '../refused.ts'

/** What came back from an attempt, with the secrets that belong to it. */
export type CameBack = { readonly code: string; readonly secrets: GoogleSecrets }

/** Sign-ins elsewhere that are under way. They are in memory only: none outlives the program. */
export type FederatedAttempts = {
  /** A new attempt of a browser, which ends the one before; `redirectUri` is where its page leads back to. */
  readonly begin: (browser: string, redirectUri: string) => { readonly attempt: string; readonly url: string }
  /** A user came back; a code of null says that the sign-in was refused there. Nothing happens for a state that is unknown or was used; false for an unknown one. */
  readonly returned: (query: { readonly state: string; readonly code: string | null }) => boolean
  /** Waits for an attempt of this browser, some seconds at most; null where it did not come back yet. What came back is given once. */
  readonly end: (browser: string, attempt: string) => Promise<Result<CameBack | null, Refused>>
}

type Attempt = { readonly id: string; readonly browser: string; readonly secrets: GoogleSecrets; readonly begunAt: number; readonly settle: (outcome: Result<CameBack, Refused>) => void; readonly outcome: Promise<Result<CameBack, Refused>> }

const lastsMs = 600_000
const mostAttempts = 100

/** No attempt yet. `now` is UTC ms; `patienceMs` is how long `end` waits. */
export const createFederatedAttempts = (application: GoogleApplication, now: () => number, patienceMs = 10_000): FederatedAttempts => {
  const attempts = new Map<string, Attempt>()

  const forgetOld = (): void => {
    for (const { id, begunAt } of [...attempts.values()]) if (now() - begunAt > lastsMs || attempts.size >= mostAttempts) attempts.delete(id)
  }

  return {
    begin: (browser, redirectUri) => {
      forgetOld()
      for (const { id, browser: whose, settle } of [...attempts.values()]) {
        if (whose !== browser) continue
        settle(refuse('cancelled-popup-request'))
        attempts.delete(id)
      }
      const { promise: outcome, resolve: settle } = Promise.withResolvers<Result<CameBack, Refused>>()
      const attempt: Attempt = { id: randomUUID(), browser, secrets: newGoogleSecrets(), begunAt: now(), settle, outcome }
      attempts.set(attempt.id, attempt)
      return { attempt: attempt.id, url: googlePage(application, attempt.secrets, redirectUri) }
    },
    returned: ({ state, code }) => {
      forgetOld()
      const found = [...attempts.values()].find(({ secrets }) => secrets.state === state)
      // Settling twice does nothing: a state works once.
      found?.settle(code === null ? refuse('federated-denied') : ok({ code, secrets: found.secrets }))
      return found !== undefined
    },
    end: async (browser, id) => {
      forgetOld()
      const attempt = attempts.get(id)
      if (attempt?.browser !== browser) return refuse('cancelled-popup-request')
      const outcome = await withinPatience(attempt.outcome, patienceMs)
      if (outcome === null) return ok(null)
      // Of two windows that wait for the same attempt, one is served.
      return attempts.delete(id) ? outcome : refuse('cancelled-popup-request')
    },
  }
}

const withinPatience = async <T>(work: Promise<T>, ms: number): Promise<T | null> => {
  const { promise: late, resolve } = Promise.withResolvers<null>()
  const timer = setTimeout(() => resolve(null), ms)
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
