import type { FieldErrors, FieldValues, Resolver } from 'react-hook-form'
import type { z } from 'zod'

/** Judges a form by a zod schema: what it gives is what is submitted, and the message of the first issue of a field is the error of that field. */
export const resolverOf =
  <Given extends FieldValues, Read>(schema: z.ZodType<Read, Given>): Resolver<Given, unknown, Read> =>
  (values) => {
    const read = schema.safeParse(values)
    if (read.success) return { values: read.data, errors: {} }
    const errors: Record<string, { type: string; message: string }> = {}
    for (const { path, code, message } of read.error.issues) errors[path.join('.')] ??= { type: code, message }
    return { values: {}, errors: errors as FieldErrors<Given> }
  }
