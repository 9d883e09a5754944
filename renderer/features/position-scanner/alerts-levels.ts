import { alertSettings } from '#shared/api/rules.ts'

/** The levels that are typed, `50, 80, 95`, in percent, each once and rising; null where they are none, or too many. */
export const readLevels = (typed: string): number[] | null => {
  const parts = typed.split(/[\s,;%]+/).filter((part) => part !== '')
  const read = alertSettings.shape.at.safeParse([...new Set(parts.map((part) => (/^\d+$/.test(part) ? Number(part) : Number.NaN)))].sort((one, other) => one - other))
  return read.success ? read.data : null
}
