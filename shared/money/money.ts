import type { Brand } from '#shared/base/brand.ts'

/** An exact integer in 1/10,000 of a currency, within the safe integers. */
export type Amount = Brand<number, 'Amount'>

/** An ISO 4217 code: `USD`, `EUR`. */
export type Currency = Brand<string, 'Currency'>

/** An amount with its currency; amounts of different currencies are never added. */
export type Money = { readonly amount: Amount; readonly currency: Currency }
