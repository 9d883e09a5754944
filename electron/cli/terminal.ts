// Control and invisible characters: with these a file could move the cursor, hide text or fill the clipboard.
const unseen = /[\p{C}\u2028\u2029]/gu

/** A text from a file, or a name, made safe for one line of a terminal. */
export const printable = (text: string): string => text.replaceAll(unseen, '\uFFFD')

/** The same for text of several lines. */
export const printableLines = (text: string): string => text.split('\n').map(printable).join('\n')

/** A value with every text in it made safe. */
export const printableIn = <T>(value: T): T => {
  if (typeof value === 'string') return printable(value) as T
  if (Array.isArray(value)) return value.map(printableIn) as T
  return typeof value === 'object' && value !== null ? (Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, printableIn(inner)])) as T) : value
}

/** Prints a message on stderr and ends the process. */
export const leave = (code: number, text: string): never => {
  process.stderr.write(`${printableLines(text)}\n`)
  process.exit(code)
}
