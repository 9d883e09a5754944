/** Why the journal can't be opened or a call failed, where the caller can do something about it. */
export type StoreFaultCode = 'newer-database' | 'damaged-database' | 'lost-journal' | 'two-names' | 'journal-moved' | 'migration-changed' | 'not-found' | 'no-profile' | 'out-of-range' | 'disk-full' | 'disk-failed' | 'unwritable' | 'busy' | 'journal-closed' | 'internal'

/** An error of the store: a code, and for the log what it was about; never a user's data. */
export type StoreFault = Error & { readonly code: StoreFaultCode; /** The file that it is about, where that is not the journal. */ readonly file?: string }

const name = 'StoreFault'

/** Makes the error that carries a code. */
export const storeFault = (code: StoreFaultCode, message: string, cause?: unknown): StoreFault =>
  Object.assign(new Error(message, cause === undefined ? undefined : { cause }), { name, code })

/** Tells the store's own errors from others. */
export const isStoreFault = (error: unknown): error is StoreFault => error instanceof Error && error.name === name && 'code' in error
