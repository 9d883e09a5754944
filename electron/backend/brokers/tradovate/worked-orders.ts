import type { OrderStep, WorkedOrder } from '#shared/fills/worked-order.ts'
import type { ContractSpec } from '#shared/market/contract-spec.ts'
import { parsePrice } from '#shared/money/price.ts'
import type { Environment } from './hosts.ts'
import { accountKey } from './mapping.ts'
import type { ExecutionReportRow, FillRow, OrderVersionRow } from './wire.ts'

type Rows = {
  readonly environment: Environment
  readonly versions: readonly OrderVersionRow[]
  readonly reports: readonly ExecutionReportRow[]
  readonly fills: readonly FillRow[]
  readonly contracts: ReadonlyMap<number, ContractSpec>
}

const ends = new Set(['Canceled', 'Completed', 'DoneForDay', 'Expired', 'Rejected', 'Stopped'])
// Its price follows the market, and no version says where it was.
const kinds = new Map<string, WorkedOrder['kind']>([['Stop', 'stop'], ['StopLimit', 'stop'], ['Limit', 'limit']])

/** Stop and limit orders with the prices that they worked at. A version has no time of its own: it counts from the report of the command that made it, and one that no report accepted never counted. */
export const workedOrders = ({ environment, versions, reports, fills, contracts }: Rows): readonly WorkedOrder[] => {
  const versionsOf = Map.groupBy(versions, ({ orderId }) => orderId)
  const fillsOf = Map.groupBy(fills.filter(({ active }) => active), ({ orderId }) => orderId)
  return [...Map.groupBy(reports, ({ orderId }) => orderId)].flatMap(([orderId, unsorted]): WorkedOrder[] => {
    const own = unsorted.toSorted((one, other) => one.id - other.id)
    const accepted = own.filter(({ execType }) => execType === 'New' || execType === 'Replaced').toSorted((one, other) => one.timestamp - other.timestamp || one.commandId - other.commandId)
    const [first] = accepted
    const spec = first && contracts.get(first.contractId)
    if (first === undefined || spec === undefined) return []
    const inOrder = (versionsOf.get(orderId) ?? []).toSorted((one, other) => one.id - other.id)
    const versionOf = (commandId: number): OrderVersionRow | undefined => inOrder.find(({ id }) => id >= commandId)
    const kind = kinds.get(versionOf(first.commandId)?.orderType ?? '')
    const side = first.action === 'Buy' ? 'buy' : first.action === 'Sell' ? 'sell' : null
    if (kind === undefined || side === null) return []
    const steps: OrderStep[] = []
    for (const { commandId, timestamp } of accepted) {
      const version = versionOf(commandId)
      const price = parsePrice((kind === 'stop' ? version?.stopPrice : version?.price) ?? NaN, spec.tickSize)
      // Of an order of which a part is not known nothing is shown.
      if (version === undefined || !price.ok || kinds.get(version.orderType) !== kind) return []
      steps.push({ at: timestamp, price: price.value, qty: version.orderQty })
    }
    const filled = fillsOf.get(orderId) ?? []
    const isFull = filled.reduce((sum, { qty }) => sum + qty, 0) >= (steps.at(-1)?.qty ?? 0) || own.some(({ ordStatus }) => ordStatus === 'Filled')
    const end = own.find(({ execType }) => ends.has(execType))?.timestamp ?? (isFull && filled.length > 0 ? Math.max(...filled.map(({ timestamp }) => timestamp)) : null)
    return [{ account: accountKey(environment, first.accountId), id: String(orderId), contract: spec.contract, tickSize: spec.tickSize, side, kind, steps, endedAt: end }]
  })
}
