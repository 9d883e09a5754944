import { WebSocket } from 'ws'
import { z } from 'zod'
import { until } from './until.ts'

const messageSchema = z.union([
  z.looseObject({ s: z.number(), i: z.number(), d: z.unknown().optional() }),
  z.looseObject({ e: z.string(), d: z.unknown() }),
])
const propsSchema = z.object({ entityType: z.string(), eventType: z.string(), entity: z.looseObject({ id: z.number() }) })

/** One message of a frame `a[…]`: an answer or an event. */
export type PlainMessage = z.infer<typeof messageSchema>

/** A WebSocket client that knows nothing but the frames: it sends no heartbeats of its own. */
export type PlainSocket = {
  /** Every frame as it came. */
  readonly frames: string[]
  /** The messages of all frames, in their order. */
  readonly messages: () => PlainMessage[]
  /** The row changes in the order they came. */
  readonly changes: () => z.infer<typeof propsSchema>[]
  readonly send: (text: string) => void
  /** Sends a request under the next number, and gives all that was answered under it once the first answer is there. */
  readonly ask: (endpoint: string, query?: string, body?: unknown) => Promise<{ s: number; i: number; d?: unknown }>
  readonly answersTo: (i: number) => { s: number; i: number; d?: unknown }[]
  readonly ended: Promise<{ code: number; reason: string }>
  /** How the brokerage answered a connection that it did not take. */
  readonly refused: Promise<number>
  readonly pings: () => Promise<void>
  readonly close: () => void
}

/** Opens a WebSocket at once; everything that comes is kept. */
export const plainSocket = (url: string): PlainSocket => {
  const wire = new WebSocket(url)
  const frames: string[] = []
  let sent = 0
  wire.on('message', (data) => frames.push(String(data)))
  wire.on('error', () => undefined)
  const ended = new Promise<{ code: number; reason: string }>((resolve) => wire.on('close', (code, reason) => resolve({ code, reason: String(reason) })))
  const refused = new Promise<number>((resolve) => wire.on('unexpected-response', (_, answer) => {
    resolve(answer.statusCode ?? 0)
    wire.terminate()
  }))
  const opened = new Promise<void>((resolve) => wire.on('open', resolve))

  const messages = (): PlainMessage[] =>
    frames.filter((frame) => frame.startsWith('a')).flatMap((frame) => z.array(messageSchema).parse(JSON.parse(frame.slice(1))))
  const answersTo = (i: number) =>
    messages().flatMap((message) => ('s' in message && message['i'] === i ? [{ ...message, s: Number(message['s']), i }] : []))

  return {
    frames,
    messages,
    changes: () => messages().flatMap((message) => {
      const read = 'e' in message && message['e'] === 'props' ? propsSchema.safeParse(message.d) : null
      return read?.success === true ? [read.data] : []
    }),
    send: (text) => wire.send(text),
    ask: async (endpoint, query = '', body) => {
      await opened
      const i = sent
      sent += 1
      wire.send(`${endpoint}\n${i}\n${query}\n${typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body)}`)
      return until(() => answersTo(i)[0], `an answer to ${endpoint}`)
    },
    answersTo,
    ended,
    refused,
    pings: () => new Promise((resolve) => {
      wire.once('pong', () => resolve())
      wire.ping()
    }),
    close: () => wire.terminate(),
  }
}
