import type { DemoOrder } from '#shared/api/demo-market.ts'

/** Manual trading in the demo brokerage's market. */
export type DemoMarket = {
  /** Trades the product's front month at the market; returns the contract, and the brokerage's message if it refused the order. */
  readonly trade: (order: DemoOrder) => { readonly contract: string; readonly refused: string | null }
}
