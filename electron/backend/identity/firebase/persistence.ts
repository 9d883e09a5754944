import type { Persistence } from 'firebase/auth'

/** Secret storage for one user's sign-in. */
export type SignInStore = {
  readonly get: () => Promise<string | null>
  readonly set: (value: string) => Promise<void>
  readonly remove: () => Promise<void>
}

/**
 * Persists the SDK's sign-in in secret storage. The SDK has no public API for that in Node: it takes a class that it
 * instantiates itself, with the members of its React Native persistence. Each class serves one user, and the SDK stores
 * a single value in it, so the key is ignored.
 */
export const persistenceOf = (store: SignInStore): Persistence =>
  class {
    static readonly type = 'LOCAL'
    readonly type = 'LOCAL'
    _isAvailable = (): Promise<boolean> => Promise.resolve(true)
    _set = (_key: string, value: unknown): Promise<void> => store.set(JSON.stringify(value))
    _get = async (): Promise<unknown> => parsed(await store.get())
    _remove = (): Promise<void> => store.remove()
    // No other program changes the sign-in behind the SDK's back.
    _addListener = (): void => undefined
    _removeListener = (): void => undefined
  }

/** Holds a sign-in in memory until its user is known and `moveTo` names the store. In Node the SDK cannot change the persistence of a sign-in. */
export const signInInMemory = (): SignInStore & { readonly moveTo: (store: SignInStore) => Promise<void> } => {
  let held: string | null = null
  let store: SignInStore | null = null
  return {
    get: () => store?.get() ?? Promise.resolve(held),
    set: (value) => store?.set(value) ?? Promise.resolve(void (held = value)),
    remove: () => store?.remove() ?? Promise.resolve(void (held = null)),
    moveTo: async (target) => {
      store = target
      if (held !== null) await target.set(held)
      held = null
    },
  }
}

const parsed = (text: string | null): unknown => {
  try {
    return text === null ? null : (JSON.parse(text) as unknown)
  } catch {
    return null
  }
}
