import { dayOfCalendar } from '#shared/market/zone-clock.ts'
import type { Name, Read, SaidDay } from './marks.ts'
import { beginsHere, endsHere, isSign, type Token } from './text-tokens.ts'

const months = ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december']
const monthWords: ReadonlyMap<string, number> = new Map([...months.flatMap((name, index): [string, number][] => [[name, index + 1], [name.slice(0, 3), index + 1]]), ['sept', 9]])
const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
const weekdayWords: ReadonlyMap<string, number> = new Map([
  ...weekdays.flatMap((name, index): [string, number][] => [[name, index + 1], [`${name}s`, index + 1], [name.slice(0, 3), index + 1]]),
  ...(['tues', 'weds', 'thur', 'thurs'] as const).map((word): [string, number] => [word, weekdays.findIndex((name) => name.startsWith(word.slice(0, 3))) + 1]),
])
// In small letters these are other words.
const capitalOnly = new Set(['may', 'march', 'mar', 'sat', 'sun', 'wed', 'dec', 'jan'])
const ordinals = new Set(['st', 'nd', 'rd', 'th'])

/** Reads a date that names a day, or the first and last day of a period: `2026-03-03`, `Mar 3`, `3rd of March 2026`, `3/3`; a month stands before its day. */
export const readDay = (tokens: readonly Token[], at: number): Read<Name> | null => {
  const day = readSaidDay(tokens, at)
  if (day === null) return null
  return readPeriod(tokens, day) ?? (endsHere(tokens, day.next) ? { found: { field: 'day', value: day.found }, next: day.next } : null)
}

/** Reads a month or a year alone: `March 2026`, `in 2026`. */
export const readMonth = (tokens: readonly Token[], at: number): Read<Name> | null => {
  const month = monthAt(tokens, at)
  if (month !== null) {
    const next = month.next
    const year = yearAt(tokens, next)
    return { found: { field: 'month', value: { year: year?.found ?? null, month: month.found } }, next: year?.next ?? next }
  }
  const before = tokens[at - 1]
  const year = before?.kind === 'word' && ['in', 'of', 'during', 'year'].includes(before.text) && beginsHere(tokens, at) ? yearAt(tokens, at) : null
  return year === null ? null : { found: { field: 'year', value: year.found }, next: year.next }
}

/** Reads a weekday, of one or of many: `Tuesday`, `Tuesdays`, `Tue`. */
export const readWeekday = (tokens: readonly Token[], at: number): Read<Name> | null => {
  const token = tokens[at]
  const weekday = token?.kind === 'word' ? weekdayWords.get(token.text) : undefined
  if (token === undefined || weekday === undefined || (capitalOnly.has(token.text) && token.raw.startsWith(token.text.slice(0, 1)))) return null
  if (token.tight && (tokens[at - 1]?.kind === 'number' || tokens[at - 1]?.kind === 'odd')) return null
  return { found: { field: 'weekday', value: weekday }, next: withDot(tokens, at) }
}

const readPeriod = (tokens: readonly Token[], from: Read<SaidDay>): Read<Name> | null => {
  const joined = tokens[from.next]
  const isJoined = (joined?.kind === 'word' && ['to', 'through', 'until', 'till', 'and'].includes(joined.text)) || isSign(joined, '–-—→')
  if (!isJoined) return null
  const to = readSaidDay(tokens, from.next + 1) ?? laterInMonth(tokens, from.next + 1, from.found)
  if (to === null || !endsHere(tokens, to.next)) return null
  const year = from.found.year ?? to.found.year
  return { found: { field: 'period', value: { from: { ...from.found, year }, to: { ...to.found, year: to.found.year ?? year } } }, next: to.next }
}

// `March 2–6, 2026`
const laterInMonth = (tokens: readonly Token[], at: number, from: SaidDay): Read<SaidDay> | null => {
  const day = dayNumberAt(tokens, at)
  if (day === null || isTrade(tokens, day.next)) return null
  const year = yearAt(tokens, day.next)
  return { found: { year: year?.found ?? null, month: from.month, day: day.found }, next: year?.next ?? day.next }
}

const isTrade = (tokens: readonly Token[], at: number): boolean => tokens[at]?.kind === 'word' && ['trades', 'trade', 'wins', 'losses', 'days', 'contracts', 'winners', 'losers'].includes(tokens[at]?.text ?? '')

const readSaidDay = (tokens: readonly Token[], at: number): Read<SaidDay> | null => {
  const token = tokens[at]
  if (token === undefined) return null
  if (token.kind === 'date' && beginsHere(tokens, at)) return saidDay(Number(token.raw.slice(0, 4)), Number(token.raw.slice(5, 7)), Number(token.raw.slice(8)), at + 1)
  if (token.kind === 'slash-date' && beginsHere(tokens, at)) {
    const [month = 0, day = 0, year] = token.raw.split('/').map(Number)
    return saidDay(year === undefined ? null : year < 100 ? 2000 + year : year, month, day, at + 1)
  }
  const month = monthAt(tokens, at)
  if (month !== null) {
    const day = dayNumberAt(tokens, month.next)
    if (day === null || isTrade(tokens, day.next)) return null
    const year = yearAt(tokens, day.next)
    return saidDay(year?.found ?? null, month.found, day.found, year?.next ?? day.next)
  }
  const day = beginsHere(tokens, at) ? dayNumberAt(tokens, at) : null
  if (day === null) return null
  const behind = monthAt(tokens, tokens[day.next]?.text === 'of' ? day.next + 1 : day.next)
  if (behind === null) return null
  const year = yearAt(tokens, behind.next)
  return saidDay(year?.found ?? null, behind.found, day.found, year?.next ?? behind.next)
}

// A day that no calendar has is none; without a year, February may be long.
const saidDay = (year: number | null, month: number, day: number, next: number): Read<SaidDay> | null => (dayOfCalendar(year ?? 2024, month, day) === null ? null : { found: { year, month, day }, next })

const monthAt = (tokens: readonly Token[], at: number): Read<number> | null => {
  const token = tokens[at]
  const month = token?.kind === 'word' ? monthWords.get(token.text) : undefined
  if (token === undefined || month === undefined || (capitalOnly.has(token.text) && token.raw.startsWith(token.text.slice(0, 1)))) return null
  return token.tight && tokens[at - 1]?.kind !== 'symbol' ? null : { found: month, next: withDot(tokens, at) }
}

// `Mar. 3`
const withDot = (tokens: readonly Token[], at: number): number => (tokens[at]?.raw.length === 3 && isSign(tokens[at + 1], '.') && tokens[at + 1]?.tight === true && tokens[at + 2] !== undefined ? at + 2 : at + 1)

const dayNumberAt = (tokens: readonly Token[], at: number): Read<number> | null => {
  const token = tokens[at]
  if (token?.kind !== 'number' || !/^\d{1,2}$/.test(token.raw)) return null
  const ordinal = tokens[at + 1]
  const next = ordinal?.kind === 'word' && ordinal.tight && ordinals.has(ordinal.text) ? at + 2 : at + 1
  return { found: Number(token.raw), next }
}

const yearAt = (tokens: readonly Token[], at: number): Read<number> | null => {
  const start = isSign(tokens[at], ',') ? at + 1 : at
  const token = tokens[start]
  return token?.kind === 'number' && /^20\d\d$/.test(token.raw) && endsHere(tokens, start + 1) ? { found: Number(token.raw), next: start + 1 } : null
}
