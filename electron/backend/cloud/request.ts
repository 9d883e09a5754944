import { z } from 'zod'
import { problemCode } from '#shared/api/problems.ts'
import { neverReached } from '#shared/base/never-reached.ts'
import { readAtMost } from '#shared/base/read-at-most.ts'
import { err, ok } from '#shared/base/result.ts'
import type { Result } from '#shared/base/result.ts'
import { unreachable } from './failure.ts'
import type { CloudFailure } from './failure.ts'

/** One request. A body is sent as it is, with its type. */
export type CloudRequest = {
  readonly method: 'GET' | 'POST'
  readonly url: URL
  readonly token: string | null
  readonly body?: { readonly type: string; readonly bytes: Uint8Array<ArrayBuffer> }
  /** The largest answer that is read, in bytes. */
  readonly largest: number
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

const refusal = z.object({ code: problemCode, retryAfterMs: z.number().nonnegative().optional(), fields: z.array(z.object({ message: z.string() })).optional() })

/** Asks once and reads the whole answer; never throws. The wait for the network is the machine's own. */
export const request = async (asked: CloudRequest): Promise<Result<Uint8Array, CloudFailure>> => {
  const timeout = AbortSignal.timeout(asked.timeoutMs)
  try {
    const answer = await fetch(asked.url, initOf(asked, asked.signal === undefined ? timeout : AbortSignal.any([asked.signal, timeout])))
    const bytes = await readAtMost(answer.body, asked.largest)
    const { status } = answer
    if (bytes === null || (status >= 300 && status < 400)) return err(unreachable('unreadable-answer', status))
    if (answer.ok) return ok(bytes)
    // A server that is busy or cannot do it now is no server that says no.
    const said = refusal.safeParse(jsonOf(bytes)).data
    if (status >= 500 || status === 408 || status === 429) return err({ kind: 'unreachable', cause: 'server', status, code: said?.code, retryAfterMs: said?.retryAfterMs ?? retryAfterOf(answer.headers) })
    return err({ kind: 'refused', status, code: said?.code ?? null, said: said?.fields?.[0]?.message })
  } catch (error) {
    if (asked.signal?.aborted === true) return err({ kind: 'aborted' })
    return err({ kind: 'unreachable', cause: timeout.aborted ? 'timeout' : 'network', status: null, ...(neverReached(error) ? { reached: false as const } : {}) })
  }
}

/** What a balancer or a proxy asks for, in seconds or as a date, where the cloud itself did not answer. */
const retryAfterOf = (headers: Headers): number | undefined => {
  const text = headers.get('retry-after') ?? ''
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now()
  return ms > 0 ? ms : undefined
}

/** What a JSON answer holds; undefined where it is none. */
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
  // A redirect to another host would take the token there: it is an answer, not a thing to follow.
  redirect: 'manual',
})
