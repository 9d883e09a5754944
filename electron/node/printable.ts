// Controls and what nobody sees: by them a file could move the cursor, hide words or fill the clipboard.
const unseen = /[\p{C}\u2028\u2029]/gu

/** A text from a file or of a name, as a terminal shows it on one line and does not obey it. */
export const printable = (text: string): string => text.replaceAll(unseen, '\uFFFD')

/** The same for text that is lines. */
export const printableLines = (text: string): string => text.split('\n').map(printable).join('\n')

/** A value with every text in it printable. */
export const printableIn = <T>(value: T): T => {
  if (typeof value === 'string') return printable(value) as T
  if (Array.isArray(value)) return value.map(printableIn) as T
  return typeof value === 'object' && value !== null ? (Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, printableIn(inner)])) as T) : value
}
