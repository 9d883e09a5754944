import { z } from 'zod'
import { empty, json, type Answer, type Call } from './answers.ts'
import { countsAt, keepBooks, type FloorBooks, type Ledger, type PairedFills } from './books.ts'
import { addDays, dayNumber, sessionAt, sessionOpen, weekday } from './calendar.ts'
import { feePerContract, priceOf, type FeeParts, type Product } from './contracts.ts'
import type { ExchangeFloor } from './floor.ts'
import { currentVersion, type LiveOrder } from './orders.ts'
import type { Past } from './seeded-world.ts'
import type { Account, Execution, Order } from './world.ts'

/** The broker's history at one time. */
export type Archive = {
  readonly now: number
  /** Trading days, oldest first. */
  readonly sessions: readonly string[]
  readonly orders: readonly Order[]
  readonly executions: readonly Execution[]
  readonly books: Ledger
}

/** A report request for one account, from and to inclusive; `behind` is how many minutes the reader's clock is behind UTC. */
export type ReportOrder = { readonly account: Account; readonly from: string; readonly to: string; readonly behind: number }

const columns = (names: string): readonly string[] => names.split(',')
const formatOf = ({ priceFormat, tickUnits, tickScale }: Product): readonly string[] => [String(priceFormat), '0', String(tickUnits / tickScale)]
const sideOf = { Buy: ' Buy', Sell: ' Sell' } as const

const ownOf = <R extends { readonly accountId: number; readonly session: string }>(rows: readonly R[], { account, from, to }: ReportOrder): R[] =>
  rows.filter(({ accountId, session }) => accountId === account.id && session >= from && session <= to)

const performance = ({ books }: Archive, order: ReportOrder): ReportRows => [
  columns('symbol,_priceFormat,_priceFormatType,_tickSize,buyFillId,sellFillId,qty,buyPrice,sellPrice,pnl,boughtTimestamp,soldTimestamp,duration'),
  ...ownOf(books.pairs, order).map(({ buy, sell, qty, gross }) => {
    const { name, product } = buy.contract
    const [bought, sold] = [localTime(buy.time, order.behind), localTime(sell.time, order.behind)]
    return [name, ...formatOf(product), String(buy.id), String(sell.id), String(qty), priceText(product, buy.ticks), priceText(product, sell.ticks), dollarMoney(centsOf(gross)), bought, sold, durationText(Math.abs(sell.time - buy.time))]
  }),
]

const fills = ({ executions, now }: Archive, order: ReportOrder): ReportRows => [
  columns('_id,_orderId,_contractId,_timestamp,_tradeDate,_action,_qty,_price,_active,_accountId,Fill ID,Order ID,Timestamp,Date,Account,B/S,Quantity,Price,_priceFormat,_priceFormatType,_tickSize,Contract,Product,Product Description,commission'),
  ...ownOf(executions, order)
    .filter(({ time }) => time <= now)
    .map((fill) => {
      const { id, orderId, contract, time, session, action, qty, ticks } = fill
      const { product } = contract
      const hidden = [String(id), String(orderId), String(contract.id), utcTime(time), session, action === 'Buy' ? '0' : '1', String(qty), noisyPrice(product, ticks), String(countsAt(fill, now)), String(order.account.id)]
      const shown = [String(id), String(orderId), localTime(time, order.behind), shortDate(session), order.account.name, sideOf[action], String(qty), priceText(product, ticks)]
      return [...hidden, ...shown, ...formatOf(product), contract.name, product.name, product.description, String((feePerContract(product) * qty) / 10_000)]
    }),
]

const orders = (archive: Archive, request: ReportOrder): ReportRows => {
  const filled = Map.groupBy(archive.executions.filter((fill) => countsAt(fill, archive.now)), ({ orderId }) => orderId)
  return [
    columns('orderId,Account,Order ID,B/S,Contract,Product,Product Description,avgPrice,filledQty,Fill Time,lastCommandId,Status,_priceFormat,_priceFormatType,_tickSize,spreadDefinitionId,Version ID,Timestamp,Date,Quantity,Text,Type,Limit Price,Stop Price,decimalLimit,decimalStop,Filled Qty,Avg Fill Price,decimalFillAvg,Venue,Notional Value,Currency'),
    ...ownOf(archive.orders, request)
      .filter(({ time }) => time <= archive.now)
      .map((order) => orderCells(order, filled.get(order.id) ?? [], archive.now, request)),
  ]
}

