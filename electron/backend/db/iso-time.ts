/** UTC ms as ISO 8601; what never happened stays null. */
export const isoTime = <T extends number | null>(time: T): T extends number ? string : null =>
  (time === null ? null : new Date(time).toISOString()) as T extends number ? string : null
