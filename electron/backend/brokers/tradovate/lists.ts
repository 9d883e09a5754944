import { err, ok } from '#shared/base/result.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { goesOn, type BrokerFailure } from '../failure.ts'
import type { Answer, PartAsk } from '../port.ts'
import type { BrokerReads } from './reads.ts'
import type { FillPairRow, FillRow, OrderRow, PositionRow, RefusedRow } from './wire.ts'

/** What a part is asked, and the reads of its login and side. */
export type TradovateAsk = PartAsk & { readonly reads: BrokerReads }

/** The broker's own books beside its fills. */
export type BookRows = { readonly positions: readonly PositionRow[]; readonly pairs: readonly FillPairRow[]; readonly positionsWhole: boolean; readonly pairsRead: boolean }

/** What the broker lists of its running session. */
export type Lists = {
  readonly fills: readonly FillRow[]
  /** Fills that only a pair named, of earlier sessions too, and that the broker still knew. */
  readonly found: readonly FillRow[]
  /** Rows of both, refused ones too. */
  readonly received: number
  readonly orders: readonly OrderRow[]
  readonly ordersRead: boolean
  /** Null where the positions could not be read. */
  readonly books: BookRows | null
  /** The account of each fill that something names: its order, or a pair of it. */
  readonly accountOf: ReadonlyMap<number, number>
  /** Whether the lists still changed when they were read last: then they need not fit each other. */
  readonly moving: boolean
  readonly refused: readonly RefusedRow[]
  readonly failures: readonly BrokerFailure[]
  /** When the fills were asked for, UTC ms; null where the broker's next session began meanwhile. */
  readonly askedAt: number | null
}

const mostRounds = 3
/** Fills that only a pair names are asked for by their ids, which is one question each where the broker does not know them. */
const mostAskedFor = 20

/** Reads fills, then positions and pairs. Where those do not fit each other a fill may have come between: then all is read again, until it fits or stays the same. */
export const readLists = async (ask: TradovateAsk): Answer<Lists> => {
  const first = await readRound(ask)
  if (!first.ok) return first
  let last = first.value
  let moving = false
  for (let round = 1; round < mostRounds && !fits(last); round += 1) {
    const again = await readRound(ask)
    if (!again.ok) return goesOn(again.error) ? ok({ ...last, moving: true }) : again
    moving = signatureOf(again.value) !== signatureOf(last)
    last = again.value
    if (!moving) break
  }
  return ok({ ...last, moving: moving && !fits(last) })
}

const readRound = async (ask: TradovateAsk): Answer<Lists> => {
  const { now, reads, signal } = ask
  const failures: BrokerFailure[] = []
  const refused: RefusedRow[] = []
  const askedAt = now()
  const fills = await reads.fills(signal)
  if (!fills.ok) return fills
  // A list that was asked for before the broker cleared it may have been answered after.
  const isOneSession = tradingDay(now()) === tradingDay(askedAt)
  refused.push(...fills.value.refused)

  const books = await readBooks(ask, failures, refused)
  if (!books.ok) return books
  const found = await fillsOfPairs(ask, fills.value.rows, books.value, failures)
  if (!found.ok) return found
  const all = [...fills.value.rows, ...found.value]

  const orders = all.length === 0 ? ok({ rows: [], refused: [] }) : await reads.orders(new Set(all.map((row) => row.orderId)), signal)
  if (!orders.ok) {
    if (!goesOn(orders.error)) return orders
    failures.push(orders.error)
  }
  const orderRows: readonly OrderRow[] = orders.ok ? orders.value.rows : []
  if (orders.ok) refused.push(...orders.value.refused)
  const accountOf = accountsOf(all, orderRows, books.value)
  const received = all.length + fills.value.refused.length
  return ok({ fills: fills.value.rows, found: found.value, received, orders: orderRows, ordersRead: orders.ok, books: books.value, accountOf, moving: false, refused, failures, askedAt: isOneSession ? askedAt : null })
}

