import type { DemoBroker } from './broker-types.ts'
import { sessionAt } from './chicago.ts'
import { frontMonth } from './contract-library.ts'
import { productNamed } from './products.ts'
import type { Action } from './world.ts'

/** Trades a product's front month at the market, as somebody at the broker's own screen does; gives the contract, and what was said where no order was taken. */
export const tradeByHand = ({ clock, hand }: Pick<DemoBroker, 'clock' | 'hand'>, order: { readonly account: number; readonly product: string; readonly action: Action; readonly qty: number }): { readonly contract: string; readonly refused: string | null } => {
  const { account, product, action, qty } = order
  const contract = frontMonth(productNamed(product), sessionAt(clock.now())).name
  const placed = hand.place({ account, action, symbol: contract, qty })
  return { contract, refused: 'orderId' in placed ? null : placed.failureText }
}
