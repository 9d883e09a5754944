import { contractSpecOf, type ContractSpec } from '#shared/market/contract-spec.ts'
import type { JournalView } from '../store/journals.ts'

/** A contract's figures: those that a computer saved, else the contract table's. */
export const specOf = async (journal: JournalView, contract: string): Promise<ContractSpec> => {
  const kept = await journal.get('spec', contract)
  // Mirrored values were exact when written.
  return kept === null ? contractSpecOf(contract) : ({ contract, ...kept } as ContractSpec)
}
