import type { Result } from '#shared/base/result.ts'
import { unreachable } from '../cloud/failure.ts'
import type { CloudFailure } from '../cloud/failure.ts'
import type { MirrorParts } from './parts.ts'
import { fetchPictures, sendLacking } from './pictures.ts'
import { pull } from './pull.ts'
import { push } from './push.ts'

/** Pushes in a row that found the cloud ahead, although there was nothing new to pull. */
const mostMisunderstandings = 3

/** Synchronizes journal and mirror: pulls the cloud's changes, then pushes the outbox. If it fails midway, what was done stays done. */
export const makeEqual = async (parts: MirrorParts): Promise<Result<null, CloudFailure>> => {
  let misunderstandings = 0
  let cursor = -1
  for (;;) {
    const place = await pull(parts)
    if (!place.ok) return place
    // A failed picture does not hold back records.
    const sent = await sendLacking(parts, place.value.lacking)
    const pushed = await push(parts, place.value)
    if (!pushed.ok) return pushed
    if (pushed.value === 'drained') return sent.ok ? fetchPictures(parts) : sent
    // Another device was first, or a batch sent ahead arrived before its predecessor. That is fine as long as something new arrives.
    misunderstandings = place.value.cursor === cursor ? misunderstandings + 1 : 0
    cursor = place.value.cursor
    if (misunderstandings >= mostMisunderstandings) return { ok: false, error: unreachable('server') }
  }
}
