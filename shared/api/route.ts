import type { z } from 'zod'

/** One HTTP call: path, input, and output. Paths have no parameters; ids are in the query or body. */
export type Route = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly query?: z.core.$ZodType
  readonly body?: z.core.$ZodType
  readonly answer: z.core.$ZodType
  /** The spec's error text, which may depend on the input; a failed call then answers `{ success: false, error, code }`. */
  readonly failure?: string | ((body: unknown) => string)
  /** The largest body, `8mb`; where missing 1 MB. */
  readonly bodyLimit?: string
  /** `none` needs no signed-in user; `user` (the default) does. */
  readonly access?: 'none' | 'user'
}

type Parsed<T> = T extends z.core.$ZodType ? z.output<T> : undefined
type InputOf<T> = T extends z.core.$ZodType ? z.input<T> : undefined

/** What a handler receives as query, after parsing. */
export type QueryOf<R extends Route> = Parsed<R['query']>
/** What a handler receives as body, after parsing. */
export type BodyOf<R extends Route> = Parsed<R['body']>
/** What a caller passes as query. */
export type QueryGiven<R extends Route> = InputOf<R['query']>
/** What a caller passes as body. */
export type BodyGiven<R extends Route> = InputOf<R['body']>
/** What a handler returns and a caller receives. */
export type AnswerOf<R extends Route> = z.input<R['answer']>
