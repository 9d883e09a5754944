import { parseArgs } from 'node:util'

/** The arguments of a script, at most `most`. If there are more, or one is an option, prints `usage` and ends the program with 2. */
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
