import { problem, type Problem, type ProblemCode } from '#shared/api/problems.ts'
import type { AnswerOf, BodyGiven, QueryGiven, Route } from '#shared/api/route.ts'
import { fetchAdmitted } from './browser-key.ts'
import { queryOptions, type Query, type QueryClient } from '@tanstack/react-query'

/** Why a call failed: the program's code, or that the program was unreachable. */
export type FailureCode = ProblemCode | 'program-unreachable'

/** A failed call; `message` is the contract's error text if it fixes one, otherwise the code. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure'
  readonly code: FailureCode
  /** The HTTP status; 0 without an answer. */
  readonly status: number
  readonly problem: Problem | null

  constructor(status: number, given: Problem | null, text = 'program-unreachable') {
    super(given?.error ?? text)
    this.status = status
    this.problem = given
    this.code = given?.code ?? (status === 0 ? 'program-unreachable' : 'internal')
  }
}

type InputPart<Name extends string, Given> = undefined extends Given ? Partial<Record<Name, Given>> : Record<Name, Given>

/** A call's input, derived from its route: `query`, `body`, both or neither. */
export type ApiInput<R extends Route> = InputPart<'query', QueryGiven<R>> & InputPart<'body', BodyGiven<R>>

type InputArgument<R extends Route> = Record<string, never> extends ApiInput<R> ? [input?: ApiInput<R>] : [input: ApiInput<R>]

const addressOf = (path: string, query: object | undefined): string => {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const one of Array.isArray(value) ? (value as unknown[]) : [value]) if (one !== undefined && one !== null) search.append(name, String(one))
  }
  return search.size === 0 ? path : `${path}?${search.toString()}`
}

let handleWrongUser = (): void => undefined

/** Sets the handler for calls refused because another user has signed in since the page was rendered, whatever made the call. */
export const onWrongUser = (act: () => void): void => {
  handleWrongUser = act
}

/** The failure in an answer; `text` is the contract's text if the answer has none. */
export const failureOf = async (response: Response, text?: string): Promise<ApiFailure> => {
  const parsed = problem.safeParse(await response.json().catch(() => null))
  const failure = new ApiFailure(response.status, parsed.success ? parsed.data : null, text)
  if (failure.code === 'not-this-user') handleWrongUser()
  return failure
}

const send = async <R extends Route>(route: R, input: ApiInput<R> | undefined, signal?: AbortSignal, isKept = false): Promise<AnswerOf<R>> => {
  const request: RequestInit = { method: route.method, headers: { accept: 'application/json' } }
  if (signal) request.signal = signal
  if (route.method === 'POST') {
    request.headers = { accept: 'application/json', 'content-type': 'application/json' }
    request.body = JSON.stringify(input?.body ?? {})
    // Browsers limit the total size of keepalive bodies to 64 kB.
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

/** The same for a call that must complete even if its page closes meanwhile, as far as the browser supports that. */
export const callApiKept = <R extends Route>(route: R, input: ApiInput<R>): Promise<AnswerOf<R>> => send(route, input, undefined, true)

/** The query of a route for `useQuery` and the like; its key begins with the route's path. */
export const apiQuery = <R extends Route & { readonly method: 'GET' }>(route: R, ...[input]: InputArgument<R>) =>
  queryOptions<AnswerOf<R>, ApiFailure>({
    queryKey: [route.path, input?.query ?? {}],
    queryFn: ({ signal }) => send(route, input, signal),
  })

/** The query of a route that takes a body and changes nothing; an abandoned fetch is aborted. */
export const apiQuestion = <R extends Route & { readonly method: 'POST' }>(route: R, input: ApiInput<R>) =>
  queryOptions<AnswerOf<R>, ApiFailure>({
    queryKey: [route.path, input.body ?? {}],
    queryFn: ({ signal }) => send(route, input, signal),
  })

const invalidate = async (client: QueryClient, isStale: (query: Query) => boolean): Promise<void> => {
  // A first fetch in progress may have been answered before the change, and would count as new when it arrives.
  await client.cancelQueries({ predicate: (query) => isStale(query) && query.state.data === undefined })
  await client.invalidateQueries({ predicate: isStale })
}

/** Marks all queries of these routes as stale: visible ones are refetched now, the rest when next shown. */
export const invalidateRoutes = async (client: QueryClient, ...routes: readonly Route[]): Promise<void> => {
  const stale = new Set<unknown>(routes.map((route) => route.path))
  await invalidate(client, ({ queryKey }) => stale.has(queryKey[0]))
}

/** Marks all cached queries as stale, like `invalidateRoutes`. */
export const invalidateAll = (client: QueryClient): Promise<void> => invalidate(client, () => true)
