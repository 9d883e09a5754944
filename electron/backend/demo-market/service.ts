import type { DemoOrder } from '#shared/api/demo-market.ts'

/** The demo brokerage's market, for somebody who trades there by hand. */
export type DemoMarket = {
  /** Trades the product's front month at the market; gives the contract, and what the brokerage said where it took no order. */
  readonly trade: (order: DemoOrder) => { readonly contract: string; readonly refused: string | null }
}
