import { priceText, type Contract, type Fill } from './market.ts'
import { centsOf, truePairs, type TruePair } from './oracle.ts'
import { booked, openingCents, today, type Account, type World } from './world.ts'

const two = (value: number): string => String(value).padStart(2, '0')

/** `01/22/2026 23:02:03` in UTC. */
const clockText = (time: number): string => {
  const date = new Date(time)
  return `${two(date.getUTCMonth() + 1)}/${two(date.getUTCDate())}/${String(date.getUTCFullYear())} ${date.toISOString().slice(11, 19)}`
}

const plain = (cents: number): string => `${cents < 0 ? '-' : ''}${String(Math.floor(Math.abs(cents) / 100)).replace(/\B(?=(\d{3})+$)/g, ',')}.${two(Math.abs(cents) % 100)}`
const inDollars = (cents: number): string => (cents < 0 ? `$(${plain(-cents)})` : `$${plain(cents)}`)
const quoted = (cell: string): string => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
const csv = (header: string, rows: readonly (readonly string[])[]): string => [header, ...rows.map((cells) => cells.map(quoted).join(','))].map((line) => `${line}\r\n`).join('')
const formatOf = ({ product: { tick } }: Contract): string[] => ['-2', '0', tick]

/** What one report is asked for; both days belong to it. */
export type ReportQuery = { readonly account: Account; readonly from: string; readonly to: string }

type Own = { readonly fills: readonly Fill[]; readonly pairs: readonly TruePair[]; readonly isWanted: (day: string) => boolean; readonly account: Account }

const heldTime = (ms: number): string => {
  const seconds = Math.floor(ms / 1000)
  return [[Math.floor(seconds / 3600), 'h '], [Math.floor(seconds / 60) % 60, 'min '], [seconds % 60, 'sec']].map(([count, unit]) => (count === 0 ? '' : `${String(count)}${String(unit)}`)).join('')
}

const fillsText = ({ fills, account, isWanted }: Own): string =>
  csv(
    '_id,_orderId,_contractId,_timestamp,_tradeDate,_action,_qty,_price,_active,_accountId,Fill ID,Order ID,Timestamp,Date,Account,B/S,Quantity,Price,_priceFormat,_priceFormatType,_tickSize,Contract,Product,Product Description,commission',
    fills.filter(({ day }) => isWanted(day)).map(({ id, orderId, contract, time, day, side, qty, ticks, active, feeCents }) => [
      ...[String(id), String(orderId), String(contract.id), new Date(time).toISOString().replace('T', ' '), day, side === 'Buy' ? '0' : '1', String(qty), priceText(contract, ticks), String(active), String(account.id)],
      ...[String(id), String(orderId), clockText(time), `${String(Number(day.slice(5, 7)))}/${String(Number(day.slice(8)))}/${day.slice(2, 4)}`, account.name, ` ${side}`, String(qty), priceText(contract, ticks)],
      ...[...formatOf(contract), contract.name, contract.product.name, `The ${contract.product.name} future`, String(feeCents / 100)],
    ]),
  )

const sidesOf = ({ entry, exit, long }: TruePair): [buy: Fill, sell: Fill] => (long ? [entry, exit] : [exit, entry])

const performanceText = ({ pairs, isWanted }: Own): string =>
  csv(
    'symbol,_priceFormat,_priceFormatType,_tickSize,buyFillId,sellFillId,qty,buyPrice,sellPrice,pnl,boughtTimestamp,soldTimestamp,duration',
    pairs.filter(({ exit }) => isWanted(exit.day)).map((pair) => {
      const [buy, sell] = sidesOf(pair)
      return [pair.contract.name, ...formatOf(pair.contract), String(buy.id), String(sell.id), String(pair.qty), priceText(pair.contract, buy.ticks), priceText(pair.contract, sell.ticks), inDollars(centsOf(pair.gross)), clockText(buy.time), clockText(sell.time), heldTime(Math.abs(sell.time - buy.time))]
    }),
  )

type Movement = { readonly id: number; readonly time: number; readonly day: string; readonly type: string; readonly cents: number; readonly currency: string; readonly contract: string }

const movementsOf = ({ fills, pairs }: Pick<Own, 'fills' | 'pairs'>): Movement[] => {
  const fees = fills.filter(({ active }) => active).flatMap(({ id, time, day, contract, feeCents }): Movement[] => {
    const commission = Math.floor(feeCents * 0.4)
    const common = { time, day, currency: contract.product.currency, contract: contract.name }
    return [{ ...common, id: id * 100, type: 'Commission', cents: -commission }, { ...common, id: id * 100 + 1, type: 'Exchange Fee', cents: commission - feeCents }]
  })
  const paired = pairs.map(({ entry, exit, contract, gross }): Movement => ({ id: exit.id * 100 + 50 + (entry.id % 50), time: exit.time, day: exit.day, type: 'Trade Paired', cents: centsOf(gross), currency: contract.product.currency, contract: contract.name }))
  return [...fees, ...paired].toSorted((one, other) => one.time - other.time || one.id - other.id)
}

const cashText = (own: Own): string => {
  const amounts = new Map([['USD', openingCents]])
  const rows = movementsOf(own).map((move) => {
    const amount = (amounts.get(move.currency) ?? 0) + move.cents
    amounts.set(move.currency, amount)
    return { day: move.day, cells: [own.account.name, String(move.id), clockText(move.time), move.day, plain(move.cents), plain(amount), ` ${move.type}`, move.currency, move.contract] }
  })
  return csv('Account,Transaction ID,Timestamp,Date,Delta,Amount,Cash Change Type,Currency,Contract', rows.filter(({ day }) => own.isWanted(day)).map(({ cells }) => cells))
}

const balanceText = (own: Own): string => {
  const moves = movementsOf(own).filter(({ currency }) => currency === 'USD')
  const days = [...new Set(moves.map(({ day }) => day))].sort()
  let total = openingCents
  const rows: string[][] = []
  for (const day of days) {
    const ofDay = moves.filter((move) => move.day === day).reduce((sum, { cents }) => sum + cents, 0)
    total += ofDay
    if (own.isWanted(day)) rows.push([String(own.account.id), own.account.name, day, plain(total), plain(ofDay)])
  }
  return csv('Account ID,Account Name,Trade Date,Total Amount,Total Realized PNL', rows)
}

const reports: Readonly<Record<string, (own: Own) => string>> = { Fills: fillsText, Performance: performanceText, 'Cash History': cashText, 'Account Balance History': balanceText }

/** The text of a report as the reporting service gives it; null for one that it does not know. */
export const reportText = (world: World, name: string, { account, from, to }: ReportQuery): string | null => {
  const fills = booked(world).filter((fill) => fill.account === account.id).toSorted((one, other) => one.time - other.time || one.id - other.id)
  const last = today(world)
  return reports[name]?.({ account, fills, pairs: truePairs(fills), isWanted: (day) => day >= from && day <= to && day <= last }) ?? null
}
