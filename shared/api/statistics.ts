import { z } from 'zod'
import { isTimeZone } from '#shared/market/zone-clock.ts'
import { eachFigure, everyTrade, excursionFigures, figureParameters, type FigureParameter, type filterParameters, type TradeFilter } from '#shared/stats/filter.ts'
import { marketSessions } from '#shared/stats/trade-times.ts'
import { calendarDay, decimalText, excursionText, identifier, isKeptAsItIs, moment } from './fields.ts'
import { fillPairRecord, firm, otherFees, tradeRecord } from './records.ts'
import type { Route } from './route.ts'

/** Whether a figure counts FIFO pairs or flat-to-flat trades. */
export const unit = z.enum(['pairs', 'trades'])
export type Unit = z.infer<typeof unit>

/** One value or a list of them: a query parameter may be either. */
export const several = <T extends z.ZodType>(one: T) => z.union([one.transform((value) => [value]), z.array(one).max(500)]).default([])
const part = z.string().max(300).refine(isKeptAsItIs)
const text = part.min(1)
/** A whole number, as a number or as text in a URL. */
const wholeNumber = (least: number, most: number) => z.union([z.number(), z.string().regex(/^\d{1,2}$/).transform(Number)]).pipe(z.number().int().min(least).max(most))
/** An IANA name. */
const zone = text.refine(isTimeZone)

const figureQuery = Object.fromEntries(figureParameters.map((name) => [name, excursionText.optional()])) as Record<FigureParameter, z.ZodOptional<typeof excursionText>>

/** A trade filter as query parameters, named as in the page's own URL (`writeFilter`). */
export const filterQuery = z.object({
  from: calendarDay.optional(),
  to: calendarDay.optional(),
  symbol: part.optional(),
  account: part.optional(),
  symbols: several(text),
  accounts: several(text),
  side: several(z.enum(['long', 'short'])),
  tag: several(text),
  leader: z.literal('only').optional(),
  warned: z.literal('only').optional(),
  ...figureQuery,
  priced: z.literal('only').optional(),
  weekday: several(wholeNumber(1, 7)),
  hour: several(wholeNumber(0, 23)),
  session: several(z.enum(marketSessions)),
  timed: z.literal('exit').optional(),
  clock: zone.optional(),
}) satisfies z.core.$ZodType<Partial<Record<(typeof filterParameters)[number], unknown>>>
export type FilterQuery = z.output<typeof filterQuery>

/** The filter in these query parameters. */
export const filterOf = ({ from, to, symbol, account, symbols, accounts, side, tag, leader, warned, priced, weekday, hour, session, timed, clock, ...rest }: FilterQuery): TradeFilter => ({
  from: from ?? null,
  to: to ?? null,
  symbol: symbol ?? '',
  account: account ?? '',
  symbols,
  accounts,
  sides: side,
  tags: tag,
  leaderOnly: leader !== undefined,
  warnedOnly: warned !== undefined,
  excursions: eachFigure((name) => rest[name]),
  pricedOnly: priced !== undefined,
  weekdays: weekday,
  hours: hour,
  sessions: session,
  timedBy: timed ?? everyTrade.timedBy,
  zone: clock ?? everyTrade.zone,
})

/** The query parameters of a filter. */
export const filterGiven = (filter: TradeFilter): z.input<typeof filterQuery> => ({
  ...(filter.from === null ? {} : { from: filter.from }),
  ...(filter.to === null ? {} : { to: filter.to }),
  ...(filter.symbol === '' ? {} : { symbol: filter.symbol }),
  ...(filter.account === '' ? {} : { account: filter.account }),
  symbols: [...filter.symbols],
  accounts: [...filter.accounts],
  side: [...filter.sides],
  tag: [...filter.tags],
  ...(filter.leaderOnly ? { leader: 'only' as const } : {}),
  ...(filter.warnedOnly ? { warned: 'only' as const } : {}),
  ...Object.fromEntries(excursionFigures.flatMap((figure) => (['from', 'to'] as const).flatMap((end) => (filter.excursions[figure][end] === null ? [] : [[`${figure}-${end}`, filter.excursions[figure][end]]])))),
  ...(filter.pricedOnly ? { priced: 'only' as const } : {}),
  weekday: [...filter.weekdays],
  hour: [...filter.hours],
  session: [...filter.sessions],
  ...(filter.timedBy === 'exit' ? { timed: 'exit' as const } : {}),
  ...(filter.zone === everyTrade.zone ? {} : { clock: filter.zone }),
})

const currency = z.string().length(3)
const count = z.number().int().nonnegative()
const utc = z.number().int()
/** Wins and losses, and the win rate from 0 to 1, null without a trade. A win has a gross P&L above zero. */
const counts = z.object({ count, wins: count, losses: count, winRate: z.number().nullable() })
const dayMoney = z.object({ currency, grossPnl: decimalText, commission: decimalText, netPnl: decimalText })
/** What a day, a week or a month came to in one currency, as exact decimals. */
export type DayMoney = z.infer<typeof dayMoney>

/** The money of the trades of one currency, as exact decimals; averages are rounded to cents. */
export const statMoney = dayMoney.extend({
  otherFees,
  count,
  wins: count,
  losses: count,
  /** Gross P&L of all wins over that of all losses; null without a loss. */
  profitFactor: z.number().nullable(),
  /** Average net P&L per trade. */
  expectancy: decimalText,
  averageWin: decimalText.nullable(),
  averageLoss: decimalText.nullable(),
  largestWin: decimalText.nullable(),
  largestLoss: decimalText.nullable(),
})
export type StatMoney = z.infer<typeof statMoney>

