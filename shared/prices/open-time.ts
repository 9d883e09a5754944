import { hasSession, sessionOf } from '#shared/market/session.ts'
import { isoDate } from '#shared/market/zone-clock.ts'
import type { Micros } from './tape.ts'

const millisecond = 1000
const minute = 60_000
const day = 24 * 60 * minute
const longestQuiet = 5 * minute
// Nothing that trades rests longer than over a weekend with a holiday at each end.
const longest = 7 * day

/** Whether more than five minutes of a session lie between two moments: what prints nothing for so long is not known whole. */
export const isHole = (from: Micros, to: Micros): boolean => {
  const [begin, end] = [from / millisecond, to / millisecond]
  if (end - begin <= longestQuiet) return false
  if (end - begin > longest) return true
  let open = 0
  for (let date = Math.floor(begin / day) - 1; date <= Math.floor(end / day) + 1; date += 1) {
    const name = isoDate(date)
    if (!hasSession(name)) continue
    const { opens, closes } = sessionOf(name)
    open += Math.max(0, Math.min(end, closes) - Math.max(begin, opens))
  }
  return open > longestQuiet
}
