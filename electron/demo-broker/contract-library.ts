import { addDays, weekday } from './chicago.ts'
import { PRODUCTS, type Product } from './products.ts'

const MONTH_LETTERS = 'FGHJKMNQUVXZ'
const CURRENCY_IDS = { USD: 1, EUR: 2 } as const
const EXCHANGES = [
  { id: 1, name: 'CME', micCode: 'XCME' },
  { id: 2, name: 'CBOT', micCode: 'XCBT' },
  { id: 3, name: 'NYMEX', micCode: 'XNYM' },
  { id: 4, name: 'COMEX', micCode: 'XCEC' },
  { id: 5, name: 'EUREX', micCode: 'XEUR' },
] as const

/** One row as the wire carries it. */
export type Row = { readonly id: number; readonly [field: string]: unknown }

/** One contract of a product, with what is needed to trade it. */
export type Contract = {
  readonly id: number
  readonly name: string
  readonly product: Product
  readonly maturityId: number
  /** `YYYYMM` as a number. */
  readonly month: number
  /** `YYYY-MM-DD` */
  readonly expires: string
}

/** The broker's number of a currency. */
export const currencyId = (currency: Product['currency']): number => CURRENCY_IDS[currency]

/** The contract of a product that traders use on a day. */
export const frontMonth = (product: Product, date: string): Contract => {
  const from = Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1
  for (let month = from; ; month += 1) {
    if (!product.months.includes(letterOf(month))) continue
    const contract = contractOf(product, month)
    if (addDays(contract.expires, -product.rollDays) > date) return contract
  }
}

/** The contracts that the library knows on a day, by id: for every product those in use, the one that is traded and the next one. */
export const contractsOn = (inUse: Iterable<Contract>, date: string): Contract[] => {
  const contracts = new Map<number, Contract>()
  for (const contract of inUse) contracts.set(contract.id, contract)
  for (const product of PRODUCTS) {
    const front = frontMonth(product, date)
    for (const each of [front, frontMonth(product, front.expires)]) contracts.set(each.id, each)
  }
  return [...contracts.values()].sort((a, b) => a.id - b.id)
}

/** The rows of the contract library as they read on a day, of its contracts. */
export const libraryRows = (sorted: readonly Contract[], date: string): Record<LibraryEntity, Row[]> => {
  return {
    contract: sorted.map((each) => ({ id: each.id, name: each.name, contractMaturityId: each.maturityId })),
    contractMaturity: sorted.map((each) => maturityRow(each, frontMonth(each.product, date).id === each.id)),
    product: PRODUCTS.map(productRow),
    exchange: EXCHANGES.map((exchange) => ({ ...exchange })),
    currency: [
      { id: 1, name: 'USD', symbol: '$' },
      { id: 2, name: 'EUR', symbol: '€' },
      { id: 5, name: 'CAD', symbol: 'C$' },
      { id: 9, name: 'CHF', symbol: 'Fr' },
    ],
  }
}

/** The entities that every login sees alike. */
export type LibraryEntity = 'contract' | 'contractMaturity' | 'product' | 'exchange' | 'currency'

const letterOf = (month: number): string => MONTH_LETTERS.charAt(month % 12)

const contractOf = (product: Product, month: number): Contract => {
  const year = Math.floor(month / 12)
  return {
    id: 4_000_000 + product.id * 1000 + (month % 1000),
    name: `${product.name}${letterOf(month)}${year % 10}`,
    product,
    maturityId: 50_000 + (product.id - 900) * 1000 + (month % 1000),
    month: year * 100 + (month % 12) + 1,
    expires: expiryOf(product, year, (month % 12) + 1),
  }
}

const expiryOf = (product: Product, year: number, month: number): string => {
  const first = `${year}-${String(month).padStart(2, '0')}-01`
  switch (product.expiry) {
    case 'third-friday':
      return addDays(first, ((5 - weekday(first) + 7) % 7) + 14)
    case 'before-third-wednesday':
      return addDays(first, ((3 - weekday(first) + 7) % 7) + 12)
    case 'month-before-20th':
      return addDays(`${addDays(first, -1).slice(0, 7)}-01`, 19)
    case 'month-end':
      return addDays(`${addDays(first, 31).slice(0, 7)}-01`, -4)
  }
}

// The real broker leaves the seconds out here.
const maturityRow = (contract: Contract, isFront: boolean): Row => ({
  id: contract.maturityId,
  productId: contract.product.id,
  expirationMonth: contract.month,
  expirationDate: `${contract.expires}T14:30Z`,
  archived: false,
  seqNo: contract.month % 100,
  isFront,
})

const productRow = (product: Product): Row => ({
  id: product.id,
  name: product.name,
  currencyId: currencyId(product.currency),
  productType: 'Futures',
  description: product.description,
  exchangeId: EXCHANGES.find(({ name }) => name === product.exchange)?.id,
  exchangeChannelId: 4,
  contractGroupId: 20,
  riskDiscountContractGroupId: 1,
  status: 'Verified',
  months: product.months,
  valuePerPoint: product.valuePerPoint,
  priceFormatType: product.priceFormatType,
  priceFormat: product.priceFormat,
  tickSize: product.tickUnits / product.tickScale,
  isMicro: product.name.startsWith('M') || product.name === 'FDXS',
  hasReplay: true,
})
