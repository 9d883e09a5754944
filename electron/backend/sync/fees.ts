import { err, ok, type Result } from '#shared/base/result.ts'
import { sessionOf } from '#shared/market/session.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { areSameAmounts } from '#shared/money/currency-amounts.ts'
import { dayOfDate, isoDate } from '#shared/market/zone-clock.ts'
import type { BrokerFailure } from '../brokers/tradovate/failure.ts'
import { createAmountReader, mostFee, totalFee } from '../brokers/tradovate/fees.ts'
import { accountKey, readCurrencies } from '../brokers/tradovate/mapping.ts'
import type { CurrencyRow, FillFeeRow, FillRow, Rows } from '../brokers/tradovate/wire.ts'
import { addCounts } from '#shared/sync/receipt.ts'
import type { TakenFill } from '../db/rows.ts'
import { derivedCounts, goesOn, leaveOut, type PartSetup, type Tally } from './tally.ts'

type Read<T> = Promise<Result<T, BrokerFailure>>

/** The fills of a session and those of earlier ones that it names, with the account of each; `askedAt` is UTC ms. */
type ReadFills = { readonly fills: readonly FillRow[]; readonly found: readonly FillRow[]; readonly accountOf: ReadonlyMap<number, number>; readonly askedAt: number | null }

/** Fees of a session's fills, and whether they are those of its end: then nothing more is booked. */
export type SessionFees = { readonly rows: readonly FillFeeRow[]; readonly settled: boolean }

/** A fee may be booked in parts, minutes after its fill. */
const feesSettleIn = 30 * 60_000

/** Reads the fees of a session as they are now, in one call where the broker lists them; else those that may have changed. */
export const readFees = async (setup: PartSetup, tally: Tally, { fills, found, accountOf, askedAt }: ReadFills): Read<SessionFees> => {
  const { userId, side, reads, journal, signal } = setup
  const counting = [...fills, ...found].filter(({ active }) => active)
  if (counting.length === 0) return ok({ rows: [], settled: isOver(askedAt) })
  const listed = await reads.feeList(signal)
  const missing = async (): Read<Rows<FillFeeRow>> => {
    const accounts = [...new Set(accountOf.values())].map((id) => accountKey(side, id))
    const known = await journal.read.knownFills({ userId, accounts, ids: counting.map(({ id }) => String(id)) })
    const withFee = new Set(known.filter(({ fee }) => fee !== null).map(({ id }) => Number(id)))
    const latest = counting.reduce((time, { timestamp }) => Math.max(time, timestamp), 0)
    const wanted = counting.filter(({ id, timestamp }) => isOver(askedAt) || !withFee.has(id) || timestamp > latest - feesSettleIn)
    return reads.feesOf(wanted.map(({ id }) => id), signal)
  }
  const fees = !listed.ok ? listed : listed.value === null ? await missing() : ok(listed.value)
  if (!fees.ok) {
    // The fills need not wait for their fees: until they come the rate of the table is used.
    if (!goesOn(fees.error)) return err(fees.error)
    tally.failures.push(fees.error)
    return ok({ rows: [], settled: false })
  }
  leaveOut(tally, fees.value.refused)
  const ids = new Set(counting.map(({ id }) => id))
  const rows = fees.value.rows.filter(({ id }) => ids.has(id))
  return ok({ rows, settled: isOver(askedAt) && rows.length === ids.size })
}

/** Whether the session is over in which the fills were asked for. */
const isOver = (askedAt: number | null): boolean => askedAt !== null && askedAt >= sessionOf(tradingDay(askedAt)).closes

/** How far back sessions are looked for whose fees nobody read after their end, in days. */
const daysBack = 7

/**
 * Asks once more for the fees of sessions that are over and that no run read after their end. A broker that does not know
 * them any more is not asked again: what it said last stays until a report of it says more.
 */
export const settleFees = async (setup: PartSetup, tally: Tally, currencies: readonly CurrencyRow[]): Promise<void> => {
  const { userId, side, reads, journal, now, signal } = setup
  const today = tradingDay(now())
  const sessions = await journal.read.unsettledSessions({ userId, accounts: tally.accounts, since: isoDate(dayOfDate(today) - daysBack), before: today })
  const amountOf = createAmountReader(mostFee)
  const currencyOf = readCurrencies(currencies)
  for (const { account, tradingDay: day, fills } of sessions) {
    const counting = fills.filter(({ active }) => active)
    const fees = await reads.feesOf(counting.map(({ id }) => Number(id)), signal)
    if (!fees.ok && fees.error.kind !== 'permission-missing') {
      if (fees.error.kind !== 'aborted') tally.failures.push(fees.error)
      return
    }
    const rows = new Map(fees.ok ? fees.value.rows.map((row) => [String(row.id), row]) : [])
    const contracts = await journal.read.knownContracts({ userId, environment: side, brokerContractIds: [...new Set(counting.flatMap(({ contractId }) => contractId ?? []))] })
    const specs = new Map(contracts.map(({ spec }) => [spec.contract, spec]))
    const booked = counting.flatMap((fill): TakenFill[] => {
      const [row, spec] = [rows.get(fill.id), specs.get(fill.contract)]
      if (row === undefined || spec?.tickSize !== fill.tickSize) return []
      const fee = totalFee(row, spec.currency, amountOf, currencyOf)
      if (!fee.ok || fee.value.fee === null || (fee.value.fee === fill.fee && areSameAmounts(fee.value.otherFees, fill.otherFees))) return []
      return [{ ...fill, ...fee.value }]
    })
    if (booked.length > 0) tally.counts = addCounts(tally.counts, derivedCounts(await journal.write.takeFills({ userId, fills: booked, specs: [...specs.values()], at: now() })))
    await journal.write.noteSettled({ userId, account, tradingDay: day })
  }
}
