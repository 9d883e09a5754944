import { ninjaTime } from './clock.ts'
import { priceText } from './products.ts'
import { dollarMoney, type Table } from './table.ts'
import { inOrder, placeOf } from './truth.ts'
import type { TrueFill } from './world.ts'

/** How a grid was written; `spelled` months read `MAR26`, others `03-26`. */
export type GridStyle = { readonly zone: string; readonly time: 'am-pm' | 'iso' | 'minutes'; readonly spelled: boolean; readonly newestFirst: boolean; readonly displayName: boolean; readonly charged: boolean }

/** The id under which the grid knows a fill. */
export const gridId = ({ id }: TrueFill): string => `${id}_1`

const actionOf = (side: 'buy' | 'sell', before: number): string => (side === 'buy' ? (before < 0 ? 'BuyToCover' : 'Buy') : before > 0 ? 'Sell' : 'SellShort')

/** NinjaTrader's grid of executions, with the trailing comma of each of its lines as an empty column. */
export const ninjaTable = (fills: readonly TrueFill[], { zone, time, spelled, newestFirst, displayName, charged }: GridStyle): Table => {
  const held = new Map<string, number>()
  const rows = inOrder(fills)
    .filter(({ busted }) => !busted)
    .map((fill) => {
      const { product, side, qty, ticks, account, order, fees } = fill
      const before = held.get(placeOf(fill)) ?? 0
      const after = before + (side === 'buy' ? qty : -qty)
      held.set(placeOf(fill), after)
      const cost = charged ? fees.reduce((sum, [, cents]) => sum + cents, 0n) : 0n
      const position = after === 0 ? '-' : `${String(Math.abs(after))} ${after > 0 ? 'L' : 'S'}`
      return [`${product.root} ${product.month[spelled ? 0 : 1]}`, actionOf(side, before), String(qty), priceText(product, ticks), ninjaTime(zone, fill.time, time), gridId(fill), Math.abs(after) > Math.abs(before) ? 'Entry' : 'Exit', position, order.id, order.type, dollarMoney(cost), '1', account.name, 'Apex Trader Funding', '']
    })
  return {
    header: ['Instrument', 'Action', 'Quantity', 'Price', 'Time', 'ID', 'E/X', 'Position', 'Order ID', 'Name', 'Commission', 'Rate', displayName ? 'Account display name' : 'Account', 'Connection', ''],
    rows: newestFirst ? rows.reverse() : rows,
  }
}
