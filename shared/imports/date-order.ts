import { dayOfCalendar, dayOfDate, isoDate } from '#shared/market/zone-clock.ts'
import { dateOrders, isPlatformKind, type DateOrder, type ExportKind, type OwnKind } from './export-kind.ts'
import type { DatedColumns } from './platforms/platform.ts'
import { platforms } from './platforms/platforms.ts'
import { durationIn } from './row-contradictions.ts'

/** An ambiguous date: its text and its value in either order, `YYYY-MM-DD`. */
export type OpenDate = { readonly text: string; readonly mdy: string; readonly dmy: string }

/** A file's date order: resolved, contradicting rows, or an ambiguous date. */
export type DateOrderResult = DateOrder | 'mixed' | OpenDate

/** Gathers evidence of one file's date order from its rows. */
export type DateOrderDetector = {
  readonly note: (cells: Readonly<Record<string, string>>) => void
  /** Whether later rows cannot improve the verdict: a day above 12 was seen, or no date begins with month or day. */
  readonly isSure: () => boolean
  /** `isFirm` if the dates themselves decide, not just market knowledge. */
  readonly verdict: () => { readonly verdict: DateOrderResult; readonly isFirm: boolean }
}

const ownColumns: Readonly<Record<OwnKind, DatedColumns>> = {
  performance: { times: ['boughtTimestamp', 'soldTimestamp'], dates: [], contract: 'symbol', stream: [] },
  'position-history': { times: ['Bought Timestamp', 'Sold Timestamp'], dates: ['Trade Date'], contract: 'Contract', stream: [] },
  fills: { times: ['Timestamp'], dates: ['_tradeDate'], contract: 'Contract', stream: ['Account', 'Contract'] },
  orders: { times: ['Fill Time', 'Timestamp'], dates: [], contract: 'Contract', stream: [] },
  'cash-history': { times: ['Timestamp'], dates: ['Date'], contract: null, stream: ['Account'] },
  'account-balance-history': { times: [], dates: ['Trade Date'], contract: null, stream: ['Account Name', 'Account ID'] },
  'ninjatrader-executions': { times: ['Time'], dates: [], contract: 'Instrument', stream: ['Account', 'Account display name', 'Instrument'] },
}

const slashed = /^\s*(\d{1,2})([/-])(\d{1,2})\2(\d{4}|\d{2})(?:[T\s]+(\d{1,2}):(\d{2})(?::(\d{2}))?\S*\s*([AP])?.*)?$/i
const isoShape = /^\s*(\d{4}-\d{2}-\d{2})/
// Tradovate always writes times like this; a spreadsheet that saves its file does not.
const brokersOwn = /^\s*\d{2}\/\d{2}\/\d{4} \d{2}:\d{2}:\d{2}(?: [+-]\d{2}:\d{2})?\s*$/

const grounds = ['weekend', 'expiry', 'later-than-export', 'session', 'descending'] as const
type Ground = (typeof grounds)[number]
type Against = Record<Ground, Record<DateOrder, number>>

type Dated = {
  readonly mdy: number | null
  readonly dmy: number | null
  /** Minutes and seconds within the day. */
  readonly clock: number | null
  readonly written: string
}

/**
 * A judge of one file's dates. A day above 12 decides; otherwise what only one order explains: markets are closed in mid-weekend (unless a duration
 * next to two times settles it), no contract trades after delivery, no row is later than `latest` (UTC ms: the export, or now), a session's date is
 * near the time next to it, and a file sorted by time stays sorted.
 */
