import { createHash } from 'node:crypto'
import { bucketCount } from '#shared/api/mirror.ts'
import type { Proof } from './rows.ts'

const digits = 16

/** The hash of a journal's hashes, as the cloud stores it for each change. */
export const hashOf = ({ hashes }: Proof): string => createHash('md5').update(hashes).digest('hex')

/** The buckets in which two journals differ, all of them if one is unknown. */
export const differingBuckets = (one: string | null, other: string): readonly number[] => {
  const hashIn = (hashes: string, bucket: number): string => hashes.slice(bucket * digits, (bucket + 1) * digits)
  return Array.from({ length: bucketCount }, (_, bucket) => bucket).filter((bucket) => one === null || hashIn(one, bucket) !== hashIn(other, bucket))
}
