import type { MessagePort } from 'node:worker_threads'
import { storeFault } from './fault.ts'
import type { AnswerMessage, CallMessage } from './journal-client.ts'
import { sqliteFault } from './sqlite-fault.ts'

type Functions = Readonly<Record<string, (input: never) => unknown>>

/** Answers calls over ports, and can wait until all that were begun are answered. */
export type JournalServer = { readonly serve: (port: MessagePort) => void; readonly finish: () => Promise<void> }

/** Makes functions callable; what they throw arrives as a code. */
export const journalServer = (functions: Functions): JournalServer => {
  const running = new Set<Promise<void>>()
  let open = true

  const answer = async (port: MessagePort, { id, name, input }: CallMessage): Promise<void> => {
    try {
      const called = Object.hasOwn(functions, name) ? functions[name] : undefined
      if (called === undefined) throw storeFault('internal', `The journal has no function ${name}`)
      if (!open) throw storeFault('journal-closed', 'The journal is closing')
      const value = await called(input as never)
      // Bytes that fill their buffer change hands instead of being copied.
      const bytes = value instanceof Uint8Array && value.buffer instanceof ArrayBuffer && value.byteLength === value.buffer.byteLength ? [value.buffer] : []
      port.postMessage({ id, ok: true, value } satisfies AnswerMessage, bytes)
    } catch (error) {
      const { code, message } = sqliteFault(error)
      port.postMessage({ id, ok: false, code, message } satisfies AnswerMessage)
    }
  }
  return {
    serve: (port) => {
      port.on('message', (call: CallMessage) => {
        const answering = answer(port, call)
        running.add(answering)
        void answering.finally(() => running.delete(answering))
      })
    },
    finish: async () => {
      open = false
      await Promise.all(running)
    },
  }
}
