const replacement = '\uFFFD'

/**
 * A value as JSON that PostgreSQL takes. Its text holds every character but two kinds that JSON can write: the null
 * character and half a surrogate pair. Each becomes `U+FFFD`; refused, one such letter in a note would hold up all
 * that comes behind it.
 */
export const jsonText = (value: unknown): string => {
  const json = JSON.stringify(value)
  // JSON writes both as an escape, and few texts have one.
  return /\\u(0000|d[89a-f])/.test(json) ? JSON.stringify(value, (_name, part: unknown) => (typeof part === 'string' ? part.toWellFormed().replaceAll('\0', replacement) : part)) : json
}
