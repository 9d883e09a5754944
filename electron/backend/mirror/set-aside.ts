import { mirrorRecord } from '#shared/mirror/record.ts'
import type { MirrorRecord } from '#shared/mirror/record.ts'
import type { CloudFailure } from '../cloud/failure.ts'
import type { MirrorParts } from './parts.ts'

/** Records as they went, the JSON of their array, and the last number of the outbox among them. */
type Refused = { readonly records: Uint8Array; readonly upTo: number }

/**
 * Sets those records of a refused batch aside that are not as both sides agreed, since the cloud will never take them.
 * False where there are none: then the refusal has another reason, and nothing is changed.
 */
export const setAside = async ({ userId, journal, log }: Pick<MirrorParts, 'userId' | 'journal' | 'log'>, { records, upTo }: Refused, failure: CloudFailure): Promise<boolean> => {
  if (failure.kind !== 'refused' || failure.code !== 'invalid-request') return false
  const sent = JSON.parse(new TextDecoder().decode(records)) as Pick<MirrorRecord, 'entity' | 'id'>[]
  const unagreed = sent.filter((record) => !mirrorRecord.safeParse(record).success)
  // An older cloud does not know this kind; it is sent again once a newer one is there.
  const wrong = unagreed.length > 0 ? unagreed : sent.filter(({ entity }) => entity === 'removal')
  if (wrong.length === 0) return false
  log.warn({ records: wrong.length, kinds: [...new Set(wrong.map(({ entity }) => entity))] }, 'Records that the cloud does not take were set aside')
  await journal.write.mirrorSetAside({ userId, records: wrong.map(({ entity, id }) => ({ entity, id })), upTo })
  return true
}
