import { z } from 'zod'

/** A request on a socket: what is called, the number that its answer carries, and its parameters. */
export type SocketRequest = { readonly kind: 'request'; readonly endpoint: string; readonly id: number; readonly query: string; readonly body: string }

/** What a client sent. */
type ClientFrame = { readonly kind: 'heartbeat' } | SocketRequest

/** One thing that the server says: an answer, or an event. */
export type ServerMessage =
  | { readonly s: number; readonly i: number; readonly d?: unknown }
  | { readonly e: string; readonly d: unknown }

/** The first frame of a socket: now the client may authorise. */
export const OPEN_FRAME = 'o'

/** What is sent where there is nothing to say. */
export const HEARTBEAT_FRAME = 'h'

/** Says goodbye before the server closes a socket of its own accord. */
export const GOODBYE_FRAME = 'c[3000,"Go away!"]'

const idSchema = z.string().regex(/^\d{1,9}$/).transform(Number)

/** Reads a client's frame: `[]`, or endpoint, number, query and body with a line feed between them; null for anything else. */
export const readFrame = (frame: string): ClientFrame | null => {
  if (frame === '[]') return { kind: 'heartbeat' }
  const [, endpoint, number, query, body] = /^([A-Za-z][\w/]*)\n([^\n]*)\n([^\n]*)\n([\s\S]*)$/.exec(frame) ?? []
  const id = idSchema.safeParse(number)
  if (endpoint === undefined || query === undefined || body === undefined || !id.success) return null
  return { kind: 'request', endpoint, id: id.data, query, body }
}

/** One frame that carries these messages in their order. */
export const messagesFrame = (messages: readonly ServerMessage[]): string => `a${JSON.stringify(messages)}`
