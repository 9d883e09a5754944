/** The storage of secrets: the operating system's keychain, or an encrypted file beside the journal. The user can see which. */
export type SecretsKind = 'keychain' | 'file'

/** Small secret texts. Values never reach a log. */
export type Secrets = {
  readonly kind: SecretsKind
  /** The value, or null. */
  readonly get: (name: string) => Promise<string | null>
  /** Safely stored when the promise resolves; replaces an existing value. */
  readonly set: (name: string, value: string) => Promise<void>
  /** Deleted when the promise resolves; succeeds if there was none. */
  readonly remove: (name: string) => Promise<void>
}
