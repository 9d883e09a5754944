/** A product as its exchange defines it, stated here apart from the program's own table, so that the two are held against each other. */
export type Product = {
  readonly root: string
  /** `MNQH6` */
  readonly contract: string
  /** The month as NinjaTrader spells it, `MAR26`, and in figures, `03-26`. */
  readonly month: readonly [spelled: string, figures: string]
  readonly description: string
  readonly currency: 'USD' | 'EUR'
  readonly tickSize: string
  /** Decimals with which the broker shows a price, at least those of the tick size. */
  readonly places: number
  /** Worth of one tick of one contract, in 1/10,000 of the currency. */
  readonly tickValue: bigint
  /** A usual price, in ticks. */
  readonly around: number
  /** Quantities are multiples of it: where a tick is worth half a cent, two make a whole one. */
  readonly lot: number
}

type Row = readonly [root: string, contract: string, spelled: string, figures: string, description: string, currency: 'USD' | 'EUR', tickSize: string, places: number, tickValue: bigint, around: number, lot: number]

const rows: readonly Row[] = [
  ['MNQ', 'MNQH6', 'MAR26', '03-26', 'Micro E-mini NASDAQ-100', 'USD', '0.25', 2, 5_000n, 100_200, 1],
  ['ES', 'ESH6', 'MAR26', '03-26', 'E-Mini S&P 500', 'USD', '0.25', 2, 125_000n, 26_900, 1],
  ['MGC', 'MGCJ6', 'APR26', '04-26', 'E-Micro Gold', 'USD', '0.1', 2, 10_000n, 26_471, 1],
  ['ZB', 'ZBH6', 'MAR26', '03-26', '30 Year U.S. Treasury Bonds', 'USD', '0.03125', 5, 312_500n, 3_700, 1],
  ['ZN', 'ZNH6', 'MAR26', '03-26', '10 Year U.S. Treasury Notes', 'USD', '0.015625', 6, 156_250n, 7_190, 2],
  ['6E', '6EH6', 'MAR26', '03-26', 'Euro FX', 'USD', '0.00005', 5, 62_500n, 21_721, 1],
  ['CL', 'CLG6', 'FEB26', '02-26', 'Light Sweet Crude Oil', 'USD', '0.01', 2, 100_000n, 6_931, 1],
]

const euroRows: readonly Row[] = [
  ['FDXM', 'FDXMH6', 'MAR26', '03-26', 'Mini DAX Index', 'EUR', '1', 0, 50_000n, 24_300, 1],
  ['FESX', 'FESXH6', 'MAR26', '03-26', 'Euro Stoxx 50, "blue chips"', 'EUR', '1', 0, 100_000n, 5_600, 1],
]

// No code of the program's table is a part of its name.
const strangerRow: Row = ['WWJ', 'WWJH6', 'MAR26', '03-26', 'A product that no table knows', 'USD', '0.5', 1, 37_500n, 8_000, 1]

const productOf = ([root, contract, spelled, figures, description, currency, tickSize, places, tickValue, around, lot]: Row): Product => ({ root, contract, month: [spelled, figures], description, currency, tickSize, places, tickValue, around, lot })

export const dollarProducts = rows.map(productOf)
export const euroProducts = euroRows.map(productOf)
/** A product whose point value only the files of fill pairs show. */
export const strangeProduct = productOf(strangerRow)

/** The price in the broker's decimals, exactly: `2647.10`. */
export const priceText = ({ tickSize, places }: Product, ticks: number): string => {
  const scale = (tickSize.split('.')[1] ?? '').length
  const digits = BigInt(tickSize.replace('.', '')) * BigInt(ticks) * 10n ** BigInt(places - scale)
  const size = String(digits < 0n ? -digits : digits).padStart(places + 1, '0')
  return `${digits < 0n ? '-' : ''}${size.slice(0, size.length - places)}${places === 0 ? '' : `.${size.slice(-places)}`}`
}

/** The broker's number of a contract, another for each. */
export const contractNumber = ({ contract }: Product): string => String(4_000_000 + [...contract].reduce((number, letter) => (number * 31 + letter.charCodeAt(0)) % 899_981, 7))
