import { receiveMessageOnPort, type MessagePort, type Transferable, type Worker } from 'node:worker_threads'
import { storeFault, type StoreFaultCode } from '../db/fault.ts'

/** What can be called from another thread: functions by name, each of at most one input. */
export type Functions = Readonly<Record<string, (input: never) => unknown>>

/** The same functions as another thread calls them: the same input, the answer as a promise. */
export type Client<T extends Functions> = { readonly [Name in keyof T]: (...input: Parameters<T[Name]>) => Promise<Awaited<ReturnType<T[Name]>>> }

/** One end between two threads. Calls and answers may go both ways over it. */
type Line = MessagePort | Worker

type Call = { readonly call: number; readonly name: string; readonly input: unknown }
type Answer = { readonly answer: number; readonly value: unknown } | { readonly answer: number; readonly failed: string; readonly code?: StoreFaultCode }
type Message = Call | Answer

/** The error of a call that nobody answers, because the other thread ended. */
export const threadEnded = (): Error => new Error('The thread ended')

/** How a server answers. */
export type Serving = {
  /** Runs before each call; what it throws refuses the call. */
  readonly before?: (name: string) => void
  /** Gives what a call threw the code with which it crosses; without one only its message crosses. */
  readonly faultOf?: (error: unknown, input: unknown) => { readonly message: string; readonly code: StoreFaultCode }
  /** Runs after each answer, with how long the call took in ms. */
  readonly answered?: (ms: number) => void
  /** What calls are refused with after `finish`. */
  readonly closed?: () => Error
}

/** Answers calls over any number of lines; `finish` takes no more and waits until all that were sent before are answered. */
export type Server = { readonly serve: (line: Line) => void; readonly finish: () => Promise<void> }

// Bytes that fill their buffer change hands instead of being copied.
const moved = (value: unknown): readonly Transferable[] => (value instanceof Uint8Array && value.buffer instanceof ArrayBuffer && value.byteLength === value.buffer.byteLength ? [value.buffer] : [])

/** Makes functions callable from other threads. Calls begin in the order in which they were sent. */
export const createServer = (functions: Functions, { before, faultOf, answered, closed = threadEnded }: Serving = {}): Server => {
  const running = new Set<Promise<void>>()
  const lines: Line[] = []
  let open = true

  const failure = (call: number, error: unknown, input: unknown): Answer => {
    if (faultOf === undefined) return { answer: call, failed: error instanceof Error ? error.message : String(error) }
    const { message, code } = faultOf(error, input)
    return { answer: call, failed: message, code }
  }
  const answer = async (line: Line, { call, name, input }: Call): Promise<void> => {
    const began = performance.now()
    try {
      const called = Object.hasOwn(functions, name) ? functions[name] : undefined
      if (called === undefined) throw new Error(`No such call: ${name}`)
      if (!open) throw closed()
      before?.(name)
      const value = await called(input as never)
      line.postMessage({ answer: call, value } satisfies Answer, moved(value))
    } catch (error) {
      line.postMessage(failure(call, error, input))
    }
    answered?.(performance.now() - began)
  }
  const take = (line: Line, message: Message): void => {
    if (!('call' in message)) return
    const answering = answer(line, message)
    running.add(answering)
    void answering.finally(() => running.delete(answering))
  }
  return {
    serve: (line) => {
      lines.push(line)
      line.on('message', (message: Message) => take(line, message))
    },
    finish: async () => {
      // The order to finish came by another line, and may have overtaken calls.
      for (const line of lines) {
        if (!('close' in line)) continue
        for (let sent = receiveMessageOnPort(line); sent !== undefined; sent = receiveMessageOnPort(line)) take(line, sent.message as Message)
      }
      open = false
      await Promise.all(running)
    },
  }
}

/** How a client waits. */
export type ClientOptions = {
  /** What calls reject with once the other thread ended. */
  readonly closed?: () => Error
  /** Whether the line keeps its thread alive while no call waits. */
  readonly keepsAlive?: boolean
}

/** One call by its name; what is in `transfer` changes hands. */
export type Ask = (name: string, input: unknown, transfer?: readonly Transferable[]) => Promise<unknown>

/** Calls over a line. What is under way when the other thread ends is rejected, with its error if it died of one. */
export const asking = (line: Line, { closed = threadEnded, keepsAlive = true }: ClientOptions = {}): Ask => {
  const waiting = new Map<number, { readonly resolve: (value: unknown) => void; readonly reject: (error: Error) => void }>()
  let count = 0
  let open = true
  // Of a thread that died while nobody waited: the next call is told.
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
      // First: what cannot be sent throws, and must not wait for an answer.
      line.postMessage({ call: count, name, input } satisfies Call, transfer)
      waiting.set(count, { resolve, reject })
      if (!keepsAlive) line.ref()
    })
}

/** The functions at the other end of a line, by their names. */
export const clientOf = <T extends Functions>(ask: Ask): Client<T> =>
  new Proxy(Object.create(null) as Record<string, unknown>, {
    // Whatever has a `then` is awaited like a promise: the proxy must not have one.
    get: (made, name) => (typeof name !== 'string' || name === 'then' ? undefined : (made[name] ??= (input: unknown) => ask(name, input))),
  }) as Client<T>

/** The functions that another thread serves at the other end of a line. */
export const connect = <T extends Functions>(line: Line, options?: ClientOptions): Client<T> => clientOf<T>(asking(line, options))
