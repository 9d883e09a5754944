import { z } from 'zod'
import { isTimeZone } from '#shared/market/zone-clock.ts'
import { everyTrade, type filterParameters, type TradeFilter } from '#shared/stats/filter.ts'
import { marketSessions } from '#shared/stats/trade-times.ts'
import { calendarDay, decimalText, isKeptAsItIs } from './fields.ts'
import { firm, otherFees, trade, trip } from './records.ts'
import type { Route } from './route.ts'

/** Whether a figure counts FIFO pairs or flat-to-flat trips. */
export const unit = z.enum(['pairs', 'trips'])
export type Unit = z.infer<typeof unit>

/** One value or a list of them, as the parameters of a call name either. */
export const several = <T extends z.ZodType>(one: T) => z.union([one.transform((value) => [value]), z.array(one).max(500)]).default([])
const part = z.string().max(300).refine(isKeptAsItIs)
const text = part.min(1)
/** A number, also as an address has it. */
const wholeNumber = (least: number, most: number) => z.union([z.number(), z.string().regex(/^\d{1,2}$/).transform(Number)]).pipe(z.number().int().min(least).max(most))
/** An IANA name. */
const zone = text.refine(isTimeZone)

/** A filter of trades as the parameters of a call, named as in the page's own address (`writeFilter`). */
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
  weekday: several(wholeNumber(1, 7)),
  hour: several(wholeNumber(0, 23)),
  session: several(z.enum(marketSessions)),
  timed: z.literal('exit').optional(),
  clock: zone.optional(),
}) satisfies z.ZodType<Partial<Record<(typeof filterParameters)[number], unknown>>>
export type FilterQuery = z.output<typeof filterQuery>

/** The filter that a call's parameters say. */
export const filterOf = ({ from, to, symbol, account, symbols, accounts, side, tag, leader, warned, weekday, hour, session, timed, clock }: FilterQuery): TradeFilter => ({
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
  weekdays: weekday,
  hours: hour,
  sessions: session,
  timedBy: timed ?? everyTrade.timedBy,
  zone: clock ?? everyTrade.zone,
})

/** The parameters of a call that say a filter. */
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
  weekday: [...filter.weekdays],
  hour: [...filter.hours],
  session: [...filter.sessions],
  ...(filter.timedBy === 'exit' ? { timed: 'exit' as const } : {}),
  ...(filter.zone === everyTrade.zone ? {} : { clock: filter.zone }),
})

const currency = z.string().length(3)
const count = z.number().int().nonnegative()
const utc = z.number().int()
/** Wins and losses, and the share of wins of all from 0 to 1; a win is a gross above zero, null where there is no trade. */
const counts = z.object({ count, wins: count, losses: count, winRate: z.number().nullable() })
const dayMoney = z.object({ currency, grossPnl: decimalText, commission: decimalText, netPnl: decimalText })

/** The money of the trades of one currency, as exact decimals; averages are rounded to cents. */
export const statMoney = dayMoney.extend({
  otherFees,
  count,
  wins: count,
  losses: count,
  /** Gross of all wins over gross of all losses; null without a loss. */
  profitFactor: z.number().nullable(),
  /** Net of one trade on average. */
  expectancy: decimalText,
  averageWin: decimalText.nullable(),
  averageLoss: decimalText.nullable(),
  largestWin: decimalText.nullable(),
  largestLoss: decimalText.nullable(),
})
export type StatMoney = z.infer<typeof statMoney>

/** The figures of some trades; hold times are ms. */
export const statGroup = counts.extend({
  hold: z.object({ all: count.nullable(), wins: count.nullable(), losses: count.nullable() }),
  /** Of the trades whose stop is known. */
  r: z.object({ count, sum: z.number(), average: z.number().nullable() }),
  /** Side by side: different currencies are never added. */
  money: z.array(statMoney),
})
export type StatGroup = z.infer<typeof statGroup>

const grouped = <T extends z.ZodType>(key: T) => z.array(statGroup.extend({ key }))

/** A fall of an equity curve; `depth` is above zero. Null as `start` is the start of the curve, as `recovery` not yet. */
const drawdown = z.object({ depth: decimalText, start: calendarDay.nullable(), bottom: calendarDay, recovery: calendarDay.nullable() })
export type StatDrawdown = z.infer<typeof drawdown>

const curve = z.object({
  currency,
  /** Net by trading day and running total, oldest first; a long curve is thinned, its highs and falls stay. */
  points: z.array(z.object({ tradingDay: calendarDay, netPnl: decimalText, cumulative: decimalText })),
  /** Of the curve by trading day, at the end of each. */
  deepest: drawdown.nullable(),
  /** Of the curve by trade: the max drawdown, which may lie within a day. Its points are exits, UTC ms. */
  deepestByTrade: z.object({ depth: decimalText, start: utc.nullable(), bottom: utc, recovery: utc.nullable() }).nullable(),
  /** The current drawdown, and how far below its high the curve ends. */
  present: drawdown.extend({ below: decimalText }).nullable(),
})
export type StatCurve = z.infer<typeof curve>

/** Everything that is counted of the trades that a filter lets through; every figure counts `unit`. */
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
  /** A trade with several tags counts for each; null is without a tag. */
  byTag: grouped(z.string().nullable()),
  /** The five latest by date, pairs or trips as `unit` says. */
  recent: z.array(z.union([trade, trip])),
  firstDay: calendarDay.nullable(),
  lastDay: calendarDay.nullable(),
  /** Trades that carry a warning. */
  warned: count,
  /** Connected accounts, and what `unit` counts of the whole journal, whatever the filter says. */
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
  /** True where the trade copier of this computer opened trades; missing otherwise. */
  copied: z.boolean().optional(),
})
export type FilterChoices = z.infer<typeof filterChoices>

/** Statistics and what they are filtered by. */
export const statisticsRoutes = {
  statistics: {
    method: 'GET',
    path: '/api/statistics',
    query: filterQuery.extend({
      unit: unit.default('trips'),
      /** Where missing the profile's. */
      zone: zone.optional(),
      timedBy: z.enum(['entry', 'exit']).default('entry'),
    }),
    answer: statistics,
  },
  filterChoices: { method: 'GET', path: '/api/filter-choices', answer: filterChoices },
} as const satisfies Record<string, Route>

/** Where the pairs of a filter are had as CSV, by `GET`. */
export const tradesCsvPath = '/api/trades.csv'

/** The parameters of that: a filter, and the zone of local times, which is the profile's where it is missing. */
export const tradesCsvQuery = filterQuery.extend({ zone: zone.optional() })
