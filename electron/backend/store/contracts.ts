import { and, eq, inArray } from 'drizzle-orm'
import { change } from './database.ts'
import { keepSpecs } from './derive-again.ts'
import type { Read, Write } from './part.ts'
import { contracts } from './schema/brokerage.ts'
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

export const saveContracts: Write<'saveContracts'> = (writer, { userId, contracts: rows }) => {
  const put = change(writer, 'INSERT OR REPLACE INTO contracts (user_id, environment, broker_contract_id, contract) VALUES (?, ?, ?, ?)')
  for (const { environment, brokerContractId, spec } of rows) put.run(userId, environment, brokerContractId, spec.contract)
  return keepSpecs(writer, userId, rows.map(({ spec }) => spec))
}
