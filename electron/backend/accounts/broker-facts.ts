import type { AccountKey } from '#shared/fills/fill.ts'
import type { Assembly } from '#shared/imports/assembly.ts'
import { activeReadings } from '../imports/queries.ts'
import { assembleImports } from '../imports/assemble-imports.ts'
import type { Reader } from '../db/database.ts'
import type { OfUser } from '../db/rows.ts'

/** What was told of an account by the API and all standing imports, put together: its fills, and the broker's own pairs, cash and balances to hold them against. */
export const brokerFacts = (reader: Reader, { userId, account }: OfUser & { readonly account: AccountKey }): Omit<Assembly, 'accounts' | 'warnings'> => {
  const { assembly } = assembleImports(reader, userId, [...activeReadings(reader, userId)].flat())
  const ofAccount = <R extends { readonly account: string }>(rows: readonly R[]): R[] => rows.filter((row) => row.account === account)
  const { fills, pairs, cash, balances, positions, missing, doubtful, specs } = assembly
  return { fills: ofAccount(fills), pairs: ofAccount(pairs), cash: ofAccount(cash), balances: ofAccount(balances), positions: ofAccount(positions), missing: ofAccount(missing), doubtful: ofAccount(doubtful), specs }
}
