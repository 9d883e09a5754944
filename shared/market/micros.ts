import { contractTable } from './contract-table.ts'

// The first of each market names it.
const markets = [
  ['ES', 'MES'], ['NQ', 'MNQ'], ['YM', 'MYM'], ['RTY', 'M2K'], ['NKD', 'NIY', 'MNK'], ['FDAX', 'FDXM', 'FDXS'], ['FESX', 'FSXE'],
  ['CL', 'MCL', 'QM'], ['NG', 'QG', 'MNG'], ['RB', 'MRB'], ['HO', 'MHO'],
  ['GC', 'MGC', 'QO', '1OZ'], ['SI', 'SIL', 'QI'], ['HG', 'MHG', 'QC'], ['PL', 'PLM'],
  ['6E', 'M6E', 'E7'], ['6A', 'M6A'], ['6B', 'M6B'], ['6J', 'J7', 'MJY'], ['6C', 'MCD'], ['6S', 'MSF'],
  ['BTC', 'MBT', 'BFF'], ['ETH', 'MET'],
  ['ZC', 'XC', 'MZC'], ['ZS', 'XK', 'MZS'], ['ZW', 'XW', 'MZW'], ['ZM', 'MZM'], ['ZL', 'MZL'],
] as const
const marketByProduct = new Map<string, string>(markets.flatMap((market) => market.map((product) => [product, market[0]] as const)))

// What the table does not have, in micros of its market by the exchanges' contract sizes.
const besidesTable = new Map<string, number>([
  ...['MNK', 'MNG', 'MRB', 'MHO', 'PLM', 'MJY', 'MCD', 'MSF', 'MZC', 'MZS', 'MZW', 'MZM', 'MZL'].map((product) => [product, 1] as const),
  ['E7', 5], ['J7', 5], ['QC', 5], ['QI', 2.5], ['QG', 2.5], ['XC', 2], ['XK', 2], ['XW', 2], ['1OZ', 0.1], ['BFF', 0.2],
])
const withoutMicro = 10

const sizes = new Map(contractTable.map(({ root, multiplier }) => [root, Number(multiplier)]))
const microOfMarket = new Map(contractTable.filter(({ name }) => name.startsWith('Micro')).map(({ root }) => [marketByProduct.get(root) ?? root, root]))

/** The market of a product, named by its largest: `ES` of ES and MES; a product without relatives is its own. */
export const marketOf = (product: string): string => marketByProduct.get(product) ?? product

/** How many of its market's micro contracts one contract equals: ES 10, MES 1, SI 5, BTC 50. A product whose market has no micro counts as 10. */
export const microsOf = (product: string): number => {
  const size = sizes.get(product)
  const micro = sizes.get(microOfMarket.get(marketOf(product)) ?? '')
  if (size === undefined || micro === undefined) return besidesTable.get(product) ?? withoutMicro
  // Sizes like 0.1 are no exact doubles; what they divide to has no more than three places.
  return Math.round((size / micro) * 1000) / 1000
}

/** Whether a contract is a micro of its market, or smaller. */
export const isMicro = (product: string): boolean => microsOf(product) <= 1
