import type { Response } from 'express'
import type { Pushed } from '#shared/api/sync.ts'
import type { Events } from '../events.ts'

const heartbeatMs = 20_000
const mostWaiting = 100

/**
 * Streams pushed events to one page until the page closes, its user signs out, or the program stops. A page that reads
 * too slowly gets the latest event of each kind, and is cut off if even that piles up.
 */
export const streamEvents = (events: Events, page: { readonly userId: string; readonly sessionId: string }, response: Response, stopped: AbortSignal): void => {
  let waiting: Pushed[] = []
  let full = false

  response.set({ 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' })
  response.flushHeaders()

  const write = (text: string): void => void (full = !response.write(text))
  const send = (event: Pushed): void => write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  const drain = (): void => {
    full = false
    while (!full && waiting.length > 0) {
      const next = waiting.shift()
      if (next !== undefined) send(next)
    }
  }
  const receive = (event: Pushed): void => {
    if (event.type === 'signed-out') {
      send(event)
      return end()
    }
    if (!full) return send(event)
    // Each end of a run and each alert counts; of all other events the latest includes the others.
    if (event.type !== 'sync-ended' && event.type !== 'rule-alert') waiting = waiting.filter(({ type }) => type !== event.type)
    waiting.push(event)
    if (waiting.length > mostWaiting) response.destroy()
  }

  const stopListening = events.listen({ ...page, receive })
  const heartbeat = setInterval(() => {
    if (!full) write(': still here\n\n')
  }, heartbeatMs)
  const end = (): void => {
    stopListening()
    clearInterval(heartbeat)
    stopped.removeEventListener('abort', end)
    response.end()
  }
  response.on('drain', drain)
  response.on('close', end)
  stopped.addEventListener('abort', end)
  if (stopped.aborted) end()
  else write(': open\n\n')
}
