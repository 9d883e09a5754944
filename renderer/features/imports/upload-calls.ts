import { ApiFailure, callApi, failureOf } from '#renderer/lib/api.ts'
import { fetchAdmitted } from '#renderer/lib/browser-key.ts'
import { importRoutes, largestUpload, uploadAnswer, uploadPath, type SentUpload } from '#shared/api/imports.ts'

/** Says of a file that cannot be read here, as of a folder that was dropped. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile'
}

/** Sends a file to be imported; throws `ApiFailure`, or `UnreadableFile`. One that is too large is not sent at all. */
export const sendFile = async (file: File, signal: AbortSignal): Promise<SentUpload> => {
  if (file.size > largestUpload) throw new ApiFailure(413, { success: false, code: 'upload-too-large', error: 'upload-too-large' })
  await file.slice(0, 1).arrayBuffer().catch(() => {
    throw new UnreadableFile()
  })
  const address = `${uploadPath}?${new URLSearchParams({ name: file.name }).toString()}`
  const answer = await fetchAdmitted(address, { method: 'POST', headers: { 'content-type': 'application/octet-stream' }, body: file, signal }).catch((cause: unknown) => {
    if (signal.aborted) throw cause
    throw new ApiFailure(0, null)
  })
  if (!answer.ok) throw await failureOf(answer)
  return uploadAnswer.parse(await answer.json()).upload
}

/** Deletes uploaded files; if that fails, the backend deletes them an hour later. */
export const dropSent = (ids: readonly string[]): void => {
  if (ids.length > 0) callApi(importRoutes.dropUploads, { body: { uploads: [...ids] } }).catch(() => undefined)
}

/** The same while the page goes, when no call is waited for any more. */
export const dropSentAtLast = (ids: readonly string[]): void => {
  if (ids.length === 0) return
  void fetchAdmitted(importRoutes.dropUploads.path, { method: 'POST', keepalive: true, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ uploads: ids }) })
}
