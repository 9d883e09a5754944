import { Worker, type ResourceLimits, type Transferable } from 'node:worker_threads'
import type { Log } from '#shared/base/log.ts'
import { asking, clientOf, createServer, threadEnded, type Ask, type Client, type Functions } from './rpc.ts'
import type { LogCall } from './thread-body.ts'

/** What a thread is started with. */
export type ThreadOptions = {
  /** By which the log and debuggers know it. */
  readonly name: string
  /** What its body finds as `data`; what is in `transfer` changes hands. */
  readonly data?: unknown
  readonly transfer?: readonly Transferable[]
  /** What it can call here, beside the log. */
  readonly main?: Functions
  /** What its calls reject with once it ended. */
  readonly closed?: () => Error
  readonly resourceLimits?: ResourceLimits
}

/** A thread seen from outside. */
export type Thread<T extends Functions> = {
  /** What it serves. `stop` settles when it has ended. */
  readonly calls: Client<T> & { readonly stop: () => Promise<void> }
  /** One of these calls, with what changes hands. */
  readonly ask: Ask
  /** Logs the error that ended the thread and calls `broken`, even if that already happened. */
  readonly watch: (log: Log, broken: () => void) => void
  /** Settles when it has ended. */
  readonly exited: Promise<void>
  /** Ends it wherever it is. */
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
    // A thread that died before has said why.
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

/** Runs single calls, each on a thread of its own that lives for it. */
export type Jobs<T extends Functions> = {
  /** Rejects once `gone` aborts, and its thread is ended. What is in `transfer` changes hands. */
  readonly run: <Name extends keyof T & string>(name: Name, input: Parameters<T[Name]>[0], gone?: AbortSignal, transfer?: readonly Transferable[]) => Promise<Awaited<ReturnType<T[Name]>>>
  /** Ends those that are under way, and begins none any more. */
  readonly close: () => Promise<void>
}

/** Begins with none. `closed` makes what a call rejects with that is cut off. */
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
