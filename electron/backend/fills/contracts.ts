import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import type { ProjectxContract } from '#shared/prices/feed-names.ts'
import type { Currency } from '#shared/money/money.ts'
import { perConnection, type Reader, type Writer } from '../db/database.ts'
import { deriveAgain, saveSpecs } from './derive-contract.ts'
import { contractName, queueChange } from '../db/outbox.ts'
import { contracts, specs } from '../db/schema/brokerage.ts'
import { keptSpec } from './specs.ts'
import type { Environment } from '#shared/sync/plan.ts'
import type { At, ContractRow, OfUser, SaveCounts } from '../db/rows.ts'

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
export const projectxContracts = ({ orm }: Reader, { userId }: OfUser): ProjectxContract[] =>
  orm
    .selectDistinct({ id: contracts.brokerContractId, contract: contracts.contract })
    .from(contracts)
    .where(and(eq(contracts.userId, userId), sql`${contracts.brokerContractId} GLOB 'CON.*'`))
    .orderBy(asc(contracts.brokerContractId))
    .all()

const upsertContract = perConnection(({ orm }: Writer) => {
  const [userId, environment, brokerContractId, contract] = [sql.placeholder('userId'), sql.placeholder('environment'), sql.placeholder('brokerContractId'), sql.placeholder('contract')]
  const target = [contracts.userId, contracts.environment, contracts.brokerContractId]
  return orm.insert(contracts).values({ userId, environment, brokerContractId, contract }).onConflictDoUpdate({ target, set: { contract: sql`excluded.contract` } }).prepare()
})
const namedSo = perConnection(({ orm }: Writer) =>
  orm.select({ brokerContractId: contracts.brokerContractId }).from(contracts).where(and(eq(contracts.userId, sql.placeholder('userId')), eq(contracts.contract, sql.placeholder('contract')))).prepare(),
)

/** Saves which contract a broker's number means. */
export const saveContract = (writer: Writer, row: typeof contracts.$inferInsert): void => {
  upsertContract(writer).run(row)
}

/** Saves contracts for later runs; if figures changed, derives the affected trades again. */
export const saveContracts = (writer: Writer, { userId, at, contracts: rows }: OfUser & At & { readonly contracts: readonly ContractRow[] }): SaveCounts => {
  for (const { environment, brokerContractId, spec } of rows) {
    const isIt = and(eq(contracts.userId, userId), eq(contracts.environment, environment), eq(contracts.brokerContractId, brokerContractId))
    if (writer.orm.select().from(contracts).where(isIt).get()?.contract === spec.contract) continue
    saveContract(writer, { userId, environment, brokerContractId, contract: spec.contract })
    queueChange(writer, userId, at, 'contract', contractName(environment, brokerContractId))
  }
  return saveSpecs(writer, userId, at, rows.map(({ spec }) => spec))
}

/**
 * Deletes figures in dollars of a contract that only NinjaTrader names, as an earlier version sends them: NinjaTrader names no
 * currency. Derives the affected trades again, in the caller's transaction.
 */
export const deleteNinjatraderDollars = (writer: Writer, userId: string, at: number, contract: string): void => {
  const named = namedSo(writer).all({ userId, contract })
  if (named.length === 0 || named.some(({ brokerContractId }) => brokerContractId !== `ninjatrader:${contract}`)) return
  const { changes } = writer.orm.update(specs).set({ source: 'unknown' }).where(and(eq(specs.userId, userId), eq(specs.contract, contract), eq(specs.source, 'broker'), eq(specs.currency, 'USD' as Currency))).run()
  if (changes > 0) deriveAgain(writer, { userId, at, where: 'contract = ?', values: [contract] })
}
