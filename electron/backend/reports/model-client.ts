import type { OpenAI } from 'openai'
import { z } from 'zod'
import type { NarrativeFailure } from '#shared/api/reports.ts'
import { leanFetch } from './model-fetch.ts'
import { failureOf, saysOf } from './model-failure.ts'

/** Where a model answers; `key` is null where none is wanted, as with Ollama. */
export type Endpoint = { readonly baseUrl: string; readonly model: string; readonly key: string | null }

/** What is sent to a model, and what it said itself before. */
export type ModelMessage = { readonly role: 'system' | 'user' | 'assistant'; readonly content: string }

/** How long is waited, ms: for the first sign of an answer, tries again included; for the next one; for all of it. */
export type Patience = { readonly firstMs: number; readonly nextMs: number; readonly wholeMs: number }

/** What came. `failure` is null where the answer is whole, or where whoever asked wanted no more; tokens are as the endpoint counts them, null where it does not. */
export type ModelAnswer = { readonly text: string; readonly tokens: { readonly input: number; readonly output: number } | null; readonly failure: NarrativeFailure | null }

/** How an endpoint is asked; `schema` is the JSON schema of the answer, for an endpoint that takes one. */
export type Asking = { readonly schema?: Readonly<Record<string, unknown>>; readonly signal: AbortSignal; readonly patience?: Patience; /** Told all that came so far, with each piece of it. */ readonly hear?: (text: string) => void }

/** Enough for a model that a slow computer has to load first. */
const usualPatience: Patience = { firstMs: 240_000, nextMs: 90_000, wholeMs: 1_200_000 }
/** Beside the first try. */
const tries = 2
/** A report is a page or two; what goes on for longer goes on for ever. */
const mostCharacters = 60_000

const piece = z.object({
  choices: z.array(z.object({ delta: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }).nullish(), finish_reason: z.string().nullish() })).nullish(),
  usage: z.object({ prompt_tokens: z.number().int().nonnegative(), completion_tokens: z.number().int().nonnegative() }).nullish().catch(null),
})

// The SDK takes what is missing from the environment: a key that is there for something else must not go to this endpoint.
const clientOf = async ({ baseUrl, key }: Endpoint): Promise<OpenAI> => {
  const { OpenAI } = await import('openai')
  return new OpenAI({ baseURL: baseUrl, apiKey: 'none', adminAPIKey: null, organization: null, project: null, webhookSecret: null, maxRetries: tries, timeout: usualPatience.wholeMs, logLevel: 'off', fetch: leanFetch(key) })
}

/** Asks a model and hears its answer as it is written. Tries again where the endpoint is busy, in trouble or out of reach, as long as nothing came. Never rejects: what goes wrong is a value. */
export const askModel = async (endpoint: Endpoint, messages: readonly ModelMessage[], { schema, signal, patience = usualPatience, hear }: Asking): Promise<ModelAnswer> => {
  const late = new AbortController()
  const whole = setTimeout(() => late.abort(), patience.wholeMs)
  let next = setTimeout(() => late.abort(), patience.firstMs)
  let [text, refused, finish]: [string, boolean, string | null] = ['', false, null]
  let tokens: ModelAnswer['tokens'] = null
  // Half an answer is better than none; of one without an end nothing is.
  const ended = (failure: NarrativeFailure | null): ModelAnswer => ({ text: failure === 'too-long' ? '' : text, tokens, failure: failure === null || text === '' || failure === 'too-long' ? failure : 'gave-half' })
  try {
    for await (const told of await opened(endpoint, messages, schema, AbortSignal.any([signal, late.signal]))) {
      clearTimeout(next)
      next = setTimeout(() => late.abort(), patience.nextMs)
      const { choices, usage } = piece.parse(told)
      tokens = usage === null || usage === undefined ? tokens : { input: usage.prompt_tokens, output: usage.completion_tokens }
      const choice = choices?.[0]
      refused ||= (choice?.delta?.refusal ?? '') !== ''
      // Some say of every piece but the last that it ended for no reason.
      finish = choice?.finish_reason === '' ? finish : (choice?.finish_reason ?? finish)
      const came = choice?.delta?.content ?? ''
      if (came === '') continue
      text += came
      if (text.length > mostCharacters) return ended('too-long')
      hear?.(text)
    }
    if (signal.aborted) return ended(null)
    if (late.signal.aborted) return ended('timed-out')
    if (refused || finish === 'content_filter') return ended('refused')
    if (finish === 'length') return ended(text === '' ? 'too-long' : 'gave-half')
    return ended(finish === null || text === '' ? 'unreadable' : null)
  } catch (error) {
    return ended(signal.aborted ? null : late.signal.aborted ? 'timed-out' : await failureOf(error))
  } finally {
    clearTimeout(whole)
    clearTimeout(next)
  }
}

type Extras = { readonly stream_options?: { readonly include_usage: true }; readonly response_format?: { readonly type: 'json_schema'; readonly json_schema: { readonly name: string; readonly strict: true; readonly schema: Record<string, unknown> } } }

const opened = async (endpoint: Endpoint, messages: readonly ModelMessage[], schema: Asking['schema'], signal: AbortSignal): Promise<AsyncIterable<unknown>> => {
  const client = await clientOf(endpoint)
  // Some endpoints know everything of this call but that it may ask for a count of tokens, or for a form of the answer.
  const ask = async (extras: Extras): Promise<AsyncIterable<unknown>> => {
    try {
      return await client.chat.completions.create({ model: endpoint.model, messages: [...messages], stream: true, ...extras }, { signal })
    } catch (error) {
      const { stream_options: counts, response_format: form, ...rest } = extras
      const says = saysOf(error)
      if (counts !== undefined && says.includes('stream_options')) return ask({ ...rest, ...(form === undefined ? {} : { response_format: form }) })
      if (form !== undefined && /response_format|json_schema|schema|structured/i.test(says)) return ask({ ...rest, ...(counts === undefined ? {} : { stream_options: counts }) })
      throw error
    }
  }
  return ask({ stream_options: { include_usage: true }, ...(schema === undefined ? {} : { response_format: { type: 'json_schema', json_schema: { name: 'narrative', strict: true, schema } } }) })
}

const mostModels = 200

/** The models that an endpoint offers, by name; none where it does not say. */
export const modelsOf = async (endpoint: Endpoint, signal: AbortSignal): Promise<string[]> => {
  try {
    const client = await clientOf(endpoint)
    const { data } = await client.models.list({ signal, maxRetries: 0 })
    const names = z.array(z.object({ id: z.string().min(1).max(200) })).parse(data).map(({ id }) => id)
    return [...new Set(names)].sort().slice(0, mostModels)
  } catch {
    return []
  }
}
