import { z } from 'zod'
import { whoAmI } from '#shared/api/cloud.ts'
import type { BodyGiven, QueryGiven, Route } from '#shared/api/route.ts'
import { err, ok } from '#shared/base/result.ts'
import type { Result } from '#shared/base/result.ts'
import { unreachable } from './failure.ts'
import type { CloudFailure } from './failure.ts'
import type { CloudAccess, CloudIdentity } from './identity.ts'
import { jsonOf, request } from './request.ts'
import type { CloudRequest } from './request.ts'

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