export const detectDateOrder = (kind: ExportKind, latest: number | null): DateOrderDetector => {
  const columns = isPlatformKind(kind) ? platforms[kind].dated : ownColumns[kind]
  const beyond = { mdy: 0, dmy: 0 }
  const against = Object.fromEntries(grounds.map((ground) => [ground, { mdy: 0, dmy: 0 }])) as Against
  const streams = new Map<string, Stream>()
  const unlikeDuration = { mdy: 0, dmy: 0 }
  let open: OpenDate | null = null
  let foreign = false
  let seen = 0

  const noteDated = (dated: Dated, text: string, contract: string): boolean => {
    const { mdy, dmy } = dated
    seen += 1
    if (mdy === null || dmy === null) {
      if (mdy !== null) beyond.mdy += 1
      if (dmy !== null) beyond.dmy += 1
      return mdy !== null || dmy !== null
    }
    if (mdy === dmy) return true
    open ??= { text: text.trim().slice(0, 40), mdy: isoDate(mdy), dmy: isoDate(dmy) }
    if (dated.clock !== null && !brokersOwn.test(text)) foreign = true
    for (const order of dateOrders) {
      const day = order === 'mdy' ? mdy : dmy
      if (dated.clock !== null && isClosed(day, dated.clock) && !tradesAlways.test(contract)) against.weekend[order] += 1
      if (isExpired(contract, day)) against.expiry[order] += 1
      if (latest !== null && day > Math.floor(latest / dayLength) + 1) against['later-than-export'][order] += 1
    }
    return true
  }

  const note: DateOrderDetector['note'] = (cells) => {
    const contract = columns.contract === null ? '' : (cells[columns.contract] ?? '').trim().toUpperCase()
    const session = columns.dates.map((name) => isoDay(cells[name] ?? '')).find((day) => day !== null) ?? null
    const times: Dated[] = []
    for (const name of columns.dates) {
      const dated = datedOf(cells[name] ?? '')
      if (dated !== null) noteDated(dated, cells[name] ?? '', contract)
    }
    for (const [place, name] of columns.times.entries()) {
      const text = cells[name] ?? ''
      const dated = datedOf(text)
      if (dated === null || !noteDated(dated, text, contract)) continue
      times.push(dated)
      if (place === 0 && columns.stream.length > 0) noteOrder(streams, columns.stream.map((column) => (cells[column] ?? '').trim()).join('\n'), dated)
    }
    if (session !== null) noteSession(against, times, session)
    // A platform's trade opens before it closes.
    const [entry, exit] = times
    if (isPlatformKind(kind)) for (const order of dateOrders) if ((entry?.[order] ?? 0) > (exit?.[order] ?? Number.POSITIVE_INFINITY)) against.session[order] += 1
    noteDuration(unlikeDuration, times, cells['duration'] ?? '')
  }

  return {
    note,
    isSure: () => seen === 0 || beyond.mdy > 0 !== beyond.dmy > 0,
    verdict: () => {
      const sure = (verdict: DateOrderResult) => ({ verdict, isFirm: true })
      const [most, least] = beyond.mdy >= beyond.dmy ? (['mdy', 'dmy'] as const) : (['dmy', 'mdy'] as const)
      // A single bad cell rejects its row; several leave the others ambiguous.
      if (beyond[most] > 0) return sure(beyond[least] * 10 <= beyond[most] ? most : 'mixed')
      if (open === null) return sure('mdy')
      const [byDuration] = pointsTo(unlikeDuration)
      if (byDuration !== undefined) return sure(byDuration)
      noteStreams(against, streams)
      const isBrokersOwn = (isPlatformKind(kind) ? platforms[kind].monthFirst : kind !== 'ninjatrader-executions') && !foreign
      const pointing = new Set(grounds.flatMap((ground) => (isBrokersOwn && ground === 'expiry' ? [] : pointsTo(against[ground]))))
      const [only] = pointing
      const verdict = pointing.size === 1 && only !== undefined ? only : isBrokersOwn ? 'mdy' : open
      return { verdict, isFirm: false }
    },
  }
}

const pointsTo = ({ mdy, dmy }: Record<DateOrder, number>): readonly DateOrder[] => (mdy > 0 && dmy === 0 ? ['dmy'] : dmy > 0 && mdy === 0 ? ['mdy'] : [])

const dayLength = 86_400_000

const datedOf = (text: string): Dated | null => {
  const match = slashed.exec(text)
  if (match === null) return null
  const [, one = '', , two = '', three = '', hour, minute, second = '0', half] = match
  const year = three.length === 2 ? 2000 + Number(three) : Number(three)
  const hours = hour === undefined ? null : half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toUpperCase() === 'P' ? 12 : 0)
  return {
    mdy: dayOfCalendar(year, Number(one), Number(two)),
    dmy: dayOfCalendar(year, Number(two), Number(one)),
    clock: hours === null ? null : (hours * 60 + Number(minute)) * 60 + Number(second),
    written: `${one}/${two}/${three}`,
  }
}

const isoDay = (text: string): number | null => {
  const date = isoShape.exec(text)?.[1]
  return date === undefined ? null : dayOfDate(date)
}

const hour = 3600