const orderCells = (order: Order, own: readonly Execution[], now: number, { account, behind }: ReportOrder): string[] => {
  const { id, versionId, action, contract, session, qty, type, ticks, time } = order
  const { product } = contract
  const count = own.reduce((sum, fill) => sum + fill.qty, 0)
  const average = own.reduce((sum, fill) => sum + fill.ticks * fill.qty, 0) / count
  const last = own.at(-1)
  const [exact, shown, filledQty] = last === undefined ? ['', '', ''] : [noisyPrice(product, average), priceText(product, average), String(count)]
  const wanted = ticks === null ? '' : priceText(product, ticks)
  const [limit, stop] = type === 'Limit' ? [wanted, ''] : ['', wanted]
  const status = order.endsAt <= now ? order.outcome : 'Working'
  return [
    ...[String(id), account.name, String(id), sideOf[action], contract.name, product.name, product.description, exact, filledQty, last === undefined ? '' : localTime(last.time, behind)],
    ...[String(id), ` ${status}`, ...formatOf(product), '', String(versionId), localTime(time, behind), shortDate(session), String(qty), '', ` ${type}`],
    ...[limit, stop, limit, stop, filledQty, shown, exact, product.exchange, '', product.currency],
  ]
}

const feeTypes: readonly (readonly [part: keyof FeeParts, type: string])[] = [
  ['commission', 'Commission'], ['exchangeFee', 'Exchange Fee'], ['clearingFee', 'Clearing Fee'], ['nfaFee', 'Nfa Fee'], ['brokerageFee', 'Brokerage Fee'], ['orderRoutingFee', 'Order Routing Fee'],
]

type Movement = { readonly id: number; readonly time: number; readonly session: string; readonly currency: Product['currency']; readonly type: string; readonly cents: number; readonly contract: string }

/** A fill's bookings: each fee, and the P&L of each pair that it closed. */
const movementsOf = (fill: Execution, closed: readonly PairedFills[]): Movement[] => {
  const { product, name } = fill.contract
  const common = { time: fill.time, session: fill.session, currency: product.currency, contract: name }
  const fees = feeTypes.filter(([part]) => product.fees[part] > 0)
  return [
    ...fees.map(([part, type], index) => ({ ...common, id: fill.id * 100 + index, type, cents: -centsOf(product.fees[part] * fill.qty) })),
    ...closed.map((pair) => ({ ...common, id: pair.id * 100, type: 'Trade Paired', cents: centsOf(pair.gross) })),
  ]
}

// Ids grow with time, except those of live orders, which are above all others.
const closingOf = ({ buy, sell }: PairedFills): Execution => ((buy.time === sell.time ? buy.id > sell.id : buy.time > sell.time) ? buy : sell)

const ofAccount = ({ executions, books, now }: Archive, account: Account): Movement[] => {
  const closed = Map.groupBy(books.pairs.filter(({ accountId }) => accountId === account.id), (pair) => closingOf(pair).id)
  return executions.filter((fill) => fill.accountId === account.id && countsAt(fill, now)).flatMap((fill) => movementsOf(fill, closed.get(fill.id) ?? []))
}

/** What an account and its owner paid each other, oldest first: what it began with, and its payouts. They come to its cash before the session `known`. */
const transfersOf = (account: Account, movements: readonly Movement[], known: string): Movement[] =>
  account.cash.flatMap(({ currency, opening }, place): Movement[] => {
    const before = movements.filter((each) => each.session < known && each.currency === currency)
    const first = before[0]?.session ?? known
    const made = before.reduce((sum, { cents }) => sum + cents, 0)
    const payouts = place === 0 && account.began !== undefined ? payoutsOf(before, centsOf(account.began), centsOf(opening)) : []
    const paid = payouts.reduce((sum, { cents }) => sum + cents, 0)
    const transfer = { currency, type: 'Fund Transaction', contract: '' }
    return [{ session: first, time: sessionOpen(first), cents: centsOf(opening) - made - paid }, ...payouts].map((each, index) => ({ ...transfer, ...each, id: account.id * 100 + place + 10 * index }))
  })

const DOLLARS_PAID = 500

