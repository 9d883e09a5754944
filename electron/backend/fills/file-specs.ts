import { contractSpecOf, type ContractSpec } from '#shared/market/contract-spec.ts'
import { change, query, type Writer } from '../db/database.ts'
import { deriveAgain, keepSpecs } from './derive-contract.ts'
import { putInTicks } from './fill-rows.ts'
import { noteChange } from '../mirror/outbox.ts'
import type { AssembledImports } from '../imports/assemble-imports.ts'
import type { Reach } from '../imports/reach.ts'
import { fitsFills, isSameSpec, keptSpec, trustIn } from './specs.ts'

/** Contract figures that only imports have. The broker's own figures stay. */
const wantedSpecs = (writer: Writer, userId: string, { assembly }: Pick<AssembledImports, 'assembly'>): ContractSpec[] =>
  [...assembly.specs.values()].filter((spec) => !isSameSpec(spec, contractSpecOf(spec.contract)) && keptSpec(writer, userId, spec.contract)?.source !== 'broker')

/** Contracts that the broker described, and whose rounding an import shows. */
const roundedSpecs = (writer: Writer, userId: string, { assembly }: Pick<AssembledImports, 'assembly'>): ContractSpec[] =>
  [...assembly.specs.values()].filter(({ contract, rounding }) => rounding !== null && keptSpec(writer, userId, contract)?.source === 'broker')

const importedSpecs = (writer: Writer, userId: string): Set<string> =>
  new Set(query<{ contract: string }>(writer, 'SELECT contract FROM imported_specs WHERE user_id = ?').all(userId).map(({ contract }) => contract))

/** Saves the contract figures that only imports have, and derives again what they change; runs in the caller's transaction. */
export const keepFileSpecs = (writer: Writer, userId: string, at: number, whole: Pick<AssembledImports, 'assembly'>): void => {
  const ours = importedSpecs(writer, userId)
  const wanted = wantedSpecs(writer, userId, whole).filter(({ contract }) => ours.has(contract) || keptSpec(writer, userId, contract) === null)
  keepSpecs(writer, userId, at, [...wanted, ...roundedSpecs(writer, userId, whole)])
  const note = change(writer, 'INSERT OR IGNORE INTO imported_specs (user_id, contract) VALUES (?, ?)')
  for (const { contract } of wanted) note.run(userId, contract)
}

/**
 * Deletes contract figures that no import has any more, of all contracts or of those in `reach`; derives the affected
 * trades again with the figures of other imports, else the table's. Runs in the caller's transaction.
 */
export const leaveFileSpecs = (writer: Writer, userId: string, at: number, whole: Pick<AssembledImports, 'assembly'>, reach: Reach | null): void => {
  const wanted = new Map(wantedSpecs(writer, userId, whole).map((spec) => [spec.contract, spec]))
  const drop = change(writer, 'DELETE FROM specs WHERE user_id = ? AND contract = ?')
  const forget = change(writer, 'DELETE FROM imported_specs WHERE user_id = ? AND contract = ?')
  for (const contract of importedSpecs(writer, userId)) {
    const [table, kept, ofImports] = [contractSpecOf(contract), keptSpec(writer, userId, contract), wanted.get(contract)]
    const isBrokers = kept?.source === 'broker'
    const isBeyond = reach?.contracts.has(contract) === false
    if (!isBrokers && (isBeyond || !fitsFills(writer, userId, ofImports ?? table))) continue
    if (!isBrokers && ofImports !== undefined) {
      // `keepSpecs` never replaces better figures by worse ones, but here the import with the better ones is gone.
      if (kept !== null && trustIn(kept) > trustIn(ofImports)) {
        drop.run(userId, contract)
        keepSpecs(writer, userId, at, [ofImports])
      }
      continue
    }
    forget.run(userId, contract)
    if (isBrokers) continue
    drop.run(userId, contract)
    for (const name of putInTicks(writer, userId, contract, table.tickSize)) noteChange(writer, userId, at, 'fill', name)
    deriveAgain(writer, { userId, at, where: 'contract = ?', values: [contract] })
  }
}
