import { get, set, type FieldErrors, type FieldValues, type Resolver } from 'react-hook-form'
import { z } from 'zod'

/** Validates a form with a zod schema: submits the schema's output, and shows the first issue of a field as its error. */
export const resolverOf =
  <Given extends FieldValues, Read>(schema: z.core.$ZodType<Read, Given>): Resolver<Given, unknown, Read> =>
  (values) => {
    const read = z.safeParse(schema, values)
    if (read.success) return { values: read.data, errors: {} }
    const errors: FieldErrors<Given> = {}
    for (const { path, code, message } of read.error.issues) {
      const field = path.join('.')
      if (get(errors, field) === undefined) set(errors, field, { type: code, message })
    }
    return { values: {}, errors }
  }
