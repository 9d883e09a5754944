import { ok } from '#shared/base/result.ts'
import type { Result } from '#shared/base/result.ts'
import type { CloudFailure } from '../cloud/failure.ts'
import type { MirrorParts } from './parts.ts'

/** What the cloud holds of the user, in records of all kinds. */
export const rowsInCloud = async ({ cloud, signal }: Pick<MirrorParts, 'cloud' | 'signal'>): Promise<Result<number, CloudFailure>> => {
  const held = await cloud.journal(signal, 'counted')
  return held.ok ? ok(Object.values(held.value.rows ?? {}).reduce((sum, rows) => sum + rows, 0)) : held
}
