import { problem, type Problem, type ProblemCode } from '#shared/api/problems.ts'
import type { AnswerOf, BodyGiven, QueryGiven, Route } from '#shared/api/route.ts'
import { fetchAdmitted } from './browser-key.ts'
import { queryOptions, type Query, type QueryClient } from '@tanstack/react-query'

/** Why a call failed: a reason that the program gave, or that it could not be reached at all. */
export type FailureCode = ProblemCode | 'program-unreachable'

/** A failed call; `message` is the contract's error text where it fixes one, otherwise the code. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure'
  readonly code: FailureCode
  /** The HTTP status; 0 where no answer came. */
  readonly status: number
  readonly problem: Problem | null

  constructor(status: number, given: Problem | null, text = 'program-unreachable') {
    super(given?.error ?? text)
    this.status = status
    this.problem = given
    this.code = given?.code ?? (status === 0 ? 'program-unreachable' : 'internal')
  }
}

type Part<Name extends string, Given> = undefined extends Given ? Partial<Record<Name, Given>> : Record<Name, Given>

/** What a call needs, derived from its route: `query`, `body`, both or neither. */
export type ApiInput<R extends Route> = Part<'query', QueryGiven<R>> & Part<'body', BodyGiven<R>>

type InputArgument<R extends Route> = Record<string, never> extends ApiInput<R> ? [input?: ApiInput<R>] : [input: ApiInput<R>]

const addressOf = (path: string, query: object | undefined): string => {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const one of Array.isArray(value) ? (value as unknown[]) : [value]) if (one !== undefined && one !== null) search.append(name, String(one))
  }
  return search.size === 0 ? path : `${path}?${search.toString()}`
}

let onOfAnother = (): void => undefined

/** Sets what is done where a call was refused because another user has signed in since the page was drawn, whatever made the call. */
export const whenOfAnother = (act: () => void): void => {
  onOfAnother = act
}

/** The failure that an answer tells; `text` is what the contract says where the answer says nothing. */
export const failureOf = async (response: Response, text?: string): Promise<ApiFailure> => {
  const parsed = problem.safeParse(await response.json().catch(() => null))
  const failure = new ApiFailure(response.status, parsed.success ? parsed.data : null, text)
  if (failure.code === 'not-this-user') onOfAnother()
  return failure
}

const send = async <R extends Route>(route: R, input: ApiInput<R> | undefined, signal?: AbortSignal, isKept = false): Promise<AnswerOf<R>> => {
  const request: RequestInit = { method: route.method, headers: { accept: 'application/json' } }
  if (signal) request.signal = signal
  if (route.method === 'POST') {
    request.headers = { accept: 'application/json', 'content-type': 'application/json' }
    request.body = JSON.stringify(input?.body ?? {})
    // Browsers take 64 kB of those at a time, in bytes.
    request.keepalive = isKept && request.body.length < 16_000
  }
  const text = typeof route.failure === 'function' ? route.failure(input?.body) : route.failure
  const response = await fetchAdmitted(addressOf(route.path, input?.query as object | undefined), request).catch((cause: unknown) => {
    if (signal?.aborted) throw cause
    throw new ApiFailure(0, null, text)
  })
  if (!response.ok) throw await failureOf(response, text)
  return (await response.json()) as AnswerOf<R>
}

/** Makes one call of the contract; throws `ApiFailure`. */
export const callApi = <R extends Route>(route: R, ...[input]: InputArgument<R>): Promise<AnswerOf<R>> => send(route, input)

/** The same for a call that is made even where its page goes away meanwhile, as far as the browser does that. */
export const callApiKept = <R extends Route>(route: R, input: ApiInput<R>): Promise<AnswerOf<R>> => send(route, input, undefined, true)

/** The reading of a route for `useQuery` and the like; its key begins with the route's path. */
export const apiQuery = <R extends Route & { readonly method: 'GET' }>(route: R, ...[input]: InputArgument<R>) =>
  queryOptions<AnswerOf<R>, ApiFailure>({
    queryKey: [route.path, input?.query ?? {}],
    queryFn: ({ signal }) => send(route, input, signal),
  })

/** The reading of a route that is asked with a body and changes nothing; a reading that nobody waits for any more is broken off. */
export const apiQuestion = <R extends Route & { readonly method: 'POST' }>(route: R, input: ApiInput<R>) =>
  queryOptions<AnswerOf<R>, ApiFailure>({
    queryKey: [route.path, input.body ?? {}],
    queryFn: ({ signal }) => send(route, input, signal),
  })

const invalidate = async (client: QueryClient, isStale: (query: Query) => boolean): Promise<void> => {
  // A first reading under way may have been answered before the change, and would count as new when it arrives.
  await client.cancelQueries({ predicate: (query) => isStale(query) && query.state.data === undefined })
  await client.invalidateQueries({ predicate: isStale })
}

/** Marks every reading of these routes as old: what is on screen is fetched again now, the rest when it is next shown. */
export const invalidateRoutes = async (client: QueryClient, ...routes: readonly Route[]): Promise<void> => {
  const stale = new Set<unknown>(routes.map((route) => route.path))
  await invalidate(client, ({ queryKey }) => stale.has(queryKey[0]))
}

/** Marks all that was ever read as old, as `invalidateRoutes` does with some of it. */
export const invalidateAll = (client: QueryClient): Promise<void> => invalidate(client, () => true)