/** The statistics of some trades; hold times are ms. */
export const statGroup = counts.extend({
  hold: z.object({ all: count.nullable(), wins: count.nullable(), losses: count.nullable() }),
  /** Trades with a known stop. */
  r: z.object({ count, sum: z.number(), average: z.number().nullable() }),
  /** The average exit efficiency of trades with enough prices, from `least` to `most`; missing without any. */
  exitEfficiency: z.object({ count, least: z.number(), most: z.number() }).optional(),
  /** By currency: currencies are never added. */
  money: z.array(statMoney),
})
export type StatGroup = z.infer<typeof statGroup>

const grouped = <T extends z.core.$ZodType>(key: T) => z.array(statGroup.extend({ key }))

/** A drawdown of an equity curve; `depth` is positive. `start` is null if it begins at the start of the curve, `recovery` if it has not recovered. */
const drawdown = z.object({ depth: decimalText, start: calendarDay.nullable(), bottom: calendarDay, recovery: calendarDay.nullable() })
export type StatDrawdown = z.infer<typeof drawdown>

const curve = z.object({
  currency,
  /** Net P&L by trading day and running total, oldest first; a long curve is thinned, but keeps its highs and lows. */
  points: z.array(z.object({ tradingDay: calendarDay, netPnl: decimalText, cumulative: decimalText })),
  /** By trading day, at the end of each. */
  deepest: drawdown.nullable(),
  /** By trade: the max drawdown, which may be within a day. Its points are exits, UTC ms. */
  deepestByTrade: z.object({ depth: decimalText, start: utc.nullable(), bottom: utc, recovery: utc.nullable() }).nullable(),
  /** The current drawdown, and how far below its high the curve ends. */
  present: drawdown.extend({ below: decimalText }).nullable(),
})
export type StatCurve = z.infer<typeof curve>

/** The statistics of the trades that pass a filter; every figure counts `unit`. */
export const statistics = z.object({
  unit,
  /** The zone of weekdays and hours. */
  zone: z.string(),
  timedBy: z.enum(['entry', 'exit']),
  all: statGroup,
  streaks: z.object({ longestWins: count, longestLosses: count, present: z.object({ of: z.enum(['wins', 'losses']), length: count }).nullable() }),
  rDistribution: z.array(z.object({ from: z.number().nullable(), to: z.number().nullable(), count })),
  equity: z.array(curve),
  days: z.array(counts.extend({ tradingDay: calendarDay, money: z.array(dayMoney) })),
  weeks: z.array(counts.extend({ monday: calendarDay, days: count, money: z.array(dayMoney) })),
  bySymbol: grouped(z.string()),
  /** 1 is Monday, 7 Sunday. */
  byWeekday: grouped(z.number().int()),
  byHour: grouped(z.number().int()),
  bySession: grouped(z.enum(marketSessions)),
  /** By the account's key. */
  byAccount: z.array(statGroup.extend({ key: z.string(), name: z.string() })),
  byFirm: grouped(firm.nullable()),
  bySide: grouped(z.enum(['long', 'short'])),
  /** A trade counts in each of its tags; null: trades without a tag. */
  byTag: grouped(z.string().nullable()),
  /** The five newest by date, pairs or trades by `unit`. */
  recent: z.array(z.union([fillPairRecord, tradeRecord])),
  firstDay: calendarDay.nullable(),
  lastDay: calendarDay.nullable(),
  /** Trades with a warning. */
  warned: count,
  /** Connected accounts, and the total of `unit` in the whole journal, ignoring the filter. */
  accounts: count,
  trades: count,
})
export type StatisticsAnswer = z.infer<typeof statistics>

/** The filter's options: existing symbols, accounts and tags. */
export const filterChoices = z.object({
  accounts: z.array(z.object({ key: z.string(), name: z.string(), firm: firm.nullable(), copyOf: z.string().nullable() })),
  /** Products, `MES`. */
  symbols: z.array(z.string()),
  tags: z.array(z.string()),
  /** True if this computer's trade copier opened trades; missing otherwise. */
  copied: z.boolean().optional(),
  /** True if prices of a trade are stored; missing otherwise. */
  priced: z.boolean().optional(),
})
export type FilterChoices = z.infer<typeof filterChoices>

const figureBounds = z.object({ least: decimalText.nullable(), most: decimalText.nullable() })

/** The trades of a filter that have excursions, the newest 2,000 of `total`: MAE and MFE beside the gross result. */
export const excursionPoints = z.object({
  points: z.array(z.object({ id: identifier, symbol: z.string(), currency, exitTime: moment, result: decimalText, mae: figureBounds, mfe: figureBounds })),
  total: count,
})
export type ExcursionPoints = z.infer<typeof excursionPoints>

/** Statistics and their filter. */
export const statisticsRoutes = {
  statistics: {
    method: 'GET',
    path: '/api/statistics',
    query: filterQuery.extend({
      unit: unit.default('trades'),
      /** If missing, the profile's. */
      zone: zone.optional(),
      timedBy: z.enum(['entry', 'exit']).default('entry'),
    }),
    answer: statistics,
  },
  excursionPoints: { method: 'GET', path: '/api/statistics/excursions', query: filterQuery.extend({ unit: unit.default('trades') }), answer: excursionPoints },
  filterChoices: { method: 'GET', path: '/api/filter-choices', answer: filterChoices },
} as const satisfies Record<string, Route>

/** Downloads the pairs or trades of a filter as CSV with `GET`. */
export const tradesCsvPath = '/api/trades.csv'

/** The parameters of the CSV download: a filter, one line per pair or per trade, and the time zone of local times; if missing, the profile's. */
export const tradesCsvQuery = filterQuery.extend({ unit: unit.default('pairs'), zone: zone.optional() })
