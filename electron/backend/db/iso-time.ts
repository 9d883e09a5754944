/** UTC ms as ISO 8601; null stays null. */
export const isoTime = <T extends number | null>(time: T): T extends number ? string : null =>
  (time === null ? null : new Date(time).toISOString()) as T extends number ? string : null
