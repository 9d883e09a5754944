type Call = (...input: never[]) => Promise<unknown>
type Calls = Readonly<Record<string, Call>> & { readonly stop: (...input: never[]) => Promise<void> }

/** A thread that runs once it is needed. */
export type Lazily<Thread> = {
  /** The thread's calls, as if it had run from the start. */
  readonly calls: Thread
  /** Begins it, if it does not run yet. */
  readonly begin: () => void
}

/**
 * Begins a thread with the first call that `atRest` can't answer in its place. Ending one that never began begins nothing,
 * and from then on its calls reject, as those of a thread that ended do.
 */
export const lazily = <Thread extends Calls>(start: () => Thread, atRest: Partial<Omit<Thread, 'stop'>> = {}): Lazily<Thread> => {
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
    // Each name is a function of the thread. A promise is recognized by its `then`, which this must not have.
    calls: new Proxy({}, { get: (_, name) => (typeof name !== 'string' || name === 'then' ? undefined : name === 'stop' ? end : call(name)) }) as Thread,
    begin: () => void running(),
  }
}
