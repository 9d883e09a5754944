/** Says one thing on stderr and ends the process. */
export const leave = (code: number, text: string): never => {
  process.stderr.write(`${text}\n`)
  process.exit(code)
}
