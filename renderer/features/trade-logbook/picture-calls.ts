import { ApiFailure, failureOf } from '#renderer/lib/api.ts'
import { fetchAdmitted } from '#renderer/lib/browser-key.ts'
import { usePushed } from '#renderer/lib/events.ts'
import { largestPicture, picturePath } from '#shared/api/pictures.ts'
import type { ProblemCode } from '#shared/api/problems.ts'
import { pictureName } from '#shared/mirror/picture.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { z } from 'zod'

const keptAnswer = z.object({ success: z.literal(true), name: pictureName })

const refused = (status: number, code: ProblemCode): ApiFailure => new ApiFailure(status, { success: false, code, error: code })
const unreachable = (): never => {
  throw new ApiFailure(0, null)
}

const pictureUrl = (name: string): string => `${picturePath}?${new URLSearchParams({ name }).toString()}`

const keep = async (picture: Blob): Promise<string> => {
  if (picture.size > largestPicture) throw refused(413, 'picture-too-large')
  // A folder that was dropped looks like a file until it is read.
  const bytes = await picture.arrayBuffer().catch(() => { throw refused(400, 'picture-unreadable') })
  const answer = await fetchAdmitted(picturePath, { method: 'POST', headers: { 'content-type': 'application/octet-stream' }, body: bytes }).catch(unreachable)
  if (!answer.ok) throw await failureOf(answer)
  return keptAnswer.parse(await answer.json()).name
}

/** Stores a picture and returns its name; throws `ApiFailure`. One that is too large is not sent at all. */
export const useKeepPicture = (): ((picture: Blob) => Promise<string>) => {
  const client = useQueryClient()
  return async (picture) => {
    const name = await keep(picture)
    // It may have been missed until now.
    client.setQueryData<Blob>([picturePath, name], picture)
    return name
  }
}

/** The URL of a picture: null if it is not on this computer (the mirror may still bring it), undefined until that is known. */
export const usePicture = (name: string): { readonly address: string | null | undefined; readonly failure: Error | null } => {
  const { data, error, refetch } = useQuery<Blob | null>({
    queryKey: [picturePath, name],
    queryFn: async ({ signal }) => {
      const answer = await fetchAdmitted(pictureUrl(name), { signal }).catch((cause: unknown) => (signal.aborted ? Promise.reject(cause as Error) : unreachable()))
      if (answer.status === 404) return null
      if (!answer.ok) throw await failureOf(answer)
      return answer.blob()
    },
    // A picture never changes; a missing one may come at any time.
    staleTime: ({ state }) => (state.data ? Infinity : 0),
  })
  usePushed('journal-changed', () => {
    if (data === null) void refetch()
  })
  // An `img` element sends no browser key, so it gets the bytes.
  const [address, setAddress] = useState<string | null>()
  useEffect(() => {
    if (!data) return setAddress(data)
    const made = URL.createObjectURL(data)
    setAddress(made)
    return () => { URL.revokeObjectURL(made) }
  }, [data])
  return { address, failure: error }
}
