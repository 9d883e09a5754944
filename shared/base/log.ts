/** What is said about one event: plain values, never a sentence. */
export type LogFields = Readonly<Record<string, unknown>>

/** Where a room writes what happened. Whoever makes one promises that tokens, secrets and personal data do not get through. */
export type Log = {
  readonly debug: (fields: LogFields, message: string) => void
  readonly info: (fields: LogFields, message: string) => void
  readonly warn: (fields: LogFields, message: string) => void
  readonly error: (fields: LogFields, message: string) => void
}
