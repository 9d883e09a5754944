import { isoDate } from '#shared/market/zone-clock.ts'

const dayLength = 86_400_000

/** A UTC time (ms) as ISO 8601 with milliseconds: `2026-03-03T21:10:00.000Z`. */
export const isoMoment = (time: number): string => {
  const day = Math.floor(time / dayLength)
  const ofDay = time - day * dayLength
  const two = (value: number): string => String(Math.floor(value) % 60).padStart(2, '0')
  return `${isoDate(day)}T${String(Math.floor(ofDay / 3_600_000)).padStart(2, '0')}:${two(ofDay / 60_000)}:${two(ofDay / 1000)}.${String(ofDay % 1000).padStart(3, '0')}Z`
}
