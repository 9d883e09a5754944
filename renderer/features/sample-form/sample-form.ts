import { z } from 'zod'

/** What the form holds while it is typed; `dob` is a calendar day, empty where none is given. */
export type SampleDraft = { readonly name: string; readonly email: string; readonly dob: string }

/** What a form without faults says. */
export type SampleValues = { readonly name: string; readonly email: string; readonly dob?: Date | undefined }

const fields = ['name', 'email', 'dob'] as const
/** A field of the form. */
export type SampleField = (typeof fields)[number]

// A day without a time is the midnight at its beginning, where the user is.
const dayOf = (text: string): Date | undefined => (text === '' ? undefined : new Date(`${text}T00:00`))

/** Reads a draft at `now` (UTC ms): its values, or the fields that are wrong, in their order. */
export const readSample = ({ name, email, dob }: SampleDraft, now: number): { readonly values: SampleValues } | { readonly wrong: readonly SampleField[] } => {
  const form = z.object({ name: z.string().min(2), email: z.email(), dob: z.date().min(new Date(now)).optional() })
  const read = form.safeParse({ name, email, dob: dayOf(dob) })
  if (read.success) return { values: read.data }
  return { wrong: fields.filter((field) => read.error.issues.some(({ path }) => path[0] === field)) }
}
