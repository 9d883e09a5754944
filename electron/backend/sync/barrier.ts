/** Moments of a run, in their order, at which a test may end the program. */
export type SyncBarrier = 'tokens-ready' | 'accounts-saved' | 'balances-saved' | 'fills-fetched' | 'contracts-saved' | 'fills-taken' | 'receipt-saved'

/** Called at each moment; outside of tests it does nothing. */
export type PassBarrier = (name: SyncBarrier) => void
