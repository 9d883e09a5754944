import { createHash } from 'node:crypto'
import { mkdir, open, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** The deleted accounts, listed outside the database: a restored dump does not know of them. */
export type DeletedList = {
  /** Adds a user; on disk when this resolves. */
  readonly add: (userId: string) => Promise<void>
  /** All users in the list. */
  readonly all: () => Promise<readonly string[]>
}

/** Without a file no one is listed. */
export const noDeletedList: DeletedList = { add: () => Promise.resolve(), all: () => Promise.resolve([]) }

const lineOf = (userId: string): string => `${checkOf(userId)} ${JSON.stringify(userId)}`
const checkOf = (userId: string): string => createHash('sha256').update(userId).digest('hex').slice(0, 8)

/** The user of a line; null for one that a power cut left incomplete. */
const userOf = (line: string): string | null => {
  try {
    const user: unknown = JSON.parse(line.slice(line.indexOf(' ')))
    return typeof user === 'string' && line === lineOf(user) ? user : null
  } catch {
    return null
  }
}

/** The list in a file of lines, which need not exist yet. Several instances may append at once. */
export const deletedListIn = (file: string): DeletedList => ({
  add: async (userId) => {
    await mkdir(dirname(file), { recursive: true })
    const list = await open(file, 'a', 0o600)
    try {
      // The leading line feed ends a line that a power cut left incomplete.
      await list.appendFile(`\n${lineOf(userId)}\n`)
      await list.sync()
    } finally {
      await list.close()
    }
  },
  all: async () => {
    const text = await readFile(file, 'utf8').catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
      throw error
    })
    return [...new Set(text.split('\n').flatMap((line) => userOf(line) ?? []))]
  },
})
