import { ApiFailure, failureOf } from '#renderer/lib/api.ts'
import { queryOptions } from '@tanstack/react-query'

/** The packages that the program is made of, with their licences as SPDX expressions; `text` is the place of a package's words in `texts`. */
export type Licences = { readonly packages: readonly { readonly name: string; readonly version: string; readonly licence: string; readonly text: number }[]; readonly texts: readonly string[] }

/** Reads the licences that the build lays beside the page; they change with the program alone. */
export const licencesQuery = queryOptions({
  queryKey: ['licences'],
  staleTime: Infinity,
  queryFn: async ({ signal }): Promise<Licences> => {
    const answer = await fetch('/licences.json', { signal, headers: { accept: 'application/json' } }).catch((cause: unknown) => {
      if (signal.aborted) throw cause
      throw new ApiFailure(0, null)
    })
    if (!answer.ok) throw await failureOf(answer)
    return (await answer.json()) as Licences
  },
})