/** The payouts of each month: its profit beyond the cash to be left, in whole steps; the last one leaves exactly that. All in cents. */
const payoutsOf = (movements: readonly Movement[], began: number, left: number): Pick<Movement, 'session' | 'time' | 'cents'>[] => {
  const whole = DOLLARS_PAID * 100
  const total = began + movements.reduce((sum, { cents }) => sum + cents, 0) - left
  const sessions = [...Map.groupBy(movements, ({ session }) => session)]
  const payouts: Pick<Movement, 'session' | 'time' | 'cents'>[] = []
  let cash = began
  let paid = 0
  for (const [index, [session, booked]] of sessions.entries()) {
    cash += booked.reduce((sum, { cents }) => sum + cents, 0)
    const next = sessions[index + 1]?.[0]
    if (next?.slice(0, 7) === session.slice(0, 7)) continue
    const room = Math.min(cash - left, total - paid)
    const amount = next === undefined ? total - paid : Math.floor(room / whole) * whole
    if (amount <= 0) continue
    payouts.push({ session, time: Math.max(...booked.map(({ time }) => time)) + 60_000, cents: -amount })
    cash -= amount
    paid += amount
  }
  return payouts
}

/** Everything booked on an account's cash, in its order. */
const bookedOn = (archive: Archive, account: Account, known: string): Movement[] => {
  const movements = ofAccount(archive, account)
  return [...transfersOf(account, movements, known), ...movements].sort((one, other) => one.time - other.time)
}

const cashHistory = (archive: Archive, { account, from, to, behind }: ReportOrder, known: string): ReportRows => {
  const amounts = new Map<string, number>()
  const rows = bookedOn(archive, account, known).map(({ id, time, session, currency, type, cents, contract }) => {
    const amount = (amounts.get(currency) ?? 0) + cents
    amounts.set(currency, amount)
    return { session, cells: [account.name, String(id), localTime(time, behind), session, plainMoney(cents), plainMoney(amount), ` ${type}`, currency, contract] }
  })
  return [columns('Account,Transaction ID,Timestamp,Date,Delta,Amount,Cash Change Type,Currency,Contract'), ...rows.filter(({ session }) => session >= from && session <= to).map(({ cells }) => cells)]
}

/** Every day from the account's first on, in its own currency; weekends have no change. Opening fees are realized when the position closes. */
const balanceHistory = (archive: Archive, { account, from, to }: ReportOrder, known: string): ReportRows => {
  const last = archive.sessions.at(-1) ?? known
  const currency = account.cash[0]?.currency
  const booked = bookedOn(archive, account, known).filter((each) => each.currency === currency)
  const ofSession = Map.groupBy(booked, ({ session }) => session)
  const pairs = Map.groupBy(archive.books.pairs.filter((pair) => pair.accountId === account.id && pair.buy.contract.product.currency === currency), ({ session }) => session)
  const rows: string[][] = []
  let total = 0
  for (let day = booked[0]?.session ?? known; day <= last && day <= to; day = addDays(day, 1)) {
    total += (ofSession.get(day) ?? []).reduce((sum, { cents }) => sum + cents, 0)
    const realized = (pairs.get(day) ?? []).reduce((sum, { gross, qty, buy }) => sum + centsOf(gross) - centsOf(feePerContract(buy.contract.product) * qty * 2), 0)
    if (day >= from) rows.push([String(account.id), account.name, day, plainMoney(total), isWeekend(day) ? '0.00' : plainMoney(realized)])
  }
  return [columns('Account ID,Account Name,Trade Date,Total Amount,Total Realized PNL'), ...rows]
}

const isWeekend = (day: string): boolean => weekday(day) === 0 || weekday(day) === 6

/** The reports by name; `known` is the first session with a known opening balance. */
export const reports: Readonly<Record<string, (archive: Archive, order: ReportOrder, known: string) => ReportRows>> = {
  Performance: performance,
  Fills: fills,
  Orders: orders,
  'Cash History': cashHistory,
  'Account Balance History': balanceHistory,
}

/** The maximum number of days per report. */
const DAYS_AT_MOST = 63

const requestSchema = z.object({
  name: z.string(),
  representationType: z.literal('csv'),
  /** Minutes that the reader's clock is behind UTC. */
  timezone: z.number(),
  params: z.array(z.object({ name: z.string(), value: z.string() })),
})

/** The demo brokerage's reporting service. */
export type ReportService = ReturnType<typeof openReportService>

