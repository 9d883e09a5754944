import { receiveMessageOnPort, type MessagePort, type Transferable, type Worker } from 'node:worker_threads'
import { storeFault, type StoreFaultCode } from '../db/fault.ts'

/** Functions callable from another thread, by name, each with at most one input. */
export type Functions = Readonly<Record<string, (input: never) => unknown>>

/** The same functions as another thread calls them: same input, the answer as a promise. */
export type Client<T extends Functions> = { readonly [Name in keyof T]: (...input: Parameters<T[Name]>) => Promise<Awaited<ReturnType<T[Name]>>> }

/** One end of a connection between two threads. Calls and answers may go both ways. */
type Channel = MessagePort | Worker

type Call = { readonly call: number; readonly name: string; readonly input: unknown }
type Reply = { readonly answer: number; readonly value: unknown } | { readonly answer: number; readonly failed: string; readonly code?: StoreFaultCode }
type Message = Call | Reply

/** The error of a call without an answer, because the other thread ended. */
export const threadEnded = (): Error => new Error('The thread ended')

/** Options of a server. */
export type Serving = {
  /** Runs before each call; throwing rejects the call. */
  readonly before?: (name: string) => void
  /** Converts an error to the code that is sent; without one only its message is sent. */
  readonly faultOf?: (error: unknown, input: unknown) => { readonly message: string; readonly code: StoreFaultCode }
  /** Runs after each answer, with the call's duration in ms. */
  readonly answered?: (ms: number) => void
  /** The rejection of calls after `finish`. */
  readonly closed?: () => Error
}

/** Answers calls over any number of lines; `finish` accepts no more and waits until all earlier ones are answered. */
export type Server = { readonly serve: (line: Channel) => void; readonly finish: () => Promise<void> }

// Bytes that fill their buffer are transferred instead of copied.
const moved = (value: unknown): readonly Transferable[] => (value instanceof Uint8Array && value.buffer instanceof ArrayBuffer && value.byteLength === value.buffer.byteLength ? [value.buffer] : [])

/** Serves functions to other threads. Calls start in the order in which they were sent. */
export const createServer = (functions: Functions, { before, faultOf, answered, closed = threadEnded }: Serving = {}): Server => {
  const running = new Set<Promise<void>>()
  const lines = new Set<Channel>()
  let open = true

  const failure = (call: number, error: unknown, input: unknown): Reply => {
    if (faultOf === undefined) return { answer: call, failed: error instanceof Error ? error.message : String(error) }
    const { message, code } = faultOf(error, input)
    return { answer: call, failed: message, code }
  }
  const answer = async (line: Channel, { call, name, input }: Call): Promise<void> => {
    const began = performance.now()
    try {
      const called = Object.hasOwn(functions, name) ? functions[name] : undefined
      if (called === undefined) throw new Error(`No such call: ${name}`)
      if (!open) throw closed()
      before?.(name)
      const value = await called(input as never)
      line.postMessage({ answer: call, value } satisfies Reply, moved(value))
    } catch (error) {
      line.postMessage(failure(call, error, input))
    }
    answered?.(performance.now() - began)
  }
  const take = (line: Channel, message: Message): void => {
    if (!('call' in message)) return
    const answering = answer(line, message)
    running.add(answering)
    void answering.finally(() => running.delete(answering))
  }
  return {
    serve: (line) => {
      lines.add(line)
      line.on('close', () => lines.delete(line))
      line.on('message', (message: Message) => take(line, message))
    },
    finish: async () => {
      // The call to finish came over another line, and may have overtaken calls.
      for (const line of lines) {
        if (!('close' in line)) continue
        for (let sent = receiveMessageOnPort(line); sent !== undefined; sent = receiveMessageOnPort(line)) take(line, sent.message as Message)
      }
      open = false
      await Promise.all(running)
    },
  }
}

/** Options of a client. */
export type ClientOptions = {
  /** The rejection of calls after the other thread ended. */
  readonly closed?: () => Error
  /** Whether the line keeps its thread alive while no call is pending. */
  readonly keepsAlive?: boolean
}

/** Makes one call by name; transfers what is in `transfer`. */
export type Ask = (name: string, input: unknown, transfer?: readonly Transferable[]) => Promise<unknown>

/** Calls over a line. When the other thread ends, pending calls reject, with its error if it died of one. */
export const asking = (line: Channel, { closed = threadEnded, keepsAlive = true }: ClientOptions = {}): Ask => {
  const waiting = new Map<number, { readonly resolve: (value: unknown) => void; readonly reject: (error: Error) => void }>()
  let count = 0
  let open = true
  // The error of a thread that died while no call was pending, for the next call.
  let unheard: Error | null = null
  line.on('message', (message: Message) => {
    if (!('answer' in message)) return
    const call = waiting.get(message.answer)
    waiting.delete(message.answer)
    if (!keepsAlive && waiting.size === 0) line.unref()
    if (!('failed' in message)) call?.resolve(message.value)
    else call?.reject(message.code === undefined ? new Error(message.failed) : storeFault(message.code, message.failed))
  })
  const end = (error: Error): void => {
    open = false
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  line.on('close', () => end(closed()))
  line.on('exit', () => end(closed()))
  line.on('error', (error: Error) => {
    if (waiting.size === 0) unheard = error
    end(error)
  })
  if (!keepsAlive) line.unref()
  return (name, input, transfer) =>
    new Promise((resolve, reject) => {
      if (!open) {
        reject(unheard ?? closed())
        unheard = null
        return
      }
      count += 1
      // First: an input that cannot be sent throws, and must not wait for an answer.
      line.postMessage({ call: count, name, input } satisfies Call, transfer)
      waiting.set(count, { resolve, reject })
      if (!keepsAlive) line.ref()
    })
}

/** The functions at the other end of a line, by name. */
export const clientOf = <T extends Functions>(ask: Ask): Client<T> =>
  new Proxy(Object.create(null) as Record<string, unknown>, {
    // Anything with a `then` is awaited like a promise: the proxy must not have one.
    get: (made, name) => (typeof name !== 'string' || name === 'then' ? undefined : (made[name] ??= (input: unknown) => ask(name, input))),
  }) as Client<T>

/** The functions that another thread serves at the other end of a line. */
export const connect = <T extends Functions>(line: Channel, options?: ClientOptions): Client<T> => clientOf<T>(asking(line, options))
