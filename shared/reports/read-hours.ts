import type { Name, Read } from './marks.ts'
import { beginsHere, endsHere, isSign, type Token } from './text-tokens.ts'

type Moment = { readonly hour: number; readonly minute: number; readonly half: 'am' | 'pm' | null; readonly bare: boolean }

// Words after which a time bounds more than its own hour.
const bounds = new Set(['after', 'before', 'until', 'till', 'since', 'by', 'past', 'from', 'to', 'beyond', 'between'])
// What may follow `between 9 and 10`, so that it speaks of the clock.
const clockGoesOn = new Set(['you', 'your', 'the', 'it', 'they', 'made', 'lost', 'was', 'were', 'is', 'gave', 'cost', 'earned', 'in', 'on', 'with', 'net', 'brought'])
const zones: ReadonlyMap<string, readonly string[]> = new Map([
  ['ET', ['America/New_York', 'US/Eastern']], ['EST', ['America/New_York', 'US/Eastern']], ['EDT', ['America/New_York', 'US/Eastern']],
  ['CT', ['America/Chicago', 'US/Central']], ['CST', ['America/Chicago', 'US/Central']], ['CDT', ['America/Chicago', 'US/Central']],
  ['MT', ['America/Denver']], ['PT', ['America/Los_Angeles']], ['PST', ['America/Los_Angeles']], ['PDT', ['America/Los_Angeles']],
  ['UTC', ['UTC', 'Etc/UTC']], ['GMT', ['UTC', 'Etc/UTC', 'Etc/GMT']], ['CET', ['Europe/Berlin', 'Europe/Paris']], ['IST', ['Asia/Kolkata', 'Asia/Calcutta']],
])

/** Reads an hour of the day: `09:00`, `9 am`, `between 9 and 10`, `hour 9`, `14:00–14:59`. A time that is no whole hour, and one that bounds more than its hour, is an hour of null, which no fact has. A zone's letters are a name of their own. */
export const readHour = (tokens: readonly Token[], at: number): Read<Name> | null => {
  const token = tokens[at]
  const zone = token?.kind === 'word' && !token.tight ? zones.get(token.raw) : undefined
  if (zone !== undefined && isAfterTime(tokens, at)) return { found: { field: 'zone', value: zone }, next: at + 1 }
  if (token?.kind === 'word' && (token.text === 'between' || token.text === 'from')) return readSpan(tokens, at + 1, token.text === 'between')
  if (token?.kind === 'word' && token.text === 'hour') return readNumbered(tokens, at)
  if (!beginsHere(tokens, at)) return null
  const before = tokens[at - 1]
  const isBound = before?.kind === 'word' && bounds.has(before.text)
  const span = readSpan(tokens, at, false)
  if (span !== null) return isBound ? { ...span, found: { field: 'hour', value: null } } : span
  const moment = readMoment(tokens, at)
  if (moment === null || moment.found.bare || !endsHere(tokens, moment.next)) return null
  const hour = hourOf(moment.found)
  return { found: { field: 'hour', value: isBound || moment.found.minute !== 0 ? null : hour }, next: moment.next }
}

const isAfterTime = (tokens: readonly Token[], at: number): boolean => {
  const before = tokens[at - 1]
  return before?.kind === 'clock' || (before?.kind === 'word' && ['am', 'pm', "o'clock"].includes(before.text)) || isSign(before, '.')
}

const readNumbered = (tokens: readonly Token[], at: number): Read<Name> | null => {
  const number = tokens[at + 1]
  if (number?.kind !== 'number' || !/^\d{1,2}$/.test(number.raw) || Number(number.raw) > 23 || !endsHere(tokens, at + 2)) return null
  return { found: { field: 'hour', value: Number(number.raw) }, next: at + 2 }
}

// From one moment to the next hour: an hour. Any other span is more or less than one.
const readSpan = (tokens: readonly Token[], at: number, isBetween: boolean): Read<Name> | null => {
  const first = readMoment(tokens, at)
  if (first === null) return null
  const joined = tokens[first.next]
  const isJoined = isSign(joined, '–-—') || (joined?.kind === 'word' && (joined.text === 'to' || (joined.text === 'and' && isBetween)))
  const second = isJoined ? readMoment(tokens, first.next + 1) : null
  if (second === null || !endsHere(tokens, second.next)) return null
  const bare = first.found.bare && second.found.bare
  if (bare && !(isBetween && isClock(tokens[second.next]))) return null
  if (first.found.bare !== second.found.bare && second.found.half === null) return null
  const [from, to] = [hourOf({ ...first.found, half: first.found.half ?? inherited(first.found, second.found) }), hourOf(second.found)]
  const isOne = first.found.minute === 0 && ((second.found.minute === 0 && to === (from + 1) % 24) || (second.found.minute === 59 && to === from))
  return { found: { field: 'hour', value: isOne ? from : null }, next: second.next }
}

const isClock = (token: Token | undefined): boolean => token === undefined || (token.kind === 'word' && clockGoesOn.has(token.text)) || isSign(token, '.,;:)')

// `11–12 am` begins in the other half, `9–10 am` in the same.
const inherited = (first: Moment, second: Moment): 'am' | 'pm' | null => {
  if (second.half === null || second.hour !== 12) return second.half
  return first.hour === 12 ? second.half : second.half === 'am' ? 'pm' : 'am'
}

const hourOf = ({ hour, half }: Moment): number => (half === null ? hour : (hour % 12) + (half === 'pm' ? 12 : 0))

const readMoment = (tokens: readonly Token[], at: number): Read<Moment> | null => {
  const token = tokens[at]
  const isNumber = token?.kind === 'number' && /^\d{1,2}$/.test(token.raw)
  if (token === undefined || (!isNumber && token.kind !== 'clock')) return null
  const [hour = 0, minute = 0, second = 0] = token.raw.split(':').map(Number)
  const half = halfAt(tokens, at + 1)
  const oClock = half === null && isNumber && tokens[at + 1]?.text === "o'clock"
  if (hour > 24 || minute > 59 || second > 0 || (half !== null && (hour < 1 || hour > 12)) || (hour === 24 && minute > 0)) return null
  return { found: { hour: hour % (half === null ? 24 : 25), minute, half: half?.found ?? null, bare: isNumber && half === null && !oClock }, next: half?.next ?? (oClock ? at + 2 : at + 1) }
}

const halfAt = (tokens: readonly Token[], at: number): Read<'am' | 'pm'> | null => {
  const token = tokens[at]
  if (token?.kind !== 'word') return null
  if (token.text === 'am' || token.text === 'pm') return { found: token.text, next: at + 1 }
  const dotted = (token.text === 'a' || token.text === 'p') && isSign(tokens[at + 1], '.') && tokens[at + 2]?.text === 'm' && tokens[at + 2]?.tight === true
  return dotted ? { found: token.text === 'a' ? 'am' : 'pm', next: isSign(tokens[at + 3], '.') && tokens[at + 3]?.tight === true ? at + 4 : at + 3 } : null
}
