import type { z } from 'zod'
import { whoAmI } from '#shared/api/cloud.ts'
import type { BodyGiven, QueryGiven, Route } from '#shared/api/route.ts'
import { err, ok } from '#shared/base/result.ts'
import type { Result } from '#shared/base/result.ts'
import { unreachable } from './failure.ts'
import type { CloudFailure } from './failure.ts'
import type { CloudAccess, CloudIdentity } from './identity.ts'
import { jsonOf, request } from './request.ts'
import type { CloudRequest } from './request.ts'

/** What a call sends. Every one that names a user is given the cloud's id of that user, see `user`. */
export type Sent<R extends Route> = { readonly query?: QueryGiven<R>; readonly body?: BodyGiven<R>; readonly signal?: AbortSignal | undefined }

/** A request without what the client knows itself. */
export type Asked = Omit<CloudRequest, 'url' | 'token'> & { readonly path: string; readonly query?: Readonly<Record<string, unknown>> }

/** The cloud as one of its users reaches it. */
export type CloudClient = {
  /** The user's id in the cloud, which is not that of the profile on this computer. */
  readonly user: (signal?: AbortSignal) => Promise<Result<string, CloudFailure>>
  /** Makes one call of `cloudRoutes`; its answer is checked. */
  readonly call: <R extends Route>(route: R, sent: Sent<R>) => Promise<Result<z.output<R['answer']>, CloudFailure>>
  /** Asks for bytes. A token that is refused is replaced, once; that of an account that is gone for the next call, which may be another user's. */
  readonly ask: (asked: Asked) => Promise<Result<Uint8Array, CloudFailure>>
}

/** How long one answer may take, in milliseconds. */
export const standardTimeoutMs = 60_000
/** The largest answer that is JSON, in bytes: a page of the longest notes. */
export const largestJson = 100_000_000

/** A client that speaks for one user. */
export const createCloudClient = (identity: CloudIdentity, timeoutMs = standardTimeoutMs): CloudClient => {
  let known: { readonly token: string; readonly userId: string } | null = null

  const once = ({ path, query, ...asked }: Asked, { url, token }: CloudAccess): Promise<Result<Uint8Array, CloudFailure>> => {
    const address = new URL(path, url)
    for (const [name, value] of Object.entries(query ?? {})) address.searchParams.set(name, String(value))
    return request({ ...asked, url: address, token })
  }

  const ask: CloudClient['ask'] = async (asked) => {
    const access = await identity.access(null)
    if (!access.ok) return access
    const first = await once(asked, access.value)
    if (first.ok || first.error.kind !== 'refused' || first.error.status !== 401) return first
    const renewed = await identity.access(access.value.token)
    if (first.error.code === 'account-gone') return first
    return renewed.ok ? once(asked, renewed.value) : renewed
  }

  const call: CloudClient['call'] = async (route, { query, body, signal }) => {
    const given = body === undefined ? {} : { body: { type: 'application/json', bytes: new TextEncoder().encode(JSON.stringify(body)) } }
    const answer = await ask({ method: route.method, path: route.path, query: query as Record<string, unknown>, ...given, largest: largestJson, timeoutMs, signal })
    return answer.ok ? checked(route, answer.value) : answer
  }

  return {
    ask,
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

/** The answer of a route in its agreed shape. */
export const checked = <R extends Route>(route: R, bytes: Uint8Array): Result<z.output<R['answer']>, CloudFailure> => {
  const parsed = route.answer.safeParse(jsonOf(bytes))
  return parsed.success ? ok(parsed.data as z.output<R['answer']>) : err(unreachable('unreadable-answer', 200))
}
