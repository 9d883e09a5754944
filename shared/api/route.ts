import type { z } from 'zod'

/** One HTTP call: where it is, what goes in, and what comes out. Paths hold no parameters; what a call names is in its query or body. */
export type Route = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  readonly answer: z.ZodType
  /** The text that a failed call of the original product shows, of some by what was sent; the answer then is `{ success: false, error, code }`. */
  readonly failure?: string | ((body: unknown) => string)
  /** The largest body, `8mb`; where missing 1 MB. */
  readonly bodyLimit?: string
  /** `none` can be called before anybody has signed in; `user` (the default) needs a signed-in user. */
  readonly access?: 'none' | 'user'
}

type Parsed<T> = T extends z.ZodType ? z.output<T> : undefined
type Given<T> = T extends z.ZodType ? z.input<T> : undefined

/** What a handler receives as query, after parsing. */
export type QueryOf<R extends Route> = Parsed<R['query']>
/** What a handler receives as body, after parsing. */
export type BodyOf<R extends Route> = Parsed<R['body']>
/** What a caller passes as query. */
export type QueryGiven<R extends Route> = Given<R['query']>
/** What a caller passes as body. */
export type BodyGiven<R extends Route> = Given<R['body']>
/** What a handler answers and a caller gets. */
export type AnswerOf<R extends Route> = z.input<R['answer']>
