import { Worker, type ResourceLimits, type Transferable } from 'node:worker_threads'
import type { Log } from '#shared/base/log.ts'
import { asking, clientOf, createServer, threadEnded, type Ask, type Client, type Functions } from './rpc.ts'
import type { LogCall } from './thread-body.ts'

/** Options of starting a thread. */
export type ThreadOptions = {
  /** For the log and debuggers. */
  readonly name: string
  /** The body's `data`; what is in `transfer` is transferred. */
  readonly data?: unknown
  readonly transfer?: readonly Transferable[]
  /** Functions here that it can call, besides the log. */
  readonly main?: Functions
  /** The rejection of its calls after it ended. */
  readonly closed?: () => Error
  readonly resourceLimits?: ResourceLimits
}

/** A thread from the outside. */
export type Thread<T extends Functions> = {
  /** Its functions. `stop` settles when it has ended. */
  readonly calls: Client<T> & { readonly stop: () => Promise<void> }
  /** One of these calls, with its transfers. */
  readonly ask: Ask
  /** Logs the error that ended the thread and calls `broken`, even if that already happened. */
  readonly watch: (log: Log, broken: () => void) => void
  /** Settles when it has ended. */
  readonly exited: Promise<void>
  /** Ends it immediately. */
  readonly terminate: () => Promise<void>
}

/** Starts a thread; `body` is a file that calls `threadBody`. */
export const startThread = <T extends Functions>(body: URL, { name, data, transfer = [], main = {}, closed = threadEnded, resourceLimits = {} }: ThreadOptions): Thread<T> => {
  const worker = new Worker(body, { name, workerData: data, transferList: [...transfer], resourceLimits })
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  const failed = new Promise<unknown>((resolve) => worker.once('error', resolve))
  let log: Log | null = null
  const said: LogCall = { log: ({ level, fields, message }) => log?.[level](fields, message) }
  createServer({ ...main, ...said }).serve(worker)
  const ask = asking(worker, { closed })
  const stop = async (): Promise<void> => {
    // A thread that died earlier has already reported why.
    await Promise.race([exited, ask('stop', null).catch((error: unknown) => log?.error({ thread: name, error }, 'thread stop failed'))])
    await exited
  }
  return {
    calls: Object.assign(clientOf<T>(ask), { stop }),
    ask,
    watch: (into, broken) => {
      log = into
      void failed.then((error) => {
        into.error({ thread: name, error }, 'A thread failed')
        broken()
      })
    },
    exited,
    terminate: async () => void (await worker.terminate()),
  }
}

/** Runs single calls, each on its own thread. */
export type Jobs<T extends Functions> = {
  /** Rejects once `gone` aborts, and ends its thread. What is in `transfer` is transferred. */
  readonly run: <Name extends keyof T & string>(name: Name, input: Parameters<T[Name]>[0], gone?: AbortSignal, transfer?: readonly Transferable[]) => Promise<Awaited<ReturnType<T[Name]>>>
  /** Ends running ones, and starts no more. */
  readonly close: () => Promise<void>
}

/** Starts without one. `closed` creates the rejection of calls that are cut off. */
export const createJobs = <T extends Functions>(body: URL, name: string, closed: () => Error = threadEnded): Jobs<T> => {
  const running = new Set<Thread<T>>()
  let open = true
  return {
    run: async <Name extends keyof T & string>(call: Name, input: Parameters<T[Name]>[0], gone?: AbortSignal, transfer?: readonly Transferable[]): Promise<Awaited<ReturnType<T[Name]>>> => {
      gone?.throwIfAborted()
      if (!open) throw closed()
      const thread = startThread<T>(body, { name, closed })
      const end = (): void => void thread.terminate()
      gone?.addEventListener('abort', end, { once: true })
      running.add(thread)
      try {
        return (await thread.ask(call, input, transfer)) as Awaited<ReturnType<T[Name]>>
      } catch (error) {
        gone?.throwIfAborted()
        throw error
      } finally {
        gone?.removeEventListener('abort', end)
        running.delete(thread)
        await thread.terminate()
      }
    },
    close: async () => {
      open = false
      await Promise.all([...running].map((thread) => thread.terminate()))
    },
  }
}
