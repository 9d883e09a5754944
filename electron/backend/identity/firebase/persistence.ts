import type { Persistence } from 'firebase/auth'

/** Where one user's sign-in is kept: a small safe for secrets. */
export type SignInKeep = {
  readonly get: () => Promise<string | null>
  readonly set: (value: string) => Promise<void>
  readonly remove: () => Promise<void>
}

/**
 * A sign-in of the SDK kept in a safe instead of in a browser's storage. The SDK has no public way to say so in Node: it
 * wants a class that it makes itself, with the members that its persistence for React Native has. One class serves one user,
 * and the SDK keeps one value in it, so that its key says nothing more.
 */
export const keptIn = (keep: SignInKeep): Persistence =>
  class {
    static readonly type = 'LOCAL'
    readonly type = 'LOCAL'
    _isAvailable = (): Promise<boolean> => Promise.resolve(true)
    _set = (_key: string, value: unknown): Promise<void> => keep.set(JSON.stringify(value))
    _get = async (): Promise<unknown> => readable(await keep.get())
    _remove = (): Promise<void> => keep.remove()
    // No other program changes the sign-in behind the SDK's back.
    _addListener = (): void => undefined
    _removeListener = (): void => undefined
  }

/** A keep for somebody whom nobody knows yet: what is set stays in memory until `moveTo` names the safe it belongs in. In Node the SDK cannot change where it keeps a sign-in. */
export const keepInMemory = (): SignInKeep & { readonly moveTo: (safe: SignInKeep) => Promise<void> } => {
  let held: string | null = null
  let safe: SignInKeep | null = null
  return {
    get: () => safe?.get() ?? Promise.resolve(held),
    set: (value) => safe?.set(value) ?? Promise.resolve(void (held = value)),
    remove: () => safe?.remove() ?? Promise.resolve(void (held = null)),
    moveTo: async (found) => {
      safe = found
      if (held !== null) await found.set(held)
      held = null
    },
  }
}

const readable = (text: string | null): unknown => {
  try {
    return text === null ? null : (JSON.parse(text) as unknown)
  } catch {
    return null
  }
}
