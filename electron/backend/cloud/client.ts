import { z } from 'zod'
import { whoAmI } from '#shared/api/cloud.ts'
import { problemCode } from '#shared/api/problems.ts'
import type { BodyGiven, QueryGiven, Route } from '#shared/api/route.ts'
import { neverReached } from '#shared/base/never-reached.ts'
import { readAtMost } from '#shared/base/read-at-most.ts'
import { err, ok } from '#shared/base/result.ts'
import type { Result } from '#shared/base/result.ts'
import { unreachable } from './failure.ts'
import type { CloudFailure } from './failure.ts'

/** The address of a user's cloud, `https://cloud.example`, and the user's token. */
export type CloudAccess = { readonly url: string; readonly token: string }

/** Supplies a user's tokens for the cloud, which stay in memory. */
export type CloudIdentity = {
  /** The current access. Pass the token that the cloud just refused to get a new one. */
  readonly access: (refused: string | null) => Promise<Result<CloudAccess, CloudFailure>>
}

/** One request; `body` is sent unchanged. */
type CloudRequest = {
  readonly method: 'GET' | 'POST'
  readonly url: URL
  readonly token: string | null
  readonly body?: { readonly type: string; readonly bytes: Uint8Array<ArrayBuffer> }
  /** The size limit of the answer. */
  readonly maxBytes: number
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

/** What a call sends. A call that names a user takes the user's id in the cloud, see `user`. */
export type Sent<R extends Route> = { readonly query?: QueryGiven<R>; readonly body?: BodyGiven<R>; readonly signal?: AbortSignal | undefined }

/** A request without the address and token, which the client adds. */
export type ClientRequest = Omit<CloudRequest, 'url' | 'token'> & { readonly path: string; readonly query?: Readonly<Record<string, unknown>> }

/** A client of the cloud for one user. */
export type CloudClient = {
  /** The user's id in the cloud, which differs from the id of the local profile. */
  readonly user: (signal?: AbortSignal) => Promise<Result<string, CloudFailure>>
  /** Calls one of the cloud's routes and parses the answer. */
  readonly call: <R extends Route>(route: R, sent: Sent<R>) => Promise<Result<z.output<R['answer']>, CloudFailure>>
  /** Sends a request and returns the bytes. Replaces a refused token and retries once. If the account is gone, it does not retry: the new token may be another user's. */
  readonly send: (request: ClientRequest) => Promise<Result<Uint8Array, CloudFailure>>
}

export const standardTimeoutMs = 60_000
/** The size limit of a JSON answer in bytes: a page of the longest notes. */
export const maxJsonBytes = 100_000_000

export const createCloudClient = (identity: CloudIdentity, timeoutMs = standardTimeoutMs): CloudClient => {
  let known: { readonly token: string; readonly userId: string } | null = null

  const sendOnce = ({ path, query, ...rest }: ClientRequest, { url, token }: CloudAccess): Promise<Result<Uint8Array, CloudFailure>> => {
    const address = new URL(path, url)
    for (const [name, value] of Object.entries(query ?? {})) address.searchParams.set(name, String(value))
    return request({ ...rest, url: address, token })
  }

  const send: CloudClient['send'] = async (wanted) => {
    const access = await identity.access(null)
    if (!access.ok) return access
    const first = await sendOnce(wanted, access.value)
    if (first.ok || first.error.kind !== 'refused' || first.error.status !== 401) return first
    const renewed = await identity.access(access.value.token)
    if (first.error.code === 'account-gone') return first
    return renewed.ok ? sendOnce(wanted, renewed.value) : renewed
  }

  const call: CloudClient['call'] = async (route, { query, body, signal }) => {
    const encoded = body === undefined ? {} : { body: { type: 'application/json', bytes: new TextEncoder().encode(JSON.stringify(body)) } }
    const answer = await send({ method: route.method, path: route.path, query: query as Record<string, unknown>, ...encoded, maxBytes: maxJsonBytes, timeoutMs, signal })
    return answer.ok ? parseAnswer(route, answer.value) : answer
  }

  return {
    send,
    call,
    user: async (signal) => {
      const access = await identity.access(null)
      if (!access.ok) return access
      if (known?.token === access.value.token) return ok(known.userId)
      const answer = await call(whoAmI, { signal })
      if (!answer.ok) return answer
      known = { token: access.value.token, userId: answer.value.userId }
      return ok(known.userId)
    },
  }
}

/** Parses the JSON answer of a route. */
export const parseAnswer = <R extends Route>(route: R, bytes: Uint8Array): Result<z.output<R['answer']>, CloudFailure> => {
  const parsed = z.safeParse(route.answer, jsonOf(bytes))
  return parsed.success ? ok(parsed.data as z.output<R['answer']>) : err(unreachable('unreadable-answer', 200))
}

const refusal = z.object({ code: problemCode, retryAfterMs: z.number().nonnegative().optional(), fields: z.array(z.object({ message: z.string() })).optional() })

/** Sends one request and reads the whole answer; never throws. */
export const request = async (wanted: CloudRequest): Promise<Result<Uint8Array, CloudFailure>> => {
  const timeout = AbortSignal.timeout(wanted.timeoutMs)
  try {
    const answer = await fetch(wanted.url, initOf(wanted, wanted.signal === undefined ? timeout : AbortSignal.any([wanted.signal, timeout])))
    const bytes = await readAtMost(answer.body, wanted.maxBytes)
    const { status } = answer
    if (bytes === null || (status >= 300 && status < 400)) return err(unreachable('unreadable-answer', status))
    if (answer.ok) return ok(bytes)
    // A busy or failing server did not refuse the call.
    const problem = refusal.safeParse(jsonOf(bytes)).data
    if (status >= 500 || status === 408 || status === 429) return err({ kind: 'unreachable', cause: 'server', status, code: problem?.code, retryAfterMs: problem?.retryAfterMs ?? retryAfterOf(answer.headers) })
    return err({ kind: 'refused', status, code: problem?.code ?? null, fieldMessage: problem?.fields?.[0]?.message })
  } catch (error) {
    if (wanted.signal?.aborted === true) return err({ kind: 'aborted' })
    return err({ kind: 'unreachable', cause: timeout.aborted ? 'timeout' : 'network', status: null, ...(neverReached(error) ? { reached: false as const } : {}) })
  }
}

/** The Retry-After of a load balancer or proxy, in seconds or as a date. */
const retryAfterOf = (headers: Headers): number | undefined => {
  const text = headers.get('retry-after') ?? ''
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now()
  return ms > 0 ? ms : undefined
}

/** Parses JSON bytes; undefined if they are not JSON. */
export const jsonOf = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown
  } catch {
    return undefined
  }
}

const initOf = ({ method, token, body }: CloudRequest, signal: AbortSignal): RequestInit => ({
  method,
  headers: { ...(token === null ? {} : { authorization: `Bearer ${token}` }), ...(body === undefined ? {} : { 'content-type': body.type }) },
  body: body?.bytes ?? null,
  signal,
  // Following a redirect would send the token to another host.
  redirect: 'manual',
})
