/** Why the journal cannot be opened or a call failed, if the caller can do something about it. */
export type StoreFaultCode = 'newer-database' | 'damaged-database' | 'lost-journal' | 'two-names' | 'journal-moved' | 'migration-changed' | 'not-found' | 'no-profile' | 'out-of-range' | 'disk-full' | 'disk-failed' | 'unwritable' | 'busy' | 'journal-closed' | 'internal'

/** An error of the store: a code, and details for the log; never a user's data. */
export type StoreFault = Error & { readonly code: StoreFaultCode; /** The file that it is about, where that is not the journal. */ readonly file?: string }

const name = 'StoreFault'

/** Creates the error for a code. */
export const storeFault = (code: StoreFaultCode, message: string, cause?: unknown): StoreFault =>
  Object.assign(new Error(message, cause === undefined ? undefined : { cause }), { name, code })

/** Whether an error is the store's own. */
export const isStoreFault = (error: unknown): error is StoreFault => error instanceof Error && error.name === name && 'code' in error
