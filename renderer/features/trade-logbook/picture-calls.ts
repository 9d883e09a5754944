import { ApiFailure, failureOf } from '#renderer/lib/api.ts'
import { usePushed } from '#renderer/lib/events.ts'
import { largestPicture, picturePath } from '#shared/api/mirror.ts'
import type { ProblemCode } from '#shared/api/problems.ts'
import { pictureName } from '#shared/mirror/picture.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'

const keptAnswer = z.object({ success: z.literal(true), name: pictureName })

const refused = (status: number, code: ProblemCode): ApiFailure => new ApiFailure(status, { success: false, code, error: code })
const unreachable = (): never => {
  throw new ApiFailure(0, null)
}

/** The address of a picture. */
export const pictureUrl = (name: string): string => `${picturePath}?${new URLSearchParams({ name }).toString()}`

const keep = async (picture: Blob): Promise<string> => {
  if (picture.size > largestPicture) throw refused(413, 'picture-too-large')
  // A folder that was dropped looks like a file until it is read.
  const bytes = await picture.arrayBuffer().catch(() => { throw refused(400, 'picture-unreadable') })
  const answer = await fetch(picturePath, { method: 'POST', credentials: 'same-origin', headers: { 'content-type': 'application/octet-stream' }, body: bytes }).catch(unreachable)
  if (!answer.ok) throw await failureOf(answer)
  return keptAnswer.parse(await answer.json()).name
}

/** Keeps a picture and gives its name; throws `ApiFailure`. One that is too large is not sent at all. */
export const useKeepPicture = (): ((picture: Blob) => Promise<string>) => {
  const client = useQueryClient()
  return async (picture) => {
    const name = await keep(picture)
    // It may have been missed until now.
    client.setQueryData<boolean>([picturePath, name], true)
    return name
  }
}

/** Whether a picture lies on this computer; one that came by mirror may still be on its way. */
export const usePictureIsHere = (name: string): { readonly isHere: boolean | undefined; readonly failure: Error | null } => {
  const { data, error, refetch } = useQuery({
    queryKey: [picturePath, name],
    queryFn: async ({ signal }) => {
      const answer = await fetch(pictureUrl(name), { method: 'HEAD', credentials: 'same-origin', signal }).catch((cause: unknown) => (signal.aborted ? Promise.reject(cause as Error) : unreachable()))
      if (answer.status === 404) return false
      if (!answer.ok) throw await failureOf(answer)
      return true
    },
    // What is there stays; what is not may come at any time.
    staleTime: ({ state }) => (state.data === true ? Infinity : 0),
  })
  usePushed('journal-changed', () => {
    if (data === false) void refetch()
  })
  return { isHere: data, failure: error }
}
