import { calendarDay, excursionText, isKeptAsItIs } from '#shared/api/fields.ts'
import { isTimeZone } from '#shared/market/zone-clock.ts'
import type { Direction } from '#shared/pnl/fill-pair.ts'
import { marketSessions, type MarketSession } from './trade-times.ts'

/** MAE and MFE in the trade's currency, and both efficiencies in percent. */
export const excursionFigures = ['mae', 'mfe', 'entryEfficiency', 'exitEfficiency'] as const
export type ExcursionFigure = (typeof excursionFigures)[number]

/** The ends of a figure as exact decimals, both included; null is no condition. */
export type FigureSpan = { readonly from: string | null; readonly to: string | null }

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
  /** Conditions on stored prices. A trade meets a span only if all of its possible range does. */
  readonly excursions: Readonly<Record<ExcursionFigure, FigureSpan>>
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

const anyFigure: FigureSpan = { from: null, to: null }

/** No condition at all. */
export const everyTrade: TradeFilter = {
  from: null,
  to: null,
  symbol: '',
  account: '',
  accounts: [],
  symbols: [],
  sides: [],
  tags: [],
  leaderOnly: false,
  warnedOnly: false,
  excursions: { mae: anyFigure, mfe: anyFigure, entryEfficiency: anyFigure, exitEfficiency: anyFigure },
  pricedOnly: false,
  weekdays: [],
  hours: [],
  sessions: [],
  timedBy: 'entry',
  zone: defaultZone,
}

/** The figures with a condition on them. */
export const limitedFigures = ({ excursions }: Pick<TradeFilter, 'excursions'>): readonly ExcursionFigure[] =>
  excursionFigures.filter((figure) => excursions[figure].from !== null || excursions[figure].to !== null)

/** The URL parameters of the ends of all figures. */
export const figureParameters = excursionFigures.flatMap((figure) => [`${figure}-from`, `${figure}-to`] as const)
export type FigureParameter = (typeof figureParameters)[number]

/** The URL parameters of a filter; it ignores all others. */
export const filterParameters = [
  'from', 'to', 'symbol', 'account', 'symbols', 'accounts', 'side', 'tag', 'leader', 'warned',
  ...figureParameters,
  'priced', 'weekday', 'hour', 'session', 'timed', 'clock',
] as const
type Parameter = (typeof filterParameters)[number]

type Parameters = { readonly getAll: (name: string) => readonly string[] }

/** Reads a filter from URL parameters. Ignores unknown and invalid values, so any URL shows something. */
export const readFilter = (parameters: Parameters): TradeFilter => {
  const read = (name: Parameter): readonly string[] => [...new Set(parameters.getAll(name))].filter((value) => isValid(name, value))
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
    excursions: eachFigure((name) => read(name)[0]),
    pricedOnly: read('priced').length > 0,
    ...readClock(read),
  }
}

/** The spans of all figures by their parameters. */
export const eachFigure = (read: (name: FigureParameter) => string | undefined): TradeFilter['excursions'] => {
  const span = (figure: ExcursionFigure): FigureSpan => ({ from: read(`${figure}-from`) ?? null, to: read(`${figure}-to`) ?? null })
  return { mae: span('mae'), mfe: span('mfe'), entryEfficiency: span('entryEfficiency'), exitEfficiency: span('exitEfficiency') }
}

// Zone and `timedBy` count only with a condition on times.
const readClock = (read: (name: Parameter) => readonly string[]): Pick<TradeFilter, 'weekdays' | 'hours' | 'sessions' | 'timedBy' | 'zone'> => {
  const [weekdays, hours, sessions] = [read('weekday').map(Number), read('hour').map(Number), read('session') as readonly MarketSession[]]
  const [local, timed] = [weekdays.length + hours.length > 0, weekdays.length + hours.length + sessions.length > 0]
  return { weekdays, hours, sessions, timedBy: timed && read('timed').length > 0 ? 'exit' : 'entry', zone: (local ? read('clock')[0] : undefined) ?? defaultZone }
}

/** The URL parameters of a filter, for `new URLSearchParams`; leaves out values that `readFilter` would ignore. */
export const writeFilter = (filter: TradeFilter): [name: Parameter, value: string][] => {
  const values: Record<Exclude<Parameter, FigureParameter>, readonly string[]> = {
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
    priced: filter.pricedOnly ? [only] : [],
    weekday: filter.weekdays.map(String),
    hour: filter.hours.map(String),
    session: filter.sessions,
    timed: filter.timedBy === 'exit' && filter.weekdays.length + filter.hours.length + filter.sessions.length > 0 ? ['exit'] : [],
    clock: filter.zone !== defaultZone && filter.weekdays.length + filter.hours.length > 0 ? [filter.zone] : [],
  }
  const all: Record<Parameter, readonly string[]> = { ...values, ...figureValues(filter) }
  return filterParameters.flatMap((name) => [...new Set(all[name])].filter((value) => isValid(name, value)).map((value): [Parameter, string] => [name, value]))
}

/** The parameters of all figures with their values. */
const figureValues = ({ excursions }: TradeFilter): Record<FigureParameter, readonly string[]> =>
  Object.fromEntries(excursionFigures.flatMap((figure) => [[`${figure}-from`, oneOf(excursions[figure].from)], [`${figure}-to`, oneOf(excursions[figure].to)]])) as Record<FigureParameter, readonly string[]>

const only = 'only'
const oneOf = (value: string | null): readonly string[] => (value === null ? [] : [value])
const maxLength = 300

const isDay = (value: string): boolean => calendarDay.safeParse(value).success
const isName = (value: string): boolean => value !== '' && value.length <= maxLength && isKeptAsItIs(value)

const isFigure = (name: Parameter): name is FigureParameter => figureParameters.some((figure) => figure === name)

const isValid = (name: Parameter, value: string): boolean => (isFigure(name) ? excursionText.safeParse(value).success : checks[name](value))

const checks: Record<Exclude<Parameter, FigureParameter>, (value: string) => boolean> = {
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
  priced: (value) => value === only,
  weekday: (value) => /^[1-7]$/.test(value),
  hour: (value) => /^(1?\d|2[0-3])$/.test(value),
  session: (value) => marketSessions.some((session) => session === value),
  timed: (value) => value === 'exit',
  clock: (value) => isName(value) && isTimeZone(value),
}
