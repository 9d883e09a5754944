import express from 'express'
import type { ErrorRequestHandler, Express, Request, RequestHandler, Response } from 'express'
import { z } from 'zod'
import type { AnswerOf, BodyOf, QueryOf, Route } from '#shared/api/route.ts'
import { pageUserHeader } from '#shared/api/session.ts'
import { err, ok, type Result } from '#shared/base/result.ts'
import { sendProblem } from './problem.ts'
import type { Failure } from './problem.ts'

const bodyLimit = '1mb'

/** A response that another thread has already serialized as JSON. */
export type ReadyJson = Uint8Array

/** The input of a handler: the parsed query and body, the caller, and a signal that aborts if the caller disconnects before the response. */
export type Call<R extends Route, Caller> = { readonly query: QueryOf<R>; readonly body: BodyOf<R>; readonly caller: Caller; readonly signal: AbortSignal }

/** One handler per route: a missing one does not compile. */
export type Handlers<Routes extends Record<string, Route>, Anyone, User> = {
  readonly [Name in keyof Routes]: (
    call: Call<Routes[Name], Routes[Name]['access'] extends 'none' ? Anyone : User>,
  ) => Promise<Result<AnswerOf<Routes[Name]> | ReadyJson, Failure>>
}

/** Identifies the caller; `userId` is null before a sign-in. */
export type Admission<Anyone, User> = {
  readonly anyone: (request: Request, response: Response) => Promise<Result<Anyone, Failure>>
  readonly user: (caller: Anyone) => Promise<Result<{ readonly userId: string; readonly user: User }, Failure>>
}

/** Mounts every route of a contract on Express: identify the caller, parse the input, run the handler. Every failure is sent as a problem. */
export const mount = <const Routes extends Record<string, Route>, Anyone, User>(
  app: Express,
  routes: Routes,
  handlers: Handlers<Routes, Anyone, User>,
  admission: Admission<Anyone, User>,
): void => {
  for (const [name, route] of Object.entries<Route>(routes)) {
    const handle = handlers[name] as (call: { query: unknown; body: unknown; caller: unknown; signal: AbortSignal }) => Promise<Result<unknown, Failure>>
    const enter: RequestHandler = async (request, response, next) => {
      const caller = await admit(route, request, response, admission)
      if (!caller.ok) return sendProblem(response, caller.error, failureText(route, undefined))
      response.locals['caller'] = caller.value
      next()
    }
    const answer: RequestHandler = async (request, response) => {
      const { caller, userId } = response.locals['caller'] as Admitted
      const text = failureText(route, request.body)
      if (userId !== null && [request.query, request.body].some((sent) => namesAnother(sent, userId))) return sendProblem(response, { code: 'not-this-user' }, text)
      const query = parsed(route.query, request.query, '')
      const body = parsed(route.body, request.body, '')
      const fields = [...query.fields, ...body.fields]
      if (fields.length > 0) return sendProblem(response, { code: 'invalid-request', fields }, text)
      const controller = new AbortController()
      response.once('close', () => controller.abort())
      const result = await handle({ query: query.value, body: body.value, caller, signal: controller.signal }).catch((error: unknown) => {
        // The caller has disconnected.
        if (controller.signal.aborted) return null
        throw error
      })
      if (result === null) return
      if (!result.ok) return sendProblem(response, result.error, text)
      if (result.value instanceof Uint8Array) response.type('json').send(Buffer.from(result.value.buffer, result.value.byteOffset, result.value.byteLength))
      else response.json(result.value)
    }
    const unreadable: ErrorRequestHandler = (error: unknown, _request, response, next) => {
      const failure = unreadableBody(error)
      if (failure === null || response.headersSent) return next(error)
      sendProblem(response, failure, failureText(route, undefined))
    }
    const path = exactly(route.path)
    if (route.method === 'GET') app.get(path, enter, answer)
    else app.post(path, enter, express.json({ limit: route.bodyLimit ?? bodyLimit }), answer, unreadable)
  }
}

const failureText = ({ failure }: Route, body: unknown): string | undefined => (typeof failure === 'function' ? failure(body) : failure)

