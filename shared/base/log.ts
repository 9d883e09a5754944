/** The fields of one log event: plain values, never a sentence. */
export type LogFields = Readonly<Record<string, unknown>>

/** A log. Its implementation keeps out tokens, secrets and personal data. */
export type Log = {
  readonly debug: (fields: LogFields, message: string) => void
  readonly info: (fields: LogFields, message: string) => void
  readonly warn: (fields: LogFields, message: string) => void
  readonly error: (fields: LogFields, message: string) => void
}
