/** Moments of a run, in their order, at which a test may end the program. */
export type SyncBarrier = 'tokens-ready' | 'accounts-saved' | 'balances-saved' | 'fills-fetched' | 'contracts-saved' | 'fills-taken' | 'receipt-saved'

/** Called at each moment; outside of tests it does nothing. */
export type PassBarrier = (name: SyncBarrier) => void

/** Kills the whole program, as SIGKILL does, at the n-th passing of a barrier: `fills-taken` or `fills-taken:3`. Without a name it does nothing. */
export const killAtBarrier = <Name extends string = SyncBarrier>(killAt: string | undefined): ((name: Name) => void) => {
  const [target, count = '1'] = killAt?.split(':') ?? []
  let left = Number(count)
  return (name) => {
    if (name !== target) return
    left -= 1
    if (left === 0) process.kill(process.pid, 'SIGKILL')
  }
}
