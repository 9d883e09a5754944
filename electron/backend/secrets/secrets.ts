/** Where secrets are: the operating system's keychain, or an encrypted file beside the journal. The user sees which. */
export type SecretsKind = 'keychain' | 'file'

/** Small texts that must not lie about in the open. Values never reach a log. */
export type Secrets = {
  readonly kind: SecretsKind
  /** The value, or null where there is none. */
  readonly get: (name: string) => Promise<string | null>
  /** Kept safely when the promise resolves; replaces what was there. */
  readonly set: (name: string, value: string) => Promise<void>
  /** Gone when the promise resolves; no error where there was nothing. */
  readonly remove: (name: string) => Promise<void>
}
