import { neverReached } from '#shared/base/never-reached.ts'
import { readAtMost } from '#shared/base/read-at-most.ts'

/** One request. With `json` or `form` it is a POST, otherwise a GET. */
export type Question = {
  readonly url: string
  readonly bearer?: string
  /** A header in place of `bearer`. */
  readonly authorization?: string
  readonly json?: Readonly<Record<string, unknown>>
  readonly form?: Readonly<Record<string, string>>
}

/** The network's result. */
export type Exchange =
  | { readonly kind: 'json'; readonly status: number; readonly retryAfterMs: number | null; readonly value: unknown }
  /** A body that is not JSON; an empty or oversized one has no text. */
  | { readonly kind: 'text'; readonly status: number; readonly retryAfterMs: number | null; readonly text: string }
  /** `reached` is false only if the broker certainly never saw the request. */
  | { readonly kind: 'lost'; readonly cause: 'network' | 'timeout'; readonly reached: boolean }
  | { readonly kind: 'aborted' }

// A ten-year report has 40 MB.
const largestAnswer = 128 * 1024 * 1024

const retryAfter = (headers: Headers): number | null => {
  const seconds = Number(headers.get('retry-after') ?? NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null
}

const initOf = (question: Question, signal: AbortSignal): RequestInit => {
  const headers: Record<string, string> = { accept: 'application/json' }
  if (question.bearer !== undefined) headers['authorization'] = `Bearer ${question.bearer}`
  if (question.authorization !== undefined) headers['authorization'] = question.authorization
  if (question.json !== undefined) headers['content-type'] = 'application/json'
  const body = question.json !== undefined ? JSON.stringify(question.json) : question.form !== undefined ? new URLSearchParams(question.form) : null
  // Do not follow redirects: another host must not get the token.
  return { method: body === null ? 'GET' : 'POST', headers, body, signal, redirect: 'manual' }
}

/** Sends one request and reads the whole answer; never throws. The network timeout uses the real clock, not the injected one. */
export const exchange = async (question: Question, timeoutMs: number, signal?: AbortSignal): Promise<Exchange> => {
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(question.url, initOf(question, signal ? AbortSignal.any([signal, timeout]) : timeout))
    const bytes = await readAtMost(response.body, largestAnswer)
    const head = { status: response.status, retryAfterMs: retryAfter(response.headers) }
    if (bytes === null) return { kind: 'text', ...head, text: '' }
    const text = new TextDecoder().decode(bytes)
    try {
      return { kind: 'json', ...head, value: JSON.parse(text) as unknown }
    } catch {
      return { kind: 'text', ...head, text: text.slice(0, 500) }
    }
  } catch (error) {
    if (signal?.aborted) return { kind: 'aborted' }
    const cause = timeout.aborted ? 'timeout' : 'network'
    return { kind: 'lost', cause, reached: !neverReached(error) }
  }
}
