import type { FieldErrors, FieldValues, Resolver } from 'react-hook-form'
import { z } from 'zod'

/** Validates a form with a zod schema: submits the schema's output, and shows the first issue of a field as its error. */
export const resolverOf =
  <Given extends FieldValues, Read>(schema: z.core.$ZodType<Read, Given>): Resolver<Given, unknown, Read> =>
  (values) => {
    const read = z.safeParse(schema, values)
    if (read.success) return { values: read.data, errors: {} }
    const errors: Record<string, { type: string; message: string }> = {}
    for (const { path, code, message } of read.error.issues) errors[path.join('.')] ??= { type: code, message }
    return { values: {}, errors: errors as FieldErrors<Given> }
  }
