import { createHash } from 'node:crypto'
import { z } from 'zod'
import { err, ok } from '#shared/base/result.ts'
import type { Result } from '#shared/base/result.ts'
import { pictureName } from '#shared/mirror/picture.ts'
import { pictureContent } from '#shared/mirror/record.ts'
import type { CloudFailure } from '../cloud/failure.ts'
import { backOffMs } from './back-off.ts'
import type { MirrorDeps } from './deps.ts'

// Quotes within text are escaped, so only a record of this kind contains these bytes.
const mark = Buffer.from('"entity":"picture"')
const picturesOf = z.array(z.unknown()).transform((records) =>
  records.flatMap((one) => z.object({ entity: z.literal('picture'), id: z.string(), content: pictureContent }).safeParse(one).data ?? []),
)

/** Whether a batch names pictures. */
export const namesPictures = (records: Uint8Array): boolean => Buffer.from(records.buffer, records.byteOffset, records.byteLength).includes(mark)

/** Sends the files of a batch's pictures first, so that no computer learns of a picture before the cloud has it. A refused one blocks nothing, and is retried. */
export const sendPictures = async (deps: MirrorDeps, records: Uint8Array): Promise<Result<null, CloudFailure>> => {
  if (!namesPictures(records)) return ok(null)
  for (const { id } of picturesOf.parse(JSON.parse(new TextDecoder().decode(records)))) {
    const sent = await sendPicture(deps, id)
    if (!sent.ok) return sent
  }
  return ok(null)
}

/** Sends pictures that the cloud lacks and this computer has, each after its pause. An older cloud does not report what it lacks: then those that it refused. */
export const sendLacking = async (deps: MirrorDeps, lacking: readonly string[] | undefined): Promise<Result<null, CloudFailure>> => {
  const { refused, signal } = deps
  // Another computer may have sent it.
  for (const name of refused.keys()) if (lacking?.includes(name) === false) refused.delete(name)
  for (const name of lacking ?? [...refused.keys()]) {
    if (signal.aborted) return err({ kind: 'aborted' })
    const sent = await sendPicture(deps, name)
    if (!sent.ok) return sent
  }
  return ok(null)
}

const sendPicture = async ({ userId, cloud, pictures, refused, signal, now, log }: MirrorDeps, name: string): Promise<Result<null, CloudFailure>> => {
  const before = refused.get(name)
  if (before !== undefined && before.nextTryAt > now()) return ok(null)
  const file = await pictures.read(userId, name)
  if (file === null) {
    log.debug({ name }, 'picture to send has no file on this computer')
    return ok(null)
  }
  const { content, type } = file
  const sent = await cloud.upload({ name, type, bytes: content }, signal)
  if (sent.ok) refused.delete(name)
  else if (passes(sent.error) || sent.error.kind !== 'refused') return sent
  else {
    const failures = (before?.failures ?? 0) + 1
    refused.set(name, { bytes: content.length, status: sent.error.status, failures, nextTryAt: now() + backOffMs('refused', failures, 1) })
    log.warn({ name, failure: sent.error }, 'cloud refused a picture')
  }
  return ok(null)
}

/** Downloads the files of pictures that the journal has and this computer lacks. If the cloud lacks one too, the next turn retries. */
export const fetchPictures = async ({ userId, journal, cloud, pictures, signal, log, changed }: MirrorDeps): Promise<Result<null, CloudFailure>> => {
  for (const { name } of await journal.read.pictures({ userId })) {
    if (signal.aborted) return err({ kind: 'aborted' })
    if (!pictureName.safeParse(name).success || (await pictures.has(userId, name))) continue
    const file = await cloud.download(name, signal)
    if (!file.ok && passes(file.error)) return file
    const whole = file.ok && name.startsWith(`${createHash('sha256').update(file.value).digest('hex')}.`)
    if (whole && (await pictures.keep(userId, file.value)).ok) changed()
    else log.debug({ name }, 'cloud does not have a picture')
  }
  return ok(null)
}

/** Whether a failure concerns the cloud as a whole and not only this picture. */
const passes = (failure: CloudFailure): boolean => failure.kind !== 'refused' || failure.status === 401 || failure.status === 403 || failure.code === 'storage-full'
