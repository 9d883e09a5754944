import type { Ticks } from '../money/price.ts'
import type { AccountKey, Side } from './fill.ts'

/** A price at which an order worked, in whole ticks, with the contracts that it was for; until the next one, or the end. Times are UTC ms. */
export type OrderStep = { readonly at: number; readonly price: Ticks; readonly qty: number }

/** A stop or limit order as it was moved; `endedAt` is null while it works. A stop counts with the price that triggers it. */
export type WorkedOrder = {
  readonly account: AccountKey
  readonly id: string
  readonly contract: string
  readonly tickSize: string
  readonly side: Side
  readonly kind: 'stop' | 'limit'
  readonly steps: readonly OrderStep[]
  readonly endedAt: number | null
}
