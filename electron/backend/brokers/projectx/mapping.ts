import type { AccountKey } from '#shared/fills/fill.ts'
import type { ContractSpec } from '#shared/market/contract-spec.ts'
import { addAmounts, parseAmount, type Amount } from '#shared/money/money.ts'
import { parsePrice, type Ticks } from '#shared/money/price.ts'
import { err, ok, type Result } from '#shared/base/result.ts'
import type { StatedFill } from '#shared/reconcile/stated-fills.ts'
import type { Environment } from '#shared/sync/plan.ts'
import type { FetchedFills } from '../port.ts'
import type { RefusalReason, RefusedRow } from '../rows.ts'
import type { ProjectxFirmId } from './hosts.ts'
import type { TradeRow } from './wire.ts'

/** The journal's key of an account: `topstepx:demo:8734`. */
export const accountKey = (firm: ProjectxFirmId, environment: Environment, accountId: number | string): AccountKey => `${firm}:${environment}:${String(accountId)}` as AccountKey

/** Fills to store, and the rows that could not be read. */
export type MappedTrades = Pick<FetchedFills, 'fills' | 'specs' | 'refused'> & { readonly stated: Pick<Required<FetchedFills>['stated'], 'fills' | 'voided'> }

// In 1/10,000 of a currency: beyond it the P&L of a trade, or sums with it, could not be kept exactly.
const mostWorth = 1_000_000_000_000_000

/** Exact fees and commissions of one half turn; null if the broker leaves out its fees, or a part is no cost. Commissions are newer: older trades have none. */
const feeOf = ({ fees, commissions }: TradeRow): Amount | null | 'unreadable' => {
  const [fee, commission] = [parseAmount(fees ?? 0), parseAmount(commissions ?? 0)]
  if (!fee.ok || !commission.ok) return 'unreadable'
  // A negative one may be a cost with its sign, or money back.
  return fees === null || fees === undefined || fee.value < 0 || commission.value < 0 ? null : addAmounts(fee.value, commission.value)
}

const readTrade = (row: TradeRow, spec: ContractSpec | undefined): Result<{ readonly price: Ticks; readonly fee: Amount | null; readonly gross: Amount | null; readonly spec: ContractSpec }, { readonly reason: RefusalReason; readonly field: string }> => {
  if (row.side !== 0 && row.side !== 1) return err({ reason: 'not-buy-or-sell', field: 'side' })
  if (spec === undefined) return err({ reason: 'no-contract', field: 'contractId' })
  const price = parsePrice(row.price, spec.tickSize)
  if (!price.ok) return err({ reason: 'price-off-tick', field: 'price' })
  if (Math.abs(price.value) * (spec.tickValue.num / spec.tickValue.den) * row.size > mostWorth) return err({ reason: 'amount-unreadable', field: 'price' })
  const fee = feeOf(row)
  if (fee === 'unreadable') return err({ reason: 'amount-unreadable', field: 'fees' })
  if (row.profitAndLoss === null || row.profitAndLoss === undefined) return ok({ price: price.value, fee, gross: null, spec })
  const gross = parseAmount(row.profitAndLoss, 'half-even')
  return gross.ok ? ok({ price: price.value, fee, gross: gross.value, spec }) : err({ reason: 'amount-unreadable', field: 'profitAndLoss' })
}

/**
 * Makes fills of an account's trades, each of which is half a turn. A voided one does not count and its id is kept, since
 * a trade may be voided after it was stored. One that cannot be read is refused by name and the others go on.
 */
export const mapTrades = (account: AccountKey, rows: readonly TradeRow[], specs: ReadonlyMap<string, ContractSpec>): MappedTrades => {
  const fills: FetchedFills['fills'][number][] = []
  const stated: StatedFill[] = []
  const voided: Pick<StatedFill, 'account' | 'id'>[] = []
  const used = new Map<string, ContractSpec>()
  const refused: RefusedRow[] = []
  for (const row of rows) {
    const read = readTrade(row, specs.get(row.contractId))
    if (!read.ok) {
      refused.push({ entity: 'fill', id: String(row.id), ...read.error })
      continue
    }
    const { price, fee, gross, spec } = read.value
    used.set(spec.contract, spec)
    const [id, side] = [String(row.id), row.side === 0 ? ('buy' as const) : ('sell' as const)]
    if (row.voided) voided.push({ account, id })
    else stated.push({ account, id, contract: spec.contract, currency: spec.currency, time: row.creationTimestamp, side, qty: row.size, gross, fees: fee })
    fills.push({
      id, account, contract: spec.contract, time: row.creationTimestamp, qty: row.size, price, fee,
      side, active: !row.voided, source: 'api', orderId: row.orderId ?? null, contractId: row.contractId,
      // The broker names no session.
      tradeDate: null,
    })
  }
  return { fills, specs: [...used.values()], refused, stated: { fills: stated, voided } }
}
