import type { Environment } from './world.ts'

/** One HTTP request with its complete body. */
export type Call = {
  readonly method: string
  /** With its host's prefix and without its query: `/demo/v1/fill/list`. */
  readonly path: string
  /** The called API host; null for the consent page and the test controls. */
  readonly environment: Environment | null
  /** The path below the host: `/v1/fill/list`. */
  readonly below: string
  readonly query: URLSearchParams
  /** Fields of a form or of a JSON object; empty for any other body. */
  readonly body: Readonly<Record<string, unknown>>
  /** The parsed body if it is JSON of any shape. */
  readonly json: unknown
  readonly host: string
  readonly authorization: string | null
  readonly cookie: string
}

/** One HTTP response. */
export type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
}

const JSON_TYPE = 'application/json; charset=utf-8'

/** HTTP 200 with a value as JSON. */
export const json = (value: unknown): Answer => jsonBytes(Buffer.from(JSON.stringify(value)))

/** HTTP 200 with serialized JSON. */
export const jsonBytes = (body: Buffer): Answer => ({ status: 200, headers: { 'content-type': JSON_TYPE }, body })

/** A status with no body. */
export const empty = (status: number): Answer => ({ status, headers: {}, body: '' })

/** A status with a plain text, as the real broker refuses requests. */
export const text = (status: number, body: string): Answer => ({ status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body })

/** An HTML page. */
export const page = (status: number, body: string): Answer => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'", 'cache-control': 'no-store' },
  body,
})

/** Redirects the browser. */
export const redirect = (status: 303 | 307, location: string, headers: Record<string, string> = {}): Answer =>
  ({ status, headers: { location, ...headers }, body: '' })

/** The value of a text in JSON; undefined for any other text. */
export const jsonOf = (body: string): unknown => {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** Whether an answer's body is JSON. */
export const isJson = (answer: Answer): boolean => answer.headers['content-type'] === JSON_TYPE

/** The token of a bearer authorization, or null. */
export const bearerOf = (call: Call): string | null => /^Bearer (\S+)$/i.exec(call.authorization ?? '')?.[1] ?? null
