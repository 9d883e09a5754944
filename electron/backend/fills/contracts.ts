import { and, eq, inArray } from 'drizzle-orm'
import type { ProjectxContract } from '#shared/prices/feed-names.ts'
import { change, query, type Reader, type Writer } from '../db/database.ts'
import { deriveAgain, keepSpecs } from './derive-contract.ts'
import { contractName, noteChange } from '../mirror/outbox.ts'
import { contracts } from '../db/schema/brokerage.ts'
import { keptSpec } from './specs.ts'
import type { At, ContractRow, Environment, OfUser, Taken } from '../db/rows.ts'

/** Those of the given ids whose contracts already have the broker's figures. */
export const knownContracts = (reader: Reader, { userId, environment, brokerContractIds }: OfUser & { readonly environment: Environment; readonly brokerContractIds: readonly string[] }): ContractRow[] =>
  reader.orm
    .select()
    .from(contracts)
    .where(and(eq(contracts.userId, userId), eq(contracts.environment, environment), inArray(contracts.brokerContractId, [...brokerContractIds])))
    .all()
    .flatMap(({ brokerContractId, contract }) => {
      const spec = keptSpec(reader, userId, contract)
      return spec === null ? [] : [{ environment, brokerContractId, spec }]
    })

/** The contracts of a user that ProjectX has named. */
export const projectxContracts = (reader: Reader, { userId }: OfUser): ProjectxContract[] => query<ProjectxContract>(reader, "SELECT DISTINCT broker_contract_id AS id, contract FROM contracts WHERE user_id = ? AND broker_contract_id GLOB 'CON.*' ORDER BY broker_contract_id").all(userId)

/** Saves contracts for later runs; if figures changed, derives the affected trades again. */
export const saveContracts = (writer: Writer, { userId, at, contracts: rows }: OfUser & At & { readonly contracts: readonly ContractRow[] }): Taken => {
  const put = change(writer, 'INSERT OR REPLACE INTO contracts (user_id, environment, broker_contract_id, contract) VALUES (?, ?, ?, ?)')
  const known = query<{ contract: string }>(writer, 'SELECT contract FROM contracts WHERE user_id = ? AND environment = ? AND broker_contract_id = ?')
  for (const { environment, brokerContractId, spec } of rows) {
    if (known.get(userId, environment, brokerContractId)?.contract === spec.contract) continue
    put.run(userId, environment, brokerContractId, spec.contract)
    noteChange(writer, userId, at, 'contract', contractName(environment, brokerContractId))
  }
  return keepSpecs(writer, userId, at, rows.map(({ spec }) => spec))
}

/**
 * Forgets figures in dollars of a contract that only NinjaTrader names, as an earlier version sends them: NinjaTrader names no
 * currency. Derives the affected trades again, in the caller's transaction.
 */
export const doubtNinjatraders = (writer: Writer, userId: string, at: number, contract: string): void => {
  const named = query<{ id: string }>(writer, 'SELECT broker_contract_id AS id FROM contracts WHERE user_id = ? AND contract = ?').all(userId, contract)
  if (named.length === 0 || named.some(({ id }) => id !== `ninjatrader:${contract}`)) return
  const { changes } = change(writer, "UPDATE specs SET source = 'unknown' WHERE user_id = ? AND contract = ? AND source = 'broker' AND currency = 'USD'").run(userId, contract)
  if (changes > 0) deriveAgain(writer, { userId, at, where: 'contract = ?', values: [contract] })
}
