import { contractTable } from './contract-table.ts'

// The first of each market names it.
const markets = [
  ['ES', 'MES'], ['NQ', 'MNQ'], ['YM', 'MYM'], ['RTY', 'M2K'], ['FDAX', 'FDXM', 'FDXS'], ['FESX', 'FSXE'],
  ['CL', 'MCL', 'QM'], ['NG', 'QG', 'MNG'],
  ['GC', 'MGC', 'QO', '1OZ'], ['SI', 'SIL', 'QI'], ['HG', 'MHG', 'QC'],
  ['6E', 'M6E', 'E7'], ['6A', 'M6A'], ['6B', 'M6B'], ['6J', 'MJY', 'J7'], ['6C', 'MCD'], ['6S', 'MSF'],
  ['BTC', 'MBT', 'BFF'], ['ETH', 'MET'],
  ['ZC', 'XC', 'MZC'], ['ZS', 'XK', 'MZS'], ['ZW', 'XW', 'MZW'], ['ZM', 'MZM'], ['ZL', 'MZL'],
] as const
const marketByProduct = new Map<string, string>(markets.flatMap((market) => market.map((product) => [product, market[0]] as const)))

// What the table does not tell, in micros of its market by contract sizes as they were read on 2026-11-22. A product that was not read stands alone.
const besidesTable = new Map<string, number>([
  // Tenths of the standard contract: https://www.cmegroup.com/markets/microsuite/fx.html
  ['MJY', 1], ['MCD', 1], ['MSF', 1],
  // 1,000 MMBtu, of which QG has 2,500: https://cmegroup.com/articles/faqs/micro-henry-hub-natural-gas-futures-and-options-frequently-asked-questions.html
  ['MNG', 1], ['QG', 2.5],
  // Tenths; the minis are fifths: https://www.cmegroup.com/articles/faqs/faq-micro-agriculture-futures.html
  ['MZC', 1], ['MZS', 1], ['MZW', 1], ['MZM', 1], ['MZL', 1], ['XC', 2], ['XK', 2], ['XW', 2],
  // 12,500 pounds: http://www.cmegroup.com/trading/metals/base/emini-copper_contract_specifications.html
  ['QC', 5],
  // 2,500 ounces: http://www.financialadvisory.com/dictionary/term/e-mini-silver/
  ['QI', 2.5],
  // Halves of the standard contract: https://mondovisione.com/media-and-resources/news/cme-to-launch-emini-euro-fx-and-emini-japanese-yen-contracts
  ['E7', 5], ['J7', 5],
  // One ounce, and 0.02 bitcoin, as two public repositories list them.
  ['1OZ', 0.1], ['BFF', 0.2],
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
