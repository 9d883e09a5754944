import { and, eq, inArray } from 'drizzle-orm'
import { change, query } from '../db/database.ts'
import { keepSpecs } from './derive-again.ts'
import { contractName, noteChange } from '../mirror/outbox.ts'
import type { Read, Write } from '../journal/part.ts'
import { contracts } from '../db/schema/brokerage.ts'
import { keptSpec } from './specs.ts'

export const knownContracts: Read<'knownContracts'> = (reader, { userId, environment, brokerContractIds }) =>
  reader.orm
    .select()
    .from(contracts)
    .where(and(eq(contracts.userId, userId), eq(contracts.environment, environment), inArray(contracts.brokerContractId, [...brokerContractIds])))
    .all()
    .flatMap(({ brokerContractId, contract }) => {
      const spec = keptSpec(reader, userId, contract)
      return spec === null ? [] : [{ environment, brokerContractId, spec }]
    })

export const saveContracts: Write<'saveContracts'> = (writer, { userId, at, contracts: rows }) => {
  const put = change(writer, 'INSERT OR REPLACE INTO contracts (user_id, environment, broker_contract_id, contract) VALUES (?, ?, ?, ?)')
  const known = query<{ contract: string }>(writer, 'SELECT contract FROM contracts WHERE user_id = ? AND environment = ? AND broker_contract_id = ?')
  for (const { environment, brokerContractId, spec } of rows) {
    if (known.get(userId, environment, brokerContractId)?.contract === spec.contract) continue
    put.run(userId, environment, brokerContractId, spec.contract)
    noteChange(writer, userId, at, 'contract', contractName(environment, brokerContractId))
  }
  return keepSpecs(writer, userId, at, rows.map(({ spec }) => spec))
}
