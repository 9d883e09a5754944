type Call = (...input: never[]) => Promise<unknown>
type Calls = Readonly<Record<string, Call>> & { readonly stop: (...input: never[]) => Promise<void> }

/** A thread that starts when needed. */
export type LazyThread<Thread> = {
  /** The thread's calls, as if it had been running from the start. */
  readonly calls: Thread
  /** Starts it, unless it is running. */
  readonly begin: () => void
}

/**
 * Starts a thread with the first call that `atRest` cannot answer. Ending one that never started starts nothing, and
 * afterward its calls reject like those of an ended thread.
 */
export const lazyThread = <Thread extends Calls>(start: () => Thread, atRest: Partial<Omit<Thread, 'stop'>> = {}): LazyThread<Thread> => {
  let thread: Thread | null = null
  let ended = false
  const running = (): Thread => {
    if (ended) throw new Error('The thread ended')
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
    calls: new Proxy({}, { get: (_, name) => (typeof name !== 'string' || name === 'then' ? undefined : name === 'stop' ? end : call(name)) }) as Thread,
    begin: () => void running(),
  }
}
