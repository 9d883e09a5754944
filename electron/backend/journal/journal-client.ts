import type { MessagePort } from 'node:worker_threads'
import { storeFault, type StoreFaultCode } from '../db/fault.ts'
import type { JournalCalls, JournalPorts, Remote } from './journal.ts'
import type { JournalReads } from './journal-reads.ts'

/** A call on its way to a thread of the journal. */
export type CallMessage = { readonly id: number; readonly name: string; readonly input: unknown }

/** What came of it. */
export type AnswerMessage =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly code: StoreFaultCode; readonly message: string }

type Waiting = { readonly resolve: (value: unknown) => void; readonly reject: (error: Error) => void }

const remote = <T extends Record<string, (input: never) => unknown>>(port: MessagePort): Remote<T> => {
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  let open = true
  port.on('message', (answer: AnswerMessage) => {
    const call = waiting.get(answer.id)
    waiting.delete(answer.id)
    if (waiting.size === 0) port.unref()
    if (answer.ok) call?.resolve(answer.value)
    else call?.reject(storeFault(answer.code, answer.message))
  })
  port.on('close', () => {
    open = false
    for (const { reject } of waiting.values()) reject(storeFault('journal-closed', 'The journal was closed before it answered'))
    waiting.clear()
  })
  // A journal that nobody waits for keeps no program alive.
  port.unref()
  const call = (name: string) => (input: unknown) =>
    new Promise((resolve, reject) => {
      if (!open) {
        reject(storeFault('journal-closed', 'The journal is closed'))
        return
      }
      lastId += 1
      waiting.set(lastId, { resolve, reject })
      port.ref()
      port.postMessage({ id: lastId, name, input } satisfies CallMessage)
    })
  // A promise is told by its `then`: the proxy must not look like one.
  return new Proxy({}, { get: (_, name) => (typeof name === 'string' && name !== 'then' ? call(name) : undefined) }) as Remote<T>
}

/** The journal's functions over ports that `Journal.port` gave, in whatever thread the ports were sent to. */
export const journalOver = ({ reader, writer }: JournalPorts): JournalCalls => ({ read: remote(reader), write: remote(writer) })

/** The journal's questions over one port to a thread that reads. */
export const readsOver = (reader: MessagePort): Remote<JournalReads> => remote(reader)
