import { createHash } from 'node:crypto'
import { z } from 'zod'
import { err, ok } from '#shared/base/result.ts'
import type { Result } from '#shared/base/result.ts'
import { pictureName } from '#shared/mirror/picture.ts'
import { pictureContent } from '#shared/mirror/record.ts'
import type { CloudFailure } from '../cloud/failure.ts'
import type { MirrorParts } from './parts.ts'

// A quote within a text is escaped, so that only a record of this kind has these bytes.
const mark = Buffer.from('"entity":"picture"')
const picturesOf = z.array(z.unknown()).transform((records) =>
  records.flatMap((one) => z.object({ entity: z.literal('picture'), id: z.string(), content: pictureContent }).safeParse(one).data ?? []),
)

/** Whether a batch names pictures. */
export const namesPictures = (records: Uint8Array): boolean => Buffer.from(records.buffer, records.byteOffset, records.byteLength).includes(mark)

/** Sends the files of the pictures that a batch names, so that no computer hears of a picture before the cloud has it. */
export const sendPictures = async ({ userId, cloud, pictures, signal, log }: MirrorParts, records: Uint8Array): Promise<Result<null, CloudFailure>> => {
  if (!namesPictures(records)) return ok(null)
  for (const { id: name, content } of picturesOf.parse(JSON.parse(new TextDecoder().decode(records)))) {
    const file = await pictures.read(userId, name)
    if (file === null) {
      log.warn({ name }, 'A picture has no file that could be sent')
      continue
    }
    const sent = await cloud.upload({ name, type: content.type, bytes: file.content }, signal)
    if (!sent.ok && passes(sent.error)) return sent
    // One picture that the cloud does not take must not keep the journal from it.
    if (!sent.ok) log.warn({ name, failure: sent.error }, 'The cloud did not take a picture')
  }
  return ok(null)
}

/** Fetches the files of pictures that the journal knows and this computer lacks. One that the cloud lacks too is asked for again at the next turn. */
export const fetchPictures = async ({ userId, journal, cloud, pictures, signal, log, changed }: MirrorParts): Promise<Result<null, CloudFailure>> => {
  for (const { name } of await journal.read.pictures({ userId })) {
    if (signal.aborted) return err({ kind: 'aborted' })
    if (!pictureName.safeParse(name).success || (await pictures.has(userId, name))) continue
    const file = await cloud.download(name, signal)
    if (!file.ok && passes(file.error)) return file
    const whole = file.ok && name.startsWith(`${createHash('sha256').update(file.value).digest('hex')}.`)
    if (whole && (await pictures.keep(userId, file.value)).ok) changed()
    else log.debug({ name }, 'The cloud does not have a picture')
  }
  return ok(null)
}

/** Whether a failure concerns the cloud as a whole and not this one picture. */
const passes = (failure: CloudFailure): boolean => failure.kind !== 'refused' || failure.status === 401 || failure.status === 403 || failure.code === 'storage-full'
