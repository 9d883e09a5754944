import { z } from 'zod'
import { accountKeyText } from './copier.ts'
import type { Route } from './route.ts'

/** The products that can be traded by hand on the demo brokerage. */
export const demoProducts = ['MNQ', 'NQ', 'MES', 'ES'] as const

/** A market order placed by hand on the demo brokerage. */
export const demoOrder = z.strictObject({ account: accountKeyText, product: z.enum(demoProducts), side: z.enum(['buy', 'sell']), qty: z.number().int().min(1).max(20) })
export type DemoOrder = z.infer<typeof demoOrder>

/** Simulates the trader's own platform, for the demo profile only; every other profile gets `not-found`. */
export const demoMarketRoutes = {
  demoTrade: {
    method: 'POST',
    path: '/api/demo/trade',
    body: demoOrder,
    /** `refused` is the brokerage's text if it refused the order. */
    answer: z.object({ contract: z.string(), refused: z.string().nullable() }),
  },
} as const satisfies Record<string, Route>
