import { createHash, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { z } from 'zod'
import { writeAtomically } from '../secrets/write-atomically.ts'

const kept = z.object({ id: z.string().min(16), consents: z.record(z.string(), z.iso.datetime()) })
type SavedNotes = z.infer<typeof kept>

const readKept = async (file: string): Promise<SavedNotes | null> => {
  try {
    return kept.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch {
    // A missing or damaged file only costs a one-minute lease and asking for consent again.
    return null
  }
}

/** What the copier stores about this computer and its profiles, apart from groups. */
export type CopierNotes = Awaited<ReturnType<typeof openCopierNotes>>

/** Opens the notes file, or creates it. */
export const openCopierNotes = async (file: string) => {
  const found = await readKept(file)
  let notes: SavedNotes = found ?? { id: randomUUID(), consents: {} }
  let writing: Promise<void> = Promise.resolve()
  const write = (next: SavedNotes): Promise<void> => {
    notes = next
    writing = writing.catch(() => undefined).then(() => writeAtomically(file, Buffer.from(`${JSON.stringify(notes)}\n`)))
    return writing
  }
  if (found === null) await write(notes)

  return {
    /** This computer's id, stable over restarts. A copied data folder gets another id on another computer. */
    machine: createHash('sha256').update(`${notes.id} ${hostname()}`).digest('hex'),
    /** When the profile consented to live copying, ISO 8601; null if it has not. */
    consentedAt: (userId: string): string | null => notes.consents[userId] ?? null,
    /** Saves a consent and returns its time; a first consent is never replaced. */
    consent: async (userId: string, now: number): Promise<string> => {
      const at = notes.consents[userId] ?? new Date(now).toISOString()
      await write({ ...notes, consents: { ...notes.consents, [userId]: at } })
      return at
    },
    forget: async (userId: string): Promise<void> => {
      const { [userId]: gone, ...consents } = notes.consents
      if (gone !== undefined) await write({ ...notes, consents })
    },
  }
}
