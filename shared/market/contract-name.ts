import { contractTable, type ContractRow } from './contract-table.ts'

const spelledMonth = / (?:JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)\d{2}$/
const monthLetter = /[FGHJKMNQUVXZ]\d{1,2}$/

// No two products share a code; a test holds that. Built lazily: a page that looks up nothing does not load the table.
let byCode: ReadonlyMap<string, ContractRow> | null = null
const rowsByCode = (): ReadonlyMap<string, ContractRow> => (byCode ??= new Map(contractTable.flatMap((row) => [row.root, ...Object.values(row.codes)].map((code) => [code, row] as const))))

/** The product code in a contract's name: `MNG` of `MNGH6`, `MNQ` of `MNQ MAR25`; a bare `ES` is its own. */
export const wholeRootOf = (name: string): string => {
  const plain = name.trim().toUpperCase()
  if (rowsByCode().has(plain)) return plain
  const root = spelledMonth.test(plain) ? plain.replace(spelledMonth, '') : plain.replace(monthLetter, '')
  return root === '' ? plain : root
}

/** The product with exactly this code, on any platform; null if the table has none. */
export const productRow = (code: string): ContractRow | null => rowsByCode().get(code.trim().toUpperCase()) ?? null

// Only the specification's own products: the codes added since are so short and so many that nearly every name contains one.
let guessable: readonly ContractRow[] | null = null

/** The row of the longest of the specification's codes contained in the name, the first one on a tie; null if there is none. */
export const guessedRow = (name: string): ContractRow | null => {
  const plain = name.toUpperCase()
  let best: ContractRow | null = null
  let bestAt = 0
  guessable ??= contractTable.filter(({ commission }) => commission !== null)
  for (const row of guessable) {
    const at = plain.indexOf(row.root)
    if (at < 0) continue
    const longer = best === null || row.root.length > best.root.length
    const sooner = best !== null && row.root.length === best.root.length && at < bestAt
    if (longer || sooner) {
      best = row
      bestAt = at
    }
  }
  return best
}
