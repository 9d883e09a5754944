import { eventsPath, type Pushed } from '#shared/api/sync.ts'
import { useEffect, useEffectEvent } from 'react'
import { fetchAdmitted } from './browser-key.ts'

type Listener = (event: Pushed) => void

const listeners = new Set<Listener>()
const firstRetryMs = 3_000

// Pushed events are typed here and parsed only in tests, like answers. Positions are pushed several times a second, and parsing them took longer than showing them.
const receive = (data: string): void => {
  const event = JSON.parse(data) as Pushed
  for (const listener of listeners) listener(event)
}

const fieldOf = (block: string, name: string): string | null => new RegExp(`^${name}: ?(.*)$`, 'm').exec(block)?.[1] ?? null

/** Reads a stream of events to its end; rejects if the connection breaks. */
const readEvents = async (body: ReadableStream<Uint8Array<ArrayBuffer>>, retryIn: (ms: number) => void): Promise<void> => {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const blocks = (text + part.value).split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const retry = Number(fieldOf(block, 'retry') ?? '')
      if (retry > 0) retryIn(retry)
      const data = fieldOf(block, 'data')
      if (data !== null) receive(data)
    }
  }
}

/**
 * Opens the stream of pushed events for a signed-in user, reports every (re)connection through `onOpen` and a refusal
 * through `onRefused`, and returns a function that closes it. Not an `EventSource`, which cannot send the browser's
 * key.
 */
export const openEvents = (onOpen: () => void, onRefused: () => void): (() => void) => {
  const closing = new AbortController()
  const { signal } = closing
  let retryMs = firstRetryMs
  let timer: ReturnType<typeof setTimeout> | undefined
  const open = async (): Promise<void> => {
    const answer = await fetchAdmitted(eventsPath, { headers: { accept: 'text/event-stream' }, cache: 'no-store', signal }).catch(() => null)
    // A refusal lasts until a user signs in, and then the stream opens again.
    if (answer !== null && answer.status >= 400 && answer.status < 500) {
      onRefused()
      return
    }
    if (answer?.ok === true && answer.body !== null) {
      onOpen()
      await readEvents(answer.body, (ms) => (retryMs = ms)).catch(() => undefined)
    }
    if (!signal.aborted) timer = setTimeout(() => void open(), retryMs)
  }
  void open()
  return () => {
    clearTimeout(timer)
    closing.abort()
  }
}

/** Calls `handler` with every pushed event of one type while the component is mounted. */
export const usePushed = <T extends Pushed['type']>(type: T, handler: (event: Extract<Pushed, { type: T }>) => void): void => {
  const handle = useEffectEvent(handler)
  useEffect(() => {
    const listener: Listener = (event) => {
      if (event.type === type) handle(event as Extract<Pushed, { type: T }>)
    }
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  }, [type])
}
