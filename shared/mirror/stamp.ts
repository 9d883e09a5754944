import { z } from 'zod'
import type { Brand } from '#shared/base/brand.ts'

/**
 * When the user last changed a field, on a hybrid logical clock: UTC milliseconds, a counter, and the device,
 * `001795000000000-00000-3fa91c20`. Stamps compare as text. A device that has seen a stamp only makes later ones,
 * however wrong its clock is.
 */
export type Stamp = Brand<string, 'Stamp'>

const shape = /^(\d{15})-(\d{5})-([0-9a-f]{8})$/
const mostAtOnce = 99_999

/** The milliseconds of a stamp. */
export const stampedAt = (stamp: string): number => Number(shape.exec(stamp)?.[1] ?? 0)

const year = 366 * 86_400_000
// The year 3000: no clock is that wrong.
const endOfStamps = 32_503_680_000_000

/** A stamp in API input. */
export const stampText = z.string().regex(shape).refine((text) => stampedAt(text) < endOfStamps).transform((text) => text as Stamp)

/** Whether a stamp advances the clock of a computer that sees it. Those of the last year before the end do not: a clock there could not make later stamps that others accept. */
export const movesClock = (stamp: Stamp): boolean => stampedAt(stamp) < endOfStamps - year

/** Before every stamp: for fields that were never changed. */
export const neverStamped = `${'0'.repeat(15)}-00000-00000000` as Stamp

const stampOf = (ms: number, count: number, device: string): Stamp => `${String(ms).padStart(15, '0')}-${String(count).padStart(5, '0')}-${device}` as Stamp

/** The next stamp of `device` (eight hexadecimal digits) after `latest`, the latest that it made or saw; `now` is UTC ms and may be before that. */
export const nextStamp = (latest: Stamp, now: number, device: string): Stamp => {
  const [, ms, count] = shape.exec(latest) ?? []
  const [latestMs, latestCount] = [Number(ms), Number(count)]
  if (now > latestMs) return stampOf(now, 0, device)
  return latestCount < mostAtOnce ? stampOf(latestMs, latestCount + 1, device) : stampOf(latestMs + 1, 0, device)
}

/** The later of two stamps. */
export const laterStamp = (one: Stamp, other: Stamp): Stamp => (one < other ? other : one)