/** Reports over a world and the history before it, which is generated on the first request. */
export const openReportService = (parts: { readonly books: FloorBooks; readonly floor: Pick<ExchangeFloor, 'orders'>; readonly past: () => Promise<Past>; readonly now: () => number }) => {
  const { books, floor, now } = parts
  const { world } = books
  let past: Promise<Past> | null = null
  let kept: (Archive & { readonly version: number }) | null = null

  const archive = async (): Promise<Archive> => {
    const before = await (past ??= parts.past())
    const [at, version] = [now(), books.version()]
    if (kept?.now === at && kept.version === version) return kept
    const executions = [...before.executions, ...world.executions]
    kept = { now: at, version, sessions: [...before.sessions, ...world.sessions], orders: [...before.orders, ...world.orders, ...floor.orders().map(reportedOrder)], executions, books: keepBooks(executions, at) }
    return kept
  }

  return {
    /** The history up to the market clock. */
    archive,
    /** Answers `POST …/reports/requestReport` for a login. */
    answer: async (call: Call, userId: number): Promise<Answer> => {
      const request = requestSchema.safeParse(call.json)
      if (call.method !== 'POST' || !request.success) return empty(404)
      const { name, timezone, params } = request.data
      const given = (wanted: string): string => params.find((param) => param.name === wanted)?.value ?? ''
      const report = reports[name]
      if (report === undefined) return json({ errorText: 'Report not found' })
      const [from, to] = [dateOf(given('startDate')), dateOf(given('endDate'))]
      if (from === null || to === null || from > to) return json({ errorText: 'Invalid date range' })
      const account = world.accounts.find((each) => each.name === given('account') && each.traderId === userId && each.environment === call.environment)
      if (account === undefined) return json({ errorText: 'Account not found' })
      if (dayNumber(to) - dayNumber(from) > DAYS_AT_MOST) return json({ errorText: 'Too long range' })
      const rows = report(await archive(), { account, from, to, behind: timezone }, world.sessions[0] ?? to)
      return json({ data: csvOf(rows) })
    },
  }
}

/** A live order in the reports' form. */
const reportedOrder = (order: LiveOrder): Order => {
  const { id: versionId, qty, type, limit, stop } = currentVersion(order)
  const { id, accountId, contract, action, time, status, ended } = order
  const outcome = status === 'Filled' || status === 'Rejected' || status === 'Expired' ? status : 'Canceled'
  return { id, versionId, rowIds: 0, accountId, contract, session: sessionAt(time), time, action, qty, type, ticks: limit ?? stop, endsAt: ended?.at ?? Infinity, outcome }
}

/** `6/9/2026` as `2026-06-09`; null for anything else. */
const dateOf = (given: string): string | null => {
  const [, month = '', day = '', year = ''] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(given) ?? []
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return z.iso.date().safeParse(date).success ? date : null
}

/** Cells of a report, the header first. */
type ReportRows = readonly (readonly string[])[]

/** Rows as CSV: cells with commas or quotes are quoted, and lines end in CRLF. */
const csvOf = (rows: ReportRows): string => rows.map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('')

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** A sum in 1/10,000 as whole cents, half away from zero. */
export const centsOf = (units: number): number => Math.sign(units) * Math.round(Math.abs(units) / 100)

/** Cents with two decimals and thousands separators: `-1,200.00`. */
export const plainMoney = (cents: number): string => {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ',')}.${digits.slice(-2)}`
}

/** `$41.25`, and a loss `$(41.25)`. */
export const dollarMoney = (cents: number): string => (cents < 0 ? `$(${plainMoney(-cents)})` : `$${plainMoney(cents)}`)

/** The price of a number of ticks with all its decimals: `2647.10`. */
export const priceText = (product: Product, ticks: number): string => priceOf(product, ticks).toFixed(Math.round(Math.log10(product.tickScale)))

/** The same, multiplied in floating point as the broker does, with its noise. */
const noisyPrice = ({ tickUnits, tickScale }: Product, ticks: number): string => String(ticks * (tickUnits / tickScale))

const two = (value: number): string => String(value).padStart(2, '0')

/** `06/10/2026 14:41:43`; `behind` is how many minutes the reader's clock is behind UTC. */
const localTime = (time: number, behind: number): string => {
  const wall = new Date(time - behind * 60_000)
  return `${two(wall.getUTCMonth() + 1)}/${two(wall.getUTCDate())}/${String(wall.getUTCFullYear())} ${wall.toISOString().slice(11, 19)}`
}

/** `2026-06-10 12:41:43.083Z` */
const utcTime = (time: number): string => new Date(time).toISOString().replace('T', ' ')

/** `6/10/26` */
export const shortDate = (date: string): string => `${String(Number(date.slice(5, 7)))}/${String(Number(date.slice(8)))}/${date.slice(2, 4)}`

/** A hold time in the broker's format: `1h 28min 12sec`, `3min `, empty below a second. */
export const durationText = (ms: number): string => {
  const seconds = Math.floor(ms / 1000)
  const parts = [[Math.floor(seconds / 3600), 'h '], [Math.floor(seconds / 60) % 60, 'min '], [seconds % 60, 'sec']] as const
  return parts.map(([count, unit]) => (count === 0 ? '' : `${String(count)}${unit}`)).join('')
}
