import { printableLines } from './printable.ts'

/** Prints a message on stderr and ends the process. */
export const leave = (code: number, text: string): never => {
  process.stderr.write(`${printableLines(text)}\n`)
  process.exit(code)
}
