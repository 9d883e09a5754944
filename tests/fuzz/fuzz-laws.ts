import { parse, stringify } from 'node:querystring'
import fc from 'fast-check'
import { expect } from 'vitest'
import { z } from 'zod'
import { problem, type ProblemCode } from '#shared/api/problems.ts'
import type { Route } from '#shared/api/route.ts'
import { casesOf, type Kind } from './schema-cases.ts'

/** The input of a call; a body of bytes is sent unchanged. */
export type Sent = { readonly query?: Record<string, unknown>; readonly body?: unknown }

/** A call that is tried, and with what it is right at the moment. */
export type Tried = {
  readonly name: string
  readonly route: Pick<Route, 'method' | 'path' | 'query' | 'body' | 'answer'>
  readonly right: Sent
  /** The same input with another user's ids everywhere, if it names any. */
  readonly naming?: Sent | null
  /** Why even the right call is refused here, where it is. */
  readonly exception?: { readonly why: string; readonly code: ProblemCode } | undefined
}

/** Who makes the calls, and what no answer to them may hold. */
type Host = {
  readonly origin: string
  /** Of whoever calls, asked before each call. */
  readonly headers: () => Promise<Record<string, string>>
  /** Of other users, of the program's insides. */
  readonly never: readonly string[]
  /** Called with each answer. */
  readonly answered?: (status: number) => void
}

// Longer than anything that is waited for on a busy machine, and shorter than any test.
const longestAnswerMs = 30_000
const insides = [/\bat \S+ \(\S*:\d+:\d+\)/, /node_modules/, /SQLITE_|SqliteError|ECONNREFUSED|\bENOENT\b/, /syntax error at or near|relation "|violates \w+ constraint/]

/** Sends one call and holds its answer to the laws: an answer in time, no failure of the program, nothing of others, and done only where it fits the contract. Gives its status, and why it was refused. */
const sendTried = async (host: Host, { name, route }: Pick<Tried, 'name' | 'route'>, sent: Sent): Promise<readonly [status: number, code: ProblemCode | null]> => {
  const { method, path } = route
  const search = stringify(Object.fromEntries(Object.entries(sent.query ?? {}).map(([key, value]) => [key, asQuery(value)])))
  const bytes = sent.body instanceof Uint8Array ? Uint8Array.from(sent.body) : null
  const text = bytes === null ? JSON.stringify(sent.body ?? {}) : `${String(bytes.length)} bytes`
  const answer = await fetch(`${host.origin}${path}${search === '' ? '' : `?${search}`}`, {
    method,
    redirect: 'manual',
    headers: { ...(method === 'POST' ? { 'content-type': bytes === null ? 'application/json' : 'application/octet-stream' } : {}), ...(await host.headers()) },
    ...(method === 'POST' ? { body: bytes ?? text } : {}),
    signal: AbortSignal.timeout(longestAnswerMs),
  })
  const returned = await answer.text()
  host.answered?.(answer.status)
  const about = `${name} ${search} ${text.slice(0, 600)} answered ${String(answer.status)} ${returned.slice(0, 400)}`
  for (const secret of host.never) expect(returned.includes(secret), `${secret} in ${about}`).toBe(false)
  for (const inside of insides) expect(inside.test(returned), about).toBe(false)
  if (answer.status >= 300) {
    const { code } = problem.parse(JSON.parse(returned), { error: () => about })
    expect(answer.status, about).toBeLessThan(500)
    return [answer.status, code]
  }
  const fits = (route.query === undefined || z.safeParse(route.query, parse(search)).success) && (route.body === undefined || method === 'GET' || z.safeParse(route.body, JSON.parse(text)).success)
  expect(fits, `${about}, though its schema refuses it`).toBe(true)
  if (route.answer instanceof z.core.$ZodType && answer.headers.get('content-type')?.includes('json') === true) {
    const read = z.safeParse(route.answer, JSON.parse(returned))
    expect(read.success ? [] : read.error.issues, about).toEqual([])
  }
  return [answer.status, null]
}

// A longer address is refused before any of the program sees it.
const asQuery = (value: unknown): string | readonly string[] => {
  const one = (part: unknown): string => (typeof part === 'string' ? part.toWellFormed() : (JSON.stringify(part) ?? '')).slice(0, 1_000)
  return Array.isArray(value) ? value.map(one) : one(value)
}

/** A file unchanged, with one byte changed, inserted or truncated there, and random bytes. */
const casesOfBytes = (file: Uint8Array): Readonly<Record<Kind, fc.Arbitrary<unknown>>> => ({
  fitting: fc.constant(file),
  nearly: fc.tuple(fc.nat(file.length - 1), fc.nat(255), fc.constantFrom('changed', 'put in', 'cut')).map(([at, byte, how]) => {
    const behind = how === 'cut' ? [] : [byte, ...file.subarray(how === 'changed' ? at + 1 : at)]
    return Uint8Array.from([...file.subarray(0, at), ...behind])
  }),
  hostile: fc.oneof(fc.uint8Array({ maxLength: 4_096 }), fc.uint8Array({ maxLength: 512 }).map((rest) => Uint8Array.from([...file.subarray(0, 64), ...rest]))),
})

/** Tries a call with valid input, with another user's ids, then so many times each with fitting, nearly fitting and hostile input. */
export const fuzzCall = async (host: Host, tried: Tried, runs: Readonly<Record<Kind, number>>): Promise<void> => {
  const { name, route, right, naming = null, exception } = tried
  const [status, code] = await sendTried(host, tried, right)
  expect([name, exception === undefined ? status : code]).toEqual([name, exception === undefined ? 200 : exception.code])
  const inQuery = route.method === 'GET' || (route.body === undefined && route.query !== undefined)
  const schema = (inQuery ? route.query : route.body) ?? z.object({})
  const file = right.body instanceof Uint8Array ? right.body : null
  const casesNear = ({ query, body }: Sent) => casesOf(schema, (inQuery ? query : body) ?? {})
  const send = async (value: unknown): Promise<void> => {
    const query = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : { value }
    await sendTried(host, tried, inQuery ? { ...right, query } : { ...right, body: value })
  }
  if (naming !== null) {
    await sendTried(host, tried, naming)
    await fc.assert(fc.asyncProperty(casesNear(naming).fitting, send), { numRuns: runs.fitting, endOnFailure: true })
  }
  const cases = file === null ? casesNear(right) : casesOfBytes(file)
  for (const kind of ['fitting', 'nearly', 'hostile'] as const) {
    // If no input is read, one case is enough.
    await fc.assert(fc.asyncProperty(cases[kind], send), { numRuns: file === null && route.query === undefined && route.body === undefined ? 1 : runs[kind], endOnFailure: true })
  }
}
