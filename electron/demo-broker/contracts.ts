import { addDays, weekday } from './calendar.ts'

const MONTH_LETTERS = 'FGHJKMNQUVXZ'
const CURRENCY_IDS = { USD: 1, EUR: 2 } as const
const EXCHANGES = [
  { id: 1, name: 'CME', micCode: 'XCME' },
  { id: 2, name: 'CBOT', micCode: 'XCBT' },
  { id: 3, name: 'NYMEX', micCode: 'XNYM' },
  { id: 4, name: 'COMEX', micCode: 'XCEC' },
  { id: 5, name: 'EUREX', micCode: 'XEUR' },
] as const

/** One API row. */
export type WireRow = { readonly id: number; readonly [field: string]: unknown }

/** One contract of a product. */
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

/** The broker's currency id. */
export const currencyId = (currency: Product['currency']): number => CURRENCY_IDS[currency]

/** A product's front month on a day. */
export const frontMonth = (product: Product, date: string): Contract => {
  const from = Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1
  for (let month = from; ; month += 1) {
    if (!product.months.includes(letterOf(month))) continue
    const contract = contractOf(product, month)
    if (addDays(contract.expires, -product.rollDays) > date) return contract
  }
}

/** The day's contract library by id: for every product the contracts in use, the front month and the next one. */
export const contractsOn = (inUse: Iterable<Contract>, date: string): Contract[] => {
  const contracts = new Map<number, Contract>()
  for (const contract of inUse) contracts.set(contract.id, contract)
  for (const product of PRODUCTS) {
    const front = frontMonth(product, date)
    for (const each of [front, frontMonth(product, front.expires)]) contracts.set(each.id, each)
  }
  return [...contracts.values()].sort((a, b) => a.id - b.id)
}

