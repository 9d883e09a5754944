import { openLogin } from '#backend/brokers/tradovate/login.ts'
import type { RenewalOutcome, Tokens } from '#backend/brokers/tradovate/tokens.ts'
import { serveLoopback, type Seen, type Served } from './loopback.ts'
import { testTiming } from './test-timing.ts'

export const minute = 60_000
export const never = new AbortController().signal
export const fills = { environment: 'demo', path: '/fill/list' } as const

export const isRenewal = ({ path }: Seen): boolean => path.endsWith('/auth/renewaccesstoken')

type Setting = {
  answer: (seen: Seen) => Served | Promise<Served>
  /** Milliseconds until the access token ends. */
  livesFor?: number
  refresh?: string
  grant?: (refreshToken: string, time: number) => RenewalOutcome | Promise<RenewalOutcome>
  save?: (tokens: Tokens) => Promise<void>
  kept?: () => Promise<Tokens | null>
  stop?: AbortSignal
  /** The hosts that are kept beside the tokens. */
  hosts?: Tokens['hosts']
}

/** A login on a server of the test that answers as the test sets it, with all that was asked, saved and granted; its clock moves only by sleeping. */
export const loginStage = async ({ answer, livesFor = 80 * minute, refresh, grant, save, kept, stop, hosts }: Setting) => {
  const { url, seen } = await serveLoopback(answer)
  const timing = testTiming()
  const saved: Tokens[] = []
  const grants: string[] = []
  const login = openLogin({
    tokens: { access: 'tok-0', ...(refresh === undefined ? {} : { refresh }), accessExpiresAt: timing.now() + livesFor, obtainedAt: timing.now() - 60 * minute, hosts },
    hosts: { authorize: `${url}/oauth`, token: [`${url}/t`, `${url}/v1/t`], live: `${url}/live/v1`, demo: `${url}/demo/v1`, reports: { demo: `${url}/rpt/v1`, live: `${url}/rpt-live/v1` }, quotes: `${url}/md/v1` },
    timing,
    timeoutMs: 500,
    ...(stop === undefined ? {} : { stop }),
    ...(kept === undefined ? {} : { kept }),
    refresh: async (token) => {
      grants.push(token)
      return grant === undefined ? { kind: 'refused', lastError: 'invalid_token' } : grant(token, timing.now())
    },
    saveTokens: async (tokens) => {
      await save?.(tokens)
      saved.push(tokens)
    },
  })
  return { url, seen, timing, saved, grants, login, reads: () => seen.filter(({ path }) => path.endsWith('/fill/list')) }
}

/** What a refresh grant brings at `time`. */
export const fresh = (access: string, time: number, refresh = 'ref-1'): RenewalOutcome => ({
  kind: 'renewed',
  tokens: { access, refresh, accessExpiresAt: time + 80 * minute, obtainedAt: time },
})
