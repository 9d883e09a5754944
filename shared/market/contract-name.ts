import { contractTable, type ContractRow } from './contract-table.ts'

const spelledMonth = / (?:JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)\d{2}$/
const monthLetter = /[FGHJKMNQUVXZ]\d{1,2}$/

/** The product code that a contract's name is built on: `MNG` of `MNGH6`, `MNQ` of `MNQ MAR25`, a bare `ES` itself. */
export const wholeRootOf = (name: string): string => {
  const plain = name.trim().toUpperCase()
  const root = spelledMonth.test(plain) ? plain.replace(spelledMonth, '') : plain.replace(monthLetter, '')
  return root === '' ? plain : root
}

/** The row of the longest known code contained in the name, of equals the one that stands first in it; null where there is none. */
export const findContractRow = (name: string): ContractRow | null => {
  const plain = name.toUpperCase()
  let best: ContractRow | null = null
  let bestAt = 0
  for (const row of contractTable) {
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
