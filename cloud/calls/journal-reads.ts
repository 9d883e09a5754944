import { contractSpecOf, type ContractSpec } from '#shared/market/contract-spec.ts'
import { isTimeZone } from '#shared/market/zone-clock.ts'
import type { JournalView } from '../store/journals.ts'

/** Records of one kind, by id. */
export const byId = <T>(records: readonly { readonly id: string; readonly content: T }[]): ReadonlyMap<string, T> => new Map(records.map(({ id, content }) => [id, content]))

/** The time zone of a user's local dates; UTC until a computer has sent one. */
export const zoneOf = async (journal: JournalView): Promise<string> => {
  const stored = (await journal.get('profile', 'profile'))?.timeZone
  return stored !== undefined && isTimeZone(stored) ? stored : 'UTC'
}

/** A contract's figures: those that a computer saved, else the contract table's. */
export const specOf = async (journal: JournalView, contract: string): Promise<ContractSpec> => {
  const kept = await journal.get('spec', contract)
  // Mirrored values were exact when written.
  return kept === null ? contractSpecOf(contract) : ({ contract, ...kept } as ContractSpec)
}
