import { contractKey, partsOfKey } from './contract-key.ts'

/** A contract of ProjectX, `CON.F.US.ENQ.H26`, and its name in the journal, `NQH6`. */
export type ProjectxContract = { readonly id: string; readonly contract: string }

/**
 * ProjectX's id of a contract (root and delivery, `NQ 2026-12`). Its products have codes of its own, so the id is one that the
 * broker has named, or made of the code in another month's id; null where no month of the product is known.
 */
export const projectxContractId = (key: string, known: readonly ProjectxContract[]): string | null => {
  const { root, letter, year } = partsOfKey(key)
  const same = known.find(({ contract }) => contractKey(contract) === key)
  if (same !== undefined) return same.id
  const other = known.find(({ contract }) => contractKey(contract)?.split(' ')[0] === root)
  return other === undefined ? null : `${other.id.slice(0, other.id.lastIndexOf('.') + 1)}${letter}${year.slice(-2)}`
}

/** Databento's symbol of a contract, `ESZ6` of `ES 2026-12`: it has one digit of the year in each decade. */
export const databentoSymbol = (key: string): string => {
  const { root, letter, year } = partsOfKey(key)
  return `${root}${letter}${year.slice(-1)}`
}
