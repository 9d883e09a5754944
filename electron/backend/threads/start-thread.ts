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
  /** Whether it keeps the process alive, as it does at first. */
  readonly keepsAlive: (does: boolean) => void
}

/** Starts a thread; `body` is a file that calls `threadBody`. */
export const startThread = <T extends Functions>(body: URL, { name, data, transfer = [], main = {}, closed = threadEnded, resourceLimits = {} }: ThreadOptions): Thread<T> => {
  const worker = new Worker(body, { name, workerData: data, transferList: [...transfer], resourceLimits })
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  const failed = new Promise<unknown>((resolve) => worker.once('error', resolve))
  let log: Log | null = null
  const logCall: LogCall = { log: ({ level, fields, message }) => log?.[level](fields, message) }
  createServer({ ...main, ...logCall }).serve(worker)
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
        into.error({ thread: name, error }, 'thread failed')
        broken()
      })
    },
    exited,
    terminate: async () => void (await worker.terminate()),
    keepsAlive: (does) => (does ? worker.ref() : worker.unref()),
  }
}

type Call = (...input: never[]) => Promise<unknown>

/** A thread that starts when needed. */
export type LazyThread<Calls> = {
  /** The thread's calls, as if it had been running from the start. */
  readonly calls: Calls
  /** Starts it, unless it is running. */
  readonly begin: () => void
}

/**
 * Starts a thread with the first call that `atRest` cannot answer. Ending one that never started starts nothing, and
 * afterward its calls reject like those of an ended thread.
 */
export const lazyThread = <Calls extends Readonly<Record<string, Call>> & { readonly stop: (...input: never[]) => Promise<void> }>(start: () => Calls, atRest: Partial<Omit<Calls, 'stop'>> = {}): LazyThread<Calls> => {
  let thread: Calls | null = null
  let ended = false
  const running = (): Calls => {
    if (ended) throw threadEnded()
    return (thread ??= start())
  }
  const end = (): Promise<void> => {
    ended ||= thread === null
    return thread?.stop() ?? Promise.resolve()
  }
  const resting: Partial<Record<string, Call>> = atRest
  const call = (name: string) => async (...input: never[]): Promise<unknown> => {
    const rest = thread === null && !ended ? resting[name] : undefined
    return (rest ?? running()[name])?.(...input)
  }
  return {
    // Each name is a function of the thread. The proxy must not have a `then`, or it would be awaited like a promise.
    calls: new Proxy({}, { get: (_, name) => (typeof name !== 'string' || name === 'then' ? undefined : name === 'stop' ? end : call(name)) }) as Calls,
    begin: () => void running(),
  }
}

/** Runs single calls, each alone on a thread. */
export type Jobs<T extends Functions> = {
  /** Rejects once `gone` aborts, and ends its thread. What is in `transfer` is transferred. */
  readonly run: <Name extends keyof T & string>(name: Name, input: Parameters<T[Name]>[0], gone?: AbortSignal, transfer?: readonly Transferable[]) => Promise<Awaited<ReturnType<T[Name]>>>
  /** Ends running ones, and starts no more. */
  readonly close: () => Promise<void>
}

/** How long a thread waits for a next call: a start takes longer than most calls, and an idle thread keeps its memory. */
const idleMs = 20_000

/** Starts without one. A thread whose call succeeded takes the next one. `closed` creates the rejection of calls that are cut off. */
export const createJobs = <T extends Functions>(body: URL, name: string, closed: () => Error = threadEnded): Jobs<T> => {
  const threads = new Set<Thread<T>>()
  let idle: { readonly thread: Thread<T>; readonly timer: NodeJS.Timeout } | null = null
  let open = true

  const end = (thread: Thread<T>): Promise<void> => {
    threads.delete(thread)
    return thread.terminate()
  }
  const start = (): Thread<T> => {
    const thread = startThread<T>(body, { name, closed })
    threads.add(thread)
    void thread.exited.then(() => dismiss(thread))
    return thread
  }
  /** Ends the thread if it is idle. */
  const dismiss = (thread: Thread<T>): void => {
    if (idle?.thread !== thread) return
    idle = null
    void end(thread)
  }
  const take = (): Thread<T> => {
    if (idle === null) return start()
    const { thread, timer } = idle
    idle = null
    clearTimeout(timer)
    thread.keepsAlive(true)
    return thread
  }
  const leave = async (thread: Thread<T>): Promise<void> => {
    if (!open || idle !== null) return end(thread)
    idle = { thread, timer: setTimeout(dismiss, idleMs, thread).unref() }
    thread.keepsAlive(false)
  }
  return {
    run: async <Name extends keyof T & string>(call: Name, input: Parameters<T[Name]>[0], gone?: AbortSignal, transfer?: readonly Transferable[]): Promise<Awaited<ReturnType<T[Name]>>> => {
      gone?.throwIfAborted()
      if (!open) throw closed()
      const thread = take()
      const cut = (): void => void thread.terminate()
      gone?.addEventListener('abort', cut, { once: true })
      try {
        const answer = (await thread.ask(call, input, transfer)) as Awaited<ReturnType<T[Name]>>
        gone?.removeEventListener('abort', cut)
        // A signal that aborted together with the answer is ending the thread.
        await (gone?.aborted === true ? end(thread) : leave(thread))
        return answer
      } catch (error) {
        await end(thread)
        gone?.throwIfAborted()
        throw error
      } finally {
        gone?.removeEventListener('abort', cut)
      }
    },
    close: async () => {
      open = false
      await Promise.all([...threads].map(end))
    },
  }
}
