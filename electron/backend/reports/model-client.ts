import type { OpenAI } from 'openai'
import { z } from 'zod'
import type { NarrativeFailure } from '#shared/api/reports.ts'

/** The endpoint of a model. `key` is null for an endpoint without one, such as Ollama. */
export type Endpoint = { readonly baseUrl: string; readonly model: string; readonly key: string | null }

/** One message of the chat: ours, or the model's earlier answer. */
export type ModelMessage = { readonly role: 'system' | 'user' | 'assistant'; readonly content: string }

/** Timeouts in ms: for the first chunk, retries included; between two chunks; for the whole answer. */
export type Timeouts = { readonly firstChunkMs: number; readonly nextChunkMs: number; readonly totalMs: number }

/** A model's answer. `failure` is null if it is complete or the caller aborted. `tokens` is the endpoint's own count, null if it sends none. */
export type ModelAnswer = { readonly text: string; readonly tokens: { readonly input: number; readonly output: number } | null; readonly failure: NarrativeFailure | null }

/** `schema` is the JSON schema of the answer, for endpoints that accept one. `onText` gets the whole text so far with each chunk. */
export type AskOptions = { readonly schema?: Readonly<Record<string, unknown>>; readonly signal: AbortSignal; readonly timeouts?: Timeouts; readonly onText?: (text: string) => void }

/** Long enough for a slow computer to load the model first. */
const defaultTimeouts: Timeouts = { firstChunkMs: 240_000, nextChunkMs: 90_000, totalMs: 1_200_000 }
const maxRetries = 2
/** A report is a page or two; a longer answer is a runaway. */
const maxCharacters = 60_000

const chunkShape = z.object({
  choices: z.array(z.object({ delta: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }).nullish(), finish_reason: z.string().nullish() })).nullish(),
  usage: z.object({ prompt_tokens: z.number().int().nonnegative(), completion_tokens: z.number().int().nonnegative() }).nullish().catch(null),
})

// The SDK fills missing options from the environment: a key meant for another service must not reach this endpoint.
const clientOf = async ({ baseUrl, key }: Endpoint): Promise<OpenAI> => {
  const { OpenAI } = await import('openai')
  return new OpenAI({ baseURL: baseUrl, apiKey: 'none', adminAPIKey: null, organization: null, project: null, webhookSecret: null, maxRetries, timeout: defaultTimeouts.totalMs, logLevel: 'off', fetch: leanFetch(key) })
}

/** Asks a model and streams its answer. Retries while the endpoint is busy, failing or unreachable and nothing has arrived. Never rejects: a failure is a value. */
export const askModel = async (endpoint: Endpoint, messages: readonly ModelMessage[], { schema, signal, timeouts = defaultTimeouts, onText }: AskOptions): Promise<ModelAnswer> => {
  const late = new AbortController()
  const total = setTimeout(() => late.abort(), timeouts.totalMs)
  let next = setTimeout(() => late.abort(), timeouts.firstChunkMs)
  let [text, refused, finish]: [string, boolean, string | null] = ['', false, null]
  let tokens: ModelAnswer['tokens'] = null
  // A partial answer is kept; a runaway answer is not.
  const ended = (failure: NarrativeFailure | null): ModelAnswer => ({ text: failure === 'too-long' ? '' : text, tokens, failure: failure === null || text === '' || failure === 'too-long' ? failure : 'gave-half' })
  try {
    for await (const chunk of await openStream(endpoint, messages, schema, AbortSignal.any([signal, late.signal]))) {
      clearTimeout(next)
      next = setTimeout(() => late.abort(), timeouts.nextChunkMs)
      const { choices, usage } = chunkShape.parse(chunk)
      tokens = usage === null || usage === undefined ? tokens : { input: usage.prompt_tokens, output: usage.completion_tokens }
      const choice = choices?.[0]
      refused ||= (choice?.delta?.refusal ?? '') !== ''
      // Some endpoints send an empty finish_reason with every chunk but the last.
      finish = choice?.finish_reason === '' ? finish : (choice?.finish_reason ?? finish)
      const added = choice?.delta?.content ?? ''
      if (added === '') continue
      text += added
      if (text.length > maxCharacters) return ended('too-long')
      onText?.(text)
    }
    if (signal.aborted) return ended(null)
    if (late.signal.aborted) return ended('timed-out')
    if (refused || finish === 'content_filter') return ended('refused')
    if (finish === 'length') return ended(text === '' ? 'too-long' : 'gave-half')
    return ended(finish === null || text === '' ? 'unreadable' : null)
  } catch (error) {
    return ended(signal.aborted ? null : late.signal.aborted ? 'timed-out' : await failureOf(error))
  } finally {
    clearTimeout(total)
    clearTimeout(next)
  }
}

