import { contractTable, type ContractRow } from './contract-table.ts'

const withoutMicro = 10

const rows = new Map(contractTable.map((row) => [row.root, row]))
const marketOfRow = ({ root, smallerOf }: ContractRow): string => smallerOf ?? root
const microOfMarket = new Map(contractTable.filter(({ name }) => name.startsWith('Micro')).map((row) => [marketOfRow(row), row]))

/** The market of a product, named by its largest: `ES` of ES and MES; a product without relatives is its own. */
export const marketOf = (product: string): string => rows.get(product)?.smallerOf ?? product

/** How many of its market's micro contracts one contract equals: ES 10, MES 1, SI 5, BTC 50. Without a micro in its market, 10. */
export const microsOf = (product: string): number => {
  const [row, micro] = [rows.get(product), microOfMarket.get(marketOf(product))]
  if (row === undefined || micro === undefined) return withoutMicro
  // Sizes like 0.1 are not exact doubles, but their quotients have at most three decimals.
  return Math.round((Number(row.multiplier) / Number(micro.multiplier)) * 1000) / 1000
}

/** Whether a contract is its market's micro, or smaller. */
export const isMicro = (product: string): boolean => microsOf(product) <= 1
