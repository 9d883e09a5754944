import { z } from 'zod'
import { problemCode } from '#shared/api/problems.ts'
import { neverReached } from '#shared/base/never-reached.ts'
import { readAtMost } from '#shared/base/read-at-most.ts'
import { err, ok } from '#shared/base/result.ts'
import type { Result } from '#shared/base/result.ts'
import { unreachable } from './failure.ts'
import type { CloudFailure } from './failure.ts'

/** One request; `body` is sent unchanged. */
export type CloudRequest = {
  readonly method: 'GET' | 'POST'
  readonly url: URL
  readonly token: string | null
  readonly body?: { readonly type: string; readonly bytes: Uint8Array<ArrayBuffer> }
  /** The size limit of the answer. */
  readonly maxBytes: number
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
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
