/** An expected outcome as a value: `ok` with the result, or the reason for the failure. */
export type Result<T, E> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: E }

/** A successful outcome. */
export const ok = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value })

/** A failed outcome with its reason. */
export const err = <E>(error: E): { readonly ok: false; readonly error: E } => ({ ok: false, error })
