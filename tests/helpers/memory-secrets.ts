import type { Secrets } from '#backend/secrets/secrets.ts'

/** A keychain in memory; `values` are what it holds. */
export const memorySecrets = (): Secrets & { readonly values: Map<string, string> } => {
  const values = new Map<string, string>()
  return {
    kind: 'keychain',
    values,
    get: (name) => Promise.resolve(values.get(name) ?? null),
    set: (name, value) => Promise.resolve(void values.set(name, value)),
    remove: (name) => Promise.resolve(void values.delete(name)),
  }
}
