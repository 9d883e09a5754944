import { alertSettings } from '#shared/api/rules.ts'

/** The typed levels, `50, 80, 95`, in percent, distinct and ascending; null if invalid or too many. */
export const readLevels = (typed: string): number[] | null => {
  const parts = typed.split(/[\s,;%]+/).filter((part) => part !== '')
  const read = alertSettings.shape.at.safeParse([...new Set(parts.map((part) => (/^\d+$/.test(part) ? Number(part) : Number.NaN)))].sort((one, other) => one - other))
  return read.success ? read.data : null
}