const readBooks = async ({ reads, signal }: TradovateAsk, failures: BrokerFailure[], refused: RefusedRow[]): Answer<BookRows | null> => {
  const positions = await reads.positions(signal)
  const pairs = positions.ok && positions.value.rows.length === 0 ? ok({ rows: [], refused: [] }) : await reads.fillPairs(signal)
  for (const list of [positions, pairs]) {
    if (list.ok) refused.push(...list.value.refused)
    else if (!goesOn(list.error)) return list
    else failures.push(list.error)
  }
  if (!positions.ok) return ok(null)
  return ok({ positions: positions.value.rows, pairs: pairs.ok ? pairs.value.rows : [], positionsWhole: positions.value.refused.length === 0, pairsRead: pairs.ok && pairs.value.refused.length === 0 })
}

/** Fills that a pair names and no list has: carried ones of earlier sessions, or such as the list left out. */
const fillsOfPairs = async ({ reads, known: journal, signal }: TradovateAsk, listed: readonly FillRow[], books: BookRows | null, failures: BrokerFailure[]): Answer<readonly FillRow[]> => {
  const known = new Set(listed.map(({ id }) => id))
  const named = new Set((books?.pairs ?? []).flatMap(({ buyFillId, sellFillId }) => [buyFillId, sellFillId]))
  const lacking = [...named].filter((id) => !known.has(id))
  if (lacking.length === 0) return ok([])
  const accounts = (await journal.accounts()).map(({ key }) => key)
  const kept = new Set((await journal.fills(accounts, lacking.map(String))).map(({ id }) => Number(id)))
  const wanted = lacking.filter((id) => !kept.has(id)).slice(0, mostAskedFor)
  const found = await reads.fillsOf(wanted, signal)
  if (found.ok) return ok(found.value.rows)
  if (!goesOn(found.error)) return err(found.error)
  failures.push(found.error)
  return ok([])
}

const accountsOf = (fills: readonly FillRow[], orders: readonly OrderRow[], books: BookRows | null): ReadonlyMap<number, number> => {
  const accounts = new Map<number, number>()
  const ofPosition = new Map(books?.positions.map(({ id, accountId }) => [id, accountId]))
  for (const { positionId, buyFillId, sellFillId } of books?.pairs ?? []) {
    const account = ofPosition.get(positionId)
    if (account === undefined) continue
    accounts.set(buyFillId, account)
    accounts.set(sellFillId, account)
  }
  const ofOrder = new Map(orders.map(({ id, accountId }) => [id, accountId]))
  for (const { id, orderId } of fills) {
    const account = ofOrder.get(orderId)
    if (account !== undefined) accounts.set(id, account)
  }
  return accounts
}

/** Whether the positions count just the fills that came with them. */
const fits = ({ fills, books, accountOf }: Lists): boolean => {
  if (books === null) return true
  const traded = new Map<string, { bought: number; sold: number }>()
  const keyOf = (account: number | undefined, contract: number, { year, month, day }: FillRow['tradeDate']): string => [account, contract, year, month, day].join()
  for (const { id, contractId, tradeDate, action, qty, active } of fills) {
    if (!active) continue
    const key = keyOf(accountOf.get(id), contractId, tradeDate)
    const sum = traded.get(key) ?? { bought: 0, sold: 0 }
    sum[action === 'Buy' ? 'bought' : 'sold'] += qty
    traded.set(key, sum)
  }
  for (const { accountId, contractId, tradeDate, bought, sold } of books.positions) {
    const key = keyOf(accountId, contractId, tradeDate)
    const sum = traded.get(key) ?? { bought: 0, sold: 0 }
    if (sum.bought !== bought || sum.sold !== sold) return false
    traded.delete(key)
  }
  return traded.size === 0
}

const signatureOf = ({ fills, books }: Lists): string => JSON.stringify([fills.map(({ id, active }) => [id, active]).sort(), books?.positions.map(({ id, netPos, bought, sold }) => [id, netPos, bought, sold]).sort()])
