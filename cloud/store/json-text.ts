const replacement = '\uFFFD'

/**
 * A value as JSON that PostgreSQL takes; where its JSON is known already, that is taken as it is if it will do. Its text
 * holds every character but two kinds that JSON can write: the null character and half a surrogate pair. Each becomes
 * `U+FFFD`; refused, one such letter in a note would hold up all that comes behind it.
 */
export const jsonText = (value: unknown, known?: string): string => {
  const json = known ?? JSON.stringify(value)
  // JSON writes both as an escape, and few texts have one.
  return /\\u(0000|d[89a-f])/i.test(json) ? JSON.stringify(value, (_name, part: unknown) => (typeof part === 'string' ? part.toWellFormed().replaceAll('\0', replacement) : part)) : json
}
