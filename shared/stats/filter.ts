import { calendarDay, excursionText, isKeptAsItIs } from '#shared/api/fields.ts'
import { isTimeZone } from '#shared/market/zone-clock.ts'
import type { Direction } from '#shared/pnl/pair.ts'
import { marketSessions, type MarketSession } from './trade-times.ts'

/** Selects the trades that meet every condition. An empty list or null is no condition. */
export type TradeFilter = {
  /** First and last trading day, `YYYY-MM-DD`, both included. */
  readonly from: string | null
  readonly to: string | null
  /** Text that the symbol or account name contains, in any case; empty is no condition. */
  readonly symbol: string
  readonly account: string
  /** Account keys; a trade matches any of them. */
  readonly accounts: readonly string[]
  /** Products (`MES`) or contracts (`MESM6`), in any case; a trade matches any of them. */
  readonly symbols: readonly string[]
  readonly sides: readonly Direction[]
  /** Tags; a trade matches any of them. */
  readonly tags: readonly string[]
  /** Leaves out copies: trades of accounts marked as copies, and trades that the copier opened. */
  readonly leaderOnly: boolean
  /** Keeps only trades with a warning. */
  readonly warnedOnly: boolean
  /** MAE and MFE in the trade's currency, as exact decimals, both ends included. A trade meets them if it surely does: of a range, all of it. */
  readonly maeFrom: string | null
  readonly maeTo: string | null
  readonly mfeFrom: string | null
  readonly mfeTo: string | null
  /** Keeps only trades with stored prices. */
  readonly pricedOnly: boolean
  /** Weekdays (1 is Monday, 7 Sunday) and hours (0 to 23) in `zone`, and market sessions, of the entry or exit (`timedBy`). */
  readonly weekdays: readonly number[]
  readonly hours: readonly number[]
  readonly sessions: readonly MarketSession[]
  readonly timedBy: 'entry' | 'exit'
  /** IANA name. */
  readonly zone: string
}

const defaultZone = 'America/Chicago'

/** No condition at all. */
export const everyTrade: TradeFilter = { from: null, to: null, symbol: '', account: '', accounts: [], symbols: [], sides: [], tags: [], leaderOnly: false, warnedOnly: false, maeFrom: null, maeTo: null, mfeFrom: null, mfeTo: null, pricedOnly: false, weekdays: [], hours: [], sessions: [], timedBy: 'entry', zone: defaultZone }

/** The URL parameters of a filter; it ignores all others. */
export const filterParameters = ['from', 'to', 'symbol', 'account', 'symbols', 'accounts', 'side', 'tag', 'leader', 'warned', 'mae-from', 'mae-to', 'mfe-from', 'mfe-to', 'priced', 'weekday', 'hour', 'session', 'timed', 'clock'] as const
type Parameter = (typeof filterParameters)[number]

type Parameters = { readonly getAll: (name: string) => readonly string[] }

/** Reads a filter from URL parameters. Ignores unknown and invalid values, so any URL shows something. */
export const readFilter = (parameters: Parameters): TradeFilter => {
  const read = (name: Parameter): readonly string[] => [...new Set(parameters.getAll(name))].filter((value) => isValid[name](value))
  return {
    from: read('from')[0] ?? null,
    to: read('to')[0] ?? null,
    symbol: read('symbol')[0] ?? '',
    account: read('account')[0] ?? '',
    accounts: read('accounts'),
    symbols: read('symbols'),
    sides: read('side') as readonly Direction[],
    tags: read('tag'),
    leaderOnly: read('leader').length > 0,
    warnedOnly: read('warned').length > 0,
    maeFrom: read('mae-from')[0] ?? null,
    maeTo: read('mae-to')[0] ?? null,
    mfeFrom: read('mfe-from')[0] ?? null,
    mfeTo: read('mfe-to')[0] ?? null,
    pricedOnly: read('priced').length > 0,
    ...readClock(read),
  }
}

// Zone and `timedBy` count only with a condition on times.
const readClock = (read: (name: Parameter) => readonly string[]): Pick<TradeFilter, 'weekdays' | 'hours' | 'sessions' | 'timedBy' | 'zone'> => {
  const [weekdays, hours, sessions] = [read('weekday').map(Number), read('hour').map(Number), read('session') as readonly MarketSession[]]
  const [local, timed] = [weekdays.length + hours.length > 0, weekdays.length + hours.length + sessions.length > 0]
  return { weekdays, hours, sessions, timedBy: timed && read('timed').length > 0 ? 'exit' : 'entry', zone: (local ? read('clock')[0] : undefined) ?? defaultZone }
}

/** The URL parameters of a filter, for `new URLSearchParams`; leaves out values that `readFilter` would ignore. */
export const writeFilter = (filter: TradeFilter): [name: Parameter, value: string][] => {
  const values: Record<Parameter, readonly string[]> = {
    from: oneOf(filter.from),
    to: oneOf(filter.to),
    symbol: [filter.symbol],
    account: [filter.account],
    accounts: filter.accounts,
    symbols: filter.symbols,
    side: filter.sides,
    tag: filter.tags,
    leader: filter.leaderOnly ? [only] : [],
    warned: filter.warnedOnly ? [only] : [],
    'mae-from': oneOf(filter.maeFrom),
    'mae-to': oneOf(filter.maeTo),
    'mfe-from': oneOf(filter.mfeFrom),
    'mfe-to': oneOf(filter.mfeTo),
    priced: filter.pricedOnly ? [only] : [],
    weekday: filter.weekdays.map(String),
    hour: filter.hours.map(String),
    session: filter.sessions,
    timed: filter.timedBy === 'exit' && filter.weekdays.length + filter.hours.length + filter.sessions.length > 0 ? ['exit'] : [],
    clock: filter.zone !== defaultZone && filter.weekdays.length + filter.hours.length > 0 ? [filter.zone] : [],
  }
  return filterParameters.flatMap((name) => [...new Set(values[name])].filter((value) => isValid[name](value)).map((value): [Parameter, string] => [name, value]))
}

const only = 'only'
const oneOf = (value: string | null): readonly string[] => (value === null ? [] : [value])
const maxLength = 300

const isDay = (value: string): boolean => calendarDay.safeParse(value).success
const isName = (value: string): boolean => value !== '' && value.length <= maxLength && isKeptAsItIs(value)

const isExcursion = (value: string): boolean => excursionText.safeParse(value).success

const isValid: Record<Parameter, (value: string) => boolean> = {
  from: isDay,
  to: isDay,
  symbol: isName,
  account: isName,
  symbols: isName,
  accounts: isName,
  side: (value) => value === 'long' || value === 'short',
  tag: isName,
  leader: (value) => value === only,
  warned: (value) => value === only,
  'mae-from': isExcursion,
  'mae-to': isExcursion,
  'mfe-from': isExcursion,
  'mfe-to': isExcursion,
  priced: (value) => value === only,
  weekday: (value) => /^[1-7]$/.test(value),
  hour: (value) => /^(1?\d|2[0-3])$/.test(value),
  session: (value) => marketSessions.some((session) => session === value),
  timed: (value) => value === 'exit',
  clock: (value) => isName(value) && isTimeZone(value),
}