/** The caller of a request outside a contract: rejected if no one is signed in, or if the page or the query names another user. */
export const callerOf = async <Anyone, User>(admission: Admission<Anyone, User>, request: Request, response: Response): ReturnType<Admission<Anyone, User>['user']> => {
  const anyone = await admission.anyone(request, response)
  const caller = anyone.ok ? await signedIn(admission, anyone.value, request) : anyone
  return caller.ok && namesAnother(request.query, caller.value.userId) ? err({ code: 'not-this-user' }) : caller
}

/** A session's user, if the calling page was rendered for that user. */
const signedIn = async <Anyone, User>(admission: Admission<Anyone, User>, anyone: Anyone, request: Request): ReturnType<Admission<Anyone, User>['user']> => {
  const user = await admission.user(anyone)
  const drawnFor = request.get(pageUserHeader)
  return user.ok && drawnFor !== undefined && drawnFor !== user.value.userId ? err({ code: 'not-this-user' }) : user
}

type Admitted = { readonly caller: unknown; readonly userId: string | null }

const admit = async <Anyone, User>(route: Route, request: Request, response: Response, admission: Admission<Anyone, User>): Promise<Result<Admitted, Failure>> => {
  const anyone = await admission.anyone(request, response)
  if (!anyone.ok) return anyone
  if (route.access === 'none') return { ok: true, value: { caller: anyone.value, userId: null } }
  const user = await signedIn(admission, anyone.value, request)
  return user.ok ? { ok: true, value: { caller: user.value.user, userId: user.value.userId } } : user
}

// Match exactly the spec's path; Express would also match it in capitals and with a trailing slash.
const exactly = (path: string): RegExp => new RegExp(`^${path.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')}$`)

/** Whether an input names a user other than the signed-in one: at its top level, or in a record one level down. */
const namesAnother = (sent: unknown, userId: string): boolean => {
  if (typeof sent !== 'object' || sent === null) return false
  const named = [sent, ...Object.values(sent)].map((part: unknown) => (typeof part === 'object' && part !== null && 'userId' in part ? part.userId : undefined))
  return named.some((name) => name !== undefined && name !== userId)
}

type Fields = NonNullable<Failure['fields']>

/** Parses an input with a schema, or returns its invalid fields, with names that begin with `at`. */
export const readSent = <T extends z.core.$ZodType>(schema: T, sent: unknown, at = ''): Result<z.output<T>, Fields> => {
  const result = z.safeParse(schema, sent ?? {})
  return result.success ? ok(result.data) : err(result.error.issues.flatMap((issue) => fieldsOf(issue, at)))
}

const parsed = (schema: z.core.$ZodType | undefined, sent: unknown, at: string): { readonly value: unknown; readonly fields: Fields } => {
  if (schema === undefined) return { value: undefined, fields: [] }
  const result = readSent(schema, sent, at)
  return result.ok ? { value: result.value, fields: [] } : { value: undefined, fields: result.error }
}

const mostFields = 20

const fieldsOf = (issue: z.core.$ZodIssue, at: string): Fields => {
  const path = [at, ...issue.path.map(String)].filter((part) => part !== '').join('.')
  // Of a union, the branch that came closest says what is missing.
  const branches = issue.code === 'invalid_union' ? issue.errors.filter((branch) => branch.length > 0) : []
  const closest = branches.toSorted((one, other) => one.length - other.length)[0]
  if (closest !== undefined) return closest.flatMap((inner) => fieldsOf(inner, path)).slice(0, mostFields)
  return [{ path, message: issue.message }]
}

/** Why a body could not be read; null for any other error. */
export const unreadableBody = (error: unknown): Failure | null => {
  const { type, status, code } = (typeof error === 'object' && error !== null ? error : {}) as Readonly<Record<'type' | 'status' | 'code', unknown>>
  if (type === 'entity.too.large') return { code: 'body-too-large' }
  // A decompression error has no type of its own, only the code of the decompressor: zlib's, brotli's or another's.
  const why = type === undefined && typeof code === 'string' ? 'entity.unpack.failed' : type
  if (typeof why === 'string' && typeof status === 'number' && status < 500) return { code: 'invalid-request', fields: [{ path: '', message: why }] }
  return null
}