/** The contract library's rows on a day. */
export const libraryRows = (sorted: readonly Contract[], date: string): Record<LibraryEntity, WireRow[]> => {
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

/** The entities that are the same for every login. */
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

// The real broker omits the seconds here.
const maturityRow = (contract: Contract, isFront: boolean): WireRow => ({
  id: contract.maturityId,
  productId: contract.product.id,
  expirationMonth: contract.month,
  expirationDate: `${contract.expires}T14:30Z`,
  archived: false,
  seqNo: contract.month % 100,
  isFront,
})

const productRow = (product: Product): WireRow => ({
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

/** A product's expiration rule. */
type ExpiryRule = 'third-friday' | 'before-third-wednesday' | 'month-before-20th' | 'month-end'

/** Fees per contract and side, in 1/10,000 of the currency. */
export type FeeParts = {
  readonly commission: number
  readonly exchangeFee: number
  readonly clearingFee: number
  readonly nfaFee: number
  readonly brokerageFee: number
  readonly orderRoutingFee: number
}

/** A product of the demo exchange, with the level around which its prices walk. */
export type Product = {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly currency: 'USD' | 'EUR'
  readonly exchange: 'CME' | 'CBOT' | 'NYMEX' | 'COMEX' | 'EUREX'
  readonly valuePerPoint: number
  /** The tick size is `tickUnits / tickScale`, both integers, so that prices are exact. */
  readonly tickUnits: number
  readonly tickScale: number
  /** Tick value of one contract, in 1/10,000 of the currency. */
  readonly tickValue: number
  readonly priceFormat: number
  readonly priceFormatType: 'Decimal' | 'Fractional'
  readonly months: string
  readonly expiry: ExpiryRule
  /** Traders roll this many days before expiration. */
  readonly rollDays: number
  readonly fees: FeeParts
  /** Products of one underlying share a price walk. */
  readonly underlying: string
  readonly level: number
  /** Standard deviation of a day's move, as a fraction of the level. */
  readonly volatility: number
  /** Range of contracts in an ordinary entry. */
  readonly size: readonly [number, number]
}

const MICRO: FeeParts = { commission: 3900, exchangeFee: 3500, clearingFee: 1900, nfaFee: 200, brokerageFee: 0, orderRoutingFee: 0 }
const MINI: FeeParts = { commission: 12900, exchangeFee: 13800, clearingFee: 1900, nfaFee: 200, brokerageFee: 700, orderRoutingFee: 300 }
const EUREX: FeeParts = { commission: 3000, exchangeFee: 2000, clearingFee: 200, nfaFee: 0, brokerageFee: 0, orderRoutingFee: 0 }

const QUARTERS = { months: 'HMUZ', expiry: 'third-friday', rollDays: 8 } as const
const DECIMAL = { priceFormatType: 'Decimal', currency: 'USD' } as const

/** All products of the demo exchange. */
export const PRODUCTS: readonly Product[] = [
  { id: 901, name: 'ES', description: 'E-mini S&P 500', exchange: 'CME', valuePerPoint: 50, tickUnits: 25, tickScale: 100, tickValue: 125_000, priceFormat: -2, fees: MINI, underlying: 'large-caps', level: 6780, volatility: 0.009, size: [1, 2], ...QUARTERS, ...DECIMAL },
  { id: 902, name: 'MES', description: 'Micro E-mini S&P 500', exchange: 'CME', valuePerPoint: 5, tickUnits: 25, tickScale: 100, tickValue: 12_500, priceFormat: -2, fees: MICRO, underlying: 'large-caps', level: 6780, volatility: 0.009, size: [2, 6], ...QUARTERS, ...DECIMAL },
  { id: 903, name: 'NQ', description: 'E-mini NASDAQ-100', exchange: 'CME', valuePerPoint: 20, tickUnits: 25, tickScale: 100, tickValue: 50_000, priceFormat: -2, fees: MINI, underlying: 'technology', level: 24_900, volatility: 0.012, size: [1, 2], ...QUARTERS, ...DECIMAL },
  { id: 904, name: 'MNQ', description: 'Micro E-mini NASDAQ-100', exchange: 'CME', valuePerPoint: 2, tickUnits: 25, tickScale: 100, tickValue: 5_000, priceFormat: -2, fees: MICRO, underlying: 'technology', level: 24_900, volatility: 0.012, size: [2, 6], ...QUARTERS, ...DECIMAL },
  { id: 905, name: 'RTY', description: 'E-mini Russell 2000', exchange: 'CME', valuePerPoint: 50, tickUnits: 10, tickScale: 100, tickValue: 50_000, priceFormat: -1, fees: MINI, underlying: 'small-caps', level: 2440, volatility: 0.013, size: [1, 2], ...QUARTERS, ...DECIMAL },
  { id: 906, name: 'M2K', description: 'Micro E-mini Russell 2000', exchange: 'CME', valuePerPoint: 5, tickUnits: 10, tickScale: 100, tickValue: 5_000, priceFormat: -1, fees: MICRO, underlying: 'small-caps', level: 2440, volatility: 0.013, size: [2, 6], ...QUARTERS, ...DECIMAL },
  { id: 907, name: 'CL', description: 'Crude Oil', exchange: 'NYMEX', valuePerPoint: 1000, tickUnits: 1, tickScale: 100, tickValue: 100_000, priceFormat: -2, fees: MINI, underlying: 'crude', level: 61.4, volatility: 0.018, size: [1, 1], months: 'FGHJKMNQUVXZ', expiry: 'month-before-20th', rollDays: 3, ...DECIMAL },
  { id: 908, name: 'MCL', description: 'Micro Crude Oil', exchange: 'NYMEX', valuePerPoint: 100, tickUnits: 1, tickScale: 100, tickValue: 10_000, priceFormat: -2, fees: MICRO, underlying: 'crude', level: 61.4, volatility: 0.018, size: [2, 5], months: 'FGHJKMNQUVXZ', expiry: 'month-before-20th', rollDays: 3, ...DECIMAL },
  { id: 909, name: 'MGC', description: 'E-Micro Gold', exchange: 'COMEX', valuePerPoint: 10, tickUnits: 10, tickScale: 100, tickValue: 10_000, priceFormat: -1, fees: MICRO, underlying: 'gold', level: 4080, volatility: 0.011, size: [1, 3], months: 'GJMQVZ', expiry: 'month-end', rollDays: 30, ...DECIMAL },
  { id: 910, name: 'ZN', description: '10-Year T-Note', exchange: 'CBOT', valuePerPoint: 1000, tickUnits: 15_625, tickScale: 1_000_000, tickValue: 156_250, priceFormat: -320, fees: MINI, underlying: 'notes', level: 112.6, volatility: 0.0035, size: [1, 3], months: 'HMUZ', expiry: 'month-end', rollDays: 30, currency: 'USD', priceFormatType: 'Fractional' },
  { id: 911, name: '6E', description: 'Euro FX', exchange: 'CME', valuePerPoint: 125_000, tickUnits: 5, tickScale: 100_000, tickValue: 62_500, priceFormat: -5, fees: MINI, underlying: 'euro', level: 1.1645, volatility: 0.0045, size: [1, 2], months: 'HMUZ', expiry: 'before-third-wednesday', rollDays: 4, ...DECIMAL },
  { id: 912, name: 'FDXS', description: 'Micro-DAX', exchange: 'EUREX', valuePerPoint: 1, tickUnits: 1, tickScale: 1, tickValue: 10_000, priceFormat: 0, fees: EUREX, underlying: 'dax', level: 24_150, volatility: 0.01, size: [1, 5], ...QUARTERS, currency: 'EUR', priceFormatType: 'Decimal' },
  { id: 913, name: 'YM', description: 'E-mini Dow', exchange: 'CBOT', valuePerPoint: 5, tickUnits: 1, tickScale: 1, tickValue: 50_000, priceFormat: 0, fees: MINI, underlying: 'industrials', level: 47_200, volatility: 0.008, size: [1, 2], ...QUARTERS, ...DECIMAL },
  { id: 914, name: 'MYM', description: 'Micro E-mini Dow', exchange: 'CBOT', valuePerPoint: 0.5, tickUnits: 1, tickScale: 1, tickValue: 5_000, priceFormat: 0, fees: MICRO, underlying: 'industrials', level: 47_200, volatility: 0.008, size: [2, 6], ...QUARTERS, ...DECIMAL },
  { id: 915, name: 'GC', description: 'Gold', exchange: 'COMEX', valuePerPoint: 100, tickUnits: 10, tickScale: 100, tickValue: 100_000, priceFormat: -1, fees: MINI, underlying: 'gold', level: 4080, volatility: 0.011, size: [1, 1], months: 'GJMQVZ', expiry: 'month-end', rollDays: 30, ...DECIMAL },
]

/** The product with this name; throws for an unknown one. */
export const productNamed = (name: string): Product => {
  const product = PRODUCTS.find((each) => each.name === name)
  if (product === undefined) throw new RangeError(`The stand-in does not trade ${name}`)
  return product
}

/** The price of a number of ticks as the API writes it, without float noise. */
export const priceOf = (product: Product, ticks: number): number => (ticks * product.tickUnits) / product.tickScale

/** The ticks of an API price, or null for a price between two ticks. */
export const ticksOf = (product: Product, price: number): number | null => {
  const exact = (price * product.tickScale) / product.tickUnits
  const whole = Math.round(exact)
  return Math.abs(exact - whole) < 1e-6 ? whole : null
}

/** Total fee per contract and side, in 1/10,000 of the currency. */
export const feePerContract = ({ fees }: Product): number =>
  fees.commission + fees.exchangeFee + fees.clearingFee + fees.nfaFee + fees.brokerageFee + fees.orderRoutingFee