type Extras = { readonly stream_options?: { readonly include_usage: true }; readonly response_format?: { readonly type: 'json_schema'; readonly json_schema: { readonly name: string; readonly strict: true; readonly schema: Record<string, unknown> } } }

const openStream = async (endpoint: Endpoint, messages: readonly ModelMessage[], schema: AskOptions['schema'], signal: AbortSignal): Promise<AsyncIterable<unknown>> => {
  const client = await clientOf(endpoint)
  // Some endpoints reject `stream_options` or `response_format`: ask again without what they reject.
  const ask = async (extras: Extras): Promise<AsyncIterable<unknown>> => {
    try {
      return await client.chat.completions.create({ model: endpoint.model, messages: [...messages], stream: true, ...extras }, { signal })
    } catch (error) {
      const { stream_options: counts, response_format: form, ...rest } = extras
      const message = messageOf(error)
      if (counts !== undefined && message.includes('stream_options')) return ask({ ...rest, ...(form === undefined ? {} : { response_format: form }) })
      if (form !== undefined && /response_format|json_schema|schema|structured/i.test(message)) return ask({ ...rest, ...(counts === undefined ? {} : { stream_options: counts }) })
      throw error
    }
  }
  return ask({ stream_options: { include_usage: true }, ...(schema === undefined ? {} : { response_format: { type: 'json_schema', json_schema: { name: 'narrative', strict: true, schema } } }) })
}

const maxModels = 200

/** The names of the endpoint's models; empty if it does not list them. */
export const modelsOf = async (endpoint: Endpoint, signal: AbortSignal): Promise<string[]> => {
  try {
    const client = await clientOf(endpoint)
    const { data } = await client.models.list({ signal, maxRetries: 0 })
    const names = z.array(z.object({ id: z.string().min(1).max(200) })).parse(data).map(({ id }) => id)
    return [...new Set(names)].sort().slice(0, maxModels)
  } catch {
    return []
  }
}

/** The endpoint's own error message. Never log it: it may repeat the prompt. */
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '')

const tooLong = /context.{0,20}(length|window|size)|maximum.{0,20}tokens|too (long|many tokens|large)/i

/** The failure that the user sees for an error of the call. */
const failureOf = async (error: unknown): Promise<NarrativeFailure> => {
  const { APIConnectionError, APIConnectionTimeoutError, APIError } = await import('openai')
  if (error instanceof AnswerTooLarge || (error instanceof Error && error.cause instanceof AnswerTooLarge)) return 'too-long'
  if (error instanceof APIConnectionTimeoutError) return 'timed-out'
  if (error instanceof APIConnectionError) return 'unreachable'
  if (error instanceof APIError) return failureOfStatus(error.status, error)
  // The SDK has no error of its own for a connection that breaks mid-answer.
  if (error instanceof TypeError) return 'unreachable'
  return error instanceof SyntaxError || (error instanceof Error && error.name === 'ZodError') ? 'unreadable' : 'internal'
}

const failureOfStatus = (status: number | undefined, error: { readonly code?: string | null | undefined; readonly message: string }): NarrativeFailure => {
  if (status === 401 || status === 403) return 'key-refused'
  if (status === 404) return 'model-unknown'
  if (status === 429) return 'too-many-calls'
  if (status === 408 || status === 504) return 'timed-out'
  if (status !== undefined && status >= 500) return 'unreachable'
  // No redirect is followed: it would take the key and the prompt along.
  if (status !== undefined && status < 400) return 'unreadable'
  // Without a status, the endpoint reported the error inside its stream.
  return status === 413 || error.code === 'context_length_exceeded' || tooLong.test(error.message) ? 'too-long' : 'refused'
}

const maxAnswerBytes = 16 * 1024 * 1024

/** The body exceeded the limit. */
class AnswerTooLarge extends Error {}

const bounded = (): TransformStream<Uint8Array, Uint8Array> => {
  let size = 0
  return new TransformStream({
    transform: (part, controller) => {
      size += part.length
      if (size > maxAnswerBytes) controller.error(new AnswerTooLarge('The answer is too large'))
      else controller.enqueue(part)
    },
  })
}

/** A `fetch` for the SDK that sends only the endpoint's own key: it drops the SDK's headers about this computer and its environment, follows no redirect, and bounds the answer. */
const leanFetch =
  (key: string | null): typeof fetch =>
  async (address, init = {}) => {
    const wanted = new Headers(init.headers)
    const headers = new Headers({ 'user-agent': 'Fillbook' })
    for (const name of ['accept', 'content-type']) {
      const value = wanted.get(name)
      if (value !== null) headers.set(name, value)
    }
    if (key !== null) headers.set('authorization', `Bearer ${key}`)
    const answer = await fetch(address, { ...init, headers, redirect: 'manual' })
    if (answer.body === null) return answer
    const { status, statusText } = answer
    return new Response(answer.body.pipeThrough(bounded()), { status, statusText, headers: answer.headers })
  }
