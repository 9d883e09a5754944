/**
 * The longest wait granted to the broker, in milliseconds, also used if it names none: an earlier try would only be
 * refused again, and without a limit a typo of the broker could stop syncing for weeks.
 */
export const longestWaitMs = 3_600_000