/** Whether markets are closed at this wall clock in every zone from Honolulu to Auckland: Saturday 11:00 to Sunday 12:00. */
const isClosed = (day: number, clock: number): boolean => {
  const weekday = (((day + 4) % 7) + 7) % 7
  return weekday === 6 ? clock >= 11 * hour : weekday === 0 && clock < 12 * hour
}

// Futures on cryptocurrencies may trade on weekends.
const tradesAlways = /^(?:BTC|MBT|ETH|MET|SOL|MSL|XRP|MXP|BFF|BFX|BIT)/

const letters = 'FGHJKMNQUVXZ'
const spelledMonths = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const spelled = /^\S+ ([A-Z]{3}) ?(\d{2})$/
const numbered = /^\S+ (\d{2})-(\d{2})$/
const lettered = /^[A-Z0-9]+([FGHJKMNQUVXZ])(\d{1,2})$/

/** Whether a contract is past its delivery month and the one after; a one-digit year is the nearest, up to five years ahead. */
const isExpired = (contract: string, day: number): boolean => {
  const [, word = '', year = ''] = spelled.exec(contract) ?? numbered.exec(contract) ?? lettered.exec(contract) ?? []
  const month = word.length === 1 ? letters.indexOf(word) : word.length === 3 ? spelledMonths.indexOf(word) : word === '' ? -1 : Number(word) - 1
  if (month < 0 || month > 11) return false
  const traded = Number(isoDate(day).slice(0, 4)) * 12 + Number(isoDate(day).slice(5, 7)) - 1
  if (year.length === 2) return traded > (2000 + Number(year)) * 12 + month + 1
  const decade = Math.floor(Number(isoDate(day).slice(0, 4)) / 10) * 10
  return ![decade - 10, decade, decade + 10].some((from) => {
    const ahead = (from + Number(year)) * 12 + month - traded
    return ahead >= -1 && ahead <= 60
  })
}

/** A row's last time is near its session: at most a day after it, and before it at most a weekend with holidays. */
const noteSession = (against: Against, times: readonly Dated[], session: number): void => {
  for (const order of dateOrders) {
    const days = times.flatMap((dated) => dated[order] ?? [])
    const last = Math.max(...days)
    if (days.length === times.length && days.length > 0 && (last > session + 1 || last < session - 6)) against.session[order] += 1
  }
}

/** Two times of a row differ by the stated duration, apart from clock changes. */
const noteDuration = (unlike: Record<DateOrder, number>, [one, other]: readonly Dated[], text: string): void => {
  const duration = durationIn(text)
  if (duration === null || one === undefined || other === undefined) return
  for (const order of dateOrders) {
    const [from, to] = [one, other].map((dated) => (dated[order] === null ? null : dated[order] * 24 * hour + (dated.clock ?? 0)))
    if (typeof from === 'number' && typeof to === 'number' && Math.abs(Math.abs(to - from) - duration) > 2 * hour) unlike[order] += 1
  }
}

type Stream = { last: Dated; readonly within: { up: number; down: number }; readonly steps: Record<DateOrder, { up: number; down: number }> }

/** Compares a row with the previous one of its account and contract: clock times within one date show the sort direction, whatever the date order. */
const noteOrder = (streams: Map<string, Stream>, key: string, dated: Dated): void => {
  const stream = streams.get(key)
  if (stream === undefined) {
    streams.set(key, { last: dated, within: { up: 0, down: 0 }, steps: { mdy: { up: 0, down: 0 }, dmy: { up: 0, down: 0 } } })
    return
  }
  const { last } = stream
  stream.last = dated
  if (last.written === dated.written) {
    const [one, other] = [last.clock ?? 0, dated.clock ?? 0]
    if (one !== other) stream.within[other > one ? 'up' : 'down'] += 1
    return
  }
  for (const order of dateOrders) {
    const [one, other] = [last[order], dated[order]]
    if (one !== null && other !== null && one !== other) stream.steps[order][other > one ? 'up' : 'down'] += 1
  }
}

const noteStreams = (against: Against, streams: ReadonlyMap<string, Stream>): void => {
  const sum = { up: 0, down: 0 }
  for (const { within } of streams.values()) {
    sum.up += within.up
    sum.down += within.down
  }
  if (sum.up > 0 === sum.down > 0) return
  const wrongWay = sum.up > 0 ? 'down' : 'up'
  for (const { steps } of streams.values()) for (const order of dateOrders) against.descending[order] += steps[order][wrongWay]
}
