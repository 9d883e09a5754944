import { receiveMessageOnPort, type MessagePort } from 'node:worker_threads'
import { storeFault } from '../db/fault.ts'
import type { AnswerMessage, CallMessage } from './journal-client.ts'
import { sqliteFault } from '../db/sqlite-fault.ts'

type Functions = Readonly<Record<string, (input: never) => unknown>>

// So long a call takes where it went through a large part of the journal.
const longCallMs = 1_000

/** Answers calls over ports; `finish` takes no more and waits until all that were sent before are answered. From `refuseBut` on all functions but those named are refused with `damaged-database`. */
export type JournalServer = { readonly serve: (port: MessagePort) => void; readonly refuseBut: (names: readonly string[]) => void; readonly finish: () => Promise<void> }

/** Makes functions callable; what they throw arrives as a code, and so does what `before` each of them throws. */
export const journalServer = (functions: Functions, before: () => void = () => undefined): JournalServer => {
  const running = new Set<Promise<void>>()
  const ports: MessagePort[] = []
  let open = true
  let taken: ReadonlySet<string> | null = null

  const answer = async (port: MessagePort, { id, name, input }: CallMessage): Promise<void> => {
    const began = performance.now()
    try {
      const called = Object.hasOwn(functions, name) ? functions[name] : undefined
      if (called === undefined) throw storeFault('internal', `The journal has no function ${name}`)
      if (!open) throw storeFault('journal-closed', 'The journal is closing')
      if (taken?.has(name) === false) throw storeFault('damaged-database', 'The journal is damaged: nothing more is written to it')
      before()
      const value = await called(input as never)
      // Bytes that fill their buffer change hands instead of being copied.
      const bytes = value instanceof Uint8Array && value.buffer instanceof ArrayBuffer && value.byteLength === value.buffer.byteLength ? [value.buffer] : []
      port.postMessage({ id, ok: true, value } satisfies AnswerMessage, bytes)
    } catch (error) {
      const { code, message } = sqliteFault(error)
      port.postMessage({ id, ok: false, code, message } satisfies AnswerMessage)
    }
    // V8 would keep hundreds of megabytes of garbage until this thread next needs as much, which may be never.
    if (performance.now() - began > longCallMs) globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  }
  const take = (port: MessagePort, call: CallMessage): void => {
    const answering = answer(port, call)
    running.add(answering)
    void answering.finally(() => running.delete(answering))
  }
  return {
    serve: (port) => {
      ports.push(port)
      port.on('message', (call: CallMessage) => {
        take(port, call)
      })
    },
    refuseBut: (names) => {
      taken = new Set(names)
    },
    finish: async () => {
      // The order to finish came by another way, and may have overtaken calls.
      for (const port of ports) {
        for (let sent = receiveMessageOnPort(port); sent !== undefined; sent = receiveMessageOnPort(port)) take(port, sent.message as CallMessage)
      }
      open = false
      await Promise.all(running)
    },
  }
}
