import { z } from 'zod'

/** A request on a socket: endpoint, request id, and parameters. */
export type SocketRequest = { readonly kind: 'request'; readonly endpoint: string; readonly id: number; readonly query: string; readonly body: string }

/** A frame from a client. */
type ClientFrame = { readonly kind: 'heartbeat' } | SocketRequest

/** One server message: a response or an event. */
export type ServerMessage =
  | { readonly s: number; readonly i: number; readonly d?: unknown }
  | { readonly e: string; readonly d: unknown }

/** The first frame of a socket: the client may now authorize. */
export const OPEN_FRAME = 'o'

/** Sent when the socket is idle. */
export const HEARTBEAT_FRAME = 'h'

/** Sent before the server closes a socket. */
export const GOODBYE_FRAME = 'c[3000,"Go away!"]'

const idSchema = z.string().regex(/^\d{1,9}$/).transform(Number)

/** Parses a client frame: `[]`, or endpoint, request id, query and body separated by line feeds; null for anything else. */
export const readFrame = (frame: string): ClientFrame | null => {
  if (frame === '[]') return { kind: 'heartbeat' }
  const [, endpoint, number, query, body] = /^([A-Za-z][\w/]*)\n([^\n]*)\n([^\n]*)\n([\s\S]*)$/.exec(frame) ?? []
  const id = idSchema.safeParse(number)
  if (endpoint === undefined || query === undefined || body === undefined || !id.success) return null
  return { kind: 'request', endpoint, id: id.data, query, body }
}

/** One frame with these messages in order. */
export const messagesFrame = (messages: readonly ServerMessage[]): string => `a${JSON.stringify(messages)}`
