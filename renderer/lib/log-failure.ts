import { ApiFailure } from './api.ts'

/** Logs a failure that the user does not see to the browser's console: what failed and why, never any data. */
export const logFailure = (what: string, failure: unknown): void => {
  const reason = failure instanceof ApiFailure ? failure.code : failure instanceof Error ? failure.name : 'unknown'
  // oxlint-disable-next-line no-console -- Some failures are, by the product's rules, only logged.
  console.error(what, reason)
}
