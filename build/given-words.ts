import { parseArgs } from 'node:util'

/** The words that a script was given, `most` of them at most. Where there are more, or one is an option, it tells `usage` and ends the program with 2. */
export const givenWords = (usage: string, most: number): readonly string[] => {
  try {
    const { positionals } = parseArgs({ allowPositionals: true })
    if (positionals.length <= most) return positionals
  } catch (error) {
    if (error instanceof Error) console.error(error.message)
  }
  console.error(usage)
  process.exit(2)
}
