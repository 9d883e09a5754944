import { err, ok } from '#shared/base/result.ts'
import { sessionOf } from '#shared/market/session.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { goesOn } from '../failure.ts'
import type { Answer } from '../port.ts'
import type { Lists, TradovateAsk } from './lists.ts'
import { accountKey } from './mapping.ts'
import type { FillFeeRow, Rows } from './wire.ts'

/** Fees of a session's fills, and whether they are those of its end: then nothing more is booked. */
export type SessionFees = { readonly rows: readonly FillFeeRow[]; readonly settled: boolean }

/** A fee may be booked in parts, minutes after its fill. */
const feesSettleIn = 30 * 60_000

/** Reads the fees of a session as they are now, in one call where the broker lists them; else those that may have changed. */
export const readFees = async (ask: TradovateAsk, { fills, found, accountOf, askedAt }: Lists): Answer<SessionFees> => {
  const { side, reads, known, signal } = ask
  const counting = [...fills, ...found].filter(({ active }) => active)
  if (counting.length === 0) return ok({ rows: [], settled: isOver(askedAt) })
  const listed = await reads.feeList(signal)
  const missing = async (): Answer<Rows<FillFeeRow>> => {
    const accounts = [...new Set(accountOf.values())].map((id) => accountKey(side, id))
    const kept = await known.fills(accounts, counting.map(({ id }) => String(id)))
    const withFee = new Set(kept.filter(({ fee }) => fee !== null).map(({ id }) => Number(id)))
    const latest = counting.reduce((time, { timestamp }) => Math.max(time, timestamp), 0)
    const wanted = counting.filter(({ id, timestamp }) => isOver(askedAt) || !withFee.has(id) || timestamp > latest - feesSettleIn)
    return reads.feesOf(wanted.map(({ id }) => id), signal)
  }
  const fees = !listed.ok ? listed : listed.value === null ? await missing() : ok(listed.value)
  if (!fees.ok) {
    // The fills need not wait for their fees: until they come the rate of the table is used.
    if (!goesOn(fees.error)) return err(fees.error)
    ask.failed(fees.error)
    return ok({ rows: [], settled: false })
  }
  ask.leaveOut(fees.value.refused)
  const ids = new Set(counting.map(({ id }) => id))
  const rows = fees.value.rows.filter(({ id }) => ids.has(id))
  return ok({ rows, settled: isOver(askedAt) && rows.length === ids.size })
}

/** Whether the session is over in which the fills were asked for. */
const isOver = (askedAt: number | null): boolean => askedAt !== null && askedAt >= sessionOf(tradingDay(askedAt)).closes
