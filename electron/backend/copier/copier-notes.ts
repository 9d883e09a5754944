import { createHash, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { z } from 'zod'
import { writeAtomically } from '../secrets/write-atomically.ts'

/** What the copier stores about this computer and its profiles, apart from groups. */
export type CopierNotes = {
  /** This computer's id, stable over restarts. A copied data folder gets another id on another computer. */
  readonly machine: string
  /** When the profile consented to live copying, ISO 8601; null if it has not. */
  readonly consentedAt: (userId: string) => string | null
  /** Stores a consent and returns its time; a first consent is never replaced. */
  readonly consent: (userId: string, now: number) => Promise<string>
  readonly forget: (userId: string) => Promise<void>
}

const kept = z.object({ id: z.string().min(16), consents: z.record(z.string(), z.iso.datetime()) })
type Kept = z.infer<typeof kept>

const readKept = async (file: string): Promise<Kept | null> => {
  try {
    return kept.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch {
    // A missing or damaged file only costs a one-minute lease and asking for consent again.
    return null
  }
}

/** Opens the notes file, or creates it. */
export const openCopierNotes = async (file: string): Promise<CopierNotes> => {
  const found = await readKept(file)
  let notes: Kept = found ?? { id: randomUUID(), consents: {} }
  let writing: Promise<void> = Promise.resolve()
  const write = (next: Kept): Promise<void> => {
    notes = next
    writing = writing.catch(() => undefined).then(() => writeAtomically(file, Buffer.from(`${JSON.stringify(notes)}\n`)))
    return writing
  }
  if (found === null) await write(notes)

  return {
    machine: createHash('sha256').update(`${notes.id} ${hostname()}`).digest('hex'),
    consentedAt: (userId) => notes.consents[userId] ?? null,
    consent: async (userId, now) => {
      const at = notes.consents[userId] ?? new Date(now).toISOString()
      await write({ ...notes, consents: { ...notes.consents, [userId]: at } })
      return at
    },
    forget: async (userId) => {
      const { [userId]: gone, ...consents } = notes.consents
      if (gone !== undefined) await write({ ...notes, consents })
    },
  }
}
