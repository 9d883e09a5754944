import type { Reading } from '#shared/imports/reading.ts'
import { parseCurrency, type Amount, type Currency } from '#shared/money/money.ts'
import type { Ticks } from '#shared/money/price.ts'
import { strangeProduct, type Product } from './products.ts'
import { placeOf } from './truth.ts'
import type { TrueCash, TrueDay, TruePair } from './truth.ts'
import type { TrueAccount, TrueFill, TrueOrder } from './world.ts'

const amount = (cents: bigint): Amount => Number(cents * 100n) as Amount
const wholeSecond = (time: number): number => Math.floor(time / 1000) * 1000

const currencyOf = ({ currency }: TrueAccount): Currency => {
  const parsed = parseCurrency(currency)
  if (parsed === null) throw new Error(`No currency: ${currency}`)
  return parsed
}

// A reading names the product only where the contract's own name does not say it.
const namedProduct = ({ root }: Product): { product?: string } => (root === strangeProduct.root ? { product: root } : {})

/** What the Fills report says of a fill: to the millisecond. */
export const fillReading = ({ account, id, order, product, time, side, qty, ticks, fees, busted, bookedOn }: TrueFill): Reading => ({
  says: 'fill',
  account: { id: account.id, name: account.name },
  fillId: id,
  orderId: order.id,
  contract: product.contract,
  ...namedProduct(product),
  time,
  side,
  qty,
  price: ticks as Ticks,
  tickSize: product.tickSize,
  fee: amount(fees.reduce((sum, [, cents]) => sum + cents, 0n)),
  active: !busted,
  tradeDate: bookedOn,
})

/** What the Orders report says of an order, nothing of one that was never filled; times are whole seconds. */
export const orderReading = ({ account, id, product, placedAt, side, fills }: TrueOrder, hasCurrency: boolean): readonly Reading[] => {
  const good = fills.filter(({ busted }) => !busted)
  const last = good.at(-1)
  if (last === undefined) return []
  const qty = good.reduce((sum, fill) => sum + fill.qty, 0)
  const priceSum = good.reduce((sum, fill) => sum + fill.ticks * fill.qty, 0)
  return [{ says: 'order', account: { id: null, name: account.name }, orderId: id, contract: product.contract, ...namedProduct(product), placedAt: wholeSecond(placedAt), filledAt: wholeSecond(last.time), side, qty, priceSum, tickSize: product.tickSize, currency: hasCurrency ? currencyOf(account) : null }]
}

/** What the Position History says of a pair; a Performance report names neither account, pair, currency nor day. */
export const pairReading = ({ account, id, product, buy, sell, qty, cents, bookedOn }: TruePair, from: 'position-history' | 'performance'): Reading => {
  const named = from === 'position-history'
  const side = (fill: TrueFill) => ({ fillId: fill.id, time: wholeSecond(fill.time), price: fill.ticks as Ticks })
  return { says: 'pair', account: { id: null, name: named ? account.name : null }, pairId: named ? id : null, contract: product.contract, ...(named ? namedProduct(product) : {}), buy: side(buy), sell: side(sell), qty, tickSize: product.tickSize, pnl: amount(cents), currency: named ? currencyOf(account) : null, tradeDate: named ? bookedOn : null }
}

/** What the Cash History says of a movement. */
export const cashReading = ({ account, id, time, bookedOn, type, cents, amount: held, product, fill }: TrueCash, names: 'contract' | 'product'): Reading => ({
  says: 'cash',
  account: { id: null, name: account.name },
  transactionId: id,
  time: wholeSecond(time),
  tradeDate: bookedOn,
  movement: type === 'Trade Paired' ? 'pair' : fill !== null ? 'fee' : 'other',
  type,
  ...(type !== 'Trade Paired' && fill === null ? { transfer: true as const } : {}),
  delta: amount(cents),
  amount: amount(held),
  currency: currencyOf(account),
  contract: product === null ? null : fill !== null && names === 'product' ? product.root : product.contract,
})

/** What the Account Balance History says of a day. */
export const balanceReading = ({ account, date, total, realized }: TrueDay): Reading => ({ says: 'balance', account: { id: account.id, name: account.name }, tradeDate: date, total: amount(total), realized: amount(realized) })

/** The readings of NinjaTrader's grid for fills in order; `charged` if it shows more than `$0.00`. */
export const gridReadings = (fills: readonly TrueFill[], charged: boolean): Reading[] => {
  const held = new Map<string, number>()
  return fills.map((fill) => {
    const netAfter = (held.get(placeOf(fill)) ?? 0) + (fill.side === 'buy' ? fill.qty : -fill.qty)
    held.set(placeOf(fill), netAfter)
    return gridReading(fill, netAfter, charged)
  })
}

const gridReading = ({ account, id, order, product, time, side, qty, ticks, fees }: TrueFill, netAfter: number, charged: boolean): Reading => {
  const fee = fees.reduce((sum, [, cents]) => sum + cents, 0n)
  return { says: 'fill', account: { id: null, name: account.name }, fillId: `${id}_1`, orderId: order.id, contract: product.contract, time: wholeSecond(time), side, qty, price: ticks as Ticks, tickSize: product.tickSize, fee: charged ? amount(fee) : amount(0n), active: true, netAfter, tradeDate: null }
}
