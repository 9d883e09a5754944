import { z } from 'zod'

/** One message within a frame. */
export type Message =
  /** The answer to the request with this id; `data` is plain text if `status` is not 200. Several may have the same id. */
  | { readonly kind: 'answer'; readonly id: number; readonly status: number; readonly data: unknown }
  | { readonly kind: 'event'; readonly name: string; readonly data: unknown }

/** A frame of the socket. */
export type Frame =
  | { readonly kind: 'open' }
  | { readonly kind: 'heartbeat' }
  | { readonly kind: 'messages'; readonly messages: readonly Message[] }
  | { readonly kind: 'close'; readonly code: number; readonly reason: string }
  | { readonly kind: 'unreadable' }

const closing = z.tuple([z.number(), z.string()]).rest(z.unknown())

/** The client's heartbeat. */
export const heartbeat = '[]'

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

// Some servers wrap each element in a JSON string again.
const messageOf = (element: unknown): Message | null => {
  const value = typeof element === 'string' ? parsed(element) : element
  if (typeof value !== 'object' || value === null) return null
  // Parsed by hand for speed: a leader's fill comes among a dozen of these, and every copy waits.
  const { e: name, i: id, s: status, d: data } = value as Readonly<Record<'e' | 'i' | 's' | 'd', unknown>>
  if (typeof name === 'string') return { kind: 'event', name, data }
  return Number.isInteger(id) && Number.isInteger(status) ? { kind: 'answer', id: id as number, status: status as number, data } : null
}

/** Parses a frame; messages of unknown shape are skipped. */
export const readFrame = (text: string): Frame => {
  if (text === 'o') return { kind: 'open' }
  if (text === 'h') return { kind: 'heartbeat' }
  const value = parsed(text.slice(1))
  if (text.startsWith('a') && Array.isArray(value)) return { kind: 'messages', messages: value.map(messageOf).filter((message) => message !== null) }
  if (text.startsWith('c')) {
    const { data } = closing.safeParse(value)
    return { kind: 'close', code: data?.[0] ?? 0, reason: data?.[1] ?? '' }
  }
  return { kind: 'unreadable' }
}

/** A request frame: endpoint without a leading slash, request id, URL query, and body. */
export const writeFrame = (endpoint: string, id: number, { query = '', body = '' }: { readonly query?: string; readonly body?: string } = {}): string => `${endpoint}\n${String(id)}\n${query}\n${body}`
