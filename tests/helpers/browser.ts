import { z } from 'zod'
import { problem } from '#shared/api/problems.ts'
import type { Problem } from '#shared/api/problems.ts'
import type { AnswerOf, BodyGiven, QueryGiven, Route } from '#shared/api/route.ts'
import { browserKeyHeader, sessionRoutes } from '#shared/api/session.ts'
import { eventsPath, pushed } from '#shared/api/sync.ts'
import type { Pushed } from '#shared/api/sync.ts'
import { rawRequest } from './raw-request.ts'
import type { RawAnswer } from './raw-request.ts'

type Given<R extends Route> = { readonly query?: QueryGiven<R>; readonly body?: BodyGiven<R> }

/** A browser as far as the API sees one: it keeps its cookie, and the key that the page keeps. */
export type Browser = {
  readonly origin: string
  readonly cookie: () => string
  readonly key: () => string
  /** The headers that the page sends with every call: both secrets, and where it comes from. */
  readonly own: () => Record<string, string>
  /** Calls a route and checks its answer against the contract; throws where the call fails. */
  readonly call: <R extends Route>(route: R, given?: Given<R>) => Promise<AnswerOf<R>>
  /** Calls a route that must fail, with whatever is given, and gives status and problem. */
  readonly fail: (route: Route, given?: { query?: Record<string, string | readonly string[]>; body?: unknown; headers?: Record<string, string> }) => Promise<Problem & { status: number }>
  readonly send: (path: string, given?: { method?: string; headers?: Record<string, string>; body?: string }) => Promise<RawAnswer>
  /** Signs up as a new profile and gives its user id and recovery code, which is empty where an identity provider knows the users. */
  readonly signUp: (email?: string, password?: string) => Promise<{ userId: string; recoveryCode: string }>
  /** Opens the stream of events; ends with `close`. */
  readonly events: () => Promise<EventStream>
}

/** What a browser sends with its calls, as it has to be called after a restart on another port. */
export const ownAt = (browser: Browser, { origin }: { readonly origin: string }): Record<string, string> => ({ ...browser.own(), cookie: browser.cookie().replace(/^fillbook-\d+/, `fillbook-${new URL(origin).port}`), origin })

/** Events as they arrive. */
export type EventStream = {
  /** The first event, past or to come, that fits; rejects when the stream ends before. */
  readonly next: <T extends Pushed['type']>(type: T) => Promise<Extract<Pushed, { type: T }>>
  readonly seen: readonly Pushed[]
  /** Resolves when the program ends the stream. */
  readonly ended: Promise<void>
  readonly close: () => void
}

/** Opens a launch address, as a first visit does. */
export const openBrowser = async (launchUrl: string): Promise<Browser> => {
  const { origin } = new URL(launchUrl)
  let cookie = ''
  let key = ''
  const own: Browser['own'] = () => ({ ...(cookie === '' ? {} : { cookie }), ...(key === '' ? {} : { [browserKeyHeader]: key }), origin })
  const send: Browser['send'] = async (path, given = {}) => {
    const answer = await rawRequest(`${origin}${path}`, { ...given, headers: { ...own(), ...given.headers } })
    const set = answer.headers['set-cookie']?.[0]?.split(';')[0]
    if (set !== undefined) cookie = set
    const brought = answer.headers[browserKeyHeader]
    if (typeof brought === 'string') key = brought
    return answer
  }
  const callRaw = (route: Route, { query, body, headers }: { query?: object | undefined; body?: unknown; headers?: Record<string, string> }): Promise<RawAnswer> => {
    const search = query === undefined ? '' : `?${new URLSearchParams(Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)]))).toString()}`
    const post = route.method === 'POST' ? { method: 'POST', body: JSON.stringify(body ?? {}) } : {}
    return send(`${route.path}${search}`, { ...post, headers: { ...(route.method === 'POST' ? { 'content-type': 'application/json' } : {}), ...headers } })
  }
  const call: Browser['call'] = async <R extends Route>(route: R, given: Given<R> = {}) => {
    const answer = await callRaw(route, given as { query?: object; body?: unknown })
    if (answer.status !== 200) throw new Error(`${route.path} answered ${String(answer.status)}: ${answer.body}`)
    const json: unknown = JSON.parse(answer.body)
    z.parse(route.answer, json)
    return json as AnswerOf<R>
  }
  await send(launchUrl.slice(origin.length))
  return {
    origin,
    cookie: () => cookie,
    key: () => key,
    own,
    send,
    call,
    fail: async (route, given = {}) => {
      const answer = await callRaw(route, given)
      return { ...problem.parse(JSON.parse(answer.body)), status: answer.status }
    },
    signUp: async (email = 'ann@example.com', password = 'correct horse') => {
      const { currentUser, recoveryCode } = await call(sessionRoutes.signUp, { body: { email, password, displayName: 'Ann' } })
      return { userId: currentUser.uid, recoveryCode: recoveryCode ?? '' }
    },
    events: () => openStream(`${origin}${eventsPath}`, own()),
  }
}

const openStream = async (url: string, headers: Record<string, string>): Promise<EventStream> => {
  const aborting = new AbortController()
  const answer = await fetch(url, { headers, signal: aborting.signal })
  if (!answer.ok || answer.body === null) throw new Error(`The events answered ${String(answer.status)}`)
  const seen: Pushed[] = []
  const waiting = new Set<() => void>()
  let over = false
  const tell = (): void => {
    for (const look of [...waiting]) look()
  }
  const read = async (body: AsyncIterable<Uint8Array>): Promise<void> => {
    const decoder = new TextDecoder()
    let text = ''
    try {
      for await (const part of body) {
        text += decoder.decode(part, { stream: true })
        const blocks = text.split('\n\n')
        text = blocks.pop() ?? ''
        for (const block of blocks) {
          const data = /^data: (.*)$/m.exec(block)?.[1]
          if (data !== undefined) seen.push(pushed.parse(JSON.parse(data)))
        }
        tell()
      }
    } catch (error) {
      if (!aborting.signal.aborted) throw error
    } finally {
      over = true
      tell()
    }
  }
  const ended = read(answer.body as unknown as AsyncIterable<Uint8Array>)
  return {
    seen,
    ended,
    close: () => aborting.abort(),
    next: (type) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = seen.find((event) => event.type === type)
          if (found === undefined && !over) return
          waiting.delete(look)
          if (found === undefined) reject(new Error(`The stream ended before ${type}`))
          else resolve(found as never)
        }
        waiting.add(look)
        look()
      }),
  }
}
