import { standingReadings } from '../imports/queries.ts'
import type { Read } from '../journal/part.ts'
import { putTogether } from '../imports/put-together.ts'

export const brokerFacts: Read<'brokerFacts'> = (reader, { userId, account }) => {
  const { assembly } = putTogether(reader, userId, [...standingReadings(reader, userId)].flat())
  const ofAccount = <R extends { readonly account: string }>(rows: readonly R[]): R[] => rows.filter((row) => row.account === account)
  const { fills, pairs, cash, balances, positions, missing, doubtful, specs } = assembly
  return { fills: ofAccount(fills), pairs: ofAccount(pairs), cash: ofAccount(cash), balances: ofAccount(balances), positions: ofAccount(positions), missing: ofAccount(missing), doubtful: ofAccount(doubtful), specs }
}
